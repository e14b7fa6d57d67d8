import { DECIMAL_PRECISION } from './columns.ts';

/** As the network writes them. */
const NUMBER = /^(-?)(\d+)(?:\.(\d+))?$/;

/** How many bytes a decimal has. */
export const DECIMAL_BYTES = 16;

/**
 * A number without its point, where it has so many digits behind it; null where it does not fit in, as a number of more digits: it is
 * never rounded.
 */
function unscale(text: string, scale: number): bigint | null {
  const [, sign = '', whole = '', fraction = ''] = NUMBER.exec(text) ?? [];
  if (whole === '') return null;
  const digits = fraction.length > scale ? fraction.replace(/0+$/, '') : fraction;
  if (digits.length > scale) return null;
  const unscaled = whole + digits.padEnd(scale, '0');
  if (unscaled.length > DECIMAL_PRECISION && unscaled.replace(/^0+/, '').length > DECIMAL_PRECISION)
    return null;
  return BigInt(sign + unscaled);
}

/** Numbers as decimals of Parquet: the greatest byte first. Equal ones share their bytes. */
export function encodeDecimals(texts: readonly unknown[], scale: number): (Uint8Array | null)[] {
  // One piece of memory for all of them: each alone would take three times as much.
  const bytes = new Uint8Array(texts.length * DECIMAL_BYTES);
  const view = new DataView(bytes.buffer);
  const known = new Map<string, Uint8Array | null>();
  let end = 0;
  return texts.map((text) => {
    if (typeof text !== 'string') return null;
    const found = known.get(text);
    if (found !== undefined) return found;
    const value = unscale(text, scale);
    let decimal: Uint8Array | null = null;
    if (value !== null) {
      view.setBigInt64(end, value >> 64n);
      view.setBigUint64(end + 8, BigInt.asUintN(64, value));
      decimal = bytes.subarray(end, end + DECIMAL_BYTES);
      end += DECIMAL_BYTES;
    }
    known.set(text, decimal);
    return decimal;
  });
}
