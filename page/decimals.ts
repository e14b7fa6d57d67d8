/*
 * Quantities are decimal text of any size. Here they are moved by decimal places, cut and grouped as text: no float
 * touches one. Only the position of a pixel is a float.
 */

const DECIMAL = /^(-?)(\d*)(?:\.(\d*))?$/;
/** Where there are commas, they stand between thousands: those of `1,5` and `0,500` are somebody's points. */
const THOUSANDS = /^-?[1-9]\d{0,2}(,\d{3})+(\.\d*)?$/;

/** Moves the point of a decimal number: `shift('12345', -3)` is `12.345`. No trailing zeros are left after the point. */
export function shift(text: string, places: number): string {
  const [, sign = '', whole = '', fraction = ''] = DECIMAL.exec(text) ?? [];
  const digits = whole + fraction;
  const point = whole.length + places;
  const before = point > 0 ? digits.slice(0, point).padEnd(point, '0') : '';
  const after = point > 0 ? digits.slice(point) : '0'.repeat(-point) + digits;
  const rest = after.replace(/0+$/, '');
  const number = `${before.replace(/^0+(?=\d)/, '') || '0'}${rest && `.${rest}`}`;
  return number === '0' ? '0' : sign + number;
}

/** A whole number in units of which `places` decimals make one, from what a person wrote; null if it is no such number. */
export function readQuantity(text: string, places: number): string | null {
  const close = text.replace(/[\s_]/g, '');
  const plain = THOUSANDS.test(close) ? close.replaceAll(',', '') : close;
  if (!/\d/.test(plain) || !DECIMAL.test(plain) || plain.length > 100) return null;
  const units = shift(plain, places);
  return units.includes('.') ? null : units;
}

/** For people: thousands apart, and so many decimals, cut or filled; as many as there are unless said. */
export function write(text: string, decimals?: number): { whole: string; fraction: string } {
  const [whole = '', fraction = ''] = text.split('.');
  const shown = decimals === undefined ? fraction : fraction.slice(0, decimals).padEnd(decimals, '0');
  return { whole: whole.replace(/\B(?=(\d{3})+$)/g, ','), fraction: shown && `.${shown}` };
}

/** The same, but what is not nothing is written whole where it would read as if it were. */
export function writeSome(text: string, decimals?: number): { whole: string; fraction: string } {
  const cut = write(text, decimals);
  return /[1-9]/.test(cut.whole + cut.fraction)
    ? cut
    : write(text, /[1-9]/.test(text) ? undefined : decimals);
}

/** Where in a range a quantity lies, from 0 to 1: for pixels. Exact until the last step, so that any size will do. */
export function positionIn(text: string, lowest: string, highest: string): number {
  const places = Math.max(...[text, lowest, highest].map((one) => one.split('.')[1]?.length ?? 0));
  const [at, from, to] = [text, lowest, highest].map((one) => BigInt(shift(one, places))) as [
    bigint,
    bigint,
    bigint,
  ];
  if (to === from) return 0.5;
  return Number(((at - from) * 1_000_000n) / (to - from)) / 1_000_000;
}

/** Orders quantities; of the same quantity either may stand first. */
export function compare(a: string, b: string): number {
  const places = Math.max(...[a, b].map((one) => one.split('.')[1]?.length ?? 0));
  const difference = BigInt(shift(a, places)) - BigInt(shift(b, places));
  return difference < 0n ? -1 : difference > 0n ? 1 : 0;
}
