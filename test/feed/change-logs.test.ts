import fc from 'fast-check';
import { expect, test } from 'vitest';
import { pack } from '../../src/data/history/archive.ts';
import { ARCHIVES } from '../../src/data/history/archives.ts';
import { type ChangeLog, changeLogOf } from '../../src/data/history/change-logs.ts';
import type { Change } from '../../src/data/history/change-pages.ts';
import { coverHeight } from '../../src/data/history/coverage.ts';
import { nouns } from '../../src/data/nouns/index.ts';
import { openDatabase } from '../../src/data/servers/client.ts';
import { Writer } from '../../src/data/writing/writer.ts';
import { accountTypes } from '../../src/domain/enumerations.ts';
import { applySource } from '../../src/ingest/apply.ts';
import type { EventSource, NetworkEvent } from '../../src/ingest/events.ts';
import { openSimulation } from '../../src/simulation/simulate.ts';
import { createTestDatabase } from '../support/database.ts';
import { forAllTests } from '../support/for-all-tests.ts';
import { forgetUpTo } from '../support/histories.ts';
import { ask, withClient } from '../support/state.ts';

const BLOCKS = 45;
/** Heights that begin again, as recordings have one. */
const AGAIN = [20, 41];
const simulation = openSimulation({ seed: 11, blocks: BLOCKS, parties: 160, markets: 3, release: '0.79' });

interface Row {
  readonly createdPosition: bigint;
}

/** A log, the filters to ask it with, and the state by the source's own events. */
interface Case {
  // biome-ignore lint/suspicious/noExplicitAny: of any noun.
  readonly log: ChangeLog<any, any>;
  readonly filters: readonly object[];
  readonly passes: (row: Row, filter: Readonly<Record<string, unknown>>) => boolean;
}

const accountLog = changeLogOf(nouns.account);
const depositLog = changeLogOf(nouns.deposit);
const marketDataLog = changeLogOf(nouns.marketData);
const rewardLog = changeLogOf(nouns.reward);
const voteLog = changeLogOf(nouns.vote);

/** Where each block ended, also those whose height began again, in order. */
const ends: bigint[] = [];

const database = await forAllTests(createTestDatabase());
const writer = await Writer.open(database.url);
const signal = new AbortController().signal;
await applySource(splitBlocks(simulation), writer, {
  pace: 'max',
  signal,
  onBlock: () => ends.push(writer.lastBlock?.lastPosition ?? 0n),
});
await writer.close();
const reader = await forAllTests(openDatabase({ url: database.url, readOnly: true }));
const owners = (await reader.prisma.party.findMany({ take: 12 })).map(({ id }) => id);
const markets = (await reader.prisma.market.findMany()).map(({ id }) => id);
const proposals = (await reader.prisma.vote.findMany({ take: 20 })).map(({ proposalId }) => proposalId);
const ofParties = owners.map((partyId) => ({ partyId }));
const cases: readonly Case[] = [
  { log: accountLog, filters: [{}, { accountTypes: [accountTypes.numbers.ACCOUNT_TYPE_GENERAL] }, { marketIds: [''] }, { partyIds: ['x'] }, ...owners.map((id) => ({ partyIds: [id, owners[0]] }))], passes: passesAccount }, // biome-ignore format: a table
  { log: depositLog, filters: [{}, ...ofParties], passes: equals },
  { log: voteLog, filters: [{}, ...ofParties, ...proposals.map((proposalId) => ({ proposalId }))], passes: equals }, // biome-ignore format: a table
  { log: rewardLog, filters: [{}, ...ofParties], passes: equals },
  { log: marketDataLog, filters: [{}, ...markets.map((id) => ({ marketIds: [id] }))], passes: (row, { marketIds }) => marketIds === undefined || (marketIds as string[]).includes((row as unknown as { marketId: string }).marketId) }, // biome-ignore format: a table
];

test('changes read in pages are the changes read at once, and those of a filter are its part of them', async () => {
  const pick = fc.record({
    a: fc.nat(),
    z: fc.nat(),
    filter: fc.nat(),
    limit: fc.integer({ min: 1, max: 400 }),
  });
  for (const { log, filters, passes } of cases) {
    const all = await readAll(log, {}, 0n, ends.at(-1) ?? 0n, 1_000_000);
    expect(all.length).toBeGreaterThan(50);
    expect(isRising(all)).toBe(true);
    await fc.assert(
      fc.asyncProperty(pick, async ({ a, z, filter, limit }) => {
        const chosen = filters[filter % filters.length] as Record<string, unknown>;
        const [after = 0n, upTo = 0n] = [endAt(a), endAt(z)].sort((x, y) => (x < y ? -1 : 1));
        const expected = all.filter(
          ({ position, row }) => position > after && position <= upTo && passes(row, chosen),
        );
        const size = atLeast(limit, expected);
        expect(await readAll(log, chosen, after, upTo, size)).toEqual(expected);
      }),
      { numRuns: 40 },
    );
  }
});

test('the state at the end of every block is the fold of the changes up to there, read in any pages', async () => {
  const pick = fc.record({ at: fc.nat(), filter: fc.nat(), limit: fc.integer({ min: 1, max: 400 }) });
  for (const { log, filters } of cases) {
    await fc.assert(
      fc.asyncProperty(pick, async ({ at, filter, limit }) => {
        const chosen = filters[filter % filters.length] as object;
        const asOf = endAt(at);
        const changes = await readAll(log, chosen, 0n, asOf, 1_000_000);
        const expected = fold(changes);
        expect(await readState(log, chosen, asOf, atLeast(limit, expected))).toEqual(expected);
      }),
      { numRuns: 25 },
    );
  }
});

test('the state of accounts is what the events say, at every block', async () => {
  const state = new Map<string, string>();
  let end = 0;
  for await (const { event } of splitBlocks(simulation).events(new AbortController().signal)) {
    if (event.type === 'account') {
      const { owner, assetId, marketId, type, balance } = event.row;
      state.set([owner, assetId, marketId, type].join(), balance);
    }
    if (event.type !== 'endBlock') continue;
    const rows = await accountLog.readState(
      reader.statements,
      {},
      { asOf: endAt(end++), afterRow: -1n, limit: 10_000 },
    );
    const told = rows.map((row) => [[row.owner, row.assetId, row.marketId, row.type].join(), row.balance]);
    expect(Object.fromEntries(told)).toEqual(Object.fromEntries(state));
  }
  expect(end).toBe(BLOCKS + AGAIN.length);
});

test('what streams need no more goes to the archive, and neither a later change nor the state at any block is another', async () => {
  const height = 30n;
  const before = new Map<string, unknown>();
  const read = async (kept: (name: string, value: unknown) => void) => {
    for (const { log, filters } of cases) {
      for (const filter of filters.slice(0, 6)) {
        for (const at of ends.filter((_, n) => n % 5 === 0)) {
          const name = JSON.stringify([log.name, filter, String(at)]);
          kept(`state ${name}`, await readState(log, filter, at, 500));
          if (at >> 20n < height) continue;
          kept(`changes ${name}`, await readAll(log, filter, at, ends.at(-1) ?? 0n, 500));
        }
      }
    }
  };
  await read((name, value) => before.set(name, value));
  await forgetUpTo(database.url, height);
  const kept = await countChanges();
  await withClient(database.url, async (client) => {
    await coverHeight(
      client,
      ARCHIVES.map(({ table }) => table),
      height,
      64n,
    );
    await pack(client, 0n, (height + 1n) << 20n);
    await client.query(`DELETE FROM changes WHERE position < ${(height + 1n) << 20n}`);
    await client.query(`DELETE FROM balance_changes WHERE position < ${(height + 1n) << 20n}`);
  });
  expect(await countChanges()).toBeLessThan(kept * 0.8);
  await read((name, value) => expect(value, name).toEqual(before.get(name)));
});

async function countChanges(): Promise<number> {
  const [found] = await ask<{ n: string }>(
    database.url,
    'SELECT (SELECT count(*) FROM balance_changes) + (SELECT count(*) FROM changes) AS n',
  );
  return Number(found?.n);
}

/** A size of pages of which there are not too many. */
function atLeast(limit: number, rows: readonly unknown[]): number {
  return Math.max(limit, Math.ceil(rows.length / 50));
}

async function readAll(
  log: ChangeLog<Row, object>,
  filter: object,
  after: bigint,
  upTo: bigint,
  limit: number,
): Promise<readonly Change<Row>[]> {
  const all: Change<Row>[] = [];
  for (let reached = after; reached < upTo; ) {
    const page = await log.readChanges(reader.statements, filter, { after: reached, upTo, limit });
    expect(page.changes.length).toBeLessThanOrEqual(limit);
    expect(page.reached).toBeGreaterThan(reached);
    all.push(...page.changes);
    reached = page.reached;
  }
  return all;
}

async function readState(
  log: ChangeLog<Row, object>,
  filter: object,
  asOf: bigint,
  limit: number,
): Promise<readonly Row[]> {
  const all: Row[] = [];
  for (;;) {
    const afterRow = all.at(-1)?.createdPosition ?? -1n;
    const rows = await log.readState(reader.statements, filter, { asOf, afterRow, limit });
    all.push(...rows);
    if (rows.length < limit) return all;
  }
}

function fold(changes: readonly Change<Row>[]): readonly Row[] {
  const rows = new Map(changes.map(({ row }) => [row.createdPosition, row]));
  return [...rows.values()].sort((a, b) => (a.createdPosition < b.createdPosition ? -1 : 1));
}

function isRising(changes: readonly Change<Row>[]): boolean {
  return changes.every(({ position }, n) => n === 0 || position > (changes[n - 1]?.position ?? 0n));
}

function endAt(number: number): bigint {
  return ends[number % ends.length] ?? 0n;
}

function equals(row: object, filter: object): boolean {
  return Object.entries(filter).every(([name, value]) => (row as Record<string, unknown>)[name] === value);
}

function passesAccount(
  row: object,
  { partyIds, marketIds, accountTypes }: Readonly<Record<string, unknown>>,
): boolean {
  const { owner, marketId, type } = row as Record<string, unknown>;
  const isIn = (value: unknown, list: unknown) => list === undefined || (list as unknown[]).includes(value);
  return isIn(owner, partyIds) && isIn(marketId, marketIds) && isIn(type, accountTypes);
}

/** The same events, with some heights in two blocks. */
function splitBlocks(source: EventSource): EventSource {
  return {
    ...source,
    async *events(signal) {
      let begin: NetworkEvent | undefined;
      let accounts = 0;
      for await (const item of source.events(signal)) {
        const { event } = item;
        if (event.type === 'beginBlock') [begin, accounts] = [event, 0];
        if (event.type === 'account') accounts += 1;
        if (
          event.type === 'account' &&
          accounts === 2 &&
          begin?.type === 'beginBlock' &&
          AGAIN.includes(begin.height)
        ) {
          yield { ...item, event: { type: 'endBlock', height: begin.height } };
          yield { ...item, event: begin };
        }
        yield item;
      }
    },
  };
}
