import { describeTooEarly } from '../domain/time.ts';
import { invalidArgument } from '../errors.ts';

/** Throws INVALID_ARGUMENT for a time that an argument gives in another unit than nanoseconds. None, 0 and what is below pass. */
export function checkTime(argument: string, time: bigint | null | undefined): void {
  const mistake = time === null || time === undefined ? null : describeTooEarly(time);
  if (mistake !== null) throw invalidArgument(argument, `${argument} is ${time}, which ${mistake}.`);
}

/** A bound of a range of times, which 0 is none of. */
export function boundOf(time: bigint | null | undefined): bigint | null {
  return time || null;
}

/** Throws INVALID_ARGUMENT for a bound that is before 1970, or in another unit than nanoseconds. */
export function checkBound(argument: string, bound: bigint | null): void {
  if (bound !== null && bound < 0n)
    throw invalidArgument(argument, `${argument} takes nanoseconds since 1970, not ${bound}.`);
  checkTime(argument, bound);
}
