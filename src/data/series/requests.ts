import { leastSeconds, USUAL_WIDTHS, type Width } from '../../domain/durations.ts';
import { GatewayError, invalidArgument } from '../../errors.ts';
import type { Block } from '../generated/prisma/client.ts';
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

/** None where the range lies wholly behind the last block. */
const NONE: Calendar = { times: [], positions: [] };

/**
 * Finds the buckets that are asked for, up to that of a block. `begin` is the time from which on there is anything, where that is
 * not the first known block's. Throws INVALID_ARGUMENT for too many, and OUT_OF_RANGE where what held at their begin is not kept.
 */
export async function findBuckets(
  statements: Statements,
  request: SeriesRequest,
  at: Block,
  begin: bigint | null,
  noun: Pick<AnyNoun, 'table'>,
): Promise<Calendar> {
  const first = await readFirstKnown(statements, noun);
  const end = at.timestamp + 1n;
  const to = request.to === null || request.to > end ? end : request.to;
  const known = begin !== null && begin > first.time ? begin : first.time;
  // Nothing was before 1970.
  const from = request.from === null || request.from <= 0n ? known : request.from;
  if (from >= to) return NONE;
  const calendar = await readWithin(statements, { ...request, from, to }, at);
  if (request.from !== null || isKnown(calendar, first)) {
    checkKnown(calendar, first);
    return calendar;
  }
  // A series that says no begin has the buckets behind that of which not all is known.
  const dropped = calendar.positions.findIndex((position) => position >= first.position);
  const { times, positions } = calendar;
  const rest = { times: times.slice(dropped), positions: positions.slice(dropped) };
  checkKnown(rest.times.length > 1 ? rest : calendar, first);
  return rest;
}

/** The block from which on the past is known, and where it ends; the position is 0 where nothing was forgotten. */
interface FirstKnown {
  readonly position: bigint;
  readonly height: bigint;
  readonly time: bigint;
}

/** Throws OUT_OF_RANGE where what held at the begin of buckets has been forgotten meanwhile. */
export async function confirmKnown(
  statements: Statements,
  calendar: Calendar,
  noun: Pick<AnyNoun, 'table'>,
): Promise<void> {
  checkKnown(calendar, await readFirstKnown(statements, noun));
}

async function readFirstKnown(
  statements: Statements,
  { table }: Pick<AnyNoun, 'table'>,
): Promise<FirstKnown> {
  const known = raw(knownFrom([table.name.text]));
  const [first] = await statements.rows<FirstKnown>(
    statementOf(
      sql`SELECT ${known} AS position, height, timestamp AS time FROM networks
        JOIN LATERAL (SELECT * FROM blocks WHERE last_position >= ${known} ORDER BY last_position LIMIT 1) AS t ON TRUE`,
      'nothing',
    ),
  );
  return first ?? { position: 0n, height: 0n, time: 0n };
}

function checkKnown(calendar: Calendar, first: FirstKnown): void {
  if (isKnown(calendar, first)) return;
  throw new GatewayError(
    'OUT_OF_RANGE',
    `What held at the begin of the series is not kept: its first bucket has to begin after ${first.time}, the time of block ${first.height}, the first that can be asked about.`,
  );
}

function isKnown({ positions: [start = 0n] }: Calendar, { position }: FirstKnown): boolean {
  return position === 0n || start >= position;
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
    if (estimate(one, request) > most) continue;
    const calendar = await readCalendar(statements, { width: one, zone, from, to }, at);
    if (calendar.times.length - 1 <= most) return calendar;
  }
  throw invalidArgument('points', `points of ${most} are too few for that range: no width is so large.`);
}

/** How many buckets there are at most, less those that a calendar has besides. */
function estimate(width: Width, { from, to }: Pick<WithinRange, 'from' | 'to'>): number {
  return Math.ceil(Number((to - from) / 1_000_000n) / 1000 / leastSeconds(width));
}

function tooMany(request: WithinRange, { text }: Width, count: number): GatewayError {
  const fits = USUAL_WIDTHS.find((one) => estimate(one, request) < MOST_BUCKETS);
  return invalidArgument(
    'every',
    `every of ${text} makes about ${count} buckets of that range; the most is ${MOST_BUCKETS}. ${fits?.text} would fit.`,
  );
}
