import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';
import { createInterface } from 'node:readline';

type Line = { url?: string; closed?: true; error?: string };

export type HolderOptions = {
  readonly dataDir: string;
  /** Whose process it is; the present user's unless given. */
  readonly account?: { readonly uid: number; readonly gid: number };
  readonly cwd?: string;
  /** The compiled src/data/embedded/postgres.ts that it uses; the project's own unless given. */
  readonly module?: string;
  /** How often it opens and closes the database before it holds it. */
  readonly cycles?: number;
};

/** A process of its own that holds an embedded database open. */
export class PostgresHolder implements AsyncDisposable {
  readonly process: ChildProcess;
  readonly #lines: AsyncIterator<string>;

  constructor({ dataDir, account, cwd, module, cycles = 0 }: HolderOptions) {
    const script = resolve('test/data/hold-postgres.mjs');
    const compiled = module ?? resolve('dist/data/embedded/postgres.js');
    // A group of its own, so that a test can interrupt it as a terminal does.
    this.process = spawn(process.execPath, [script, compiled, dataDir, String(cycles)], {
      ...account,
      ...(cwd ? { cwd } : {}),
      stdio: ['pipe', 'pipe', 'inherit'],
      detached: true,
    });
    this.#lines = createInterface({ input: this.process.stdout as NodeJS.ReadableStream })[
      Symbol.asyncIterator
    ]();
  }

  /** Waits until it has the database open, and returns the database's address. */
  async opened(): Promise<string> {
    const { url } = await this.#read((line) => line.url !== undefined);
    return url as string;
  }

  /** Lets it close the database and end. */
  async close(): Promise<void> {
    this.process.stdin?.end();
    await this.#read((line) => line.closed === true);
    await this.#ended();
  }

  /** Sends a signal to its whole group and waits for its end. */
  async kill(signal: NodeJS.Signals = 'SIGKILL'): Promise<void> {
    const { pid } = this.process;
    if (pid !== undefined && this.process.exitCode === null) process.kill(-pid, signal);
    await this.#ended();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.process.exitCode === null && this.process.signalCode === null) await this.kill();
  }

  async #ended(): Promise<void> {
    const { exitCode, signalCode } = this.process;
    if (exitCode === null && signalCode === null) await once(this.process, 'exit');
  }

  async #read(wanted: (line: Line) => boolean): Promise<Line> {
    for (;;) {
      const { value, done } = await this.#lines.next();
      if (done) throw new Error('the holder of the database has ended');
      const line = JSON.parse(value) as Line;
      if (line.error !== undefined) throw new Error(line.error);
      if (wanted(line)) return line;
    }
  }
}
