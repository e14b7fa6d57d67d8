import { createHash } from 'node:crypto';
import type { EventSource, KeptEvent, SourceEvent } from '../../src/ingest/events.ts';
import { openSimulation } from '../../src/simulation/simulate.ts';
import { idOf } from '../bench/database/rows.ts';

/** Where a database stands that takes further blocks. */
export interface Standing {
  readonly chainId: string;
  /** Of its newest block; 0 where it has none. */
  readonly height: number;
  readonly timestamp: bigint;
}

export interface TrafficOptions {
  readonly seed: number;
  /** How many blocks. */
  readonly blocks: number;
  /** How many parties of the filled database the events are about. */
  readonly parties: number;
}

/** So many parties act in an epoch, however many there are: what a block holds does not depend on that. */
const ACTING = 300;
const MARKETS = 5;
/** Until then a simulated network only grows. */
const GROWING = 100;
const BLOCKS_PER_EPOCH = 10;
const SECOND = 1_000_000_000n;

/**
 * What a network of 300 parties does, behind what a filled database has, as of others among many parties in each epoch: the same events
 * but for whom they name. All of them are made before they are asked for.
 */
export async function openTraffic(standing: Standing, options: TrafficOptions): Promise<EventSource> {
  const source = openSimulation({
    seed: options.seed,
    blocks: GROWING + options.blocks,
    parties: ACTING,
    markets: MARKETS,
  });
  const cast = new Cast(options);
  const events: SourceEvent[] = [];
  let simulated = 0;
  for await (const { event, at } of source.events(new AbortController().signal)) {
    if (event.type === 'beginBlock') simulated = event.height;
    const height = standing.height + simulated - GROWING;
    const moved = cast.play(event, simulated);
    if (simulated <= GROWING || moved.type === 'party') continue;
    if (moved.type === 'beginBlock') {
      const timestamp = standing.timestamp + BigInt(simulated - GROWING) * SECOND;
      events.push({ event: { ...moved, height, timestamp }, at });
    } else events.push({ event: moved.type === 'endBlock' ? { ...moved, height } : moved, at });
  }
  return {
    chainId: standing.chainId,
    name: `traffic of ${options.parties} parties`,
    async *events() {
      yield* events;
    },
    progress: () => ({ done: 0, total: options.blocks, unit: 'blocks' }),
  };
}

/** Gives the simulated parties, assets and markets the identifiers of those that the filled database has. */
class Cast {
  readonly #parties: number;
  readonly #seed: number;
  readonly #party = new Map<string, number>();
  readonly #others = new Map<string, string>();
  readonly #counts = { asset: 0, market: 0 };
  readonly #ids: string[] = [];

  constructor({ parties, seed }: TrafficOptions) {
    this.#parties = parties;
    this.#seed = seed;
  }

  play<Event extends SourceEvent['event']>(event: Event, height: number): Event {
    if (!('row' in event)) return event;
    this.#learn(event);
    // A deposit has one party for good.
    const scene = event.type === 'deposit' ? event.row.id : `${Math.floor(height / BLOCKS_PER_EPOCH)}`;
    const row = Object.fromEntries(
      Object.entries(event.row).map(([field, value]) => [field, this.#renamed(value, scene)]),
    );
    return { ...event, row };
  }

  #learn({ type, row }: KeptEvent): void {
    if (type === 'party') this.#party.set(row.id, this.#party.size);
    if (type !== 'asset' && type !== 'market') return;
    if (this.#others.has(row.id)) return;
    const number = this.#counts[type];
    this.#counts[type] = number + 1;
    this.#others.set(row.id, idOf(type, number));
  }

  #renamed(value: unknown, scene: string): unknown {
    if (typeof value !== 'string') return value;
    const number = this.#party.get(value);
    return number === undefined ? (this.#others.get(value) ?? value) : this.#idOf(number, scene);
  }

  #idOf(number: number, scene: string): string {
    const place =
      this.#parties <= ACTING
        ? number % this.#parties
        : createHash('sha256').update(`${this.#seed} ${number} ${scene}`).digest().readUInt32BE() %
          this.#parties;
    const known = this.#ids[place] ?? idOf('party', place);
    this.#ids[place] = known;
    return known;
  }
}
