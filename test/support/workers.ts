import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { expect } from 'vitest';
import { MessageQueue, within } from './message-queue.ts';
import { type Environment, type Program, startProgram } from './program.ts';

/** The compiled program with several workers, as a test sees it. */
export interface Workers extends AsyncDisposable {
  readonly url: string;
  readonly program: Program;
  /** The processes that serve now, as its log tells. */
  readonly processes: ReadonlyMap<number, number>;
  /** Waits until a worker of another process has taken each of these places. */
  replaced(places: readonly number[], before: ReadonlyMap<number, number>): Promise<void>;
  /** What its log has said. */
  readonly lines: readonly LogLine[];
}

export interface LogLine {
  readonly msg?: string;
  readonly url?: string;
  readonly id?: string;
  readonly method?: string;
  readonly status?: number;
  readonly aborted?: boolean;
  readonly metrics?: string;
  readonly worker?: number;
  readonly process?: number;
  readonly reason?: string;
}

/** Starts so many workers on a free port, whose stops wait for nobody. */
export async function startWorkers(count: number, environment: Environment): Promise<Workers> {
  const program = startProgram(['serve', '--workers', `${count}`], {
    PORT: '0',
    SHUTDOWN_GRACE_MS: '0',
    SHUTDOWN_DEADLINE_MS: '5000',
    ...environment,
  });
  const processes = new Map<number, number>();
  const lines: LogLine[] = [];
  const listening = new MessageQueue<string>();
  createInterface({ input: program.process.stdout as Readable }).on('line', (text) => {
    const line = JSON.parse(text) as LogLine;
    lines.push(line);
    if (line.msg === 'a worker is ready') processes.set(line.worker as number, line.process as number);
    if (line.msg === 'listening') listening.push(line.url as string);
  });
  const over = program.ended.then(({ stderr }) => {
    throw new Error(`it ended: ${stderr}`);
  });
  const url = (await within(Promise.race([listening.next(), over]), 'the start of the workers')) as string;
  over.catch(() => {});
  return {
    url,
    program,
    processes,
    lines,
    async replaced(places, before) {
      await expect.poll(() => places.every((place) => processes.get(place) !== before.get(place))).toBe(true);
    },
    async [Symbol.asyncDispose]() {
      await program[Symbol.asyncDispose]();
    },
  };
}

/** Whether a process is there, be it ours or not. */
export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
