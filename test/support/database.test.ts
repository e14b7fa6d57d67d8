import { expect, test } from 'vitest';
import { readPartitions } from '../../src/data/history/partitions.ts';
import { ALL_OF_IT, type Retention } from '../../src/data/history/retention.ts';
import { Writer } from '../../src/data/writing/writer.ts';
import { positionsOf } from '../../src/domain/positions.ts';
import { createDisposableDatabase, createTestDatabase } from './database.ts';
import { changes } from './events.ts';
import { withClient } from './state.ts';

test.each([
  ['partitions of late blocks alone', 5_000_000n, ALL_OF_IT],
  ['short partitions', 1n, { historyBlocks: 100, pastBlocks: 100 }],
])(
  'a database that a test leaves with %s has the partitions of a new one for the next',
  async (_, height, retention) => {
    const fresh = await (async () => {
      await using database = await createDisposableDatabase();
      return await write(database.url, 64n);
    })();
    const left = await (async () => {
      await using database = await createTestDatabase();
      await write(database.url, height, retention);
      return database.url;
    })();
    await using database = await createTestDatabase();
    expect(database.url).toBe(left);
    expect(await write(database.url, 64n)).toEqual(fresh);
  },
);

/** Writes one block and gives the partitions that it is in, or would be. */
async function write(url: string, height: bigint, retention: Retention = ALL_OF_IT) {
  await using writer = await Writer.open(url, retention);
  await writer.claimNetwork('c1');
  const block = { height, hash: 'a', timestamp: 1n, lastPosition: positionsOf(height).first };
  await writer.write(block, changes({ party: [{ id: 'a', createdPosition: block.lastPosition }] }));
  await writer.histories.settled();
  const partitions = await withClient(url, readPartitions);
  return partitions.filter(
    ({ from, to }) => from !== null && from <= block.lastPosition && to > block.lastPosition,
  );
}
