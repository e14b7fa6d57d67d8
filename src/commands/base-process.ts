import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import type { Logger } from 'pino';
import { Backoff } from '../backoff.ts';
import { readPlace } from '../data/parts/place.ts';
import { type BaseStanding, watchBase } from '../data/parts/progress-table.ts';
import { WRITTEN_BY_ANOTHER } from '../data/writing/writer-lock.ts';
import { GatewayError } from '../errors.ts';
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

  /** Goes on where the database was away, and once another has left it; all else that fails is the end. */
  async run(): Promise<void> {
    const backoff = new Backoff({ ...RETRY, signal: this.#signal });
    while (true) {
      this.#signal.throwIfAborted();
      const tell = (said: string, message: string) => this.#logger.info({ from: this.#name, said }, message);
      const { code, last } = await runBase(
        this.#from,
        (line) => tell(line, 'taking a base in'),
        this.#signal,
      );
      if (code === 0) {
        this.#wasBegun = true;
        return;
      }
      const isAnothers = last.endsWith(WRITTEN_BY_ANOTHER);
      if (isAnothers) tell(last, 'waiting for who writes to the database');
      const failure = new GatewayError('UNAVAILABLE', `The base cannot be taken in: ${last}`);
      // Another may have made it whole meanwhile.
      if (await this.#isWhole(isAnothers, failure)) return;
      if (isAnothers) continue;
      if (!last.includes(DATABASE_LOST)) throw failure;
      tell(last, 'the database was lost; the base is gone on with');
      await backoff.wait();
    }
  }

  async untilPresent(): Promise<void> {
    for await (const { holdsBlocks } of this.#look()) if (this.#wasBegun && holdsBlocks) return;
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
      yield standing;
    }
  }
}

/** Runs `ingest base` to its end, and gives the last line that it said. */
async function runBase(from: string, onLine: (line: string) => void, signal: AbortSignal) {
  const program = process.argv[1] as string;
  const child = spawn(process.execPath, [program, 'ingest', 'base', from], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let last = '';
  for (const stream of [child.stdout, child.stderr]) {
    createInterface({ input: stream }).on('line', (line) => {
      last = line;
      onLine(line);
    });
  }
  let limit: NodeJS.Timeout | undefined;
  const stop = () => {
    child.kill('SIGTERM');
    limit = setTimeout(() => child.kill('SIGKILL'), STOP_LIMIT_MS);
  };
  signal.addEventListener('abort', stop);
  try {
    const [code] = (await once(child, 'close')) as [code: number | null];
    return { code, last };
  } finally {
    signal.removeEventListener('abort', stop);
    clearTimeout(limit);
  }
}
