import { rewards } from '../data/nouns/rewards.ts';
import { findFirstKeptEpoch } from '../data/queries/epochs.ts';
import type { SumGroup } from '../data/queries/sums.ts';
import { MOST_BUCKETS, USUAL_POINTS } from '../data/series/requests.ts';
import { max, min } from '../domain/bigints.ts';
import { heightOf } from '../domain/positions.ts';
import { blockOutOfRange, invalidArgument } from '../errors.ts';
import { builder } from './builder.ts';
import { defineObject } from './columns.ts';
import type { Listed } from './connections.ts';
import type { GatewayContext } from './context.ts';
import { type Argument, COST_OF, costs } from './costs.ts';
import { RewardConnection, rewardSums } from './rewards.ts';
import { loadEpochsOver, NEVER_ACROSS_ASSETS, readSumsArgs } from './sums.ts';

/** The rewards of one epoch. */
interface RewardBucketRow {
  readonly epoch: bigint;
  readonly amount: string;
  readonly count: number;
  readonly isComplete: boolean | null;
}

interface RewardSeriesRow {
  readonly key: ReadonlyMap<string, string>;
  readonly buckets: readonly RewardBucketRow[];
}

const RewardBucket = defineObject<RewardBucketRow>('RewardBucket', 'What rewards came to in one epoch.', {
  Uint64: { epoch: 'The epoch.' },
  Integer: {
    amount: 'What they came to, in the asset\'s smallest unit; `"0"` where there were none. Exact.',
  },
  Int: { count: 'The number of rewards.' },
  'Boolean | null': {
    isComplete:
      'Whether the epoch is over, as of the block of the answer: until then more may come. Null where the network has told of no epoch yet.',
  },
});

const { Key, Part } = rewardSums;

const RewardSeries = builder.objectRef<RewardSeriesRow>('RewardSeries').implement({
  description: 'What rewards with the same key came to, epoch by epoch.',
  fields: (t) => ({
    key: t.field({ type: Key, description: 'What they have in common.', resolve: ({ key }) => key }),
    buckets: t.field({
      type: [RewardBucket],
      description: 'A list of the epochs in their order, each of them: those without rewards too.',
      // Their number is known of the series.
      ...costs({ each: COST_OF.row, values: 1 }),
      resolve: ({ buckets }) => buckets,
    }),
  }),
});

/** What series have in common without other parts; null is none. */
const DEFAULT_KEY = ['ASSET'] as const;
/** How many series there are at most, and how many epochs these have together. */
const MOST_SERIES = 100;
const MOST_IN_ALL = 30_000;

interface SeriesArgs {
  readonly by: readonly string[];
  readonly fromEpoch?: bigint | null | undefined;
  readonly toEpoch?: bigint | null | undefined;
}

builder.objectField(RewardConnection, 'series', (t) =>
  t.field({
    type: [RewardSeries],
    description: `A list of what the rewards that pass the filter came to, epoch by epoch: at most ${MOST_SERIES} series of at most ${MOST_BUCKETS} epochs, ${MOST_IN_ALL} in all, in the order of their keys. ${NEVER_ACROSS_ASSETS}`,
    args: {
      by: t.arg({
        type: [Part],
        defaultValue: [...DEFAULT_KEY],
        description: 'The parts of the keys, each once; not EPOCH, which each series goes through.',
      }),
      fromEpoch: t.arg({
        type: 'Uint64',
        description:
          'The first epoch; without it the first that has such rewards, of those all of whose rewards are kept.',
      }),
      toEpoch: t.arg({
        type: 'Uint64',
        description: 'The last epoch, of those that have begun; without it the newest.',
      }),
    },
    ...costs({ each: COST_OF.row, values: valuesOf, counts: 1, looksIntoFilter: true }),
    resolve: ({ listed }, { by, ...args }, context) =>
      readSeries(listed as Listed, { by: by ?? DEFAULT_KEY, ...args }, context),
  }),
);

/** How many values are priced: as many epochs as are asked for, and keys of as many series as there may be, of which each may have more below it. */
function valuesOf(argument: Argument): number {
  const [from, to] = [argument('fromEpoch'), argument('toEpoch')].map((epoch) => Number(epoch ?? Number.NaN));
  const count = (to ?? Number.NaN) - (from ?? Number.NaN) + 1;
  return Math.max(MOST_SERIES, count >= 1 && count <= MOST_BUCKETS ? count : USUAL_POINTS);
}

async function readSeries(
  listed: Listed,
  { by, fromEpoch, toEpoch }: SeriesArgs,
  context: GatewayContext,
): Promise<readonly RewardSeriesRow[]> {
  if (by.includes('EPOCH'))
    throw invalidArgument(
      'by',
      `by is [${by.join(', ')}]: each series goes through the epochs. Leave EPOCH out.`,
    );
  if (fromEpoch != null && toEpoch != null && toEpoch < fromEpoch)
    throw invalidArgument(
      'toEpoch',
      `toEpoch takes an epoch from ${fromEpoch} on, which is fromEpoch, not ${toEpoch}.`,
    );
  const { fields } = readSumsArgs(listed, { by });
  const filter = within(listed.filter as EpochRange, { fromEpoch, toEpoch });
  const request = { fields: [...fields, 'epoch'], order: 'KEY', after: null, limit: MOST_IN_ALL } as const;
  const over = await loadEpochsOver(context);
  const sums = await context.pages.sums(rewards, listed.of as never, filter as never, request);
  const { groups: all, hasNextPage, from } = sums;
  if (hasNextPage) throw tooMany(by, `more than ${MOST_IN_ALL} sums of epochs; the most is ${MOST_IN_ALL}`);
  const groups = from === null ? all : await keptOf(all, filter, from, context);
  const series = [...divide(groups, by.length).values()];
  if (series.length > MOST_SERIES) throw tooMany(by, `${series.length} series; the most is ${MOST_SERIES}`);
  const epochs = epochsWithin(filter, groups, over?.newest ?? null);
  const count = series.length * epochs.length;
  if (count > MOST_IN_ALL)
    throw tooMany(by, `${series.length} series with ${count} epochs; the most is ${MOST_IN_ALL}`);
  // What several series have beyond what is priced.
  const unpriced = count - valuesOf((name) => (name === 'fromEpoch' ? fromEpoch : toEpoch));
  if (unpriced > 0) context.charge(unpriced * ((2 * COST_OF.row) / COST_OF.countedRow));
  return series.map(({ key, byEpoch }) => ({
    key: new Map(by.map((part, place) => [part, key[place] ?? ''])),
    buckets: epochs.map((epoch) => {
      const { amount = '0', count = 0 } = byEpoch.get(`${epoch}`) ?? {};
      return { epoch, amount, count, isComplete: over === undefined ? null : epoch <= over.lastOver };
    }),
  }));
}

/** Sums of epochs all of whose rewards are kept. Throws OUT_OF_RANGE where others are asked for: nobody knows what these came to. */
async function keptOf(
  groups: readonly SumGroup[],
  { fromEpoch, toEpoch }: EpochRange,
  from: bigint,
  { histories }: GatewayContext,
): Promise<readonly SumGroup[]> {
  const first = await findFirstKeptEpoch(histories, from);
  const asked = fromEpoch ?? toEpoch ?? first;
  if (asked >= first) return groups.filter(({ key }) => BigInt(key.at(-1) ?? 0) >= first);
  throw blockOutOfRange(
    'BLOCK_NOT_KEPT',
    `What these rewards came to in epoch ${asked} is not known: they are kept from block ${heightOf(from)} on, and epoch ${first} is the first that can be asked about.`,
    { firstHeight: heightOf(from) },
  );
}

interface EpochRange {
  readonly fromEpoch?: bigint | null | undefined;
  readonly toEpoch?: bigint | null | undefined;
}

/** The filter of a list, of some epochs alone. */
function within<Filter extends EpochRange>(filter: Filter, { fromEpoch, toEpoch }: EpochRange): Filter {
  const first = filter.fromEpoch ?? fromEpoch ?? null;
  const last = filter.toEpoch ?? toEpoch ?? null;
  return {
    ...filter,
    fromEpoch: first === null ? null : max(first, fromEpoch ?? first),
    toEpoch: last === null ? null : min(last, toEpoch ?? last),
  };
}

/** What stands last in the key of each group is its epoch. */
function divide(groups: readonly SumGroup[], parts: number) {
  const series = new Map<string, { key: readonly string[]; byEpoch: Map<string, SumGroup> }>();
  for (const group of groups) {
    const key = group.key.slice(0, parts);
    const name = JSON.stringify(key);
    const one = series.get(name) ?? { key, byEpoch: new Map<string, SumGroup>() };
    one.byEpoch.set(group.key[parts] ?? '', group);
    series.set(name, one);
  }
  return series;
}

/** All epochs from the first to the last that are asked for, or that there are. Throws INVALID_ARGUMENT for too many. */
function epochsWithin(
  { fromEpoch, toEpoch }: EpochRange,
  groups: readonly SumGroup[],
  newest: bigint | null,
): readonly bigint[] {
  const rewarded = groups.map(({ key }) => BigInt(key.at(-1) ?? 0));
  if (rewarded[0] === undefined) return [];
  const first = fromEpoch ?? min(rewarded[0], ...rewarded);
  const begun = max(rewarded[0], ...rewarded, ...(newest === null ? [] : [newest]));
  const last = toEpoch == null ? begun : min(toEpoch, begun);
  const count = last - first + 1n;
  if (count > MOST_BUCKETS)
    throw invalidArgument(
      'fromEpoch',
      `fromEpoch makes ${count} epochs up to ${last}; the most is ${MOST_BUCKETS}.`,
    );
  return Array.from({ length: Number(count) }, (_, index) => first + BigInt(index));
}

function tooMany(by: readonly string[], what: string) {
  return invalidArgument(
    'by',
    `by [${by.join(', ')}] makes ${what}. Ask for fewer: by other keys, the filter, fromEpoch and toEpoch.`,
  );
}
