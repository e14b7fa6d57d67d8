import type { Receiver, Request, Result, Transport } from '../src/index.ts';
import type { VirtualClock } from './virtual-clock.ts';

/** Whatever a test leaves to chance. */
export interface Chance {
  below(limit: number): number;
  oneIn(count: number): boolean;
}

export interface SimulatedRow {
  readonly id: string;
  readonly owner: string;
  readonly balance: string;
}

const BLOCK_MS = 100;
const HEARTBEAT_MS = 300;
const PAGE_ROWS = 7;
/** How far behind the history a block is still there for the tests. */
const SLACK_BLOCKS = 1_000;

/** What can happen to a connection. */
const FAULTS = ['cut', 'half-open', 'unavailable', 'exhausted', 'proxy page', 'internal'] as const;

/** A chain of blocks that change some accounts, and gateways that tell of it, over connections to which anything may happen. */
export class SimulatedGateway {
  readonly faults: Record<string, number> = {};
  readonly #clock: VirtualClock;
  readonly #chance: Chance;
  readonly #accounts: number;
  /** Blocks are kept so far back. */
  readonly #history: number;
  readonly #blocks = new Map<number, readonly SimulatedRow[]>();
  readonly #states = new Map<number, ReadonlyMap<string, SimulatedRow>>();
  #height = 0;
  #calmFrom = Number.POSITIVE_INFINITY;

  constructor(clock: VirtualClock, chance: Chance, { accounts = 20, history = 30 } = {}) {
    this.#clock = clock;
    this.#chance = chance;
    this.#accounts = accounts;
    this.#history = history;
    this.#grow();
  }

  get height(): number {
    return this.#height;
  }

  /** From now on nothing goes wrong. */
  calm(): void {
    this.#calmFrom = this.height;
  }

  /** What the accounts are at the end of a block. */
  stateAt(height: number): ReadonlyMap<string, SimulatedRow> {
    return this.#states.get(height) ?? new Map();
  }

  changesOf(height: number): readonly SimulatedRow[] {
    return this.#blocks.get(height) ?? [];
  }

  transport(name: string): Transport {
    return { name, open: (request, receiver) => this.#open(request, receiver) };
  }

  #grow(): void {
    const count = this.#chance.oneIn(4) ? 0 : this.#chance.below(6);
    const changed = new Set(Array.from({ length: count }, () => this.#chance.below(this.#accounts)));
    const height = this.height + 1;
    const rows = [...changed].map((n) => ({ id: `a${n}`, owner: `p${n % 3}`, balance: `${height}00${n}` }));
    const state = new Map(this.#states.get(this.#height));
    for (const row of rows) state.set(row.id, row);
    this.#height = height;
    this.#blocks.set(height, rows);
    this.#states.set(height, state);
    // A reader may be behind for a while, and no run is long enough to fill the memory.
    const oldest = height - this.#history - SLACK_BLOCKS;
    this.#blocks.delete(oldest);
    this.#states.delete(oldest);
    this.#clock.after(BLOCK_MS, () => this.#grow());
  }

  #open({ variables }: Request, receiver: Receiver): () => void {
    const connection = new Connection(this.#clock, receiver);
    const isCalm = () => this.height > this.#calmFrom;
    const fault = (): void => {
      if (isCalm()) return;
      const name = FAULTS[this.#chance.below(FAULTS.length)] as (typeof FAULTS)[number];
      this.faults[name] = (this.faults[name] ?? 0) + 1;
      connection.break(name);
    };
    this.#clock.after(this.#chance.below(40), () => {
      if (this.#chance.oneIn(4)) fault();
      this.#tell(connection, variables['after'] as string | null);
    });
    this.#clock.after(50 + this.#chance.below(3_000), fault);
    return () => connection.leave(this.#chance.oneIn(3));
  }

  #tell(connection: Connection, after: string | null): void {
    let { height, offset } = readCursor(after) ?? { height: this.height, offset: 0 };
    const isForgotten = height < this.height - this.#history;
    if (isForgotten) {
      connection.refuse('OUT_OF_RANGE', 'The history begins later.');
      return;
    }
    const rows = [...this.stateAt(height).values()];
    while (offset !== null) {
      const page = rows.slice(offset, offset + PAGE_ROWS);
      const lastPage = offset + PAGE_ROWS >= rows.length;
      offset = lastPage ? null : offset + PAGE_ROWS;
      connection.send({
        ...this.#head(height, offset),
        snapshot: { accounts: page, lastPage },
        updates: null,
      });
    }
    let quietSince = this.#clock.now;
    const goOn = () => {
      if (connection.isGone) return;
      while (height < this.height) {
        height += 1;
        const accounts = this.changesOf(height);
        if (accounts.length === 0) continue;
        quietSince = this.#clock.now;
        connection.send({ ...this.#head(height, null), snapshot: null, updates: { accounts } });
      }
      if (this.#clock.now - quietSince >= HEARTBEAT_MS) {
        quietSince = this.#clock.now;
        connection.send({ ...this.#head(height, null), snapshot: null, updates: null });
      }
      this.#clock.after(BLOCK_MS / 2, goOn);
    };
    goOn();
  }

  #head(height: number, offset: number | null) {
    const timestamp = `${BigInt(this.#clock.now) * 1_000_000n}`;
    return {
      block: { height: `${height}`, timestamp },
      cursor: `${height}${offset === null ? '' : `.${offset}`}`,
    };
  }
}

function readCursor(cursor: string | null): { height: number; offset: number | null } | null {
  if (cursor === null) return null;
  const [height, offset] = cursor.split('.');
  return { height: Number(height), offset: offset === undefined ? null : Number(offset) };
}

/** What a gateway sends goes through it in order, late and as long as it holds. */
class Connection {
  isGone = false;
  #isSilent = false;
  readonly #clock: VirtualClock;
  readonly #receiver: Receiver;

  constructor(clock: VirtualClock, receiver: Receiver) {
    this.#clock = clock;
    this.#receiver = receiver;
  }

  send(message: object): void {
    this.#deliver({ data: { accounts: message } });
  }

  refuse(code: string, message: string, details: readonly object[] = []): void {
    this.#deliver({ errors: [{ message, extensions: { code, details } }] } as Result);
    this.break('cut');
  }

  break(fault: (typeof FAULTS)[number]): void {
    if (this.isGone) return;
    if (fault === 'half-open') {
      this.#isSilent = true;
    } else if (fault === 'cut') {
      this.isGone = true;
      this.#clock.after(1, () => this.#receiver.onEnd('cut'));
    } else if (fault === 'exhausted') {
      this.refuse('RESOURCE_EXHAUSTED', 'No room.', [{ '@type': 'RetryInfo', retryDelay: '0.25s' }]);
    } else this.refuse(fault === 'internal' ? 'INTERNAL' : 'UNAVAILABLE', fault);
  }

  /** The other side is not at once told that nobody reads any more. */
  leave(isLate: boolean): void {
    if (isLate) this.#clock.after(500, () => this.leave(false));
    else this.isGone = true;
  }

  #deliver(result: Result): void {
    if (this.isGone || this.#isSilent) return;
    this.#clock.after(1, () => {
      this.#receiver.onBeat();
      this.#receiver.onResult(result);
    });
  }
}
