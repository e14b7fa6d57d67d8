import fc from 'fast-check';
import { expect, test } from 'vitest';
import { migrate } from '../../src/data/migrate.ts';
import { ingestBase } from '../../src/data/parts/ingest-base.ts';
import { openSource } from '../../src/data/parts/part-source.ts';
import { Writer } from '../../src/data/writing/writer.ts';
import { applySource } from '../../src/ingest/apply.ts';
import { collectChanges } from '../../src/ingest/collect-changes.ts';
import type { KeptEvent } from '../../src/ingest/events.ts';
import { createDisposableDatabase, createTestDatabase } from '../support/database.ts';
import { sourceOf } from '../support/events.ts';
import { exportToFolder } from '../support/part-folders.ts';
import { ask } from '../support/state.ts';

const HEIGHT = 7;
const BEGIN = BigInt(HEIGHT) << 20n;

function trade(buyer: string, seller: string): KeptEvent {
  const row = { id: `${buyer}${seller}`, marketId: 'm', price: '1', size: '1', ...{ buyer, seller } };
  const orders = { buyOrder: '', sellOrder: '', buyerFee: '', sellerFee: '', assetPrice: null };
  const batches = { buyerAuctionBatch: '', sellerAuctionBatch: '', aggressor: 1, type: 1 };
  return { type: 'trade', row: { ...row, ...orders, ...batches } } as unknown as KeptEvent;
}

/** A block that begins with an event that nothing is kept of, as all do. */
function blockOf(events: readonly KeptEvent[]) {
  return {
    ...{ height: HEIGHT, timestamp: 1n, hash: '', firstIndex: 0, lastIndex: events.length },
    events: events.map((event, index) => ({ index: index + 1, event })),
    ...{ passedOver: [], unknownFields: [] },
  };
}

const someone = fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f', 'g');

test('no two parties of a block have one position, as far as it has events', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(someone, someone), { minLength: 6, maxLength: 20 }), (pairs) => {
      const events = pairs.map(([buyer, seller]) => trade(buyer, seller));
      const { party } = collectChanges(blockOf(events));
      const named = new Set(pairs.flat());
      expect(new Set(party.map(({ id }) => id))).toEqual(named);
      const positions = party.map(({ createdPosition }) => createdPosition - BEGIN);
      expect(positions).toEqual(positions.toSorted((a, b) => Number(a - b)));
      const isFull = named.size > events.length + 1;
      if (!isFull) expect(new Set(positions).size).toBe(named.size);
      for (const position of positions)
        expect(position >= 0n && position <= BigInt(events.length)).toBe(true);
    }),
  );
});

test('the second that an event is the first to name has the nearest free position before, or else after', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(someone, someone), { maxLength: 12 }), (pairs) => {
      const { party } = collectChanges(blockOf(pairs.map(([buyer, seller]) => trade(buyer, seller))));
      const places = new Map<string, number>();
      const moved: (readonly [id: string, named: number])[] = [];
      for (const [index, ids] of pairs.entries()) {
        for (const id of new Set(ids)) {
          if (places.has(id)) continue;
          const isTaken = [...places.values()].includes(index + 1);
          places.set(id, isTaken ? -1 : index + 1);
          if (isTaken) moved.push([id, index + 1]);
        }
      }
      const all = Array.from({ length: pairs.length + 1 }, (_, at) => at);
      for (const [id, named] of moved) {
        const free = all.filter((at) => ![...places.values()].includes(at));
        const before = free.findLast((at) => at < named);
        places.set(id, before ?? free.find((at) => at > named) ?? pairs.length);
      }
      expect(new Map(party.map((one) => [one.id, Number(one.createdPosition - BEGIN)]))).toEqual(places);
    }),
  );
});

test('parties of 50,000 trades that all are new find their places while it can be waited for', () => {
  const events = Array.from({ length: 50_000 }, (_, n) => trade(`buyer ${n}`, `seller ${n % 25_000}`));
  const { party } = collectChanges(blockOf(events));
  expect(party).toHaveLength(75_000);
});

test('a block that names more new parties than it has positions is refused, in words', async () => {
  await using database = await createTestDatabase();
  await using writer = await Writer.open(database.url);
  const source = sourceOf([
    { type: 'beginBlock', height: HEIGHT, timestamp: 1n, hash: '' },
    ...[trade('a', 'b'), trade('c', 'd'), trade('e', 'f')],
    { type: 'endBlock', height: HEIGHT },
  ]);
  const { signal } = new AbortController();
  await expect(applySource(source, writer, { pace: 'max', signal })).rejects.toThrow(
    'events, block 7: it names more new parties than it has positions',
  );
  expect(writer.lastBlock).toBeNull();
});

test('a trade between two that nobody has named before is written, where ingest begins in the middle', async () => {
  await using database = await createTestDatabase();
  const writer = await Writer.open(database.url);
  try {
    const block = { height: BigInt(HEIGHT), hash: '', timestamp: 1n, lastPosition: BEGIN + 2n };
    await writer.write(block, collectChanges(blockOf([trade('a', 'b'), trade('b', 'c')])));
  } finally {
    await writer.close();
  }
  const parties = await ask(
    database.url,
    'SELECT id, created_position - (7 << 20) AS at FROM parties ORDER BY 1',
  );
  expect(parties).toEqual([
    { id: 'a', at: '1' },
    { id: 'b', at: '0' },
    { id: 'c', at: '2' },
  ]);
  expect(await ask(database.url, 'SELECT id FROM trades ORDER BY 1')).toEqual([{ id: 'ab' }, { id: 'bc' }]);
});

test('parties are counted wherever they found a place, and a base has as many; older counts are mended', async () => {
  await using database = await createDisposableDatabase();
  const source = sourceOf([
    { type: 'beginBlock', height: HEIGHT, timestamp: 1n, hash: '' },
    ...[trade('a', 'b'), trade('b', 'c')],
    { type: 'endBlock', height: HEIGHT },
  ]);
  const { signal } = new AbortController();
  const writer = await Writer.open(database.url);
  try {
    await applySource(source, writer, { pace: 'max', signal });
  } finally {
    await writer.close();
  }
  const countOf = (url: string) => ask(url, "SELECT rows FROM row_counts WHERE noun = 'parties'");
  expect(await countOf(database.url)).toEqual([{ rows: '3' }]);

  await using folder = await exportToFolder(database.url);
  await using based = await createDisposableDatabase();
  await using parts = await openSource(folder.path, signal);
  await ingestBase(based.url, parts, { signal });
  expect(await countOf(based.url)).toEqual([{ rows: '3' }]);

  await ask(
    database.url,
    `UPDATE row_counts SET rows = 2 WHERE noun = 'parties';
     DELETE FROM _prisma_migrations WHERE migration_name = '20261127180000_parties_counted_anew'`,
  );
  await migrate(database.url);
  expect(await countOf(database.url)).toEqual([{ rows: '3' }]);
});
