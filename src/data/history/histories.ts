import type { ClientBase, DatabaseError, QueryConfig } from 'pg';
import { GatewayError } from '../../errors.ts';
import { coverHeight, spanOf } from './coverage.ts';
import { HistoryKeeper } from './keeper.ts';
import { HISTORIES } from './partitions.ts';
import { moveBoundaries, type Retention } from './retention.ts';

/** How often, in blocks, what is forgotten is looked after. */
const KEEP_EVERY = 64n;

const INSUFFICIENT_PRIVILEGE = '42501';

function refusal({ message }: DatabaseError): GatewayError {
  return new GatewayError(
    'FAILED_PRECONDITION',
    `The role that writes may not make the partitions of histories (${message}). Let it: GRANT the role that owns the tables TO it.`,
  );
}

/** What a writer does for the histories that its blocks add to. */
export class Histories {
  readonly #client: ClientBase;
  readonly #retention: Retention;
  readonly #span: bigint;
  readonly #keeper: HistoryKeeper;
  /** Below this height there are partitions. */
  #covered = 0n;

  constructor(url: string, client: ClientBase, retention: Retention, onFailure: (error: Error) => void) {
    this.#client = client;
    this.#retention = retention;
    this.#span = spanOf('changes', retention.historyBlocks);
    this.#keeper = new HistoryKeeper(url, retention.pastBlocks, onFailure);
  }

  /** Has the next partition made before it is needed: where that cannot be now, as long as it is not. Stands before a transaction. */
  async prepare(heights: readonly bigint[]): Promise<void> {
    for (const height of heights) {
      if (height + this.#span < this.#covered) continue;
      try {
        this.#covered = await coverHeight(this.#client, HISTORIES, height, this.#span);
      } catch (error) {
        if ((error as DatabaseError).code === INSUFFICIENT_PRIVILEGE) throw refusal(error as DatabaseError);
        if (height >= this.#covered) throw error;
      }
    }
  }

  /** Moves the boundaries behind blocks, within their transaction. */
  bound(heights: readonly bigint[]): readonly QueryConfig[] {
    return moveBoundaries(heights, this.#retention);
  }

  /** Has what is settled rolled up, and what is behind the boundaries moved and dropped, once blocks are there; nobody waits for that. */
  tidy(heights: readonly bigint[]): void {
    if (heights.some((height) => height % KEEP_EVERY === 0n)) this.#keeper.wake();
  }

  /** Resolves when nothing of that is under way. */
  settled(): Promise<void> {
    return this.#keeper.settled();
  }

  close(): Promise<void> {
    return this.#keeper.close();
  }
}
