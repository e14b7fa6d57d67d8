/**
 * Columns of values as PostgreSQL reads arrays in their binary form, which costs it half of what their text does. A value
 * travels as a 64-bit number or as text; what else a column holds, the statement makes of these.
 */

/** What comes before the elements: the dimensions (one), whether some are null, their type, how many, the first index. */
const HEAD_SIZE = 20;
const LENGTH_SIZE = 4;
const INTEGER_SIZE = 8;
/** Their numbers in pg_type. */
const INT8 = 20;
const TEXT = 25;
/** Up to here a loop is faster than asking for the bytes of a text. */
const SHORT_TEXT = 100;

/** An array of whole numbers. Throws as PostgreSQL does where one does not fit 64 bits. */
export function encodeIntegers(values: readonly (bigint | number | null)[]): Buffer {
  const bytes = Buffer.allocUnsafe(HEAD_SIZE + values.length * (LENGTH_SIZE + INTEGER_SIZE));
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let end = HEAD_SIZE;
  for (const value of values) {
    view.setInt32(end, value === null ? -1 : INTEGER_SIZE);
    end += LENGTH_SIZE;
    if (value === null) continue;
    view.setBigInt64(end, fitting(BigInt(value)));
    end += INTEGER_SIZE;
  }
  return finish(bytes, end, INT8, values);
}

/** An array of texts. What text cannot hold becomes the replacement character. */
export function encodeTexts(values: readonly (string | null)[]): Buffer {
  // Enough unless some are not ASCII.
  let bytes: Buffer = Buffer.allocUnsafe(
    values.reduce((size, text) => size + LENGTH_SIZE + (text?.length ?? 0), HEAD_SIZE),
  );
  let end = HEAD_SIZE;
  for (const text of values) {
    const start = end + LENGTH_SIZE;
    bytes = withRoom(bytes, start + (text?.length ?? 0));
    let length = text === null ? -1 : copyPlain(text, bytes, start);
    if (length === null) {
      const encoded = Buffer.from(storable(text as string));
      length = encoded.length;
      bytes = withRoom(bytes, start + length);
      encoded.copy(bytes, start);
    }
    bytes.writeInt32BE(length, end);
    end = start + Math.max(length, 0);
  }
  return finish(bytes, end, TEXT, values);
}

/** PostgreSQL's text holds neither NUL nor half a surrogate pair; both become the replacement character. */
export function storable(text: string): string {
  const wellFormed = text.isWellFormed() ? text : text.toWellFormed();
  return wellFormed.includes('\0') ? wellFormed.replaceAll('\0', '\uFFFD') : wellFormed;
}

/** Writes a short text of ASCII without NUL, of which each character is a byte, and gives its length; null for others. */
function copyPlain(text: string, bytes: Buffer, start: number): number | null {
  const { length } = text;
  if (length > SHORT_TEXT) return null;
  for (let index = 0; index < length; index += 1) {
    const code = text.charCodeAt(index);
    if (code === 0 || code > 127) return null;
    bytes[start + index] = code;
  }
  return length;
}

function withRoom(bytes: Buffer, size: number): Buffer {
  return size <= bytes.length ? bytes : Buffer.concat([bytes], Math.max(size, 2 * bytes.length));
}

function finish(bytes: Buffer, end: number, type: number, values: readonly unknown[]): Buffer {
  bytes.writeInt32BE(values.length === 0 ? 0 : 1, 0);
  bytes.writeInt32BE(values.includes(null) ? 1 : 0, 4);
  bytes.writeInt32BE(type, 8);
  bytes.writeInt32BE(values.length, 12);
  bytes.writeInt32BE(1, 16);
  return bytes.subarray(0, values.length === 0 ? 12 : end);
}

function fitting(value: bigint): bigint {
  if (BigInt.asIntN(64, value) === value) return value;
  throw Object.assign(new RangeError(`${value} is out of range for a column of 64 bits`), {
    code: OUT_OF_RANGE,
  });
}

/** PostgreSQL's own code for it. */
const OUT_OF_RANGE = '22003';
