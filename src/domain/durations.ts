/** How wide the buckets of a series are: so many units of a calendar. */
export interface Width {
  readonly unit: 'seconds' | 'days' | 'weeks' | 'months';
  readonly count: number;
  /** As it was written: `PT15M`. */
  readonly text: string;
}

const DURATION =
  /^P(?:(?<years>\d+)Y|(?<months>\d+)M|(?<weeks>\d+)W|(?<days>\d+)D|T(?:(?<hours>\d+)H|(?<minutes>\d+)M|(?<seconds>\d+)S))$/;

/** What each part of a duration is made of. */
const PARTS: Readonly<Record<string, Pick<Width, 'unit' | 'count'>>> = {
  years: { unit: 'months', count: 12 },
  months: { unit: 'months', count: 1 },
  weeks: { unit: 'weeks', count: 1 },
  days: { unit: 'days', count: 1 },
  hours: { unit: 'seconds', count: 3600 },
  minutes: { unit: 'seconds', count: 60 },
  seconds: { unit: 'seconds', count: 1 },
};

const DAY = 86_400;
/** The least that each unit lasts. */
const SECONDS_OF = { seconds: 1, days: DAY, weeks: 7 * DAY, months: 28 * DAY } as const;
/**
 * The most of each unit: a day of seconds, and of the others what is counted from its begin in 1970 and ends before nanoseconds of 64
 * bits do, on April 11 2262.
 */
const MOST = { seconds: DAY, days: 106_751, weeks: 15_249, months: 3_507 } as const;

/** Reads an ISO 8601 duration of one unit; null for another text, for none at all, for hours beyond a day and for more than 292 years. */
export function readWidth(text: string): Width | null {
  const [name, number] = Object.entries(DURATION.exec(text)?.groups ?? {}).find(([, one]) => one) ?? [];
  const part = PARTS[name ?? ''];
  if (part === undefined || (number ?? '').length > 6) return null;
  const width = { unit: part.unit, count: part.count * Number(number), text };
  return width.count < 1 || width.count > MOST[width.unit] ? null : width;
}

/** The least that a width lasts, in seconds. */
export function leastSeconds({ unit, count }: Width): number {
  return count * SECONDS_OF[unit];
}

/** The fewest buckets of a width that so many seconds touch. Those of days last longer by what clocks go back meanwhile: never two days. */
export function fewestBuckets({ unit, count }: Width, seconds: number): number {
  if (unit === 'seconds') return Math.ceil(seconds / count);
  const days =
    unit === 'months' ? 366 * Math.floor(count / 12) + 31 * (count % 12) : (count * SECONDS_OF[unit]) / DAY;
  return Math.max(1, Math.ceil((seconds - 2 * DAY) / (days * DAY)));
}

/** The widths that people read plots by, narrow ones first. */
export const USUAL_WIDTHS: readonly Width[] = [
  ...['PT1S', 'PT5S', 'PT15S', 'PT30S', 'PT1M', 'PT5M', 'PT15M', 'PT30M'],
  ...['PT1H', 'PT2H', 'PT4H', 'PT6H', 'PT12H', 'P1D', 'P1W', 'P1M', 'P3M', 'P1Y', 'P5Y', 'P25Y', 'P100Y'],
].flatMap((text) => readWidth(text) ?? []);
