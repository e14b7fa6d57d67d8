import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import { readPlace } from '../data/parts/place.ts';
import { takesBaseFromHere } from '../data/parts/progress-table.ts';
import { isUnavailable } from '../data/servers/unavailable.ts';
import { WRITTEN_BY_ANOTHER } from '../data/writing/writer-lock.ts';
import { GatewayError } from '../errors.ts';

/** What takes a base in beside the gateway, which has its processor to itself. Whoever starts it closes it. */
export interface BaseProcess extends AsyncDisposable {
  /** Resolves when all of it is in, and rejects where it cannot be. */
  readonly done: Promise<void>;
  /** Throws what a database that is away would throw, until all of it is in: who writes waits for that. */
  check(): void;
}

/** One that is asked to stop has finished by then, or is ended: the next one goes on where it was. */
const STOP_LIMIT_MS = 10_000;
const RETRY_MS = 1_000;
/** As a server says that is starting. */
const CANNOT_CONNECT_NOW = '57P03';

/** Takes a base into the database at an address by `ingest base`, with the settings of this process. */
export function startBaseProcess(from: string, url: string, logger: Logger): BaseProcess {
  const closing = new AbortController();
  let isDone = false;
  const done = takeIn(from, url, logger, closing.signal).then(() => {
    isDone = true;
  });
  done.catch(() => undefined);
  return {
    done,
    check() {
      if (isDone) return;
      throw Object.assign(new Error('a base is being taken into the database'), { code: CANNOT_CONNECT_NOW });
    },
    async [Symbol.asyncDispose]() {
      closing.abort();
      await done.catch(() => undefined);
    },
  };
}

/** Of several gateways of one database one takes it in, and another goes on where that one has died. */
async function takeIn(from: string, url: string, logger: Logger, signal: AbortSignal): Promise<void> {
  const { name } = readPlace(from);
  while (true) {
    signal.throwIfAborted();
    const { code, last } = await runBase(from, (line) => tell(line, 'taking a base in'), signal);
    if (code === 0) return;
    const isAnothers = last.endsWith(WRITTEN_BY_ANOTHER);
    if (isAnothers) tell(last, 'waiting for who takes the base in');
    // Another may have made it whole meanwhile.
    if (!signal.aborted && !(await isWanted())) return;
    if (signal.aborted || !isAnothers)
      throw new GatewayError('UNAVAILABLE', `The base cannot be taken in: ${last}`);
  }

  /** Whether it is still to be taken in from here. A database that is away meanwhile comes back. */
  async function isWanted(): Promise<boolean> {
    while (true) {
      try {
        return await takesBaseFromHere(url, signal);
      } catch (error) {
        if (!isUnavailable(error)) throw error;
      }
      await sleep(RETRY_MS, undefined, { signal });
    }
  }

  function tell(said: string, message: string): void {
    logger.info({ from: name, said }, message);
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
