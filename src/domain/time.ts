/** Times are nanoseconds since 1970, as whole numbers of 64 bits. This finds out what else a person may have written. */

const NANOSECONDS_A_SECOND = 1_000_000_000n;
const MAX_INT64 = 2n ** 63n - 1n;
/**
 * Times of a unit lie between 1973 and 2262, where nanoseconds end. That is less than a factor of a thousand, so
 * that no number is of two units.
 */
const FIRST_SECOND = 100_000_000n;
const UNITS = [
  { name: 'seconds', aSecond: 1n },
  { name: 'milliseconds', aSecond: 1_000n },
  { name: 'microseconds', aSecond: 1_000_000n },
] as const;

const COUNT = /^(\d{1,20})(?:\.(\d{1,9}))?$/;
const DATE =
  /^(\d{4}-\d{2}(?:-\d{2})?)(?:[T ](\d{2}:\d{2}(?::\d{2})?)(?:[.,](\d{1,9}))?\s*(Z|[+-]\d{2}:?\d{2})?)?$/i;

/**
 * What is wrong with a time that is in seconds, milliseconds or microseconds, or a date (ISO 8601, of UTC unless it
 * says otherwise), and what to write instead: `looks like milliseconds: 1678443430000000000 was probably meant`.
 * Null for every other text, nanoseconds among them, and what has no such reading.
 */
export function describeMistakenTime(text: string): string | null {
  const date = readDate(text);
  if (date !== null) return `is a date: ${date} was probably meant`;
  const [, whole, fraction = ''] = COUNT.exec(text) ?? [];
  if (whole === undefined) return null;
  const count = BigInt(whole);
  for (const { name, aSecond } of UNITS) {
    const nanoseconds = NANOSECONDS_A_SECOND / aSecond;
    const meant = count * nanoseconds + (billionths(fraction) * nanoseconds) / NANOSECONDS_A_SECOND;
    if (count >= FIRST_SECOND * aSecond && meant <= MAX_INT64) {
      return `looks like ${name}: ${meant} was probably meant`;
    }
  }
  return null;
}

/** In March 1973: no time in seconds, milliseconds or microseconds of this century comes so far, and no network is so old. */
const EARLIEST = 10n ** 17n;

/**
 * Goes on after a time in nanoseconds that no network can have been at, as one in seconds is; null where it is none. 0 and
 * what is below stand for the beginning.
 */
export function describeTooEarly(time: bigint): string | null {
  if (time <= 0n || time >= EARLIEST) return null;
  return describeMistakenTime(`${time}`) ?? 'is in nanoseconds since 1970, and so before any network began';
}

/** The nanoseconds of a date; null where the text is none, or one that 64 bits do not hold. */
function readDate(text: string): bigint | null {
  const [, day, time, fraction = '', zone = 'Z'] = DATE.exec(text) ?? [];
  if (day === undefined) return null;
  const milliseconds = Date.parse(time === undefined ? day : `${day}T${time}${zone.toUpperCase()}`);
  if (Number.isNaN(milliseconds)) return null;
  const nanoseconds = BigInt(milliseconds) * 1_000_000n + billionths(fraction);
  return BigInt.asIntN(64, nanoseconds) === nanoseconds ? nanoseconds : null;
}

/** The digits after a point, to nine, as a whole number. */
function billionths(fraction: string): bigint {
  return BigInt(fraction.padEnd(9, '0'));
}
