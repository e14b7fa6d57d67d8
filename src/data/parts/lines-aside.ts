import { on } from 'node:events';
import { Worker } from 'node:worker_threads';
import { type ErrorCode, GatewayError } from '../../errors.ts';
import type { LinesOf } from './copied-text.ts';

/** The program of the thread, beside what runs or what is tested. */
const PROGRAM = new URL('../../../dist/bundle/lines-thread.js', import.meta.url);

/** What a thread is given. `ahead` is how many bytes of lines it has sent that were not taken yet. */
export interface LinesOrder {
  readonly path: string;
  readonly of: LinesOf;
  readonly ahead: Int32Array;
}

/** What it says: some lines, what is wrong with the file, or that it has no more. */
export type LinesReport =
  | { readonly kind: 'lines'; readonly text: Uint8Array }
  | { readonly kind: 'wrong'; readonly code: ErrorCode; readonly message: string }
  | { readonly kind: 'end' };

/**
 * Reads a file's rows as lines of COPY in a thread of its own: while some are read, PostgreSQL takes those before them, and files that
 * are read side by side have a processor each. Throws what `readLines` does.
 */
export async function* readLinesAside(path: string, of: LinesOf): AsyncGenerator<Uint8Array, void> {
  const ahead = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
  const worker = new Worker(PROGRAM, { workerData: { path, of, ahead } satisfies LinesOrder });
  try {
    for await (const [report] of on(worker, 'message', { close: ['exit'] }) as AsyncIterable<[LinesReport]>) {
      if (report.kind === 'end') return;
      if (report.kind === 'wrong') throw new GatewayError(report.code, report.message);
      yield report.text;
      Atomics.sub(ahead, 0, report.text.length);
      Atomics.notify(ahead, 0);
    }
    throw new Error(`The thread that reads ${path} ended in the middle.`);
  } finally {
    await worker.terminate();
  }
}
