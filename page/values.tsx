import { isoTime, time } from '../client/src/index.ts';
import { shift, writeSome } from './decimals.ts';
import { shownBlock } from './time.ts';

/** What a quantity is measured in. */
export interface Unit {
  readonly symbol: string;
  readonly decimals: number;
}

/**
 * A quantity in whole units, its fraction lighter; the whole of it and the raw value show in a tooltip. With `decimals`,
 * so many are written, as far as the unit has them: quantities below each other then align.
 */
export function Amount({ raw, unit, decimals, hasUnit = false }: AmountProps) {
  const exact = shift(raw, -(unit?.decimals ?? 0));
  const { whole, fraction } = writeSome(exact, decimals && Math.min(decimals, unit?.decimals ?? 0));
  const symbol = unit?.symbol ?? 'smallest units';
  return (
    <data class="amount" value={raw} title={`${exact} ${symbol}\nraw: ${raw}`}>
      {whole}
      <span class="fraction">{fraction}</span>
      {hasUnit && <span class="unit"> {symbol}</span>}
    </data>
  );
}

interface AmountProps {
  /** In the smallest unit, as the gateway gives it. */
  readonly raw: string;
  /** Without it, the network has not announced the asset yet: the raw value is all that can be said. */
  readonly unit: Unit | null;
  readonly decimals?: number;
  readonly hasUnit?: boolean;
}

/** An enumeration's name as people read it: `ACCOUNT_TYPE_GENERAL` is `General`. */
export function Name({ of, after }: { readonly of: string; readonly after: string | RegExp }) {
  return <>{nameOf(of, after)}</>;
}

/** The same as text. */
export function nameOf(of: string, after: string | RegExp): string {
  const words = of.replace(after, '').replaceAll('_', ' ').toLowerCase();
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** A time of the network, nanoseconds as text; `isShort` writes the time of day alone, or of another day than is shown its date. The raw value shows in a tooltip. */
export function Time({ of, isShort = false }: { readonly of: string; readonly isShort?: boolean }) {
  const { day, clock } = partsOf(of);
  const now = isShort ? shownBlock.value?.timestamp : undefined;
  const isOfToday = now != null && partsOf(now).day === day;
  const text = `${day} ${clock} UTC`;
  return (
    <time dateTime={`${day}T${clock}Z`} title={isShort ? `${text}\nraw: ${of}` : `raw: ${of}`}>
      {isShort ? (isOfToday ? clock : day) : text}
    </time>
  );
}

/** The date and the time of day, to the second. A year far away has more than four digits. */
function partsOf(timestamp: string): { readonly day: string; readonly clock: string } {
  const [day = '', clock = ''] = isoTime(time(timestamp)).split('T');
  return { day, clock: clock.slice(0, 8) };
}
