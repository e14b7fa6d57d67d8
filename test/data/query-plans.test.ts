import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Condition, isAnyOf, isBounds } from '../../src/data/conditions.ts';
import { rankAccounts } from '../../src/data/history/ranks.ts';
import { fieldsIn, type Noun } from '../../src/data/noun.ts';
import { accounts } from '../../src/data/nouns/accounts.ts';
import { assets } from '../../src/data/nouns/assets.ts';
import { deposits } from '../../src/data/nouns/deposits.ts';
import { marginLevels } from '../../src/data/nouns/margin-levels.ts';
import { markets } from '../../src/data/nouns/markets.ts';
import { proposals } from '../../src/data/nouns/proposals.ts';
import { rewards } from '../../src/data/nouns/rewards.ts';
import { trades } from '../../src/data/nouns/trades.ts';
import { votes } from '../../src/data/nouns/votes.ts';
import { readBlockPage } from '../../src/data/queries/blocks.ts';
import { countedOf } from '../../src/data/queries/count-statements.ts';
import type { PageRequest } from '../../src/data/queries/page-statements.ts';
import { SEARCHED, type SearchedKind, search } from '../../src/data/queries/search.ts';
import { readSums } from '../../src/data/queries/sums.ts';
import { POSITION, readTextPage, readTextPages } from '../../src/data/queries/text-rows.ts';
import { type Database, openDatabase } from '../../src/data/servers/client.ts';
import type { Statements } from '../../src/data/servers/statements.ts';
import {
  accountTypes,
  assetStatuses,
  depositStatuses,
  marketStates,
  proposalStates,
  voteValues,
} from '../../src/domain/enumerations.ts';
import { createDisposableDatabase, type TestDatabase } from '../support/database.ts';
import { ask, withClient } from '../support/state.ts';
import {
  assetOf,
  fillLargeTables,
  LAST,
  LONGEST_WAIT,
  marketOf,
  partyOf,
  positionAt,
  proposalOf,
  timeAt,
} from './large-tables.ts';

const LIMIT = 100;
/** Beyond all positions. */
const MOST = 2n ** 52n;

let database: TestDatabase;
let reader: Database;
/** One connection, which plans named statements as every reader's does: without looking at the values. */
let generic: Database;

beforeAll(async () => {
  // One that other tests have emptied has statistics of what they had, and other plans.
  database = await createDisposableDatabase();
  await fillLargeTables(database.url);
  reader = openDatabase({ url: database.url, readOnly: true });
  generic = openDatabase({ url: database.url, readOnly: true, maxConnections: 1 });
});

afterAll(async () => {
  await generic?.close();
  await reader?.close();
  await database?.[Symbol.asyncDispose]();
});

const { numbers: TYPES } = accountTypes;
const { numbers: STATES } = marketStates;
const { STATE_OPEN: OPEN, STATE_FAILED: FAILED, STATE_ENACTED: ENACTED } = proposalStates.numbers;
const { STATUS_FINALIZED, STATUS_OPEN, STATUS_CANCELLED } = depositStatuses.numbers;
const { VALUE_YES, VALUE_NO } = voteValues.numbers;
const { STATUS_ENABLED: ENABLED, STATUS_REJECTED: REJECTED } = assetStatuses.numbers;

// What exists often, seldom and never, together and apart.
const accountFilters = combine<
  Pick<FilterOf<typeof accounts>, 'partyIds' | 'marketIds' | 'accountTypes' | 'assetId'>
>({
  partyIds: [undefined, [partyOf(5)], ['network'], [partyOf(5), partyOf(900), 'network']],
  marketIds: [undefined, [marketOf(33)], [''], ['nowhere'], [marketOf(33), marketOf(37), '']],
  accountTypes: [
    undefined,
    [TYPES.ACCOUNT_TYPE_GENERAL],
    [TYPES.ACCOUNT_TYPE_BOND],
    [TYPES.ACCOUNT_TYPE_EXTERNAL],
    [TYPES.ACCOUNT_TYPE_MARGIN, TYPES.ACCOUNT_TYPE_BOND, TYPES.ACCOUNT_TYPE_INSURANCE],
  ],
  assetId: [undefined, assetOf(3), assetOf(9), 'nothing'],
});

const depositFilters = combine<Pick<FilterOf<typeof deposits>, 'partyId' | 'updatedFrom' | 'updatedBefore'>>({
  partyId: [undefined, partyOf(5), partyOf(0), 'nobody'],
  updatedFrom: [undefined, timeAt(0), timeAt(LAST / 2), timeAt(LAST - 100), timeAt(LAST + 1)],
  updatedBefore: [undefined, timeAt(-1), timeAt(100), timeAt(LAST / 2 + 50), timeAt(LAST + 1)],
});

// Those that are finalized are nearly all; the others have an index of their own.
const statusFilters = combine<Pick<FilterOf<typeof deposits>, 'partyId' | 'assetIds' | 'statuses'>>({
  partyId: [undefined, partyOf(5)],
  assetIds: [undefined, [assetOf(3)], [assetOf(3), 'nothing']],
  statuses: [undefined, [STATUS_FINALIZED], [STATUS_OPEN], [STATUS_OPEN, STATUS_CANCELLED]],
});

type Epochs = 'fromEpoch' | 'toEpoch';

const rewardFilters = combine<Pick<FilterOf<typeof rewards>, 'partyId' | 'assetId' | Epochs>>({
  partyId: [undefined, partyOf(5), partyOf(0), 'nobody'],
  assetId: [undefined, assetOf(3), assetOf(9), 'nothing'],
  fromEpoch: [undefined, 0n, 150n, 290n, 5000n],
  toEpoch: [undefined, 0n, 151n, 295n, 5000n],
});

// What is chosen by market besides is read of the parties' trades.
const tradeFilters = [
  ...combine<Pick<FilterOf<typeof trades>, 'partyIds' | 'updatedFrom' | 'updatedBefore'>>({
    partyIds: [undefined, [partyOf(5)], [partyOf(900)], [partyOf(5), partyOf(900), 'nobody']],
    updatedFrom: [undefined, timeAt(0), timeAt(LAST / 2), timeAt(LAST + 1)],
    updatedBefore: [undefined, timeAt(100), timeAt(LAST / 2 + 50), timeAt(LAST + 1)],
  }),
  ...combine<Pick<FilterOf<typeof trades>, 'marketIds' | 'updatedFrom' | 'updatedBefore'>>({
    marketIds: [[marketOf(31)], [marketOf(37)], [marketOf(31), marketOf(37), 'nowhere']],
    updatedFrom: [undefined, timeAt(LAST / 2)],
    updatedBefore: [undefined, timeAt(LAST / 2 + 50)],
  }),
];

const orderFilters = combine<Pick<FilterOf<typeof trades>, 'orderIds'>>({
  orderIds: [['buy-7'], ['sell-300'], ['buy-7', 'sell-300', 'none']],
});

const gameFilters = combine<Pick<FilterOf<typeof rewards>, 'marketId' | 'gameId' | Epochs>>({
  marketId: [undefined],
  gameId: [undefined, 'game-0', 'game-1', 'none', ['game-1', 'game-0']],
  fromEpoch: [undefined, 150n],
  toEpoch: [undefined, 151n],
});

const ofMarketFilters = combine<Pick<FilterOf<typeof rewards>, 'marketId'>>({
  marketId: [marketOf(33), 'nowhere', ''],
});

// What is chosen besides of the votes on a proposal is read of these.
const valueFilters = combine<Pick<FilterOf<typeof votes>, 'partyIds' | 'values'>>({
  partyIds: [undefined, [partyOf(5)]],
  values: [[VALUE_YES], [VALUE_NO], [VALUE_YES, VALUE_NO]],
});

const voteFilters = combine<Pick<FilterOf<typeof votes>, 'proposalId' | 'partyId'>>({
  proposalId: [undefined, proposalOf(3), 'none'],
  partyId: [undefined, partyOf(5), 'nobody'],
});

const marketFilters = combine<Omit<FilterOf<typeof markets>, 'assetIds' | 'codes'>>({
  states: [
    undefined,
    [STATES.STATE_ACTIVE],
    [STATES.STATE_REJECTED],
    [STATES.STATE_CLOSED, STATES.STATE_REJECTED, STATES.STATE_ACTIVE],
  ],
  settlementAssetId: [undefined, assetOf(3), 'nothing'],
  // No index leads to what it lets through: of few markets there is little to pass over.
  exceptStates: [undefined],
});

const codeFilters = combine<Pick<FilterOf<typeof markets>, 'codes'>>({ codes: [['none'], ['none', 'some']] });

const proposalFilters = combine<Omit<FilterOf<typeof proposals>, 'partyIds' | 'batchIds'>>({
  partyId: [undefined, partyOf(5), 'nobody'],
  states: [undefined, [OPEN], [FAILED], [ENACTED, FAILED]],
  batchId: [undefined],
});

const batchFilters = combine<Pick<FilterOf<typeof proposals>, 'batchId'>>({
  batchId: [proposalOf(4000), 'none'],
});

const assetFilters = combine<{ statuses?: readonly number[] | undefined }>({
  statuses: [undefined, [ENABLED], [REJECTED], [ENABLED, REJECTED]],
});

/** The pages that are asked for under each filter: at both ends of the list and deep in it, in every direction. */
const requests: readonly PageRequest[] = [true, false].flatMap((newestFirst) =>
  [true, false].flatMap((backward) =>
    [null, positionAt(LAST / 3), positionAt(LAST - 3)].map((cursor) => ({
      limit: LIMIT,
      cursor,
      backward,
      newestFirst,
    })),
  ),
);

describe('a page of a list costs about its own rows, wherever it is and whatever the filter', () => {
  test('accounts', () => readsLittle(accounts, accountFilters));
  test('deposits', () => readsLittle(deposits, depositFilters));
  test('rewards', () => readsLittle(rewards, rewardFilters));
  test('rewards of a game', () => readsLittle(rewards, gameFilters));
  test('rewards for a market', () => readsLittle(rewards, ofMarketFilters));
  test('trades', () => readsLittle(trades, tradeFilters));
  test('trades of orders', () => readsLittle(trades, orderFilters));
  test('votes', () => readsLittle(votes, voteFilters));
  test('markets', () => readsLittle(markets, marketFilters));
  test('proposals', () => readsLittle(proposals, proposalFilters));
  test('proposals of a batch', () => readsLittle(proposals, batchFilters));
  test('assets', () => readsLittle(assets, assetFilters));
});

describe('so does a page of a list that hangs off objects, for each of them', () => {
  const parties = [partyOf(5), partyOf(900), 'network', 'nobody'];
  const ofMarkets = [marketOf(33), marketOf(37), 'nowhere'];
  const ofAssets = [assetOf(3), assetOf(9), 'nothing'];
  const epochs = rewardFilters.filter(
    ({ partyId, assetId }) => partyId === undefined && assetId === undefined,
  );
  const ranges = depositFilters.filter(({ partyId }) => partyId === undefined);

  test('accounts of a party', () => readsLittleOf(accounts, 'owner', parties, accountFilters));
  test('deposits of a party', () => readsLittleOf(deposits, 'partyId', parties, ranges));
  test('rewards of a party', () =>
    readsLittleOf(
      rewards,
      'partyId',
      parties,
      rewardFilters.filter(({ partyId }) => partyId === undefined),
    ));
  test('trades of a party, on either side', () =>
    readsLittleOf(
      trades,
      'party' as never,
      [partyOf(5), partyOf(900), 'nobody'],
      [{}, { updatedFrom: timeAt(LAST / 2), updatedBefore: timeAt(LAST / 2 + 50) }],
    ));
  test('trades in a market', () =>
    readsLittleOf(
      trades,
      'marketId',
      [marketOf(31), marketOf(37), 'nowhere'],
      [{}, { updatedBefore: timeAt(200) }],
    ));
  test('votes of a party', () =>
    readsLittleOf(votes, 'partyId', parties, [{}, { proposalId: proposalOf(3) }, { proposalId: 'none' }]));
  test('proposals of a party', () =>
    readsLittleOf(
      proposals,
      'partyId',
      parties,
      proposalFilters.filter(({ partyId }) => partyId === undefined),
    ));
  test('margin levels of a party', () =>
    readsLittleOf(marginLevels, 'partyId', parties, [
      {},
      { marketId: marketOf(33) },
      { marketId: 'nowhere' },
    ]));
  test('accounts of a market', () => readsLittleOf(accounts, 'marketId', ofMarkets, accountFilters));
  test('margin levels of a market', () => readsLittleOf(marginLevels, 'marketId', ofMarkets, [{}]));
  test('rewards of a market', () => readsLittleOf(rewards, 'marketId', ofMarkets, epochs));
  test('accounts of an asset', () => readsLittleOf(accounts, 'assetId', ofAssets, accountFilters));
  test('deposits of an asset', () => readsLittleOf(deposits, 'assetId', ofAssets, ranges));
  test('markets of an asset', () => readsLittleOf(markets, 'settlementAssetId', ofAssets, [{}]));
  test('spot markets that trade an asset', () => readsLittleOf(markets, 'baseAssetId', ofAssets, [{}]));
  test('spot markets that pay with an asset', () => readsLittleOf(markets, 'quoteAssetId', ofAssets, [{}]));
  test('successors of a market', () => readsLittleOf(markets, 'parentMarketId', ofMarkets, [{}]));
  test('rewards of an asset', () => readsLittleOf(rewards, 'assetId', ofAssets, epochs));
  test('votes on a proposal', () =>
    readsLittleOf(votes, 'proposalId', [proposalOf(3), 'none'], [{}, { partyId: partyOf(5) }]));
});

describe('so does a page in the order of updates, as of a block', () => {
  const parties = [partyOf(5), partyOf(900), 'nobody'];
  // As of the newest block, and of one that some rows have changed since.
  const byUpdate = requests.flatMap((request) =>
    [positionAt(LAST) + MOST, positionAt(LAST - 30)].map(
      (upTo): PageRequest => ({ ...request, order: 'UPDATED', upTo }),
    ),
  );
  const ranges = depositFilters.filter(({ partyId }) => partyId === undefined);

  test('deposits', () => readsLittle(deposits, depositFilters, byUpdate));
  test('votes', () =>
    readsLittle(votes, [{}, { proposalId: proposalOf(3) }, { partyId: partyOf(5) }], byUpdate));
  test('proposals', () => readsLittle(proposals, [{}, { partyId: partyOf(5) }], byUpdate));
  test('markets', () => readsLittle(markets, [{}], byUpdate));
  test('assets', () => readsLittle(assets, [{}], byUpdate));
  test('deposits of a party', () => readsLittleOf(deposits, 'partyId', parties, ranges, byUpdate));
  test('votes of a party', () => readsLittleOf(votes, 'partyId', parties, [{}], byUpdate));
  test('votes on a proposal', () =>
    readsLittleOf(votes, 'proposalId', [proposalOf(3), 'none'], [{}], byUpdate));
});

test('deposits by status', () => readsLittle(deposits, statusFilters));

test('votes by choice', () => readsLittle(votes, valueFilters));

test('markets by code', () => readsLittle(markets, codeFilters));

test('accounts in the order of balances, and deposits in that of amounts', async () => {
  await withClient(database.url, rankAccounts);
  const bounds = { balanceFrom: '100', balanceTo: `${Math.floor(LAST / 2)}` };
  const types = [TYPES.ACCOUNT_TYPE_GENERAL, TYPES.ACCOUNT_TYPE_BOND];
  const ofAccounts = [
    { assetIds: [assetOf(3)] },
    { assetId: assetOf(9), accountTypes: types },
    { assetIds: [assetOf(3)], ...bounds },
  ];
  const ofDeposits = [{ assetIds: [assetOf(3)] }, { assetIds: [assetOf(3)], amountFrom: '1' }];
  for (const request of requests) {
    for (const filter of ofAccounts)
      await readsLittleInOrder(accounts, filter, { ...request, order: 'BALANCE' });
    for (const filter of ofDeposits)
      await readsLittleInOrder(deposits, filter, { ...request, order: 'AMOUNT' });
  }
});

/** The first statement is the one that an index serves. */
async function readsLittleInOrder<Row extends { readonly createdPosition: bigint }, Filter>(
  list: Noun<Row, Filter>,
  filter: Filter,
  request: PageRequest,
): Promise<void> {
  const [one] = await capture(async (statements) => {
    await expect(readTextPage(statements, list, columnsOf(list), filter, request)).rejects.toThrow(
      'would sort',
    );
  });
  const walks = countWalks(list.conditions(filter));
  await expectLittle(await explain(one), walks, { filter, request: request.order });
  await expectLittle(await explainGeneric(one), walks, { filter, request: request.order });
}

test('a deposit that waited for years costs a page of a range of times nothing', async () => {
  const late = `UPDATE deposits SET updated_position = ${positionAt(LAST)}, updated_timestamp = ${timeAt(LAST)} WHERE id = 'deposit-300'`;
  await ask(database.url, late);
  await readsLittle(
    deposits,
    depositFilters.filter(({ partyId }) => partyId === undefined),
  );
});

test('a search reads as many rows of each index as are wanted', async () => {
  const kinds = Object.keys(SEARCHED) as SearchedKind[];
  const indexes = kinds.reduce((sum, kind) => sum + Object.keys(SEARCHED[kind].by).length, 0);
  for (const text of [
    'p',
    'party-5',
    'a',
    'asset-8',
    'code',
    'CODE/4',
    'Market of 400',
    'reference 12',
    'deposit-',
    'nothing',
  ]) {
    const [one] = await capture((statements) => search(statements, text, kinds, LIMIT));
    await expectLittle(await explain(one), indexes, { text });
    await expectLittle(await explainGeneric(one), indexes, { text });
  }
});

test('a page of blocks reads its own, by height and by time', async () => {
  const open = { fromHeight: 0n, toHeight: MOST, startTimestamp: null, endTimestamp: null };
  const ranges = [
    open,
    { ...open, fromHeight: 30_000n },
    { ...open, startTimestamp: timeAt(LAST / 2), endTimestamp: timeAt(LAST - 5) },
    { ...open, startTimestamp: timeAt(LAST + 5) },
  ];
  for (const range of ranges)
    for (const request of requests)
      for (const one of await capture((statements) => readBlockPage(statements, range, request))) {
        await expectLittle(await explain(one), 1, { range, request });
        await expectLittle(await explainGeneric(one), 1, { range, request });
      }
});

test("what a party's rewards come to is read from an index alone, not from a page for each", async () => {
  const counted = countedOf(rewards, { partyIds: [partyOf(0)] });
  const request = { fields: ['assetId', 'epoch'], order: 'AMOUNT_DESC', after: null, limit: LIMIT } as const;
  const [one] = await capture(async (statements) => {
    const sums = readSums(statements, counted, request, null, (read) => read());
    await expect(sums).rejects.toThrow('would read more than');
  });
  for (const plan of [await explain(one), await explainGeneric(one)]) {
    const scans = flatten(plan).filter(
      (node) => isLarge(node) && node['Relation Name']?.startsWith('rewards_'),
    );
    expect(
      scans.map((scan) => scan['Node Type']),
      sketch(plan),
    ).toEqual(scans.map(() => 'Index Only Scan'));
    expect(scans.reduce((sum, scan) => sum + scan['Actual Rows'], 0)).toBeGreaterThan(LAST / 20);
    expect(plan['Shared Hit Blocks'] + plan['Shared Read Blocks'], sketch(plan)).toBeLessThan(LAST / 100);
  }
});

test('a list read without an index is found out', async () => {
  const byBalance: Noun<never, object> = {
    ...(accounts as unknown as Noun<never, object>),
    checks: () => [{ field: 'balance', type: 'text', values: ['7'] }],
  };
  await expect(readsLittle(byBalance, [{}])).rejects.toThrow('reads');
});

async function readsLittle<Row extends { readonly createdPosition: bigint }, Filter>(
  list: Noun<Row, Filter>,
  filters: readonly Filter[],
  asked = requests,
): Promise<void> {
  for (const filter of filters) {
    const walks = countWalks(list.conditions(filter));
    for (const request of sample(asked, filters.length)) {
      const question = { list: list.name, filter, request };
      const sent = await capture((statements) =>
        readTextPage(statements, list, columnsOf(list), filter, request),
      );
      for (const one of sent) {
        await expectLittle(await explain(one), walks, question);
        await expectLittle(await explainGeneric(one), walks, question);
      }
    }
  }
}

async function readsLittleOf<Row extends { readonly createdPosition: bigint }, Filter>(
  list: Noun<Row, Filter>,
  field: keyof Row & string,
  keys: readonly string[],
  filters: readonly Filter[],
  asked = requests,
): Promise<void> {
  for (const filter of filters) {
    const walks = keys.length * fieldsIn(list, field).length * countWalks(list.conditions(filter));
    for (const request of sample(asked, filters.length)) {
      const question = { list: list.name, of: field, filter, request };
      const sent = await capture((statements) =>
        readTextPages(statements, list, columnsOf(list), { field: field as never, keys }, filter, request),
      );
      for (const one of sent) {
        await expectLittle(await explain(one), walks, question);
        await expectLittle(await explainGeneric(one), walks, question);
      }
    }
  }
}

/** All requests where there are few filters; where there are many, a few for each, in turn. */
let turn = 0;
function sample(all: readonly PageRequest[], filters: number): readonly PageRequest[] {
  if (filters <= 20) return all;
  return Array.from({ length: filters <= 150 ? 3 : 1 }, () => all[turn++ % all.length] as PageRequest);
}

/** The very statements that the data layer sends, for a page from a row that is gone, too. */
async function capture(
  read: (statements: Statements) => Promise<unknown>,
): Promise<readonly [Statement, ...Statement[]]> {
  const sent: Statement[] = [];
  const note = async ({ text, values }: Statement) => {
    sent.push({ text, values });
    return [];
  };
  const statements: Statements = {
    ...reader.statements,
    texts: note,
    rows: note as never,
    until: () => statements,
  };
  await read(statements);
  const [statement, ...others] = sent;
  if (statement === undefined || others.length > 1) throw new Error(`${sent.length} statements for a page`);
  return [statement, ...others];
}

interface Statement {
  readonly text: string;
  readonly values: readonly unknown[];
}

interface Plan {
  readonly 'Node Type': string;
  readonly 'Relation Name'?: string;
  readonly 'Actual Rows': number;
  readonly 'Actual Loops': number;
  readonly 'Rows Removed by Filter'?: number;
  readonly 'Rows Removed by Index Recheck'?: number;
  readonly 'Shared Hit Blocks': number;
  readonly 'Shared Read Blocks': number;
  readonly Plans?: readonly Plan[];
}

/** The columns that an answer as text may read: all of them. */
function columnsOf({ table }: Pick<Noun, 'table'>) {
  const fields = table.fields.filter((field) => field !== POSITION.field);
  return [POSITION, ...fields.map((field) => ({ field, form: 'text' as const }))];
}

async function explain({ text, values }: Statement): Promise<Plan> {
  return planIn(
    await reader.statements.rows<Explained>({
      text: `${EXPLAIN} ${text}`,
      values: [...values],
      dependsOn: 'not kept',
    }),
  );
}

async function explainGeneric({ text, values }: Statement): Promise<Plan> {
  const run = (statement: string) =>
    generic.statements.rows<Explained>({ text: statement, values: [] } as never);
  await run(`PREPARE asked AS ${text}`);
  const given = values.length === 0 ? '' : `(${values.map(literalOf).join()})`;
  const rows = await run(`${EXPLAIN} EXECUTE asked${given}`);
  await run('DEALLOCATE asked');
  return planIn(rows);
}

const EXPLAIN = 'EXPLAIN (ANALYZE, BUFFERS, TIMING OFF, FORMAT JSON)';

interface Explained {
  readonly 'QUERY PLAN': readonly [{ readonly Plan: Plan }];
}

function planIn(rows: readonly Explained[]): Plan {
  const [row] = rows;
  if (row === undefined) throw new Error('no plan');
  return row['QUERY PLAN'][0].Plan;
}

function literalOf(value: unknown): string {
  return pg.escapeLiteral(Array.isArray(value) ? `{${value.map((one) => JSON.stringify(one))}}` : `${value}`);
}

async function expectLittle(plan: Plan, walks: number, question: object): Promise<void> {
  const nodes = flatten(plan);
  const read = nodes.filter((node) => isLarge(node)).reduce((sum, node) => sum + rowsOf(node), 0);
  const blocks = plan['Shared Hit Blocks'] + plan['Shared Read Blocks'];
  // A walk reads a page, a row beyond it and a row on the other side, and passes deposits that waited.
  const mayRead = walks * (2 * LIMIT + LONGEST_WAIT);
  const complaint =
    read > mayRead || blocks > 2 * mayRead + 16 * walks || nodes.some(isSeqScan)
      ? `reads ${read} rows (${mayRead} allowed) on ${blocks} blocks`
      : undefined;
  if (complaint === undefined) return;
  const shown = JSON.stringify(question, (_, value) => (typeof value === 'bigint' ? `${value}` : value));
  throw new Error(`${shown} ${complaint}:\n${sketch(plan)}`);
}

/** The table of epochs is small beside the rewards, and that of networks has a row: they may be read as a whole. */
function isLarge(node: Plan): boolean {
  return ![undefined, 'reward_epochs', 'networks', 'rank_levels'].includes(node['Relation Name']);
}

function isSeqScan(node: Plan): boolean {
  return node['Node Type'] === 'Seq Scan' && isLarge(node);
}

function flatten(plan: Plan): readonly Plan[] {
  return [plan, ...(plan.Plans ?? []).flatMap(flatten)];
}

function rowsOf(node: Plan): number {
  const perLoop =
    node['Actual Rows'] +
    (node['Rows Removed by Filter'] ?? 0) +
    (node['Rows Removed by Index Recheck'] ?? 0);
  return perLoop * node['Actual Loops'];
}

function sketch(plan: Plan, depth = 0): string {
  const { Plans = [], ...node } = plan;
  const told = [
    'Node Type',
    'Index Name',
    'Index Cond',
    'Filter',
    'Actual Rows',
    'Actual Loops',
    'Rows Removed by Filter',
  ]
    .map((key) => (node as unknown as Record<string, unknown>)[key])
    .filter((value) => value !== undefined);
  return [`${'  '.repeat(depth)}${told.join(' | ')}`, ...Plans.map((child) => sketch(child, depth + 1))].join(
    '\n',
  );
}

function countWalks(conditions: readonly Condition[]): number {
  return conditions.reduce(
    (walks, condition) =>
      walks *
      (isAnyOf(condition)
        ? condition.values.length * (condition.either?.length ?? 1)
        : isBounds(condition) && condition.isIndexed
          ? WAITS
          : 1),
    1,
  );
}

/** Deposits that waited about as long are walked together: a block, twice as long, and so on. */
const WAITS = Math.ceil(Math.log2(LONGEST_WAIT)) + 1;

type FilterOf<N> = N extends Noun<infer _, infer Filter> ? Filter : never;

/** Every combination of one value for each key; undefined leaves the key out. */
function combine<Filter>(
  choices: { readonly [Key in keyof Filter]-?: readonly Filter[Key][] },
): readonly Filter[] {
  return Object.entries<readonly unknown[]>(choices).reduce<readonly object[]>(
    (filters, [key, values]) =>
      filters.flatMap((filter) =>
        values.map((value) => (value === undefined ? filter : { ...filter, [key]: value })),
      ),
    [{}],
  ) as readonly Filter[];
}
