/** `1,234,567`, of any size. */
export function count(value: bigint | number | string): string {
  return String(value).replace(/\B(?=(\d{3})+$)/g, ',');
}

const UNITS = [
  [1_000_000_000_000n, ' million million'],
  [1_000_000_000n, ' billion'],
  [1_000_000n, ' million'],
] as const;

/** With three digits at most, where it is large: `1.43 million`, `286,000`. Whole numbers alone decide. */
export function about(value: bigint): string {
  const [unit, name] = UNITS.find(([one]) => value >= one) ?? [1n, ''];
  const digits = String(value / unit).length;
  if (unit === 1n) return count(digits <= 3 ? value : roundTo(value, 10n ** BigInt(digits - 3)));
  const step = 10n ** BigInt(Math.max(0, 3 - digits));
  const scaled = roundTo(value * step, unit) / unit;
  const text = String(scaled).padStart(String(step).length, '0');
  const places = String(step).length - 1;
  const whole = text.slice(0, text.length - places);
  const rest = places === 0 ? '' : text.slice(-places).replace(/0+$/, '');
  return `${count(whole)}${rest === '' ? '' : `.${rest}`}${name}`;
}

/** Nanoseconds as `3.3 ms` or `45 us`: two digits. */
export function time(ns: number): string {
  if (ns >= 10_000_000) return `${count(Math.round(ns / 1_000_000))} ms`;
  if (ns >= 1_000_000) return `${tenths(ns, 1_000_000)} ms`;
  if (ns >= 10_000) return `${Math.round(ns / 1_000)} us`;
  return `${tenths(ns, 1_000)} us`;
}

function tenths(value: number, unit: number): string {
  const all = Math.round((value * 10) / unit);
  return `${Math.floor(all / 10)}.${all % 10}`;
}

function roundTo(value: bigint, step: bigint): bigint {
  return ((value + step / 2n) / step) * step;
}

/** A table of Markdown. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  return [line(head), `|${'---|'.repeat(head.length)}`, ...rows.map(line)].join('\n');
}
