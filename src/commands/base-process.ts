import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import type { Logger } from 'pino';
import { readPlace } from '../data/parts/place.ts';
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
/** As a server says that is starting. */
const CANNOT_CONNECT_NOW = '57P03';

/** Starts `ingest base` with the settings of this process. */
export function startBaseProcess(from: string, logger: Logger): BaseProcess {
  const program = process.argv[1] as string;
  const child = spawn(process.execPath, [program, 'ingest', 'base', from], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const { name } = readPlace(from);
  let last = '';
  for (const stream of [child.stdout, child.stderr]) {
    createInterface({ input: stream }).on('line', (line) => {
      last = line;
      logger.info({ from: name, said: line }, 'taking a base in');
    });
  }
  let isDone = false;
  const ended = once(child, 'close') as Promise<[code: number | null]>;
  const done = ended.then(([code]) => {
    if (code !== 0) throw new GatewayError('UNAVAILABLE', `The base cannot be taken in: ${last}`);
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
      child.kill('SIGTERM');
      const limit = setTimeout(() => child.kill('SIGKILL'), STOP_LIMIT_MS);
      await ended.catch(() => undefined);
      clearTimeout(limit);
    },
  };
}
