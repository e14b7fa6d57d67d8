import type { NetworkEvent, SourceEvent } from '../../src/ingest/events.ts';
import { openSimulation, type SimulationOptions } from '../../src/simulation/simulate.ts';
import { encodeBlock } from '../../test/ingest/encode-network.ts';
import type { SentBlock } from '../../test/ingest/network-blocks.ts';
import { Chain } from '../../test/live/oracle.ts';

/** A simulated network without an end: its blocks as core nodes send them, and what accounts are at each. */
export class ProducedNetwork {
  readonly chain = new Chain();
  readonly blocks: SentBlock[] = [];
  readonly #chainId: string;
  readonly #events: AsyncIterator<SourceEvent>;

  constructor(options: Omit<SimulationOptions, 'blocks'>) {
    const source = openSimulation({ ...options, blocks: Number.POSITIVE_INFINITY });
    this.#chainId = source.chainId;
    this.#events = source.events(new AbortController().signal)[Symbol.asyncIterator]();
  }

  get height(): number {
    return this.blocks.length;
  }

  /** Goes on by so many blocks. */
  async produce(count: number): Promise<void> {
    for (let left = count; left > 0; left--) {
      const events: NetworkEvent[] = [];
      while (events.at(-1)?.type !== 'endBlock') {
        const { value } = await this.#events.next();
        const { event } = value as SourceEvent;
        events.push(event);
        this.chain.take(event);
      }
      // Whoever is told of a block finds it in the chain.
      this.blocks.push(encodeBlock(this.height + 1, events, this.#chainId));
    }
  }
}
