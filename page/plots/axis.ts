import { shift, write } from '../decimals.ts';

/*
 * An axis of quantities of any size. Its ends and marks are text in the same unit as what it is made for, and exact.
 */

/** From where to where an axis goes, and what is written beside it. */
export interface Axis {
  readonly lowest: string;
  readonly highest: string;
  readonly ticks: readonly string[];
}

interface Wanted {
  /** How many marks there are at most, about. */
  readonly ticks: number;
  /** Whether zero is on it, as where lengths are compared; there is then no room beyond it. */
  readonly hasZero?: boolean;
}

/** An axis with room for all these quantities, and marks at round ones. */
export function axisOf(values: readonly string[], { ticks, hasZero = false }: Wanted): Axis {
  const places = placesOf(values);
  const all = values.map((one) => BigInt(shift(one, places)));
  if (hasZero || all.length === 0) all.push(0n);
  const [least, most] = ends(all);
  const room = roomFor(least, most);
  const isBare = hasZero || (least >= 0n && least < room);
  const from = isBare && least >= 0n ? (hasZero ? 0n : least) : least - room;
  const to = hasZero && most <= 0n ? 0n : most + room;
  const step = roundUp((to - from) / BigInt(ticks) || 1n);
  const first = ceilTo(from, step);
  const marks = Array.from(
    { length: Number((to - first) / step) + 1 },
    (_, index) => first + BigInt(index) * step,
  );
  const asText = (one: bigint) => shift(`${one}`, -places);
  return { lowest: asText(from), highest: asText(to), ticks: marks.filter((one) => one <= to).map(asText) };
}

/** What is written at marks: thousands apart and as many decimals as all need; millions and more shortened, exactly. */
export function labelsOf(ticks: readonly string[], decimals: number): readonly string[] {
  const whole = ticks.map((tick) => shift(tick, -decimals));
  const digits = Math.max(1, ...whole.map((one) => (one.replace('-', '').split('.')[0] ?? '').length));
  const power = digits > 6 ? Math.min(Math.floor((digits - 1) / 3), SUFFIXES.length - 1) : 0;
  const shown = whole.map((one) => shift(one, -3 * power));
  const fraction = Math.max(0, ...shown.map((one) => one.split('.')[1]?.length ?? 0));
  return shown.map((one) => (one === '0' ? one : quantity(one, fraction) + SUFFIXES[power]));
}

/** The least and the greatest of some quantities. */
export function endsOf(values: readonly string[]): [lowest: string, highest: string] {
  const places = placesOf(values);
  const [least, most] = ends(values.map((one) => BigInt(shift(one, places))));
  return [shift(`${least}`, -places), shift(`${most}`, -places)];
}

/** A quantity as people read it. */
export function quantity(text: string, decimals?: number): string {
  const { whole, fraction } = write(text, decimals);
  return (whole + fraction).replace('-', '−');
}

const SUFFIXES = ['', 'k', 'M', 'B', 'T'];

function placesOf(values: readonly string[]): number {
  return Math.max(0, ...values.map((one) => one.split('.')[1]?.length ?? 0));
}

function ends(all: readonly bigint[]): [bigint, bigint] {
  let [least = 0n] = all;
  let most = least;
  for (const one of all) {
    if (one < least) least = one;
    if (one > most) most = one;
  }
  return [least, most];
}

/** What an axis has beyond its outermost quantities. */
function roomFor(least: bigint, most: bigint): bigint {
  if (most > least) return (most - least) / 14n || 1n;
  const size = most < 0n ? -most : most;
  return size / 20n || 1n;
}

/** The least of 1, 2 and 5 times a power of ten that is not below. */
function roundUp(least: bigint): bigint {
  const power = 10n ** BigInt(`${least}`.length - 1);
  return [1n, 2n, 5n, 10n].map((one) => one * power).find((one) => one >= least) ?? least;
}

function ceilTo(value: bigint, step: bigint): bigint {
  const rest = value % step;
  return rest === 0n ? value : value - rest + (value > 0n ? step : 0n);
}
