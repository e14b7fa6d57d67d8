import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Writer } from '../../src/data/writing/writer.ts';
import { collectChanges } from '../../src/ingest/collect-changes.ts';
import type { KeptEvent } from '../../src/ingest/events.ts';
import { createTestDatabase } from '../support/database.ts';
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
      const isFull = named.size > events.length + 1;
      if (!isFull) expect(new Set(positions).size).toBe(named.size);
      for (const position of positions)
        expect(position >= 0n && position <= BigInt(events.length)).toBe(true);
    }),
  );
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
