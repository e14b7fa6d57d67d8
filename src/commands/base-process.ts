import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import type { Logger } from 'pino';
import { Backoff } from '../backoff.ts';
import { readPlace } from '../data/parts/place.ts';
import { type BaseStanding, watchBase } from '../data/parts/progress-table.ts';
import { WRITTEN_BY_ANOTHER } from '../data/writing/writer-lock.ts';
import { GatewayError } from '../errors.ts';
import { NEXT_GOES_ON } from './ingest-base.ts';
import { DATABASE_LOST } from './run.ts';

/** What takes a base in beside the gateway, which has its processor to itself. Whoever starts it closes it. */
export interface BaseProcess extends AsyncDisposable {
  /** Resolves when there is something to serve, whoever takes it in. */
  readonly present: Promise<void>;
  /** Resolves when all of it is in, and rejects where it cannot be. */
  readonly done: Promise<void>;
  /** Throws what a database that is away would throw, until all of it is in: who writes waits for that. */
  check(): void;
}

/** One that is asked to stop has finished by then, or is ended: the next one goes on where it was. */
const STOP_LIMIT_MS = 10_000;
const RETRY = { firstMs: 1_000, limitMs: 30_000 };
/** As a server says that is starting. */
const CANNOT_CONNECT_NOW = '57P03';
/** How the line begins in which a command says why it fails. */
const EXPLAINS = 'periscope: ';

/** Takes a base into the database at an address by `ingest base`, with the settings of this process. */
export function startBaseProcess(from: string, url: string, logger: Logger, wasBegun: boolean): BaseProcess {
  const closing = new AbortController();
  const intake = new BaseIntake(from, url, logger, { wasBegun, signal: closing.signal });
  let isDone = false;
  const done = intake.run().then(() => {
    isDone = true;
  });
  const present = intake.untilPresent();
  const settled = Promise.allSettled([present, done]);
  return {
    present,
    done,
    check() {
      if (isDone) return;
      throw Object.assign(new Error('a base is being taken into the database'), { code: CANNOT_CONNECT_NOW });
    },
    async [Symbol.asyncDispose]() {
      closing.abort();
      await settled;
    },
  };
}

/** Of several gateways of one database one takes it in, and another goes on where that one has died. */
class BaseIntake {
  readonly #from: string;
  readonly #name: string;
  readonly #url: string;
  readonly #logger: Logger;
  readonly #signal: AbortSignal;
  /** Whether anybody was seen at a base: blocks that are there without are another's. */
  #wasBegun: boolean;
  /** Whether there is something to serve: what may pass is no reason to end that. */
  #isPresent = false;

  constructor(
    from: string,
    url: string,
    logger: Logger,
    { wasBegun, signal }: { readonly wasBegun: boolean; readonly signal: AbortSignal },
  ) {
    this.#from = from;
    this.#name = readPlace(from).name;
    this.#url = url;
    this.#logger = logger;
    this.#wasBegun = wasBegun;
    this.#signal = signal;
  }

  /** Goes on where the database was away, once another has left it, and after what may pass where the present is there; all else is the end. */
  async run(): Promise<void> {
    const backoff = new Backoff({ ...RETRY, signal: this.#signal });
    while (true) {
      this.#signal.throwIfAborted();
      const tell = (said: string, message: string) => this.#logger.info({ from: this.#name, said }, message);
      const ended = await runBase(this.#from, (line) => tell(line, 'taking a base in'), this.#signal);
      if (ended === null) {
        this.#wasBegun = true;
        return;
      }
      const { reason } = ended;
      const isAnothers = reason.endsWith(WRITTEN_BY_ANOTHER);
      if (isAnothers) tell(reason, 'waiting for who writes to the database');
      const failure = new GatewayError('UNAVAILABLE', `The base cannot be taken in: ${reason}`);
      // Another may have made it whole meanwhile.
      if (await this.#isWhole(isAnothers, failure)) return;
      if (isAnothers) continue;
      if (!reason.includes(DATABASE_LOST) && !(this.#isPresent && ended.mayPass)) throw failure;
      this.#logger.warn(
        { from: this.#name, said: reason, seconds: backoff.nextMs / 1_000 },
        'the base cannot be taken in at the moment: it is gone on with in so many seconds',
      );
      await backoff.wait();
    }
  }

  async untilPresent(): Promise<void> {
    for await (const _ of this.#look()) if (this.#isPresent) return;
  }

  /** Whether all of a base is there, once nobody else is at it where that is waited for. Throws where blocks came without one. */
  async #isWhole(waits: boolean, failure: GatewayError): Promise<boolean> {
    for await (const { isBegun, holdsBlocks, isWritten } of this.#look()) {
      if (!isBegun && holdsBlocks) {
        if (this.#wasBegun) return true;
        throw failure;
      }
      if (!waits || !isWritten) return false;
    }
    return false;
  }

  async *#look(): AsyncGenerator<BaseStanding, void> {
    for await (const standing of watchBase(this.#url, this.#signal)) {
      this.#wasBegun ||= standing.isBegun;
      this.#isPresent ||= this.#wasBegun && standing.holdsBlocks;
      yield standing;
    }
  }
}

/** Why a run ended before its end, and whether that may pass: the next run goes on then. */
interface Failed {
  readonly reason: string;
  readonly mayPass: boolean;
}

type BaseChild = ChildProcessByStdio<null, Readable, Readable>;

/** Throws where the system has no room for another process. */
async function startBase(from: string): Promise<BaseChild> {
  const program = process.argv[1] as string;
  const child = spawn(process.execPath, [program, 'ingest', 'base', from], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  await once(child, 'spawn');
  return child;
}

/** Runs `ingest base` to its end; null where all is in then. */
async function runBase(
  from: string,
  onLine: (line: string) => void,
  signal: AbortSignal,
): Promise<Failed | null> {
  let child: BaseChild;
  try {
    child = await startBase(from);
  } catch (error) {
    return { reason: `its process could not be started: ${(error as Error).message}.`, mayPass: true };
  }
  let last = '';
  let explained: string | undefined;
  for (const stream of [child.stdout, child.stderr]) {
    createInterface({ input: stream }).on('line', (line) => {
      last = line;
      // A stack may follow.
      if (line.startsWith(EXPLAINS)) explained = line.slice(EXPLAINS.length);
      onLine(line);
    });
  }
  let limit: NodeJS.Timeout | undefined;
  const stop = () => {
    child.kill('SIGTERM');
    limit = setTimeout(() => child.kill('SIGKILL'), STOP_LIMIT_MS);
  };
  signal.addEventListener('abort', stop);
  // While it started.
  if (signal.aborted) stop();
  try {
    const [code, by] = (await once(child, 'close')) as [code: number | null, by: NodeJS.Signals | null];
    if (code === 0) return null;
    const lastWords = last === '' ? '.' : `; the last that it said was: ${last}`;
    if (by !== null) return { reason: `its process was ended by ${by}${lastWords}`, mayPass: true };
    const reason = explained ?? last;
    return { reason, mayPass: reason.endsWith(NEXT_GOES_ON) };
  } finally {
    signal.removeEventListener('abort', stop);
    clearTimeout(limit);
  }
}
