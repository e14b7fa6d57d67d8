import { expect, test } from 'vitest';
import { columnOf } from '../../src/data/columns.ts';
import type { Noun } from '../../src/data/noun.ts';
import { accounts } from '../../src/data/nouns/accounts.ts';
import { assets } from '../../src/data/nouns/assets.ts';
import { deposits } from '../../src/data/nouns/deposits.ts';
import { marginLevels } from '../../src/data/nouns/margin-levels.ts';
import { markets } from '../../src/data/nouns/markets.ts';
import { proposals } from '../../src/data/nouns/proposals.ts';
import { rewards } from '../../src/data/nouns/rewards.ts';
import { votes } from '../../src/data/nouns/votes.ts';
import { countByKey, countedOf } from '../../src/data/queries/count-statements.ts';
import type { PageRequest } from '../../src/data/queries/page-statements.ts';
import type { Page } from '../../src/data/queries/pages.ts';
import { POSITION, readTextPage, readTextPages, type TextRow } from '../../src/data/queries/text-rows.ts';
import { openDatabase } from '../../src/data/servers/client.ts';
import { forAllTests } from '../support/for-all-tests.ts';
import { createSimulatedDatabase } from '../support/simulated.ts';
import { ask } from '../support/state.ts';
import { countStatements } from '../support/statements.ts';

const REQUEST = { limit: 50, cursor: null, backward: false, newestFirst: true };

const simulated = await forAllTests(
  createSimulatedDatabase({ seed: 4, blocks: 40, parties: 10, markets: 2 }),
);
const database = await forAllTests(openDatabase({ url: simulated.url, readOnly: true }));

test('every index that a list reads by is there', async () => {
  const rows = await ask<{ tablename: string; indexdef: string }>(
    simulated.url,
    "SELECT tablename, indexdef FROM pg_indexes WHERE schemaname = 'public'",
  );
  // How long a deposit waited is no column, nor is the status of those that are not finalized, nor how a code begins.
  const named = rows.map(({ tablename, indexdef }) => [
    tablename,
    indexdef
      .replace(/length\(.*?'0'::text\)\)/, 'wait')
      .replace('"left"(instrument_code, 256)', 'code_beginning')
      .replace(/\(status, created_position\) WHERE.*/, '(rare_status, created_position)'),
  ]);
  const there = new Set(named.map(([table, text]) => `${table}${/\([^)]*\)/.exec(text ?? '')?.[0]}`));
  const lists = [accounts, assets, deposits, marginLevels, markets, proposals, rewards, votes];
  const wanted = lists.flatMap(({ table, indexes }) =>
    indexes.map((fields) => `${table.name.sql}(${[...fields, 'createdPosition'].map(columnOf).join(', ')})`),
  );
  expect(wanted.filter((index) => !there.has(index))).toEqual([]);
});

test('more values than are walked one by one give the same page', async () => {
  const owners = [...new Set((await simulated.readTable('accounts')).map((row) => String(row['owner'])))];
  const strangers = Array.from({ length: 2100 }, (_, number) => `stranger-${number}`);
  const few = await readPage(accounts, { partyIds: owners.slice(0, 3) }, REQUEST);
  const many = await readPage(accounts, { partyIds: [...owners.slice(0, 3), ...strangers] }, REQUEST);
  expect(few.rows.length).toBeGreaterThan(3);
  expect(many).toEqual(few);
  const walked = { partyIds: strangers.slice(0, 900).concat(owners[0] ?? ''), marketIds: ['', 'a', 'b'] };
  const page = await readPage(accounts, walked, REQUEST);
  expect(page.rows.every(({ owner, marketId }) => owner === owners[0] && marketId === '')).toBe(true);
  expect(page.rows.length).toBeGreaterThan(0);
});

test('a value given twice counts once', async () => {
  const [owner = ''] = (await simulated.readTable('parties')).map((row) => String(row['id']));
  const once = await readPage(accounts, { partyIds: [owner] }, REQUEST);
  expect(await readPage(accounts, { partyIds: [owner, owner] }, REQUEST)).toEqual(once);
});

test('lists of many objects have a page and a count for each, also where there is nothing', async () => {
  const keys = [...(await simulated.readTable('parties')).map((row) => String(row['id'])), 'nobody'];
  const scope = { field: 'owner' as const, keys };
  const only = { partyIds: [keys[1] ?? '', keys[2] ?? ''] };
  for (const filter of [{}, only]) {
    const pages = await readPages(accounts, scope, filter, REQUEST);
    const counts = await countByKey(database.statements, countedOf(accounts, filter), scope);
    expect([...pages.keys()]).toEqual(keys);
    for (const key of keys) {
      const isAsked = filter === only ? only.partyIds.includes(key) : key !== 'nobody';
      expect(pages.get(key)?.rows.every(({ owner }) => owner === key)).toBe(true);
      expect(pages.get(key)?.rows.length).toBe(counts.get(key) ?? 0);
      if (!isAsked) expect(counts.get(key) ?? 0).toBe(0);
    }
  }
});

test('a page from a row that is there, is gone, or is none of the list knows what lies on both sides', async () => {
  const all = await readPage(rewards, {}, { ...REQUEST, limit: 100_000 });
  const partyId = all.rows.at(-5)?.partyId ?? '';
  const rows = all.rows.filter((row) => row.partyId === partyId);
  expect(rows.length).toBeGreaterThan(10);
  const [first, middle, last] = [0, Math.floor(rows.length / 2), rows.length - 1].map((index) =>
    Number(rows[index]?.createdPosition),
  ) as [number, number, number];
  const others = all.rows.filter((row) => row.partyId !== partyId).slice(0, 3);
  const cursors = [
    ...[first + 1, first, middle, last, last - 1, 0],
    ...others.map(({ createdPosition }) => Number(createdPosition)),
  ];
  for (const cursor of cursors) {
    for (const backward of [false, true]) {
      for (const newestFirst of [false, true]) {
        for (const limit of [0, 1, 4, rows.length + 1]) {
          const request = { limit, cursor: BigInt(cursor), backward, newestFirst };
          const ordered = newestFirst ? rows : rows.toReversed();
          const lies = (position: number) =>
            (newestFirst ? position < cursor : position > cursor) !== backward;
          const beyond = ordered.filter(
            ({ createdPosition: at }) => Number(at) !== cursor && lies(Number(at)),
          );
          const [goesOn, comesFrom] = [beyond.length > limit, beyond.length < rows.length];
          expect(await readPage(rewards, { partyId }, request)).toEqual({
            rows: backward ? beyond.slice(Math.max(0, beyond.length - limit)) : beyond.slice(0, limit),
            hasNextPage: backward ? comesFrom : goesOn,
            hasPreviousPage: backward ? goesOn : comesFrom,
          });
        }
      }
    }
  }
});

test('a page from a row of the list is one statement, from any other two', async () => {
  const { rows } = await readPage(rewards, {}, REQUEST);
  const cursor = BigInt(rows[3]?.createdPosition ?? 0);
  const statements = countStatements();
  await readPage(rewards, {}, { ...REQUEST, cursor });
  expect(statements.count()).toBe(1);
  await readPage(rewards, {}, { ...REQUEST, cursor: 0n });
  expect(statements.count()).toBe(3);
  statements.stop();
});

/** A row by its fields, each as text. */
type Row = Readonly<Record<string, string | null>>;
type List<Filter> = Noun<{ readonly createdPosition: bigint }, Filter>;

async function readPage<Filter>(list: List<Filter>, filter: Filter, request: PageRequest) {
  return withFields(await readTextPage(database.statements, list, columnsOf(list), filter, request), list);
}

async function readPages<Filter>(
  list: List<Filter>,
  scope: { readonly field: string; readonly keys: readonly string[] },
  filter: Filter,
  request: PageRequest,
) {
  const pages = await readTextPages(
    ...([database.statements, list, columnsOf(list), scope as never, filter, request] as const),
  );
  return new Map([...pages].map(([key, page]) => [key, withFields(page, list)]));
}

function withFields(page: Page<TextRow>, list: Pick<Noun, 'table'>): Page<Row> {
  const columns = columnsOf(list);
  const rows = page.rows.map((row) =>
    Object.fromEntries(columns.map(({ field }, index) => [field, row[index] ?? null])),
  );
  return { ...page, rows };
}

function columnsOf({ table }: Pick<Noun, 'table'>) {
  const fields = table.fields.filter((field) => field !== POSITION.field);
  return [POSITION, ...fields.map((field) => ({ field, form: 'text' as const }))];
}
