import { endBefore } from '../block-positions.ts';
import { raw } from '../sql.ts';

/*
 * What happened in each unit of time in which something did is rolled up once a block is behind it: times never fall, so nothing
 * comes to it any more. Series are made of the largest units that their buckets consist of, and of single changes where nothing
 * is rolled up yet.
 */

/** The units, in seconds, large ones first: each consists of whole ones of the next. Zones differ by quarters of an hour. */
export const UNITS = [86_400, 3600, 900, 60] as const;
export const SMALLEST = 60;

/** The end of the last block before a time. */
export function before(time: string): string {
  return `coalesce(${endBefore(raw(time)).text}, -1)`;
}

/** The begin of the unit that a time is in. */
export function beginOf(unit: number, time: string): string {
  return `(${time} / ${unit}000000000 * ${unit}000000000)`;
}

/** The units that buckets with some bounds consist of, large ones first. */
export function unitsWithin(times: readonly bigint[]): readonly number[] {
  const largest = UNITS.findIndex((unit) =>
    times.every((time) => time % (BigInt(unit) * 1_000_000_000n) === 0n),
  );
  return largest < 0 ? [] : UNITS.slice(largest);
}

/** How pieces are read, as SELECTs: those of a unit whose `position` meets a condition, and the changes after a position. */
interface Reading {
  readonly rolled: (unit: number, condition: string) => string;
  readonly single: (after: string) => string;
}

/**
 * Pieces of units, and single changes where there are no units, as SQL. They are after one position and up to another, which is
 * the end of what is known at a time.
 */
export function piecesWithin(
  units: readonly number[],
  { after, upTo, time }: Readonly<Record<'after' | 'upTo' | 'time', string>>,
  read: Reading,
): string {
  const ends = units.map(
    (unit) => `least(coalesce((SELECT up_to_position FROM rollup_levels WHERE unit = ${unit}), -1),
      ${before(beginOf(unit, time))}) AS unit_${unit}`,
  );
  const reached = [after, ...units.map((unit) => `(SELECT unit_${unit} FROM reach)`)];
  // What a larger unit has come to, a smaller one has too.
  const from = (index: number) => `greatest(${reached.slice(0, index + 1).join(', ')})`;
  const rolled = units.map((unit, index) =>
    read.rolled(unit, `position > ${from(index)} AND position <= least(${upTo}, ${reached[index + 1]})`),
  );
  const reach = units.length === 0 ? '' : `WITH reach AS MATERIALIZED (SELECT ${ends.join(', ')})`;
  return `${reach} ${[...rolled, read.single(from(units.length))].join(' UNION ALL ')}`;
}
