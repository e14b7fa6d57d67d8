import {
  type Account,
  accounts,
  type FollowedBlock,
  type Following,
  keep,
  type LiveRows,
} from '../../client/src/index.ts';
import { type Chain, Follower, keyOf, type OracleFilter } from '../../test/live/oracle.ts';

type Rows = { readonly accounts: readonly Account[] };

/** So many blocks are named where one is wrong. */
const TRACE_BLOCKS = 6;

/**
 * A client of the package. What it is told, and what its rows are after that, is held to the chain at every block that it names: a
 * difference ends `live.done` with it.
 */
export class HeldClient {
  readonly live: LiveRows<Account>;
  readonly filter: OracleFilter;
  readonly #following: Following<Rows>;
  /** How many blocks were told. */
  blocks = 0;
  /** How often it began again with a snapshot. */
  begunAgain = 0;
  readonly #chain: Chain;
  readonly #mayBeginAgain: () => boolean;
  #oracle: Follower;
  readonly #told: string[] = [];

  /** Where a gateway may not have the past that a client goes on from, `mayBeginAgain` says so: a second snapshot is a fault else. */
  constructor(
    chain: Chain,
    filter: OracleFilter,
    following: Following<Rows>,
    mayBeginAgain: () => boolean = () => false,
  ) {
    this.#chain = chain;
    this.#mayBeginAgain = mayBeginAgain;
    this.filter = filter;
    this.#oracle = new Follower(chain, filter);
    this.#following = following;
    this.live = keep(accounts, this.#hold(following));
  }

  /** How it stands, to be told where it is not at the end. */
  get standing(): string {
    const { state, asked } = this.#following;
    return `${state} at block ${this.height}, ${this.live.isLive ? 'live' : 'not live'}, by ${asked.urls.length} addresses`;
  }

  get height(): number {
    return Number(this.live.asOf?.height ?? 0);
  }

  /** Goes on from here a second time, for some blocks, while the client does: both are told the same. */
  async resumeTwice(follow: (after: string) => Following<Rows>, blocks: number): Promise<void> {
    const { cursor } = this.live;
    if (cursor === null) return;
    const oracle = new Follower(this.#chain, this.filter);
    oracle.take({
      kind: 'snapshot',
      height: this.height,
      rows: [...this.live.values()],
      cursor,
      lastPage: true,
    });
    let left = blocks;
    for await (const told of follow(cursor)) {
      tell(oracle, told);
      left -= 1;
      if (left === 0 || told.block.height === `${this.#chain.height}`) return;
    }
  }

  #hold(following: Following<Rows>): Following<Rows> {
    const next = following.next.bind(following);
    return Object.assign(following, {
      next: async () => {
        if (this.blocks > 0) this.#compare();
        const result = await next();
        if (result.done) return result;
        const { kind, block, cursor } = result.value;
        this.#told.push(`${kind} ${block.height} ${cursor}`);
        if (this.#told.length > TRACE_BLOCKS) this.#told.shift();
        if (kind === 'snapshot' && this.#oracle.hasSnapshot && this.#mayBeginAgain()) {
          this.#oracle = new Follower(this.#chain, this.filter);
          this.begunAgain += 1;
        }
        try {
          tell(this.#oracle, result.value);
        } catch (cause) {
          throw new Error(`A client was told ${this.#told.join('; ')}: ${(cause as Error).message}`, {
            cause,
          });
        }
        this.blocks += 1;
        return result;
      },
    });
  }

  /** Who asks for the next block has applied the last one. */
  #compare(): void {
    const { fold } = this.#oracle;
    const wrong = [...this.live.values()].find((row) => fold.get(keyOf(row)) !== row.balance);
    if (wrong === undefined && this.live.size === fold.size) return;
    const said = `${this.live.size} rows for ${fold.size}; wrong: ${JSON.stringify(wrong)}`;
    throw new Error(`The rows are not those of block ${this.height}: ${said}`);
  }
}

function tell(oracle: Follower, { kind, block, rows, cursor }: FollowedBlock<Rows>): void {
  const height = Number(block.height);
  if (kind === 'reached') oracle.reach(height);
  else if (kind === 'changes')
    oracle.take({ kind: 'updates', height, rows: rows.accounts, cursor, lastPage: false });
  else oracle.take({ kind, height, rows: rows.accounts, cursor, lastPage: true });
}
