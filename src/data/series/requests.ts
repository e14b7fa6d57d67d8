import { fewestBuckets, leastSeconds, USUAL_WIDTHS, type Width } from '../../domain/durations.ts';
import { blockOutOfRange, type GatewayError, invalidArgument } from '../../errors.ts';
import type { Block } from '../generated/prisma/client.ts';
import { FORGOTTEN, holds } from '../history/past-texts.ts';
import { knownFrom } from '../history/retention.ts';
import type { AnyNoun } from '../noun.ts';
import type { Statements } from '../servers/statements.ts';
import { raw, sql } from '../sql.ts';
import { statementOf } from '../templates.ts';
import { type Calendar, readCalendar } from './calendar.ts';

/** Which buckets are wanted. */
export interface SeriesRequest {
  /** In nanoseconds; without them from what is known first, and to the last block. */
  readonly from: bigint | null;
  readonly to: bigint | null;
  /** How wide buckets are, or how many there may be. */
  readonly width: Width | null;
  readonly points: number | null;
  readonly zone: string;
}

/** How many buckets a series has at most. */
export const MOST_BUCKETS = 5_000;
/** How many buckets it has at most where nothing is said. */
export const USUAL_POINTS = 300;

/** The nouns whose rows a series is made of. */
export type MadeOf = readonly Pick<AnyNoun, 'table'>[];

function tablesOf(made: MadeOf): readonly string[] {
  return made.map(({ table }) => table.name.text);
}

/** None where the range lies wholly behind the last block, or before there was anything. */
const NONE: Calendar = { times: [], positions: [] };

/**
 * Finds the buckets that are asked for, up to that of a block. `begin` is the time from which on there is anything, where that is
 * not the first known block's. Throws INVALID_ARGUMENT for too many, and OUT_OF_RANGE where nothing is kept of the range.
 */
export async function findBuckets(
  statements: Statements,
  request: SeriesRequest,
  at: Block,
  begin: bigint | null,
  made: MadeOf,
): Promise<Calendar> {
  const end = at.timestamp + 1n;
  const to = request.to === null || request.to > end ? end : request.to;
  if (request.from !== null)
    return request.from >= to ? NONE : readWithin(statements, { ...request, from: request.from, to }, at);
  const first = await readFirstKnown(statements, made);
  const from = begin !== null && begin > first.time ? begin : first.time;
  if (from >= to) {
    if (from > first.time || first.position === 0n) return NONE;
    throw forgotten(first);
  }
  const { times, positions } = await readWithin(statements, { ...request, from, to }, at);
  // A series that says no begin has the buckets behind that of which not all is known.
  const dropped = positions.findIndex((position) => first.position === 0n || position >= first.position);
  if (dropped < 0 || dropped + 2 > times.length) throw forgotten(first);
  return { times: times.slice(dropped), positions: positions.slice(dropped) };
}

export type FindBuckets = typeof findBuckets;

/**
 * Finds the buckets of a series that is followed: those that it found last, as long as no other has begun. They have ended but for
 * the last one, so only where that ends is new.
 */
export function keepBuckets(): FindBuckets {
  let kept: Calendar = NONE;
  return async (statements, request, at, begin, made) => {
    const known = request.from === null || request.to !== null ? NONE : continueAt(kept, request.from, at);
    if (known !== NONE) return known;
    kept = await findBuckets(statements, request, at, begin, made);
    return kept;
  };
}

/** What buckets are from a time on, as of a block in the last of them; none where it is in another, or the time is. */
function continueAt({ times, positions }: Calendar, from: bigint, at: Block): Calendar {
  const last = times.length - 2;
  const isWithin = last >= 0 && at.timestamp >= (times[last] ?? 0n) && at.timestamp < (times[last + 1] ?? 0n);
  const first = isWithin ? times.findLastIndex((time) => time <= from) : -1;
  if (first < 0 || first > last) return NONE;
  return { times: times.slice(first), positions: [...positions.slice(first, -1), at.lastPosition] };
}

/** The block from which on the past is known, and where it ends; the position is 0 where nothing was forgotten. */
export interface FirstKnown {
  readonly position: bigint;
  readonly height: bigint;
  readonly time: bigint;
}

/** Reads what was in buckets, and what held at their begin. Throws OUT_OF_RANGE where that is not kept by then. */
export async function readSince<Row>(
  statements: Statements,
  { positions: [start = 0n] }: Calendar,
  made: MadeOf,
  text: string,
  values: readonly unknown[],
): Promise<Row[]> {
  const guard = holds(`${knownFrom(tablesOf(made))} <= $${values.length + 1}::bigint`);
  try {
    return await statements.rows<Row>({
      text: `SELECT * FROM (${text}) AS found WHERE ${guard}`,
      values: [...values, start < 0n ? 0n : start],
      dependsOn: 'nothing',
    });
  } catch (error) {
    if ((error as { readonly code?: unknown }).code !== FORGOTTEN) throw error;
    throw forgotten(await readFirstKnown(statements, made));
  }
}

export async function readFirstKnown(statements: Statements, made: MadeOf): Promise<FirstKnown> {
  const known = raw(knownFrom(tablesOf(made)));
  const [first] = await statements.rows<FirstKnown>(
    statementOf(
      sql`SELECT ${known} AS position, height, timestamp AS time FROM networks
        JOIN LATERAL (SELECT * FROM blocks WHERE last_position >= ${known} ORDER BY last_position LIMIT 1) AS t ON TRUE`,
      'nothing',
    ),
  );
  return first ?? { position: 0n, height: 0n, time: 0n };
}

export function forgotten({ time, height }: FirstKnown): GatewayError {
  return blockOutOfRange(
    'BLOCK_NOT_KEPT',
    `What held at the begin of the series is not kept: its first bucket has to begin after ${time}, the time of block ${height}, the first that can be asked about.`,
    { firstHeight: height },
  );
}

type WithinRange = SeriesRequest & { readonly from: bigint; readonly to: bigint };

async function readWithin(statements: Statements, request: WithinRange, at: Block): Promise<Calendar> {
  const { width, zone, from, to } = request;
  if (width !== null) {
    if (estimate(width, request) > 2 * MOST_BUCKETS) throw tooMany(request, width, estimate(width, request));
    const calendar = await readCalendar(statements, { width, zone, from, to }, at);
    const count = calendar.times.length - 1;
    if (count > MOST_BUCKETS) throw tooMany(request, width, count);
    return calendar;
  }
  const most = request.points ?? USUAL_POINTS;
  for (const one of USUAL_WIDTHS) {
    if (fewestBuckets(one, secondsOf(request)) > most) continue;
    const calendar = await readCalendar(statements, { width: one, zone, from, to }, at);
    if (calendar.times.length - 1 <= most) return calendar;
  }
  throw invalidArgument('points', `points of ${most} are too few for that range: no width is so large.`);
}

/** How many buckets there are at most, less those that a calendar has besides. */
function estimate(width: Width, { from, to }: Pick<WithinRange, 'from' | 'to'>): number {
  return Math.ceil(secondsOf({ from, to }) / leastSeconds(width));
}

function secondsOf({ from, to }: Pick<WithinRange, 'from' | 'to'>): number {
  return Number((to - from) / 1_000_000n) / 1000;
}

function tooMany(request: WithinRange, { text }: Width, count: number): GatewayError {
  const fits = USUAL_WIDTHS.find((one) => estimate(one, request) < MOST_BUCKETS);
  return invalidArgument(
    'every',
    `every of ${text} makes about ${count} buckets of that range; the most is ${MOST_BUCKETS}. ${fits?.text} would fit.`,
  );
}
