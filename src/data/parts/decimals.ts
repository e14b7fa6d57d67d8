import { DECIMAL_PRECISION } from './columns.ts';

const [ZERO, MINUS, POINT] = [0x30, 0x2d, 0x2e];
/** So many digits are an exact number. */
const SAFE_DIGITS = 15;
const POWERS = Array.from({ length: DECIMAL_PRECISION + 1 }, (_, exponent) => 10n ** BigInt(exponent));

/**
 * Reads a number as the network writes them (`-12.5`) without its point, where it has so many digits behind it; null where it does not
 * fit in, as a number of more digits than decimals have, and where it is none: it is never rounded.
 */
export function readDecimal(from: DataView, start: number, end: number, scale: number): bigint | null {
  const isNegative = start < end && from.getUint8(start) === MINUS;
  const first = isNegative ? start + 1 : start;
  const point = findPoint(from, first, end);
  if (point === null) return null;
  let last = end;
  while (last - point - 1 > scale && from.getUint8(last - 1) === ZERO) last -= 1;
  const shift = scale - Math.max(last - point - 1, 0);
  if (shift < 0) return null;
  const digits = readDigits(from, first, last, DECIMAL_PRECISION - shift);
  if (digits === null) return null;
  const value = shift === 0 ? digits : digits * (POWERS[shift] as bigint);
  return isNegative ? -value : value;
}

/** Where the point is, or would be; null where anything else stands there than digits before it, and behind it. */
function findPoint(from: DataView, start: number, end: number): number | null {
  let point = end;
  for (let at = start; at < end; at += 1) {
    const byte = from.getUint8(at);
    if (byte >= ZERO && byte <= ZERO + 9) continue;
    if (byte !== POINT || point !== end) return null;
    point = at;
  }
  return point === start || point === end - 1 ? null : point;
}

/** The digits as one number; null where there are more than a limit, but for zeros at the beginning. */
function readDigits(from: DataView, start: number, end: number, most: number): bigint | null {
  let value = 0n;
  let [part, digits, significant] = [0, 0, 0];
  for (let at = start; at < end; at += 1) {
    const byte = from.getUint8(at);
    if (byte === POINT) continue;
    if (significant > 0 || byte !== ZERO) significant += 1;
    part = part * 10 + byte - ZERO;
    digits += 1;
    if (digits < SAFE_DIGITS) continue;
    value = append(value, part, digits);
    part = 0;
    digits = 0;
  }
  return significant > most ? null : append(value, part, digits);
}

/** A number with so many digits behind it. */
function append(value: bigint, part: number, digits: number): bigint {
  return value === 0n ? BigInt(part) : value * (POWERS[digits] as bigint) + BigInt(part);
}
