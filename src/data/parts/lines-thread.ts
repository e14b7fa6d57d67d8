import { parentPort, workerData } from 'node:worker_threads';
import { GatewayError } from '../../errors.ts';
import { readLines } from './copied-text.ts';
import type { LinesOrder, LinesReport } from './lines-aside.ts';

/*
 * The program of a thread that reads a file's rows as lines of COPY. It goes ahead of PostgreSQL by about as much as it reads at once,
 * a row group, and then waits.
 */

const MOST_AHEAD = 8 * 2 ** 20;

const { path, of, ahead } = workerData as LinesOrder;

function report(what: LinesReport, moved: readonly ArrayBuffer[] = []): void {
  parentPort?.postMessage(what, moved);
}

function waitUntilTaken(): void {
  for (let bytes = Atomics.load(ahead, 0); bytes > MOST_AHEAD; bytes = Atomics.load(ahead, 0))
    Atomics.wait(ahead, 0, bytes);
}

try {
  for await (const lines of readLines(path, of)) {
    waitUntilTaken();
    const text = new TextEncoder().encode(lines);
    Atomics.add(ahead, 0, text.length);
    report({ kind: 'lines', text }, [text.buffer]);
  }
  report({ kind: 'end' });
} catch (error) {
  if (!(error instanceof GatewayError)) throw error;
  report({ kind: 'wrong', code: error.code, message: error.message });
}
