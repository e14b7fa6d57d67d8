import { timeTicks, utcTicks } from 'd3-time';

/** Whose days and hours are meant: those of UTC, or those where the reader is. */
export type Zone = 'UTC' | 'local';

/** A mark of an axis: where it is, from 0 to 1, and what is written there. */
export interface Tick {
  readonly at: number;
  readonly text: string;
}

/** A time axis from one time of the network to another, in nanoseconds. */
export interface Span {
  readonly from: bigint;
  readonly to: bigint;
}

/** Where in a span a time is, from 0 to 1: for pixels. */
export function shareOf(time: string, { from, to }: Span): number {
  return to === from ? 0.5 : Number(((BigInt(time) - from) * 1_000_000n) / (to - from)) / 1_000_000;
}

/** The time at a place of a span. */
export function timeAt(share: number, { from, to }: Span): string {
  return `${from + ((to - from) * BigInt(Math.round(share * 1_000_000))) / 1_000_000n}`;
}

/** About so many marks at round times of the zone. */
export function ticksOf(span: Span, count: number, zone: Zone): readonly Tick[] {
  const marks = (zone === 'UTC' ? utcTicks : timeTicks)(dateOf(span.from), dateOf(span.to), count);
  return marks.map((date) => ({
    at: shareOf(`${BigInt(date.getTime()) * NANOSECONDS}`, span),
    text: tickText(date, zone, span.to - span.from > LONG),
  }));
}

/** A time with its date and zone, to the second. */
export function timeText(time: string, zone: Zone): string {
  const date = dateOf(BigInt(time));
  const { day, clock, seconds } = partsOf(date, zone);
  return `${day} ${clock}:${seconds} ${zone === 'UTC' ? 'UTC' : offsetOf(date)}`;
}

/** The name by which the gateway knows the zone. */
export function zoneName(zone: Zone): string {
  return zone === 'UTC' ? 'UTC' : Intl.DateTimeFormat().resolvedOptions().timeZone;
}

const NANOSECONDS = 1_000_000n;
/** Plots of so much have years on them: half a year. */
const LONG = 180n * 86_400_000n * NANOSECONDS;
const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

function dateOf(time: bigint): Date {
  return new Date(Number(time / NANOSECONDS));
}

/** The part of the time that is new there: a year, a day, or the time of day. */
function tickText(date: Date, zone: Zone, hasYears: boolean): string {
  const { day, clock, seconds } = partsOf(date, zone);
  if (seconds !== '00') return `${clock}:${seconds}`;
  if (clock !== '00:00') return clock;
  const [year = '', month = '', ofMonth = ''] = day.split('-');
  if (hasYears && month === '01' && ofMonth === '01') return year;
  return `${MONTHS[Number(month) - 1]} ${Number(ofMonth)}`;
}

/** A date as the zone's clock and calendar show it. */
function partsOf(date: Date, zone: Zone): { day: string; clock: string; seconds: string } {
  // What a clock of the zone shows is what a clock of UTC shows at another time.
  const shown = zone === 'UTC' ? date : new Date(date.getTime() - date.getTimezoneOffset() * 60_000);
  const iso = shown.toISOString();
  return { day: iso.slice(0, 10), clock: iso.slice(11, 16), seconds: iso.slice(17, 19) };
}

function offsetOf(date: Date): string {
  const minutes = -date.getTimezoneOffset();
  const [hours, rest] = [Math.floor(Math.abs(minutes) / 60), Math.abs(minutes) % 60];
  return `${minutes < 0 ? '−' : '+'}${`${hours}`.padStart(2, '0')}:${`${rest}`.padStart(2, '0')}`;
}
