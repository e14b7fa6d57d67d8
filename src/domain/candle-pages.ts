import { max, min } from './bigints.ts';
import { leastSeconds, type Width } from './durations.ts';

/*
 * Candles are numbered by the calendar of UTC: the candle of a number begins so many widths after the first. So any page of them
 * is found without the others.
 */

const SECOND = 1_000_000_000n;
/** Weeks begin on Mondays, and January 1 1970 was a Thursday. */
const FIRST_MONDAY = 4n * 86_400n * SECOND;

/** Whether all buckets of a width are as wide as each other in UTC: such parts of a day as leave no rest, days and weeks. */
export function isEven({ unit, count }: Width): boolean {
  return unit === 'seconds' ? 86_400 % count === 0 : unit !== 'months';
}

/** When the candle of a number begins, in nanoseconds. */
export function beginOf(number: bigint, width: Width): bigint {
  return originOf(width) + number * lengthOf(width);
}

/** The number of the candle that a time, in nanoseconds, lies in. */
export function numberAt(time: bigint, width: Width): bigint {
  const [since, length] = [time - originOf(width), lengthOf(width)];
  // Division is towards zero.
  return since >= 0n ? since / length : -((length - 1n - since) / length);
}

/** The number of the first candle that begins at a time or after it. */
export function numberFrom(time: bigint, width: Width): bigint {
  return numberAt(time - 1n, width) + 1n;
}

function originOf({ unit }: Width): bigint {
  return unit === 'weeks' ? FIRST_MONDAY : 0n;
}

function lengthOf(width: Width): bigint {
  return BigInt(leastSeconds(width)) * SECOND;
}

/** The numbers of a list of candles, or of a page of it: both are included, and there is none where the last is before the first. */
export interface Numbers {
  readonly first: bigint;
  readonly last: bigint;
}

interface NumbersRequest {
  readonly cursor: bigint | null;
  readonly limit: number;
  readonly backward: boolean;
  readonly newestFirst: boolean;
}

/** The page that is asked for, and whether there are candles beside it, in the order of the list. */
export function pageOf(
  list: Numbers,
  { cursor, limit, backward, newestFirst }: NumbersRequest,
): { readonly page: Numbers; readonly hasNextPage: boolean; readonly hasPreviousPage: boolean } {
  if (list.last < list.first) return { page: list, hasNextPage: false, hasPreviousPage: false };
  // What is asked for is next to the cursor, or to that end of the list: below it where numbers fall.
  const isBelow = newestFirst !== backward;
  const most = BigInt(limit);
  const end = isBelow ? list.last + 1n : list.first - 1n;
  const from = max(list.first - 1n, min(cursor ?? end, list.last + 1n));
  const page = isBelow
    ? { first: max(list.first, from - most), last: from - 1n }
    : { first: from + 1n, last: min(list.last, from + most) };
  const [hasOlder, hasNewer] = [page.first > list.first, page.last < list.last];
  return newestFirst
    ? { page, hasNextPage: hasOlder, hasPreviousPage: hasNewer }
    : { page, hasNextPage: hasNewer, hasPreviousPage: hasOlder };
}
