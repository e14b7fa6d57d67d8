import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { columnOf } from '../../src/data/columns.ts';
import { createPasts } from '../../src/data/history/past-statements.ts';
import type { Noun } from '../../src/data/noun.ts';
import { nounNames, nouns } from '../../src/data/nouns/index.ts';
import { findBlock } from '../../src/data/queries/blocks.ts';
import { countedOf, readWrittenCount } from '../../src/data/queries/count-statements.ts';
import { countRows, createCounts } from '../../src/data/queries/counts.ts';
import { createPastCounts } from '../../src/data/queries/past-counts.ts';
import { type Database, openDatabase } from '../../src/data/servers/client.ts';
import { createConnection } from '../../src/data/servers/connect.ts';
import type { Statements } from '../../src/data/servers/statements.ts';
import type { Statement } from '../../src/data/templates.ts';
import type { BlockChanges } from '../../src/data/writing/block-changes.ts';
import { mendCounts } from '../../src/data/writing/row-counts.ts';
import { Writer } from '../../src/data/writing/writer.ts';
import { accountTypes, depositStatuses, proposalStates, voteValues } from '../../src/domain/enumerations.ts';
import { applySource } from '../../src/ingest/apply.ts';
import { collectChanges } from '../../src/ingest/collect-changes.ts';
import type { KeptEvent } from '../../src/ingest/events.ts';
import { openSimulation } from '../../src/simulation/simulate.ts';
import { createDisposableDatabase, createTestDatabase, type TestDatabase } from '../support/database.ts';
import { takeValue } from '../support/shared-values.ts';
import { ask } from '../support/state.ts';
import { slowDown } from './slow-statements.ts';

const never = new AbortController().signal;
const WAIT = { waitMs: 60_000 };
const LISTED = nounNames.filter((name) => nouns[name].isListed);

let database: TestDatabase;
let reader: Database;

beforeAll(async () => {
  database = await createTestDatabase();
  await ask(database.url, NETWORK);
  reader = openDatabase({ url: database.url, readOnly: true });
});

afterAll(async () => {
  await reader?.close();
  await database?.[Symbol.asyncDispose]();
});

const id = fc.constantFrom('a', 'b', 'c');
const BOND = accountTypes.numbers.ACCOUNT_TYPE_BOND;
const { STATE_OPEN: OPEN, STATE_PASSED: PASSED } = proposalStates.numbers;
const type = fc.constantFrom(accountTypes.numbers.ACCOUNT_TYPE_GENERAL, BOND);
const state = fc.constantFrom(OPEN, PASSED);
const { STATUS_OPEN, STATUS_FINALIZED } = depositStatuses.numbers;
const status = fc.constantFrom(STATUS_OPEN, STATUS_FINALIZED);
const epoch = fc.bigInt({ min: 0n, max: 5n });
const time = fc.bigInt({ min: 0n, max: 30n });

/** Events of few keys, so that the same rows come again. A deposit's party follows from its id: it never changes. */
const event: fc.Arbitrary<KeptEvent> = fc.oneof(
  fc
    .record({ owner: id, assetId: id, marketId: id, type })
    .map((key) => eventOf('account', { ...key, balance: '1' })),
  fc
    .record({ number: fc.integer({ min: 0, max: 40 }), status })
    .map(({ number, status }) =>
      eventOf('deposit', { ...DEPOSIT, id: `deposit-${number}`, partyId: 'abc'.charAt(number % 3), status }),
    ),
  fc
    .record({ partyId: id, assetId: id, marketId: id, epoch })
    .map((reward) => eventOf('reward', { ...REWARD, ...reward })),
  fc.record({ partyId: id, proposalId: id }).map((vote) => eventOf('vote', { ...VOTE, ...vote })),
  fc.record({ id, partyId: id, state }).map((proposal) => eventOf('proposal', { ...PROPOSAL, ...proposal })),
  fc
    .record({ partyId: id, marketId: id, assetId: id })
    .map((level) => eventOf('marginLevel', { ...MARGIN_LEVEL, ...level })),
);

const ids = fc.subarray(['a', 'b', 'c', 'nobody']);
const question = fc.oneof(
  ask1('account', {
    partyIds: ids,
    marketIds: ids,
    accountTypes: fc.subarray([BOND]),
    assetId: id,
  }),
  ask1('deposit', { partyId: id, updatedFrom: time, updatedBefore: time }),
  ask1('deposit', { assetIds: ids, statuses: fc.subarray([STATUS_OPEN]) }),
  ask1('reward', { partyId: id, assetId: id, fromEpoch: epoch, toEpoch: epoch }),
  ask1('reward', { marketId: ids, assetId: ids, fromEpoch: epoch, toEpoch: epoch }),
  ask1('vote', { partyId: id, proposalId: id }),
  ask1('proposal', { partyId: id, states: fc.subarray([OPEN, PASSED]) }),
  ask1('marginLevel', { partyId: id, marketId: id }),
  ask1('party', {}),
);

test('counts are those of PostgreSQL, whatever is written, repeated and asked in whatever order', async () => {
  const step = fc.oneof(
    { weight: 3, arbitrary: fc.array(event, { maxLength: 12 }).map((events) => ({ events })) },
    { weight: 5, arbitrary: fc.record({ asked: question, ago: fc.nat(20) }) },
    { weight: 1, arbitrary: fc.constant({ restart: true as const }) },
  );
  let height = 0;
  let writer = await Writer.open(database.url);
  try {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 10, maxLength: 60 }), async (steps) => {
        for (const one of steps) {
          if ('events' in one) {
            height += 1;
            await writeBlock(writer, height, one.events);
          } else if ('restart' in one) {
            await writer.close();
            writer = await Writer.open(database.url);
          } else {
            const { name, filter } = one.asked;
            const noun = nouns[name] as Noun<never, unknown> as Noun<{ createdPosition: bigint }, unknown>;
            const counted = await takeValue(reader.counts.count(noun, filter));
            expect([name, filter, counted]).toEqual([
              name,
              filter,
              await countRows(reader.statements, noun, filter),
            ]);
            const past = await openPast(reader, BigInt(Math.max(1, height - one.ago)));
            const before = await takeValue(createPastCounts(past, reader.counts).count(noun, filter));
            expect([name, filter, before]).toEqual([name, filter, await countRows(past, noun, filter)]);
          }
        }
        await expectRowCounts(database.url);
      }),
      { numRuns: 25 },
    );
  } finally {
    await writer.close();
  }
});

test('counts while blocks are written are of one moment between the asking and the answer', async () => {
  await using fresh = await createTestDatabase();
  await using writing = await Writer.open(fresh.url);
  await using reading = openDatabase({ url: fresh.url, readOnly: true });
  const filter = { partyId: 'a' };
  // Each block adds one reward of the party, so that a count is a height.
  let begun = 0;
  let done = 0;
  const write = async () => {
    for (; begun < 150; done += 1) {
      begun += 1;
      await writeBlock(writing, begun, [
        eventOf('reward', { ...REWARD, partyId: 'a', assetId: 'a', marketId: '', epoch: 1n }),
        eventOf('reward', { ...REWARD, partyId: 'b', assetId: 'a', marketId: '', epoch: 1n }),
      ]);
    }
  };
  const count = async () => {
    while (done < 150) {
      const least = done;
      const counted = await takeValue(reading.counts.count(nouns.reward, filter));
      expect(counted).toBeGreaterThanOrEqual(least);
      expect(counted).toBeLessThanOrEqual(begun);
    }
  };
  await Promise.all([write(), count(), count(), count()]);
  expect(await takeValue(reading.counts.count(nouns.reward, filter))).toBe(150);
});

test('a filtered list is counted once, and then only what was created since', async () => {
  await using fresh = await createTestDatabase();
  await using writing = await Writer.open(fresh.url);
  await using reading = openDatabase({ url: fresh.url, readOnly: true });
  const rewards = (count: number) =>
    Array.from({ length: count }, () =>
      eventOf('reward', { ...REWARD, partyId: 'a', assetId: 'a', marketId: '', epoch: 1n }),
    );
  await writeBlock(writing, 1, rewards(3000));
  const { counts, read } = noteRows(reading.statements);
  const filter = { partyId: 'a' };
  expect(await takeValue(counts.count(nouns.reward, filter))).toBe(3000);
  await writeBlock(writing, 2, rewards(5));
  expect(await takeValue(counts.count(nouns.reward, filter))).toBe(3005);
  expect(await takeValue(counts.count(nouns.reward, filter))).toBe(3005);
  expect(read.map((statement) => /created_position.*>=/s.test(statement.text))).toEqual([false, true, true]);
  // As a server does by itself after a while: what it knew of an empty table says nothing of this one.
  await ask(fresh.url, 'ANALYZE rewards');
  expect(await plannedRows(fresh.url, read[1])).toBe(5);
  expect(await plannedRows(fresh.url, read[2])).toBe(0);
});

test('a whole list is counted without reading it', async () => {
  const { counts, read } = noteRows(reader.statements);
  await takeValue(counts.count(nouns.deposit, {}));
  expect(read).toHaveLength(1);
  expect(read[0]?.text).toMatch(/FROM row_counts/);
});

test('what is counted by the writer is read of no row: ranges, several values, and of many objects', async () => {
  await using fresh = await createTestDatabase();
  await using writing = await Writer.open(fresh.url);
  await using reading = openDatabase({ url: fresh.url, readOnly: true });
  const rewards = [1n, 2n, 2n, 3n].map((epoch, index) =>
    eventOf('reward', { ...REWARD, partyId: 'a', assetId: 'ab'.charAt(index % 2), marketId: '', epoch }),
  );
  await writeBlock(writing, 1, rewards);
  const { counts, read } = noteRows(reading.statements);
  const charged: number[] = [];
  const countedFor = { client: 'a', charge: (rows: number) => charged.push(rows) };
  const count = (filter: object) => takeValue(counts.count(nouns.reward, filter, countedFor));
  expect(await count({ fromEpoch: 2n, toEpoch: 2n })).toBe(2);
  expect(await count({ fromEpoch: 2n, assetId: ['a', 'b', 'nothing'] })).toBe(3);
  const scope = { field: 'assetId', keys: ['a', 'b', 'nothing'] } as const;
  const byAsset = counts.countByKey(
    noted(reading.statements, read),
    nouns.reward,
    scope,
    { toEpoch: 2n },
    countedFor,
  );
  expect(await takeValue(byAsset)).toEqual(new Map([['a', 2], ['b', 1]])); // biome-ignore format: pairs
  expect(read.map(({ text }) => /FROM rewards AS t/.test(text))).toEqual([false, false, false]);
  expect(charged).toEqual([10, 15, 15]);
});

test('the count of one object is kept, and rows that are counted are charged once', async () => {
  await using fresh = await createTestDatabase();
  await using writing = await Writer.open(fresh.url);
  await using reading = openDatabase({ url: fresh.url, readOnly: true });
  const reward = eventOf('reward', { ...REWARD, partyId: 'a', assetId: 'a', marketId: '', epoch: 1n });
  await writeBlock(writing, 1, [reward, reward, reward]);
  const { counts } = noteRows(reading.statements);
  const charged: number[] = [];
  const countedFor = { client: 'a', charge: (rows: number) => charged.push(rows) };
  const scope = { field: 'partyId', keys: ['a'] } as const;
  const count = () => takeValue(counts.countByKey(reading.statements, nouns.reward, scope, {}, countedFor));
  expect([await count(), await count()]).toEqual([new Map([['a', 3]]), new Map([['a', 3]])]);
  await writeBlock(writing, 2, [reward]);
  expect(await count()).toEqual(new Map([['a', 4]]));
  expect(charged).toEqual([3, 0, 1]);
});

test('rows that are counted and added up anew may take longer than a block may', async () => {
  await using fresh = await createDisposableDatabase();
  {
    await using writing = await Writer.open(fresh.url);
    await writeBlock(writing, 1, [eventOf('deposit', { ...DEPOSIT, id: 'd', partyId: 'a' })]);
  }
  await ask(
    fresh.url,
    `DELETE FROM row_counts WHERE noun = 'deposits';
    CREATE FUNCTION linger() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN PERFORM pg_sleep(3); RETURN NULL; END';
    CREATE TRIGGER linger BEFORE INSERT ON row_counts EXECUTE FUNCTION linger();
    CREATE TRIGGER linger BEFORE DELETE ON deposit_sums EXECUTE FUNCTION linger()`,
  );
  const ofBlocks = { purpose: 'writer', statement_timeout: 2_000, query_timeout: 2_500 } as const;
  const client = createConnection(fresh.url, ofBlocks);
  try {
    await client.connect();
    expect(await mendCounts(client)).toEqual(['deposits']);
  } finally {
    await client.end();
  }
});

test('filters on what changes in a row are counted anew each time', async () => {
  await using fresh = await createTestDatabase();
  await using writing = await Writer.open(fresh.url);
  await using reading = openDatabase({ url: fresh.url, readOnly: true });
  const proposal = { ...PROPOSAL, id: 'p', partyId: 'a' };
  const countOpen = () => takeValue(reading.counts.count(nouns.proposal, { states: [OPEN] }));
  const countEarly = () => takeValue(reading.counts.count(nouns.deposit, { updatedBefore: 2n }));
  const deposit = { ...DEPOSIT, id: 'd', partyId: 'a' };
  await writeBlock(writing, 1, [
    eventOf('proposal', { ...proposal, state: OPEN }),
    eventOf('deposit', deposit),
  ]);
  expect([await countOpen(), await countEarly()]).toEqual([1, 1]);
  await writeBlock(writing, 2, [
    eventOf('proposal', { ...proposal, state: PASSED }),
    eventOf('deposit', deposit),
  ]);
  expect([await countOpen(), await countEarly()]).toEqual([0, 0]);
});

test('what there was at a block is counted from what is counted now, and what came or changed since', async () => {
  await using fresh = await createTestDatabase();
  await using writing = await Writer.open(fresh.url);
  await using reading = openDatabase({ url: fresh.url, readOnly: true });
  await ask(fresh.url, NETWORK);
  const depositsOf = (status: number, numbers: readonly number[]) =>
    numbers.map((number) => eventOf('deposit', { ...DEPOSIT, id: `${number}`, partyId: 'a', status }));
  await writeBlock(writing, 1, depositsOf(STATUS_OPEN, [1, 2, 3, 4]));
  await writeBlock(writing, 2, [
    ...depositsOf(STATUS_FINALIZED, [1, 2, 3]),
    ...depositsOf(STATUS_OPEN, [5, 6]),
  ]);
  const read: Statement[] = [];
  const charged: number[] = [];
  const countedFor = { client: 'a', charge: (rows: number) => charged.push(rows) };
  const past = noted(await openPast(reading, 1n), read);
  const count = (filter: object) =>
    takeValue(createPastCounts(past, reading.counts).count(nouns.deposit, filter, countedFor));
  expect(await count({})).toBe(4);
  expect(await count({ assetIds: ['a'] })).toBe(4);
  expect(await count({ statuses: [STATUS_OPEN] })).toBe(4);
  expect(await count({ statuses: [STATUS_FINALIZED] })).toBe(0);
  expect(read).toHaveLength(4);
  for (const { text } of read.slice(0, 2)) expect(text).not.toMatch(/FROM deposits/);
  // What the writer counted, and the two rows that came since. Of a party it counts nothing.
  expect(charged[0]).toBe(1 + 2);
  expect(await count({ partyId: 'a' })).toBe(4);
  expect(charged.at(-1)).toBe(4);
});

test('as of a block of long ago no row is looked at that came since, where the filter leaves most of them out', async () => {
  await using fresh = await createTestDatabase();
  await using writing = await Writer.open(fresh.url);
  await using reading = openDatabase({ url: fresh.url, readOnly: true });
  await ask(fresh.url, NETWORK);
  for (let epoch = 1; epoch <= 4; epoch += 1)
    await writeBlock(
      writing,
      epoch,
      ['a', 'a', 'b'].map((assetId) =>
        eventOf('reward', { ...REWARD, partyId: 'a', assetId, marketId: '', epoch: BigInt(epoch) }),
      ),
    );
  const read: Statement[] = [];
  const past = noted(await openPast(reading, 2n), read);
  const count = (filter: object) =>
    takeValue(createPastCounts(past, reading.counts).count(nouns.reward, filter));
  expect(await count({ fromEpoch: 1n, toEpoch: 1n })).toBe(3);
  expect(await count({ fromEpoch: 2n, assetId: ['a'] })).toBe(2);
  expect(read).toHaveLength(2);
  for (const { text } of read) expect(text).not.toMatch(/\bsince\b/);
  expect(await count({})).toBe(6);
  expect(read.at(-1)?.text).toMatch(/\bsince\b/);
});

test('a count that fails is not kept, and the next one is asked anew', async () => {
  let isBroken = true;
  const flaky: Statements = {
    ...reader.statements,
    rows: (statement) => (isBroken ? Promise.reject(new Error('gone')) : reader.statements.rows(statement)),
  };
  const counts = createCounts(flaky, WAIT);
  const filter = { partyId: 'a', assetId: 'b' };
  const both = [takeValue(counts.count(nouns.reward, filter)), takeValue(counts.count(nouns.reward, filter))];
  expect((await Promise.allSettled(both)).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  isBroken = false;
  expect(await takeValue(counts.count(nouns.reward, filter))).toBe(
    await countRows(reader.statements, nouns.reward, filter),
  );
});

test('two lists are counted whole at once, however many are asked for, so that others find a connection', async () => {
  const { slow, seen } = slowDown(reader.statements);
  const counts = createCounts(slow, WAIT);
  const filters = Array.from({ length: 20 }, (_, epoch) => ({ partyId: 'a', fromEpoch: BigInt(epoch) }));
  const [ofRewards, ofProposals] = await Promise.all([
    Promise.all(filters.map((filter) => takeValue(counts.count(nouns.reward, filter)))),
    takeValue(counts.count(nouns.proposal, { states: [OPEN] })),
  ]);
  expect(seen.most).toBe(2);
  expect(ofRewards).toEqual(
    await Promise.all(filters.map((filter) => countRows(reader.statements, nouns.reward, filter))),
  );
  expect(ofProposals).toBe(await countRows(reader.statements, nouns.proposal, { states: [OPEN] }));
});

test('another database at the same address is counted from its beginning', async () => {
  await using first = await createTestDatabase();
  await using second = await createTestDatabase();
  const reward = eventOf('reward', { ...REWARD, partyId: 'a', assetId: 'a', marketId: '', epoch: 1n });
  const databases = [];
  for (const [url, blocks] of [
    [first.url, 5],
    [second.url, 2],
  ] as const) {
    // biome-ignore format: pairs
    await using writing = await Writer.open(url);
    for (let height = 1; height <= blocks; height += 1) await writeBlock(writing, height, [reward]);
    databases.push(openDatabase({ url, readOnly: true }));
  }
  let [now, then] = databases.map(({ statements }) => statements);
  const switching: Statements = {
    rows: (statement) => (now as Statements).rows(statement),
    texts: (statement) => (now as Statements).texts(statement),
    arrays: (statement) => (now as Statements).arrays(statement),
    until: () => switching,
    isPast: false,
    saw() {},
  };
  const counts = createCounts(switching, WAIT);
  const count = () => takeValue(counts.count(nouns.reward, { partyId: 'a' }));
  expect(await count()).toBe(5);
  [now, then] = [then, now];
  expect([await count(), await count()]).toEqual([2, 2]);
  await Promise.all(databases.map((one) => one.close()));
});

test('whole lists are counted exactly, in however many goes a network is taken in', async () => {
  await using fresh = await createTestDatabase();
  for (const blocks of [3, 3, 20, 50]) {
    await using writing = await Writer.open(fresh.url);
    const source = openSimulation({ seed: 2, blocks, parties: 6, markets: 2 });
    await applySource(source, writing, { pace: 'max', signal: never });
    await expectRowCounts(fresh.url);
  }
});

/** Holds every count that the writer keeps against the table. */
async function expectRowCounts(url: string): Promise<void> {
  await using reading = openDatabase({ url, readOnly: true });
  for (const name of LISTED) {
    const noun = nouns[name] as Noun<never, unknown> as Noun<{ createdPosition: bigint }, unknown>;
    const written = await readWrittenCount(reading.statements, countedOf(noun, {}));
    const rows = await countRows(reading.statements, noun, {});
    const byKey = new Map([['', rows]]);
    expect([name, written]).toEqual([name, { byKey, read: rows && 1, isRight: true, hasDropped: false }]);
    expect([name, await keysWritten(url, noun)]).toEqual([name, await keysThere(url, noun)]);
  }
}

const keysWritten = (url: string, { name }: Noun) =>
  ask(url, `SELECT key, rows FROM row_counts WHERE noun = '${name}' AND key <> '' ORDER BY key`);

function keysThere(url: string, { table, countedBy }: Noun) {
  if (countedBy.length === 0) return [];
  const columns = countedBy.map((field) => `${columnOf(field)}::text`);
  return ask(
    url,
    `SELECT ARRAY[${columns}]::text AS key, count(*) AS rows FROM ${table.name.text} GROUP BY 1 ORDER BY 1`,
  );
}

/** The rows that a count went through, as PostgreSQL tells. */
async function plannedRows(url: string, statement: Statement | undefined): Promise<number> {
  await using reading = openDatabase({ url, readOnly: true });
  const [row] = await reading.statements.rows<{ 'QUERY PLAN': [{ Plan: Plan }] }>({
    text: `EXPLAIN (ANALYZE, FORMAT JSON) ${statement?.text}`,
    values: [...(statement?.values ?? [])],
    dependsOn: 'not kept',
  });
  return rowsOf(row?.['QUERY PLAN'][0].Plan);
}

interface Plan {
  readonly 'Relation Name'?: string;
  readonly 'Actual Rows': number;
  readonly 'Rows Removed by Filter'?: number;
  readonly Plans?: readonly Plan[];
}

function rowsOf(plan: Plan | undefined): number {
  if (plan === undefined) return 0;
  const own = plan['Relation Name']?.startsWith('rewards')
    ? plan['Actual Rows'] + (plan['Rows Removed by Filter'] ?? 0)
    : 0;
  return own + (plan.Plans ?? []).reduce((sum, part) => sum + rowsOf(part), 0);
}

/** Counts that note each statement they send. */
function noteRows(statements: Statements) {
  const read: Statement[] = [];
  return { counts: createCounts(noted(statements, read), WAIT), read };
}

function noted(statements: Statements, read: Statement[]): Statements {
  return {
    ...statements,
    rows(statement) {
      read.push(statement);
      return statements.rows(statement);
    },
  };
}

function ask1<Name extends keyof typeof nouns>(name: Name, parts: Record<string, fc.Arbitrary<unknown>>) {
  return fc.record(parts, { requiredKeys: [] }).map((filter) => ({ name, filter }));
}

/** Reads what was at the end of a block. */
async function openPast({ statements }: Database, height: bigint): Promise<Statements> {
  const block = await findBlock(statements, height);
  return createPasts(statements)(block?.lastPosition ?? 0n);
}

function eventOf(type: KeptEvent['type'], row: object): KeptEvent {
  return { type, row } as KeptEvent;
}

/** A block of these events, as a source gives them. */
async function writeBlock(writer: Writer, height: number, events: readonly KeptEvent[]): Promise<void> {
  const changes: BlockChanges = collectChanges({
    height,
    timestamp: BigInt(height),
    hash: '',
    firstIndex: 0,
    lastIndex: events.length + 1,
    events: events.map((event, index) => ({ index: index + 1, event })),
    passedOver: [],
    unknownFields: [],
  });
  const lastPosition = BigInt(height * 2 ** 20 + events.length + 1);
  await writer.write({ height: BigInt(height), hash: '', timestamp: BigInt(height), lastPosition }, changes);
}

/** As a source says it at its begin. */
const NETWORK = "INSERT INTO networks (chain_id) VALUES ('network')";
const DEPOSIT = { assetId: 'a', amount: '1', status: depositStatuses.numbers.STATUS_OPEN, txHash: '', createdTimestamp: 0n, creditedTimestamp: 0n }; // biome-ignore format: data
const REWARD = { amount: '1', percentageOfTotal: '1', receivedAt: 0n, rewardType: '' };
const VOTE = { value: voteValues.numbers.VALUE_YES, timestamp: 0n, totalGovernanceTokenBalance: '0', totalGovernanceTokenWeight: '0', totalEquityLikeShareWeight: '0' }; // biome-ignore format: data
const PROPOSAL = { reference: '', timestamp: 0n, reason: null, errorDetails: null, requiredParticipation: '0', requiredMajority: '0', requiredLiquidityProviderParticipation: null, requiredLiquidityProviderMajority: null }; // biome-ignore format: data
const MARGIN_LEVEL = { maintenanceMargin: '0', searchLevel: '0', initialMargin: '0', collateralReleaseLevel: '0', timestamp: 0n }; // biome-ignore format: data
