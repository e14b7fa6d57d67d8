import { archiveSome, forget } from '../../src/data/history/archive.ts';
import { Writer } from '../../src/data/writing/writer.ts';
import { applySource } from '../../src/ingest/apply.ts';
import type { EventSource } from '../../src/ingest/events.ts';
import { createDisposableDatabase, type TestDatabase } from './database.ts';
import { ask, withClient } from './state.ts';

/** Blocks of a partition: the fewest there are. */
const SPAN = 64n;
/** So far back streams resume that nothing is packed but by the test; its partitions are short nevertheless. */
const RETENTION = { historyBlocks: 512, pastBlocks: null };

/** A database whose histories are in short partitions, and what its writer does with them, step by step. */
export interface PackedNetwork extends TestDatabase {
  /** Packs so many changes of those up to a height; says whether there were any. */
  packSome(height: number, atOnce: number): Promise<boolean>;
  /** Drops what is packed; and of what is packed, what is before a height. */
  forgetBefore(height: number): Promise<void>;
}

export async function createPackedNetwork(source: EventSource): Promise<PackedNetwork> {
  const database = await createDisposableDatabase();
  const writer = await Writer.open(database.url, RETENTION);
  await applySource(source, writer, { pace: 'max', signal: new AbortController().signal });
  await writer.close();
  const moveTo = (column: string, height: number) =>
    ask(
      database.url,
      `UPDATE networks SET ${column} = greatest(${column}, last_position) FROM blocks
       WHERE height = (SELECT max(height) FROM blocks WHERE height <= ${height})`,
    );
  return {
    ...database,
    async packSome(height, atOnce) {
      await moveTo('history_from', height);
      return withClient(database.url, (client) => archiveSome(client, () => SPAN, atOnce));
    },
    async forgetBefore(height) {
      await moveTo('past_from', height);
      await withClient(database.url, (client) => forget(client, () => SPAN));
    },
  };
}
