import { Writer } from '../../src/data/writing/writer.ts';
import { accountTypes } from '../../src/domain/enumerations.ts';
import { applySource } from '../../src/ingest/apply.ts';
import type { NetworkEvent } from '../../src/ingest/events.ts';
import { party } from '../../test/support/account-network.ts';
import { CHAIN, sourceOf } from '../../test/support/events.ts';
import type { PostgresServer } from './replicated-postgres.ts';

/** Blocks of a network in which one account changes with each: its balance is the block's height. */
export class Blocks {
  async write(server: PostgresServer, upTo: number, from = 1): Promise<void> {
    await using writer = await Writer.open(server.url);
    for (let height = from; height <= upTo; height++) await this.apply(writer, height);
  }

  async apply(writer: Writer, height: number): Promise<void> {
    const type = accountTypes.numbers.ACCOUNT_TYPE_GENERAL;
    const row = { owner: party(1), assetId: party(2), marketId: '', type };
    const timestamp = BigInt(height) * 1_000_000_000n;
    const events: NetworkEvent[] = [
      { type: 'beginBlock', height, timestamp, hash: `${CHAIN} ${height}` },
      { type: 'account', row: { ...row, balance: `${height}` } },
      { type: 'endBlock', height },
    ];
    await applySource(sourceOf(events), writer, { pace: 'max', signal: new AbortController().signal });
  }
}
