import fc from 'fast-check';
import { expect, test } from 'vitest';
import { tagOf, tagOfEveryValue, tagOfValue } from '../../src/cache/cache-tags.ts';
import { nouns } from '../../src/data/nouns/index.ts';
import { readTaggedBlocksAfter, type TaggedBlock } from '../../src/data/queries/blocks.ts';
import { openDatabase } from '../../src/data/servers/client.ts';
import { cacheTagsOf } from '../../src/data/writing/block-tags.ts';
import { Writer } from '../../src/data/writing/writer.ts';
import { accountTypes, type DepositStatus, depositStatuses } from '../../src/domain/enumerations.ts';
import { applySource } from '../../src/ingest/apply.ts';
import type { NetworkEvent } from '../../src/ingest/events.ts';
import { openSimulation } from '../../src/simulation/simulate.ts';
import { createTestDatabase } from '../support/database.ts';
import { changes, GOLD, sourceOf } from '../support/events.ts';
import { takeValue } from '../support/shared-values.ts';
import { ask, readState } from '../support/state.ts';

const never = new AbortController().signal;
const { party: parties, account: accounts, deposit: deposits, asset: assets } = nouns;

test('a block names what it changed: the nouns, and the values that never change in their rows', async () => {
  await using database = await createTestDatabase();
  await apply(database.url, [block(1), accountOf('alice', 'gold'), { type: 'asset', row: GOLD }]);
  const [tags] = await readTags(database.url);
  const wanted = [
    tagOf(parties),
    tagOfValue(parties, 'id', 'alice'),
    tagOf(accounts),
    tagOfValue(accounts, 'owner', 'alice'),
    tagOfValue(accounts, 'assetId', 'gold'),
    tagOfValue(accounts, 'marketId', ''),
    tagOfValue(accounts, 'type', `${accountTypes.numbers.ACCOUNT_TYPE_GENERAL}`),
    tagOf(assets),
    tagOfValue(assets, 'id', 'gold'),
  ];
  expect(new Set(tags)).toEqual(new Set(wanted));
  expect(tags).toHaveLength(wanted.length);
});

test('a block has the tags of the parties that are new, whoever wrote the others, and of none that it only names', async () => {
  await using database = await createTestDatabase();
  const first = [block(1), accountOf('alice', 'gold')];
  const second = [...first, block(2), accountOf('alice', 'gold'), accountOf('bob', 'gold')];
  const third = [...second, block(3), accountOf('bob', 'gold')];
  await apply(database.url, first);
  await apply(database.url, second); // By another writer, which remembers none.
  await apply(database.url, third);
  const tags = await readTags(database.url);
  const hasTag = (party: string) => tags.map((some) => some.includes(tagOfValue(parties, 'id', party)));
  expect(hasTag('alice')).toEqual([true, false, false]);
  expect(hasTag('bob')).toEqual([false, true, false]);
  expect(tags.map((some) => some.includes(tagOf(parties)))).toEqual([true, true, false]);
});

test('a block that changes nothing has no tags', async () => {
  await using database = await createTestDatabase();
  await apply(database.url, [block(1), block(2)]);
  expect(await readTags(database.url)).toEqual([[], []]);
});

test('a block that changes more than 2,000 values of a noun has the tag of all of them, and of the others as ever', () => {
  const party = Array.from({ length: 2000 }, (_, index) => ({
    id: `party-${index}`,
    createdPosition: BigInt(index),
  }));
  const most = cacheTagsOf(changes({ party }));
  expect(most).toContain(tagOfValue(parties, 'id', 'party-1999'));
  expect(most).not.toContain(tagOfEveryValue(parties));
  const more = cacheTagsOf(changes({ party: [...party, { id: 'one more', createdPosition: 2000n }] }));
  expect(more).toEqual([tagOf(parties), tagOfEveryValue(parties)]);
});

test('every row of a block gives it its tags, whatever the network does', async () => {
  await using database = await createTestDatabase();
  await using writer = await Writer.open(database.url);
  const source = openSimulation({ seed: 5, blocks: 30, parties: 6, markets: 2 });
  await applySource(source, writer, { pace: 'max', signal: never });
  const tagsAt = new Map(
    (await ask<{ position: string; touched: number[] }>(database.url, 'SELECT * FROM block_touches')).map(
      ({ position, touched }) => [position, new Set(touched)],
    ),
  );
  expect(tagsAt.size).toBe(30);
  for (const noun of [accounts, deposits, nouns.reward, nouns.vote, nouns.marketData, nouns.proposal]) {
    const updated = noun === nouns.reward ? 'created_position' : 'updated_position';
    const rows = await ask<{ position: string; row: Record<string, string> }>(
      database.url,
      `SELECT blocks.last_position AS position, to_jsonb(t) AS row FROM ${noun.table.name.text} AS t
       JOIN blocks ON blocks.height = t.${updated} >> 20`,
    );
    expect(rows.length).toBeGreaterThan(0);
    for (const { position, row } of rows) {
      const tags = tagsAt.get(position);
      expect(tags?.has(tagOf(noun))).toBe(true);
      const party = row['party_id'] ?? row['owner'];
      const field = noun === accounts ? 'owner' : 'partyId';
      if (party !== undefined && noun !== nouns.proposal)
        expect(tags?.has(tagOfValue(noun, field, party))).toBe(true);
      if (row['id'] !== undefined) expect(tags?.has(tagOfValue(noun, 'id', row['id']))).toBe(true);
    }
  }
});

test('a deposit stays with its party, so that what was kept of it stays right', async () => {
  await using database = await createTestDatabase();
  await using reader = openDatabase({ url: database.url, readOnly: true });
  const count = (partyId: string) => takeValue(reader.counts.count(deposits, { partyId }));
  const first = [block(1), depositOf('alice', 'STATUS_OPEN')];
  await apply(database.url, first);
  expect([await count('alice'), await count('bob')]).toEqual([1, 0]);
  const moved = [...first, block(2), depositOf('bob', 'STATUS_CANCELLED')];
  await apply(database.url, [...moved, block(3), depositOf('alice', 'STATUS_FINALIZED')]);
  expect([await count('alice'), await count('bob')]).toEqual([1, 0]);
  const states = await ask(
    database.url,
    "SELECT row ->> 'party_id' AS party, row ->> 'status' AS status FROM changes ORDER BY position",
  );
  expect(states).toEqual([
    { party: 'alice', status: `${depositStatuses.numbers.STATUS_OPEN}` },
    { party: 'alice', status: `${depositStatuses.numbers.STATUS_FINALIZED}` },
  ]);
});

test('they are kept for the newest thousand blocks, or a few more', async () => {
  await using database = await createTestDatabase();
  await apply(
    database.url,
    Array.from({ length: 1130 }, (_, index) => block(index + 1)),
  );
  const rows = await ask<{ height: string }>(
    database.url,
    'SELECT height FROM block_touches JOIN blocks ON last_position = position ORDER BY 1',
  );
  expect(rows.length).toBeGreaterThanOrEqual(1000);
  expect(rows.length).toBeLessThan(1060);
  expect(rows.at(-1)?.height).toBe('1130');
});

test('whoever reads on is told nothing of blocks whose tags are forgotten in part, or were never noted', async () => {
  await using database = await createTestDatabase();
  await apply(database.url, [block(1), block(2), accountOf('alice', 'gold'), block(3), block(4)]);
  const readFrom = async (height: number) => knownOf(await readBlocks(database.url, height));
  expect(await readFrom(0)).toEqual([null, null, null, null]);
  expect(await readFrom(1)).toEqual([7, 0, 0]);
  await ask(database.url, 'DELETE FROM block_touches WHERE position >> 20 <= 2');
  expect(await readFrom(1)).toEqual([null, null, null]);
  expect(await readFrom(2)).toEqual([null, null]);
  expect(await readFrom(3)).toEqual([0]);
  // As a writer of an older version leaves its blocks.
  await ask(database.url, 'DELETE FROM block_touches WHERE position >> 20 = 4');
  expect(await readFrom(3)).toEqual([null]);
});

test('a height that begins again has the tags of both its parts, and is read on from between them', async () => {
  await using database = await createTestDatabase();
  const again = [block(2), accountOf('alice', 'gold'), block(2), accountOf('bob', 'gold')];
  await apply(database.url, [block(1), ...again]);
  const ofParty = (party: string) => tagOfValue(accounts, 'owner', party);
  const [both] = await readBlocks(database.url, 1);
  expect([both?.cacheTags?.includes(ofParty('alice')), both?.cacheTags?.includes(ofParty('bob'))]).toEqual([
    true,
    true,
  ]);
  const positions = await ask<{ position: string }>(
    database.url,
    'SELECT position FROM block_touches ORDER BY 1',
  );
  const first = BigInt(positions[1]?.position ?? 0);
  const [second] = await readAfter(database.url, first, 10);
  expect([
    second?.cacheTags?.includes(ofParty('alice')),
    second?.cacheTags?.includes(ofParty('bob')),
  ]).toEqual([false, true]);
});

test('reads as many blocks as are asked for, in order', async () => {
  await using database = await createTestDatabase();
  await apply(
    database.url,
    Array.from({ length: 10 }, (_, index) => block(index + 1)),
  );
  const read = await readBlocks(database.url, 3, 4);
  expect(read.map(({ block }) => block.height)).toEqual([4n, 5n, 6n, 7n]);
  expect(knownOf(read)).toEqual([0, 0, 0, 0]);
});

test('are the same however the blocks were taken in, in one go or again and again', async () => {
  const network = { seed: 9, blocks: 120, parties: 5, markets: 1 };
  await using undisturbed = await createTestDatabase();
  await using writer = await Writer.open(undisturbed.url);
  await applySource(openSimulation(network), writer, { pace: 'max', signal: never });
  await using database = await createTestDatabase();
  for (const [blocks = 0] of fc.sample(fc.tuple(fc.integer({ min: 1, max: 119 })), { numRuns: 6, seed: 1 })) {
    await using part = await Writer.open(database.url);
    await applySource(openSimulation({ ...network, blocks }), part, { pace: 'max', signal: never });
  }
  await using rest = await Writer.open(database.url);
  await applySource(openSimulation(network), rest, { pace: 'max', signal: never });
  expect(await readState(database.url)).toEqual(await readState(undisturbed.url));
});

function block(height: number): NetworkEvent {
  return { type: 'beginBlock', height, timestamp: BigInt(height), hash: `hash-${height}` };
}

function accountOf(owner: string, assetId: string): NetworkEvent {
  const type = accountTypes.numbers.ACCOUNT_TYPE_GENERAL;
  return { type: 'account', row: { owner, assetId, marketId: '', type, balance: '1' } };
}

function depositOf(partyId: string, name: DepositStatus): NetworkEvent {
  const status = depositStatuses.numbers[name];
  const times = { createdTimestamp: 1n, creditedTimestamp: 0n };
  const row = { id: 'one', partyId, assetId: 'gold', amount: '1', status, txHash: '', ...times };
  return { type: 'deposit', row };
}

/** Applies events, each block of which ends where the next begins, by a writer of its own. */
async function apply(url: string, events: readonly NetworkEvent[]): Promise<void> {
  await using writer = await Writer.open(url);
  const whole = events.flatMap((event, index): NetworkEvent[] => {
    const next = events[index + 1];
    return next === undefined || next.type === 'beginBlock'
      ? [event, { type: 'endBlock', height: 0 }]
      : [event];
  });
  await applySource(sourceOf(whole), writer, { pace: 'max', signal: never });
}

async function readTags(url: string): Promise<readonly (readonly number[])[]> {
  const rows = await ask<{ touched: number[] }>(url, 'SELECT touched FROM block_touches ORDER BY position');
  return rows.map(({ touched }) => touched);
}

async function readAfter(url: string, position: bigint, limit: number): Promise<readonly TaggedBlock[]> {
  await using database = openDatabase({ url, readOnly: true });
  return await readTaggedBlocksAfter(database.statements, position, limit);
}

/** The blocks after the one of a height. */
async function readBlocks(url: string, height: number, limit = 100): Promise<readonly TaggedBlock[]> {
  const [row] = await ask<{ last_position: string }>(
    url,
    `SELECT last_position FROM blocks WHERE height = ${height}`,
  );
  return readAfter(url, BigInt(row?.last_position ?? -1), limit);
}

/** How many tags each block has. */
function knownOf(blocks: readonly TaggedBlock[]): readonly (number | null)[] {
  return blocks.map(({ cacheTags }) => cacheTags?.length ?? null);
}
