import { describeTooEarly } from '../domain/time.ts';
import { invalidArgument } from '../errors.ts';

/** Throws INVALID_ARGUMENT for a time that an argument gives in another unit than nanoseconds. None, 0 and what is below pass. */
export function checkTime(argument: string, time: bigint | null | undefined): void {
  const mistake = time === null || time === undefined ? null : describeTooEarly(time);
  if (mistake !== null) throw invalidArgument(argument, `${argument} is ${time}, which ${mistake}.`);
}
