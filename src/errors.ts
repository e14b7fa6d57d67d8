// This module alone: all of graphql would double the time that `ingest` takes to start.
import { GraphQLError } from 'graphql/error/GraphQLError.js';
import { isUnavailable, tableToCome } from './data/servers/unavailable.ts';

export { quoted } from './domain/text.ts';

/** The gRPC codes that the gateway answers with: the documented number and the HTTP status of each. */
export const ERROR_CODES = {
  INVALID_ARGUMENT: { number: 3, status: 400 },
  NOT_FOUND: { number: 5, status: 404 },
  RESOURCE_EXHAUSTED: { number: 8, status: 429 },
  FAILED_PRECONDITION: { number: 9, status: 400 },
  OUT_OF_RANGE: { number: 11, status: 400 },
  UNIMPLEMENTED: { number: 12, status: 405 },
  INTERNAL: { number: 13, status: 500 },
  UNAVAILABLE: { number: 14, status: 503 },
} as const;

export type ErrorCode = keyof typeof ERROR_CODES;

/** Why there is nothing as of a block, for programs: it is none of the network's, or what it was made of is forgotten. */
export type ErrorReason = 'NO_SUCH_BLOCK' | 'BLOCK_NOT_KEPT';

/** One of the field's standard error details (google.rpc), as it stands in the documented error body. */
export type ErrorDetail =
  | {
      readonly '@type': 'type.googleapis.com/google.rpc.BadRequest';
      readonly fieldViolations: readonly { readonly field: string; readonly description: string }[];
    }
  | {
      readonly '@type': 'type.googleapis.com/google.rpc.ResourceInfo';
      readonly resourceType: string;
      readonly resourceName: string;
    }
  | {
      readonly '@type': 'type.googleapis.com/google.rpc.ErrorInfo';
      readonly reason: ErrorReason;
      readonly domain: 'periscope';
      readonly metadata: Readonly<Record<string, string>>;
    }
  | { readonly '@type': 'type.googleapis.com/google.rpc.RetryInfo'; readonly retryDelay: string }
  | { readonly '@type': 'type.googleapis.com/google.rpc.RequestInfo'; readonly requestId: string };

/** An error that a client may read. Anything else that is thrown reaches clients masked, with a request id. */
export class GatewayError extends GraphQLError {
  override name = 'GatewayError';
  readonly code: ErrorCode;
  readonly details: readonly ErrorDetail[];

  constructor(code: ErrorCode, message: string, details: readonly ErrorDetail[] = []) {
    super(message, { extensions: { code, details } });
    this.code = code;
    this.details = details;
  }
}

/** A parameter or argument that cannot be taken; the message names it and the value that was given. */
export function invalidArgument(field: string, description: string): GatewayError {
  return invalidArguments([field], description);
}

/** Several that cannot be taken together. */
export function invalidArguments(fields: readonly string[], description: string): GatewayError {
  const fieldViolations = fields.map((field) => ({ field, description }));
  return new GatewayError('INVALID_ARGUMENT', description, [
    { '@type': 'type.googleapis.com/google.rpc.BadRequest', fieldViolations },
  ]);
}

/** A thing that is not there; `resourceType` is the noun, as in `deposit`. */
export function notFound(resourceType: string, resourceName: string, message?: string): GatewayError {
  return new GatewayError(
    'NOT_FOUND',
    message ?? `There is no ${resourceType} with id ${JSON.stringify(resourceName)}.`,
    [{ '@type': 'type.googleapis.com/google.rpc.ResourceInfo', resourceType, resourceName }],
  );
}

/**
 * A block that nothing can be asked as of: OUT_OF_RANGE. `heights` are those of blocks that can be, for programs: `firstHeight` and
 * `newestHeight`, as far as they are known.
 */
export function blockOutOfRange(
  reason: ErrorReason,
  message: string,
  heights: Readonly<Partial<Record<'firstHeight' | 'newestHeight', bigint | undefined>>>,
): GatewayError {
  const known = Object.entries(heights).filter(([, height]) => height !== undefined);
  const metadata = Object.fromEntries(known.map(([name, height]) => [name, `${height}`]));
  return new GatewayError('OUT_OF_RANGE', message, [
    { '@type': 'type.googleapis.com/google.rpc.ErrorInfo', reason, domain: 'periscope', metadata },
  ]);
}

/** The answer while `isUnavailable` holds of an error: try again in a second. What was the matter is its cause. */
export function unavailable(cause?: unknown): GatewayError {
  const message = 'The database cannot be reached at the moment, or is too slow. Try again soon.';
  const error = new GatewayError('UNAVAILABLE', message, [
    { '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay: '1s' },
  ]);
  return Object.assign(error, { cause });
}

/** What clients read in place of an error that is not for them. The log has that one under the request's id. */
export function masked(requestId: string): GatewayError {
  const message = `Something went wrong here, not with the request. The log has it under request id ${requestId}.`;
  return new GatewayError('INTERNAL', message, [
    { '@type': 'type.googleapis.com/google.rpc.RequestInfo', requestId },
  ]);
}

/**
 * The error that a client may read behind whatever was thrown, also where GraphQL has wrapped it: a GatewayError as it
 * is, a database out of reach or not whole as UNAVAILABLE; undefined for everything that must be masked.
 */
export function gatewayErrorOf(error: unknown): GatewayError | undefined {
  for (let link = error; link instanceof Error; link = originalOf(link)) {
    if (link instanceof GatewayError) return link;
  }
  if (isUnavailable(error)) return unavailable(error);
  const table = tableToCome(error);
  return table === null ? undefined : new RowsToCome(table);
}

/** An error of an operation's result as it was thrown, for who executes in this process: a GatewayError arrives as one. */
export function asThrown(error: GraphQLError): Error {
  return gatewayErrorOf(error) ?? error.originalError ?? error;
}

/** What a resolver threw, where GraphQL has wrapped it to say where. */
export function originalOf(error: Error): Error | undefined {
  if (!(error instanceof GraphQLError) || error instanceof GatewayError) return undefined;
  return error.originalError === error ? undefined : error.originalError;
}

/**
 * What is not done because there is more to do than can be done, more asked for than may be, or a newer block asked for
 * than there is. It is no fault, so it is not logged by itself, and to write it must cost next to nothing.
 */
export class Rejection extends GatewayError {}

/** Sums that would be made of too many rows. Whoever asks has the ways out of GraphQL, or those of a path. */
export class TooManySummed extends GatewayError {
  /** Of how many of which rows. */
  readonly rows: string;

  constructor(by: readonly (string | undefined)[], rows: string) {
    super(
      'FAILED_PRECONDITION',
      `sums by [${by.join(', ')}] would read ${rows}, which is the most: ask for fewer, by filter or of one object, or by other keys.`,
    );
    this.rows = rows;
  }
}

/** Rows that a database does not have yet: those of a table come behind the present of a base. It is no fault, and not logged either. */
export class RowsToCome extends GatewayError {
  constructor(table: string) {
    super(
      'UNAVAILABLE',
      `The ${table} are still being taken in, from a base. Ask later, or another gateway.`,
      [{ '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay: '10s' }],
    );
  }
}
