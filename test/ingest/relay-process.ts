import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { NatsServers } from '../support/nats-servers.ts';
import { type CoreProgram, eventsOf, startCoreProgram } from './core-network.ts';
import { type CoreNode, dialUntilTaken, frame } from './core-node.ts';
import type { SentBlock } from './network-blocks.ts';

/** Longer than any trial goes on. */
const LONGEST_MS = 7_200_000;

/** A relay as a process of its own, and the core node that dials it. */
export class RelayProcess implements AsyncDisposable {
  readonly #servers: NatsServers;
  readonly #folder: string;
  #program: CoreProgram;
  #core: CoreNode;

  private constructor(
    servers: NatsServers,
    folder: string,
    started: { program: CoreProgram; core: CoreNode },
  ) {
    this.#servers = servers;
    this.#folder = folder;
    this.#program = started.program;
    this.#core = started.core;
  }

  static async start(servers: NatsServers): Promise<RelayProcess> {
    const folder = await mkdtemp(join(tmpdir(), 'periscope-relay-'));
    return new RelayProcess(servers, folder, await startProcess(servers, folder));
  }

  async send(blocks: readonly SentBlock[]): Promise<void> {
    await this.#core.send(eventsOf(blocks));
  }

  /** Kills it, and starts it again on what it left; a core node that begins anew sends these. */
  async restart(blocks: readonly SentBlock[]): Promise<void> {
    await this.#end();
    const { program, core } = await startProcess(this.#servers, this.#folder);
    this.#program = program;
    this.#core = core;
    await this.send(blocks);
  }

  /** Breaks the connection of the core node within a block; a core node that begins anew dials, and sends nothing yet. */
  async cut(within: SentBlock): Promise<void> {
    const bytes = frame(within.events);
    await this.#core.sendBytes(bytes.subarray(0, bytes.length >> 1));
    await this.#core.cut();
    this.#core = await dialUntilTaken(this.#program.url);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#end();
    await rm(this.#folder, { recursive: true, force: true });
  }

  async #end(): Promise<void> {
    await this.#program[Symbol.asyncDispose]();
    await this.#core[Symbol.asyncDispose]();
  }
}

async function startProcess(servers: NatsServers, folder: string) {
  const args = ['relay', '--from', 'tcp://127.0.0.1:0', '--to', servers.url, '--replicas', '3'];
  const program = await startCoreProgram(args, { SPOOL_DIR: folder }, LONGEST_MS);
  // A machine with much to do may let neither greet in time.
  return { program, core: await dialUntilTaken(program.url) };
}
