import { describeTooEarly } from '../domain/time.ts';
import type { Operation } from '../engine/question.ts';
import { GatewayError, invalidArgument, quoted, TooManySummed } from '../errors.ts';
import { optional, type Parameters, type ParameterValues, readerBeside } from './params.ts';
import { timestamp, uint64 } from './value-types.ts';

/** The parameters that every path takes whose answer is of one block: an addition to the documented ones. */
export const asOfParameters = {
  asOf: optional(
    uint64,
    'An addition of Periscope: the height of the block as of which the answer is, in place of the newest.',
  ),
  asOfTime: optional(
    timestamp,
    'An addition of Periscope: a time, for the last block at or before it. Not to be given with asOf.',
  ),
};

/** What a request gave for a path's own parameters, and the block as of which it asks. */
export interface GivenAsOf<P extends Parameters> {
  readonly given: ParameterValues<P>;
  readonly asOf: Operation['asOf'];
}

/** Makes the reader of a path's own parameters and of those. It throws as `parameterReader` says. */
export function readerAsOf<const P extends Parameters>(parameters: P) {
  const read = readerBeside(parameters, asOfParameters);
  return (path: Readonly<Record<string, unknown>>, rawQuery: string): GivenAsOf<P> => {
    const { own, others } = read(path, rawQuery);
    return { given: own, asOf: readAsOf(others.asOf, others.asOfTime) };
  };
}

function readAsOf(height: string | undefined, time: string | undefined): Operation['asOf'] {
  if (time === undefined) return height === undefined ? null : { height: BigInt(height) };
  if (height !== undefined)
    throw invalidArgument(
      'asOfTime',
      `Parameter asOfTime (${quoted(time)}) cannot stand beside asOf (${quoted(height)}); each names a block.`,
    );
  return { time: readTime('asOfTime', time) };
}

/** A time that a parameter gives. Throws INVALID_ARGUMENT for one that is in another unit than nanoseconds. */
export function readTime(name: string, text: string): bigint {
  const time = BigInt(text);
  const mistake = describeTooEarly(time);
  if (mistake !== null)
    throw invalidArgument(name, `Parameter ${name} is ${quoted(text)}, which ${mistake}.`);
  return time;
}

const BEFORE = 'pagination.before';
/** The arguments of lists that a path has under other names, as far as they are refused by the operation. */
const PARAMETERS = new Map([
  ['after', 'pagination.after'],
  ['before', BEFORE],
  ['from', 'fromTimestamp'],
  ['to', 'toTimestamp'],
]);

/**
 * An error of an operation by the names of the path: it begins with that of its argument, and another stands before its value, in
 * brackets. What was given as `before` is read as `after` where the operation has no other.
 */
export function inParameters(error: Error, given: object): Error {
  if (error instanceof TooManySummed)
    return new GatewayError(
      error.code,
      `The answer would be made of ${error.rows}, which is the most: ask for fewer, by the parameters.`,
    );
  if (!(error instanceof GatewayError)) return error;
  const [argument = ''] = /^\w+/.exec(error.message) ?? [];
  const isBefore = argument === 'after' && Object.hasOwn(given, BEFORE);
  const name = isBefore ? BEFORE : PARAMETERS.get(argument);
  if (name === undefined) return error;
  const rest = error.message
    .slice(argument.length)
    .replace(/\b\w+(?= \()/, (other) => PARAMETERS.get(other) ?? other);
  const message = `Parameter ${name}${rest}`;
  const details = error.details.map((detail) =>
    'fieldViolations' in detail
      ? { ...detail, fieldViolations: [{ field: name, description: message }] }
      : detail,
  );
  return new GatewayError(error.code, message, details);
}
