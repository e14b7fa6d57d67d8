import { randomUUID } from 'node:crypto';
import { type ExecutionResult, GraphQLError } from 'graphql';
import type { Logger } from 'pino';
import {
  ERROR_CODES,
  type ErrorCode,
  type GatewayError,
  gatewayErrorOf,
  invalidArgument,
  masked,
  originalOf,
} from '../errors.ts';
import { retryAfterOf } from '../http/write/error-body.ts';

/**
 * An error of an operation's answer as clients see it: with `extensions.code` and, where there is more to say,
 * `extensions.details`. What they may not read is logged and named by the request id instead.
 */
export function toClientError(error: GraphQLError, requestId: string, logger: Logger): GraphQLError {
  const violation = variableViolation(error);
  if (violation !== undefined) {
    const { code, details } = invalidArgument(violation.field, violation.description);
    return replace(error, error.message, { code, details, http: { status: ERROR_CODES[code].status } });
  }
  const known = gatewayErrorOf(error);
  if (known !== undefined) {
    const http = error.extensions['http'] ?? httpOf(known);
    return replace(error, known.message, { code: known.code, details: known.details, http });
  }
  if (isAboutRequest(error)) {
    return replace(error, error.message, { code: 'INVALID_ARGUMENT', http: error.extensions['http'] });
  }
  logger.error({ id: requestId, err: error.originalError, path: error.path }, 'operation failed');
  const { message, code, details } = masked(requestId);
  return replace(error, message, { code, details });
}

/** Whatever was thrown in the form in which GraphQL reports errors, with nothing hidden yet. */
export function asGraphqlError(error: unknown): GraphQLError {
  if (error instanceof GraphQLError) return error;
  const originalError = error instanceof Error ? error : new Error(String(error));
  return new GraphQLError('Unexpected error.', { originalError });
}

/** Everything that is wrong with an operation that could not be run, as GraphQL reports it, with nothing hidden yet. */
export function errorsOf(thrown: unknown): readonly GraphQLError[] {
  return thrown instanceof InvalidDocument ? thrown.errors : [asGraphqlError(thrown)];
}

/** A result that leaves without HTTP around it: each of its errors as clients see them, with an id of its own. */
export function withClientErrors(result: ExecutionResult, logger: Logger): ExecutionResult {
  if (result.errors === undefined) return result;
  return { ...result, errors: result.errors.map((error) => toMessageError(error, logger)) };
}

/** The code of anything thrown, or of an error of a result, whether it is as clients see it or not. */
export function codeOf(error: unknown): ErrorCode {
  const known = gatewayErrorOf(error)?.code;
  if (known !== undefined || !(error instanceof GraphQLError)) return known ?? 'INTERNAL';
  const shown = error.extensions['code'];
  if (typeof shown === 'string' && shown in ERROR_CODES) return shown as ErrorCode;
  return isAboutRequest(error) ? 'INVALID_ARGUMENT' : 'INTERNAL';
}

/** An error as clients see it in a message, which has no status or headers. */
export function toMessageError(error: GraphQLError, logger: Logger): GraphQLError {
  const shown = toClientError(error, randomUUID(), logger);
  const { http: _, ...extensions } = shown.extensions;
  return replace(shown, shown.message, extensions);
}

/** A parameter that cannot be taken. Whatever a client accepts, the status says so too. */
export function badRequest(field: string, description: string): GatewayError {
  const error = invalidArgument(field, description);
  error.extensions['http'] = { status: ERROR_CODES[error.code].status };
  return error;
}

/** What is wrong with the value of a variable: which, with the path within it, and why. */
function variableViolation(error: GraphQLError) {
  const name = ABOUT_VARIABLE.exec(error.message)?.[1];
  if (name === undefined || error.path !== undefined || !isAboutRequest(error)) return undefined;
  const reason = originalOf(error)?.message;
  if (reason === undefined) return { field: name, description: error.message };
  // GraphQL names the path only in its message, as the last thing before the reason.
  const start = error.message.slice(0, -`; ${reason}`.length);
  return { field: PATH.exec(start)?.[1] ?? name, description: reason };
}

/** As GraphQL begins what it says of a value, and not of how a document uses the variable. */
const ABOUT_VARIABLE = /^Variable "\$(\w+)" (?:got invalid value|of required type|of non-null type) /;
const PATH = / at "(\w+(?:\.\w+|\[\d+\])+)"$/;

/** The errors that are the answer's status too: it is what makes clients and proxies try again, and when. */
function httpOf(error: GatewayError): object | undefined {
  const { code } = error;
  if (code !== 'UNAVAILABLE' && code !== 'RESOURCE_EXHAUSTED') return undefined;
  const { status } = ERROR_CODES[code];
  const retryAfter = retryAfterOf(error);
  return retryAfter === undefined ? { status } : { status, headers: { 'Retry-After': `${retryAfter}` } };
}

/** GraphQL's own complaints come before any field is resolved, and have nothing but its own errors behind them. */
function isAboutRequest(error: GraphQLError): boolean {
  const original = originalOf(error);
  if (original === undefined) return true;
  return error.path === undefined && original instanceof GraphQLError && isAboutRequest(original);
}

function replace(error: GraphQLError, message: string, extensions: Record<string, unknown>): GraphQLError {
  const { nodes, source, positions, path } = error;
  return new GraphQLError(message, nodes, source, positions, path, null, extensions);
}

/** A document that the schema does not allow, with all that is wrong with it. */
export class InvalidDocument extends Error {
  readonly errors: readonly GraphQLError[];

  constructor(errors: readonly GraphQLError[]) {
    super('the document is not valid');
    this.errors = errors;
  }
}
