import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { HANG_MS } from '../support/limits.ts';

/** One of the programs of this folder while it runs, as a user starts it. */
export interface Example extends AsyncDisposable {
  /** The next line that it prints, which is JSON. Throws where it ends before, or prints none for long. */
  // biome-ignore lint/suspicious/noExplicitAny: a test says of each line what it must be.
  next(): Promise<any>;
  /** What it has said on standard error so far. */
  readonly complaints: string;
  readonly ended: Promise<number | null>;
}

export function startExample(file: string, ...args: readonly string[]): Example {
  const child = spawn(process.execPath, [file, ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: HANG_MS,
    killSignal: 'SIGKILL',
  });
  let complaints = '';
  child.stderr.setEncoding('utf8').on('data', (text) => {
    complaints += text;
  });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const ended = new Promise<number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  });
  return {
    async next() {
      const { done, value } = await lines.next();
      if (done) throw new Error(`${file} ended: ${complaints}`);
      return JSON.parse(value);
    },
    get complaints() {
      return complaints;
    },
    ended,
    async [Symbol.asyncDispose]() {
      child.kill('SIGKILL');
      await ended;
    },
  };
}
