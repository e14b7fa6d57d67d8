import type { Condition } from '../data/conditions.ts';
import type { Account as AccountRow, Block } from '../data/generated/prisma/client.ts';
import { dependsOnList } from '../data/noun-tags.ts';
import { accounts } from '../data/nouns/accounts.ts';
import type { ReadByKeys } from '../data/queries/load-by-key.ts';
import { type BalanceRequest, findAccounts, readBalanceSeries } from '../data/series/balance-series.ts';
import type { Series } from '../data/series/market-series.ts';
import { type FindBuckets, keepBuckets } from '../data/series/requests.ts';
import type { Bucket as BucketRow } from '../data/series/summaries.ts';
import { invalidArgument } from '../errors.ts';
import { Account, AccountConnection, accountFilterArgs, readFixedAccountFilter } from './accounts.ts';
import { builder } from './builder.ts';
import { conditionsOf, type Listed } from './connections.ts';
import type { GatewayContext } from './context.ts';
import { COST_OF, costs } from './costs.ts';
import { hasAmounts } from './list-args.ts';
import { defineLiveSeries } from './live-series.ts';
import { selectsAny } from './selected.ts';
import { askedTogether, Bucket, ofSeries, readSeriesArgs, seriesArgs } from './series.ts';

/** What accounts can be summed by: the field of an account, and what it is. */
const KEYS = {
  ASSET: {
    field: 'assetId',
    description: 'By asset: always, since amounts of different assets have no sum.',
  },
  TYPE: { field: 'type', description: 'By the purpose of the account.' },
  MARKET: { field: 'marketId', description: "By the account's market." },
  PARTY: { field: 'owner', description: 'By the party that owns the account.' },
} as const;

type KeyName = keyof typeof KEYS;

const BalanceKey = builder.enumType('BalanceKey', {
  description: 'What accounts are summed by.',
  values: KEYS as Record<KeyName, { description: string }>,
});

/** Accounts that are summed: those with the same values in some fields, which the others are null of. */
interface Group {
  readonly key: Readonly<Partial<AccountRow>>;
  readonly accounts: readonly bigint[];
}

const SeriesKey = builder.objectRef<Group['key']>('BalanceSeriesKey').implement({
  description: 'What the accounts of a sum have in common. What they are not summed by is null.',
  fields: (t) => ({
    asset: t.id({ description: 'The identifier of the asset.', resolve: ({ assetId }) => assetId ?? '' }),
    type: t.field({
      type: 'AccountType',
      nullable: true,
      description: 'The purpose of the accounts.',
      resolve: ({ type }) => type ?? null,
    }),
    market: t.id({
      nullable: true,
      description: "The identifier of the accounts' market; empty for those that have none.",
      resolve: ({ marketId }) => marketId ?? null,
    }),
    party: t.id({
      nullable: true,
      description: 'The identifier of the party that owns the accounts.',
      resolve: ({ owner }) => owner ?? null,
    }),
  }),
});

interface GroupSeries {
  readonly key: Group['key'];
  readonly buckets: readonly BucketRow[];
}

const BalanceSeries = builder.objectRef<GroupSeries>('BalanceSeries').implement({
  description: 'The sum of the balances of some accounts over time.',
  fields: (t) => ({
    key: t.field({ type: SeriesKey, description: 'Of which accounts.', resolve: ({ key }) => key }),
    buckets: t.field({
      type: [Bucket],
      description: "A list of the buckets in their order. Values are in the asset's smallest unit.",
      // Their number is known of the series, or of the message.
      ...costs({ each: COST_OF.row, values: 1, isTold: true }),
      resolve: ({ buckets }) => [...buckets],
    }),
  }),
});

/** How many accounts are summed at most, to how many sums, and how many buckets these have together. */
const MOST_ACCOUNTS = 10_000;
const MOST_SUMS = 100;
const MOST_BUCKETS = 30_000;
/** What of a bucket needs all changes. */
const EXTREMES = ['high', 'low'];

/** What sums have in common without other parts; null is none. */
const DEFAULT_KEY = ['ASSET'] as const;

const byArgs = builder.args((t) => ({
  by: t.field({
    type: [BalanceKey],
    defaultValue: [...DEFAULT_KEY],
    description: 'What they are summed by. The asset is always among it.',
  }),
}));

const liveArgs = { ...accountFilterArgs, ...byArgs };

builder.objectFields(AccountConnection, (t) => ({
  series: t.field({
    type: [BalanceSeries],
    description: `A list of the sums of the balances over time, of all accounts that pass the filter, on this page or not: at most ${MOST_ACCOUNTS} accounts and ${MOST_SUMS} sums, in the order of their keys.`,
    args: { ...seriesArgs, ...byArgs },
    ...ofSeries(readArgs, { looksIntoFilter: true }),
    resolve: async ({ listed }, args, context, info) => {
      const conditions = conditionsOf(listed as Listed);
      if (hasAmounts(conditions))
        throw invalidArgument(
          'filter',
          'series are of accounts that pass the filter at all times: choose none by balance.',
        );
      const { by, ...asked } = readArgs(args);
      const request = { ...asked, hasExtremes: selectsAny(info, EXTREMES, ['buckets']) };
      const at = await context.newestBlock();
      if (at === null) return [];
      if (context.past === null) context.dependencies.add(dependsOnList(accounts, conditions));
      return context.readInTurn(() => readGroups(context, { conditions, by }, request, at));
    },
  }),
}));

async function readGroups(
  { histories, charge }: GatewayContext,
  { conditions, by }: { readonly conditions: readonly Condition[]; readonly by: readonly KeyName[] },
  request: BalanceRequest,
  at: Block,
  find?: FindBuckets,
): Promise<GroupSeries[]> {
  const found = await findAccounts(histories, conditions, at, MOST_ACCOUNTS + 1);
  // Before too many are refused.
  charge(found.length);
  const groups = groupAccounts(found, by);
  const all = await readBalanceSeries(histories, groups.map(({ accounts }) => accounts), request, at, find); // biome-ignore format: a list
  const buckets = all.reduce((sum, one) => sum + one.buckets.length, 0);
  if (buckets > MOST_BUCKETS)
    throw invalidArgument(
      'by',
      `by makes ${groups.length} sums, which have ${buckets} buckets; the most is ${MOST_BUCKETS}. Ask for fewer sums (filter, by) or buckets (every, points).`,
    );
  charge(all.reduce((sum, { rows }) => sum + rows, 0));
  // Priced is one of them: the number of the others was not known.
  charge((buckets - (all[0]?.buckets.length ?? 0)) * ((2 * COST_OF.row) / COST_OF.countedRow));
  return groups.map(({ key }, index) => ({ key, buckets: all[index]?.buckets ?? [] }));
}

function readArgs(
  args: Parameters<typeof readSeriesArgs>[0] & { readonly by?: readonly KeyName[] | null | undefined },
) {
  return { by: readBy(args.by ?? DEFAULT_KEY), ...readSeriesArgs(args) };
}

function readBy(by: readonly KeyName[]): readonly KeyName[] {
  if (by.includes('ASSET')) return [...new Set(by)];
  throw invalidArgument(
    'by',
    `by takes a list with ASSET in it, as amounts of different assets have no sum, not [${by.join(', ')}].`,
  );
}

function groupAccounts(rows: readonly AccountRow[], by: readonly KeyName[]): readonly Group[] {
  if (rows.length > MOST_ACCOUNTS)
    throw invalidArgument(
      'filter',
      `filter lets through more than ${MOST_ACCOUNTS} accounts, of which no series is made: ask for fewer of them.`,
    );
  const groups = new Map<string, { readonly key: Group['key']; readonly accounts: bigint[] }>();
  // Always in one order, whatever the order of `by`.
  const names = (Object.keys(KEYS) as KeyName[]).filter((name) => by.includes(name));
  for (const row of rows) {
    const key = Object.fromEntries(names.map((name) => [KEYS[name].field, row[KEYS[name].field]]));
    const name = JSON.stringify(Object.values(key));
    const group = groups.get(name) ?? { key, accounts: [] as bigint[] };
    group.accounts.push(row.createdPosition);
    groups.set(name, group);
  }
  if (groups.size > MOST_SUMS)
    throw invalidArgument(
      'by',
      `by makes ${groups.size} sums; the most is ${MOST_SUMS}. Ask for fewer accounts (filter), or sum them by less.`,
    );
  return [...groups.values()].sort((one, other) => compareKeys(one.key, other.key));
}

/** Part by part, numbers as such and texts by their bytes, as sums stand. */
function compareKeys(one: Group['key'], other: Group['key']): number {
  for (const { field } of Object.values(KEYS)) {
    const [a = '', b = ''] = [one[field], other[field]];
    const order =
      field === 'type' ? Number(a) - Number(b) : Buffer.compare(Buffer.from(`${a}`), Buffer.from(`${b}`));
    if (order !== 0) return order;
  }
  return 0;
}

builder.prismaObjectFields(Account, (t) => ({
  series: t.field({
    type: [Bucket],
    description:
      "A list of the buckets of the balance over time, in their order. Values are in the asset's smallest unit.",
    args: seriesArgs,
    ...ofSeries(),
    resolve: async ({ createdPosition, owner }, args, context, info) => {
      const request = { ...readSeriesArgs(args), hasExtremes: selectsAny(info, EXTREMES) };
      const at = await context.newestBlock();
      if (at === null) return [];
      if (context.past === null)
        context.dependencies.add(dependsOnList(accounts, accounts.conditions({ partyIds: [owner] })));
      const { histories, readInTurn, load } = context;
      const read: ReadByKeys<Series> = async (_, keys) => {
        const groups = keys.map((key) => [BigInt(key)]);
        const all = await readInTurn(() => readBalanceSeries(histories, groups, request, at));
        return new Map(all.map((one, index) => [keys[index] ?? '', one]));
      };
      const words = askedTogether('balance', request, at.lastPosition);
      const series = await load(read, `${createdPosition}`, words);
      context.charge(series?.rows ?? 0);
      return [...(series?.buckets ?? [])];
    },
  }),
}));

defineLiveSeries<readonly GroupSeries[], typeof liveArgs>('balanceSeries', {
  description: 'The sums of the balances of all accounts that pass the filter, as they change.',
  args: liveArgs,
  fields: (t) => ({
    sums: t.field({
      type: [BalanceSeries],
      description: `A list of the sums with their buckets: at most ${MOST_SUMS}, in the order of their keys.`,
      ...costs({ each: COST_OF.row, values: MOST_SUMS, isTold: true }),
      resolve: ({ value }) => [...(value ?? [])],
    }),
  }),
  follow: ({ filter, by: asked }, _, info) => {
    const [conditions, by] = [
      accounts.conditions(readFixedAccountFilter({ filter })),
      readBy(asked ?? DEFAULT_KEY),
    ];
    const hasExtremes = selectsAny(info, EXTREMES, ['sums', 'buckets']);
    const find = keepBuckets();
    return {
      dependsOn: dependsOnList(accounts, conditions),
      needs: [hasExtremes],
      read: (past, request, at) =>
        readGroups(past, { conditions, by }, { ...request, hasExtremes }, at, find),
      bucketsOf: ([first]) => first?.buckets ?? [],
      lengthsOf: (sums) => ({ sums: sums.length, buckets: sums[0]?.buckets.length ?? 0 }),
    };
  },
});
