import { DECIMAL_PRECISION } from './columns.ts';

const [ZERO, MINUS, POINT] = [0x30, 0x2d, 0x2e];
/** So many digits are an exact number. */
const SAFE_DIGITS = 15;
const POWERS = Array.from({ length: DECIMAL_PRECISION + 1 }, (_, exponent) => 10n ** BigInt(exponent));

/**
 * Reads a number as the network writes them (`-12.5`) without its point, where it has so many digits behind it; null where it does not
 * fit in, as a number of more digits than decimals have, and where it is none: it is never rounded.
 */
export function readDecimal(from: Uint8Array, start: number, end: number, scale: number): bigint | null {
  const isNegative = from[start] === MINUS;
  const first = isNegative ? start + 1 : start;
  const point = findPoint(from, first, end);
  if (point === null) return null;
  let last = end;
  while (last - point - 1 > scale && from[last - 1] === ZERO) last -= 1;
  const shift = scale - Math.max(last - point - 1, 0);
  if (shift < 0) return null;
  const digits = readDigits(from, first, last, DECIMAL_PRECISION - shift);
  if (digits === null) return null;
  const value = digits * (POWERS[shift] as bigint);
  return isNegative ? -value : value;
}

/** Where the point is, or would be; null where anything else stands there than digits before it, and behind it. */
function findPoint(from: Uint8Array, start: number, end: number): number | null {
  let point = end;
  for (let at = start; at < end; at += 1) {
    const byte = from[at] as number;
    if (byte >= ZERO && byte <= ZERO + 9) continue;
    if (byte !== POINT || point !== end) return null;
    point = at;
  }
  return point === start || point === end - 1 ? null : point;
}

/** The digits as one number; null where there are more than a limit, but for zeros at the beginning. */
function readDigits(from: Uint8Array, start: number, end: number, most: number): bigint | null {
  let value = 0n;
  let [part, digits, significant] = [0, 0, 0];
  for (let at = start; at < end; at += 1) {
    const byte = from[at] as number;
    if (byte === POINT) continue;
    if (significant > 0 || byte !== ZERO) significant += 1;
    part = part * 10 + byte - ZERO;
    digits += 1;
    if (digits < SAFE_DIGITS) continue;
    value = value * (POWERS[digits] as bigint) + BigInt(part);
    [part, digits] = [0, 0];
  }
  if (significant > most) return null;
  return value === 0n ? BigInt(part) : value * (POWERS[digits] as bigint) + BigInt(part);
}
