import type { Width } from '../../domain/durations.ts';
import { invalidArgument, quoted } from '../../errors.ts';
import { endBefore } from '../block-positions.ts';
import type { Block } from '../generated/prisma/client.ts';
import type { Statements } from '../servers/statements.ts';
import { raw, type Sql, sql } from '../sql.ts';
import { statementOf } from '../templates.ts';

/*
 * The buckets of a series are those of a calendar in a time zone, and PostgreSQL keeps the calendar: it knows the zones, and
 * all zones at once. A bucket is [start, end). Days begin with the first moment that has their date.
 *
 * - Months, and multiples of them, are counted from January 1970, weeks from Monday, January 5 1970, days from January 1 1970.
 * - Hours and what is smaller are elapsed time, counted anew from the begin of each day; the last bucket of a day ends with the
 *   day. So a day of 25 hours has 25 buckets of an hour, and of PT4H six whole ones and one of an hour.
 */

/** The bounds of buckets, one more than there are buckets. */
export interface Calendar {
  /** In nanoseconds. */
  readonly times: readonly bigint[];
  /** The end of the last block before each; -1 where there is none. */
  readonly positions: readonly bigint[];
}

export interface CalendarRange {
  readonly width: Width;
  /** The name of an IANA time zone. */
  readonly zone: string;
  /** The first bucket has this time in it, in nanoseconds, and the last ends at `to` or later. */
  readonly from: bigint;
  readonly to: bigint;
}

/**
 * Finds the buckets that are touched by a range of times, and what of the blocks up to one lies before each bound. Throws
 * INVALID_ARGUMENT for a zone that the database does not know, and for a bucket that ends after times do.
 */
export async function readCalendar(
  statements: Statements,
  { width, zone, from, to }: CalendarRange,
  at: Block,
): Promise<Calendar> {
  const [first, last] = [secondOf(from), secondOf(to - 1n)];
  const bounds = BOUNDS[width.unit](width.count, { zone, first, last });
  const asked = sql`
    SELECT time, CASE WHEN time > ${at.timestamp} THEN ${at.lastPosition}
      ELSE coalesce(${endBefore(raw('time'))}, -1) END AS position
    FROM (SELECT DISTINCT second::bigint * 1000000000 AS time FROM (${bounds}) AS bounds) AS bounds ORDER BY time`;
  try {
    const rows = await statements.rows<{ time: bigint; position: bigint }>(statementOf(asked, 'nothing'));
    return { times: rows.map(({ time }) => time), positions: rows.map(({ position }) => position) };
  } catch (error) {
    const { code } = error as { readonly code?: unknown };
    if (code === OUT_OF_RANGE)
      throw invalidArgument(
        'every',
        `every of ${width.text} makes a bucket that ends after April 11 2262, where times in nanoseconds do.`,
      );
    if (code !== INVALID_PARAMETER) throw error;
    throw invalidArgument('zone', `zone takes a zone that the database knows, too, not ${quoted(zone)}.`);
  }
}

/** How the database refuses a zone, and a time that 64 bits do not hold. */
const INVALID_PARAMETER = '22023';
const OUT_OF_RANGE = '22003';

/** Seconds since 1970 that a zone's calendar is asked about. */
interface Seconds {
  readonly zone: string;
  readonly first: bigint;
  readonly last: bigint;
}

/** The bounds of all buckets that touch some seconds, as one column, `second`. */
const BOUNDS: Readonly<Record<Width['unit'], (count: number, seconds: Seconds) => Sql>> = {
  seconds: boundsOfDay,
  days: (count, seconds) => boundsOfDays(count, seconds, '1970-01-01'),
  weeks: (count, seconds) => boundsOfDays(count * 7, seconds, '1970-01-05'),
  months: (count, { zone, first, last }) => {
    const month = (second: bigint) =>
      sql`(extract(year FROM ${localTime(second, zone)}) * 12 + extract(month FROM ${localTime(second, zone)}) - 23641)`;
    const date = sql`timestamp '1970-01-01' + make_interval(months => step::int)`;
    return sql`SELECT ${secondAt(date, zone)} AS second FROM ${steps(count, month(first), month(last))}`;
  },
};

function boundsOfDays(count: number, { zone, first, last }: Seconds, origin: string): Sql {
  const day = (second: bigint) => sql`(${localTime(second, zone)}::date - date '${raw(origin)}')`;
  const date = sql`timestamp '${raw(origin)}' + make_interval(days => step::int)`;
  return sql`SELECT ${secondAt(date, zone)} AS second FROM ${steps(count, day(first), day(last))}`;
}

/** Each day by itself, and of it what is near the range. */
function boundsOfDay(count: number, { zone, first, last }: Seconds): Sql {
  const span = BigInt(count);
  return sql`
    SELECT second FROM (
      SELECT second, lead(second) OVER steps AS next, lag(second) OVER steps AS previous
      FROM (SELECT second AS day, lead(second) OVER (ORDER BY second) AS end
        FROM (${boundsOfDays(1, { zone, first, last: last + 86_400n }, '1970-01-01')}) AS days) AS days
      CROSS JOIN LATERAL generate_series(
        greatest(day, day + floor((${first} - day)::numeric / ${span}) * ${span}),
        least("end" - 1, ${last + span}), ${span}::numeric) AS second
      WINDOW steps AS (ORDER BY second)
    ) AS steps
    WHERE (next IS NULL OR next > ${first}) AND (second <= ${last} OR previous <= ${last})`;
}

/** Every so many units: from the last at or before one to the first after another, as `step`. */
function steps(count: number, first: Sql, last: Sql): Sql {
  return sql`generate_series(
    floor(${first}::numeric / ${count}) * ${count}, floor(${last}::numeric / ${count}) * ${count} + ${count},
    ${count}::numeric) AS step`;
}

function localTime(second: bigint, zone: string): Sql {
  return sql`(to_timestamp(${second}) AT TIME ZONE ${zone}::text)`;
}

/** The first moment at or after which clocks show a time: of one that comes twice, the database would take the second. */
function secondAt(local: Sql, zone: string): Sql {
  return sql`(
    SELECT extract(epoch FROM CASE
      WHEN back > interval '0' AND (moment - back) AT TIME ZONE ${zone}::text >= local THEN moment - back ELSE moment
    END)::bigint
    FROM (SELECT ${local} AS local) AS clock
    CROSS JOIN LATERAL (SELECT local AT TIME ZONE ${zone}::text AS moment) AS moment
    CROSS JOIN LATERAL (
      -- By how much clocks went back within a day before: some did by three hours, over midnight.
      SELECT (moment - interval '24 hours') AT TIME ZONE ${zone}::text - (local - interval '24 hours') AS back
    ) AS back
  )`;
}

const SECOND = 1_000_000_000n;

function secondOf(time: bigint): bigint {
  return time >= 0n ? time / SECOND : -((SECOND - 1n - time) / SECOND);
}
