import type { Readable } from 'node:stream';
import type { SimulationOptions } from '../../src/simulation/simulate.ts';
import { within } from '../support/message-queue.ts';
import { type Environment, type Program, readListening, startProgram } from '../support/program.ts';

/** Long tests go on for so long. */
const LONGEST_MS = 7_200_000;
/** A gateway ends where its database is away as it starts. */
const MOST_STARTS = 5;

/**
 * A process of the gateway that a test kills and starts again. `url` is that of the newest one: its port changes, as
 * an address does where there are several gateways.
 */
export class GatewayProcess implements AsyncDisposable {
  readonly #environment: Environment;
  readonly #args: readonly string[];
  #program: Program;
  url = '';

  private constructor(environment: Environment, args: readonly string[]) {
    this.#environment = environment;
    this.#args = args;
    this.#program = this.#spawn();
  }

  static async start(
    databaseUrl: string,
    settings: Environment = {},
    args: readonly string[] = [],
  ): Promise<GatewayProcess> {
    const gateway = new GatewayProcess({ PORT: '0', DATABASE_URL: databaseUrl, ...settings }, args);
    await gateway.#listening();
    return gateway;
  }

  /** Ends it, by SIGKILL unless told, waits for its end, and starts another; as a supervisor does, again where that ends at once. */
  async restart(signal: NodeJS.Signals = 'SIGKILL'): Promise<void> {
    this.#program.process.kill(signal);
    await this.#program.ended;
    for (let starts = 1; ; starts++) {
      this.#program = this.#spawn();
      try {
        return await this.#listening();
      } catch (error) {
        if (starts === MOST_STARTS) throw error;
      }
    }
  }

  /** Sends it a signal that it survives: SIGSTOP, SIGCONT. */
  signal(signal: NodeJS.Signals): void {
    this.#program.process.kill(signal);
  }

  get pid(): number {
    return this.#program.process.pid as number;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#program[Symbol.asyncDispose]();
  }

  #spawn(): Program {
    return startProgram(['serve', ...this.#args], this.#environment, LONGEST_MS);
  }

  async #listening(): Promise<void> {
    const { process, ended } = this.#program;
    const found = (async () => {
      const url = await readListening(process.stdout as Readable);
      if (url === null) throw new Error(`the gateway ended: ${(await ended).stderr}`);
      return url;
    })();
    this.url = await within(found, 'the start of the gateway');
    // Nobody reads its log, which must not stop it.
    process.stdout?.resume();
  }
}

/** A process that ingests, started again whenever it ends, until it has come to the end of its source. */
export class WriterProcess implements AsyncDisposable {
  /** Resolves when all is applied. */
  readonly done: Promise<void>;
  /** How often it was started. */
  starts = 0;
  #program: Program | null = null;
  #isOver = false;
  /** Whether an end in good order need not be the end of its work. */
  #isStopped = false;

  constructor(databaseUrl: string, args: readonly string[]) {
    this.done = this.#keepOn(['ingest', ...args], databaseUrl);
  }

  /** One that ingests a simulated network, so many blocks a second. */
  static simulating(
    databaseUrl: string,
    { seed, parties, markets, blocks }: SimulationOptions,
    pace: number,
  ): WriterProcess {
    const options = { seed, parties, markets, blocks, pace };
    const args = Object.entries(options).flatMap(([name, value]) => [`--${name}`, `${value}`]);
    return new WriterProcess(databaseUrl, ['simulate', ...args]);
  }

  /** Ends it wherever it is; it is started again. */
  kill(signal: NodeJS.Signals = 'SIGKILL'): void {
    this.#isStopped = true;
    this.#program?.process.kill(signal);
  }

  /** Ends it for good, wherever it is: a test that fails leaves no process behind. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#isOver = true;
    this.kill();
    await this.done;
  }

  async #keepOn(args: readonly string[], databaseUrl: string): Promise<void> {
    for (let code: number | null = null; (code !== 0 || this.#isStopped) && !this.#isOver; ) {
      this.#isStopped = false;
      this.starts += 1;
      this.#program = startProgram(args, { DATABASE_URL: databaseUrl }, LONGEST_MS);
      ({ code } = await this.#program.ended);
    }
  }
}
