import { Writer } from '../../src/data/writing/writer.ts';
import { accountTypes } from '../../src/domain/enumerations.ts';
import { applySource } from '../../src/ingest/apply.ts';
import type { NetworkEvent } from '../../src/ingest/events.ts';
import { createTestDatabase } from './database.ts';
import { CHAIN, sourceOf } from './events.ts';

/** What a block does to one account. */
export interface Change {
  readonly owner: string;
  readonly balance: string;
  readonly assetId?: string;
  readonly marketId?: string;
  /** By its number; the general account where none is given. */
  readonly type?: number;
}

/** A database in which a test changes accounts, a block at a time. */
export interface AccountNetwork extends AsyncDisposable {
  readonly url: string;
  /** Applies a block with these changes and gives its height: 1, 2, … */
  block(...changes: readonly Change[]): Promise<number>;
}

/** A party's id by number, as the network writes them. */
export function party(n: number): string {
  return n.toString(16).padStart(64, '0');
}

export const ASSET = party(0xa55e7);

export async function startAccountNetwork(): Promise<AccountNetwork> {
  const database = await createTestDatabase();
  const writer = await Writer.open(database.url);
  let height = 0;
  return {
    url: database.url,
    async block(...changes) {
      height += 1;
      const events: NetworkEvent[] = [
        {
          type: 'beginBlock',
          height,
          timestamp: BigInt(height) * 1_000_000_000n,
          hash: `${CHAIN} ${height}`,
        },
        ...changes.map(toEvent),
        { type: 'endBlock', height },
      ];
      await applySource(sourceOf(events), writer, { pace: 'max', signal: new AbortController().signal });
      return height;
    },
    async [Symbol.asyncDispose]() {
      await writer.close();
      await database[Symbol.asyncDispose]();
    },
  };
}

function toEvent({ owner, balance, assetId, marketId, type }: Change): NetworkEvent {
  return {
    type: 'account',
    row: {
      owner,
      balance,
      assetId: assetId ?? ASSET,
      marketId: marketId ?? '',
      type: type ?? accountTypes.numbers.ACCOUNT_TYPE_GENERAL,
    },
  };
}
