import { setTimeout as sleep } from 'node:timers/promises';
import type { SentBlock } from '../../test/ingest/network-blocks.ts';
import { RelayProcess } from '../../test/ingest/relay-process.ts';
import type { NatsServers } from '../../test/support/nats-servers.ts';
import type { ProducedNetwork } from './produced-network.ts';

const LOOK_EVERY_MS = 10;
/** A core node that was stopped begins again with the block behind its last snapshot but one. */
const SNAPSHOT_EVERY = 20;

/** A core node that sends the blocks of a network to its own relay, both of which can fail. */
export class SimulatedCore implements AsyncDisposable {
  readonly #network: ProducedNetwork;
  readonly #relay: RelayProcess;
  readonly #done: Promise<void>;
  #next = 0;
  #isAway = false;
  #isSending = false;
  #isOver = false;

  private constructor(network: ProducedNetwork, relay: RelayProcess) {
    this.#network = network;
    this.#relay = relay;
    this.#done = this.#run();
  }

  static async start(network: ProducedNetwork, servers: NatsServers): Promise<SimulatedCore> {
    return new SimulatedCore(network, await RelayProcess.start(servers));
  }

  /** Breaks the connection to the relay within a block. */
  cut(): Promise<void> {
    return this.#beginAgain((within) => this.#relay.cut(within));
  }

  /** Kills the relay, and starts it again on what it left. */
  killRelay(): Promise<void> {
    return this.#beginAgain(() => this.#relay.restart([]));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isOver = true;
    // A relay that takes nothing holds the sending up.
    await this.#relay[Symbol.asyncDispose]();
    await this.#done;
  }

  async #beginAgain(fail: (within: SentBlock) => Promise<void>): Promise<void> {
    this.#isAway = true;
    while (this.#isSending) await sleep(LOOK_EVERY_MS);
    const within = this.#network.blocks[Math.min(this.#next, this.#network.height - 1)] as SentBlock;
    await fail(within);
    this.#next = Math.max(0, Math.floor(this.#next / SNAPSHOT_EVERY) - 1) * SNAPSHOT_EVERY;
    this.#isAway = false;
  }

  async #run(): Promise<void> {
    while (!this.#isOver) {
      const block = this.#isAway ? undefined : this.#network.blocks[this.#next];
      if (block === undefined) {
        await sleep(LOOK_EVERY_MS);
        continue;
      }
      this.#isSending = true;
      await this.#relay.send([block]);
      this.#isSending = false;
      this.#next += 1;
    }
  }
}
