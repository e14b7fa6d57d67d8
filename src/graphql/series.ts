import { LRUCache } from 'lru-cache';
import type { Words } from '../data/queries/load-by-key.ts';
import { MOST_BUCKETS, type SeriesRequest, USUAL_POINTS } from '../data/series/requests.ts';
import type { Bucket as BucketRow } from '../data/series/summaries.ts';
import { leastSeconds, readWidth } from '../domain/durations.ts';
import { invalidArgument, quoted } from '../errors.ts';
import { builder } from './builder.ts';
import { defineObject } from './columns.ts';
import { type Argument, COST_OF, type Cost, costs } from './costs.ts';
import { from } from './sources.ts';
import { boundOf, checkBound } from './times.ts';

/** What every kind of bucket has. */
export const BUCKET_COLUMNS = {
  Timestamp: {
    start: 'The time at which it begins.',
    end: 'The time at which it ends, which is the begin of the next one.',
  },
  'Decimal | null': {
    open: 'What held when it began; null if nothing did yet. In the unit of the value.',
    high: 'The greatest of `open` and what it changed to; null if there is none. In the unit of the value.',
    low: 'The least of `open` and what it changed to; null if there is none. In the unit of the value.',
    close:
      'What held at its end, or holds at the last block; null if nothing does. In the unit of the value.',
  },
  Boolean: { isComplete: 'Whether it is over, so that no later block can change it.' },
} as const;

export const DESCRIPTION_OF_BUCKET =
  'What a value was in one piece of time. What held before is carried into it, so that every bucket has values once anything held.';

export const Bucket = defineObject<BucketRow>('Bucket', DESCRIPTION_OF_BUCKET, BUCKET_COLUMNS);

/** The arguments that say which buckets are wanted. */
export const seriesArgs = builder.args((t) => ({
  from: t.field({
    type: 'Timestamp',
    description:
      'A time in the first bucket, in nanoseconds. Without it, or with 0, the series begins with what is known first. A time that looks like seconds, milliseconds or microseconds is refused.',
  }),
  to: t.field({
    type: 'Timestamp',
    description:
      'The time before which the last bucket begins, in nanoseconds as `from`; that of the last block at most, and without it or with 0.',
  }),
  every: t.string({
    description: `How wide the buckets are, as an ISO 8601 duration of one unit: PT30S, PT15M, PT4H, P1D, P1W, P1M, P1Y. Hours, minutes and seconds are counted from the begin of each day, days from January 1 1970, weeks from Monday, January 5 1970, months and years from January 1970. At most ${MOST_BUCKETS} buckets. Not used with \`points\`.`,
  }),
  points: t.int({
    description: `The largest number of buckets, 2 to ${MOST_BUCKETS}: the narrowest usual width is taken that makes no more. Without \`every\` it is ${USUAL_POINTS}.`,
  }),
  zone: t.string({
    defaultValue: 'UTC',
    description:
      'The IANA time zone whose days, weeks and months are meant, as Europe/Berlin, in any case of letters. It is UTC by default.',
  }),
}));

/** The arguments of a series that is followed: it has no end, and no number of points that could stay as it is. */
export const followedArgs = builder.args((t) => ({
  every: t.string({
    required: true,
    description: 'How wide the buckets are, as `series` takes it.',
  }),
  zone: t.string({
    defaultValue: 'UTC',
    description: 'The IANA time zone whose days, weeks and months are meant. It is UTC by default.',
  }),
  from: t.field({
    type: 'Timestamp',
    description:
      'A time in the first bucket, as `series` takes it: 0 begins with what is known first, and a time to come once it is there. Without it the stream begins with the bucket that is under way. With `after` it goes on from there, with nothing that ends before `from`.',
  }),
}));

interface SeriesArgs {
  readonly from?: bigint | null | undefined;
  readonly to?: bigint | null | undefined;
  readonly every?: string | null | undefined;
  readonly points?: number | null | undefined;
  readonly zone?: string | null | undefined;
}

/** Throws INVALID_ARGUMENT naming the argument at fault and its value. */
export function readSeriesArgs({ every = null, points = null, zone, ...range }: SeriesArgs): SeriesRequest {
  const [from, to] = [boundOf(range.from), boundOf(range.to)];
  if (every !== null && points !== null)
    throw invalidArgument('points', 'points does not go with every: give one of them.');
  const width = every === null ? null : readWidth(every);
  if (every !== null && width === null)
    throw invalidArgument(
      'every',
      `every takes an ISO 8601 duration of one unit, as PT15M, PT4H (a day at most), P1D, P1W or P1M (292 years at most), not ${quoted(every)}.`,
    );
  if (points !== null && (points < 2 || points > MOST_BUCKETS))
    throw invalidArgument('points', `points takes a number from 2 to ${MOST_BUCKETS}, not ${points}.`);
  if (from !== null && to !== null && from >= to)
    throw invalidArgument('to', `to takes a time after ${from}, which is from, not ${to}.`);
  checkBound('from', from);
  checkBound('to', to);
  return { from, to, width, points, zone: readZone(zone ?? 'UTC') };
}

/**
 * In any case, as Intl and the database take them. Other names of three letters are abbreviations to some programs and zones to
 * others: `CET` is an hour to the database, in summer too.
 */
const ZONE = /^(UTC|GMT|[A-Z]{3}\d[A-Z]{3}|[A-Z]{4,}|[A-Z_]+(\/[A-Z0-9_+-]+)+)$/i;

/** Names that were found good: to look one up takes a sixth of a millisecond, more than to plan a series. */
const knownZones = new LRUCache<string, true>({ max: 1_000 });

function readZone(zone: string): string {
  if (knownZones.has(zone)) return zone;
  try {
    if (!ZONE.test(zone)) throw new RangeError();
    new Intl.DateTimeFormat('en', { timeZone: zone });
    knownZones.set(zone, true);
    return zone;
  } catch {
    throw invalidArgument(
      'zone',
      `zone takes the name of an IANA time zone, as Europe/Berlin or UTC, not ${quoted(zone)}.`,
    );
  }
}

/** The options of a field that is a series: it costs how many buckets it has at most, and its arguments are looked at beforehand. */
export function ofSeries(
  check: (args: never) => unknown = readSeriesArgs,
  more: Pick<Cost, 'looksIntoFilter'> = {},
) {
  const { cost } = costs({ each: COST_OF.row, values: bucketsOf, ...more }).extensions;
  const { source } = from({ kind: 'resolved', check }).extensions;
  return { extensions: { cost, source } };
}

function bucketsOf(argument: Argument): number {
  const [points, every, from, to] = ['points', 'every', 'from', 'to'].map(argument);
  if (every === undefined) return Math.min(Math.max(Number(points ?? USUAL_POINTS), 1), MOST_BUCKETS) || 1;
  const width = readWidth(String(every));
  if (width === null) return 1;
  // 0 is none.
  const seconds = (Number(to || Number.NaN) - Number(from || Number.NaN)) / 1e9;
  // A day more or less may make two more.
  const count = Math.ceil(seconds / leastSeconds(width)) + 2;
  return count >= 0 && count < MOST_BUCKETS ? count : MOST_BUCKETS;
}

/** What an operation asks of several objects in one moment in the same words is read at once, of so many. */
export function askedTogether(...words: readonly unknown[]): Words {
  return { words, atOnce: 100 };
}
