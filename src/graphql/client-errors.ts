import { randomUUID } from 'node:crypto';
import { type ExecutionResult, GraphQLError } from 'graphql';
import type { Logger } from 'pino';
import { isUnavailable, unavailable } from '../data/unavailable.ts';
import { ERROR_CODES, type ErrorCode, GatewayError } from '../errors.ts';

/**
 * The error that a client may know of behind whatever execution threw: a GatewayError as it is, a database out of
 * reach as UNAVAILABLE; undefined for everything that must be masked.
 */
export function gatewayErrorBehind(error: unknown): GatewayError | undefined {
  for (let link: unknown = error; link instanceof Error; link = originalOf(link)) {
    if (link instanceof GatewayError) return link;
  }
  return isUnavailable(error) ? unavailable() : undefined;
}

/**
 * An error of an operation's answer as clients see it: with `extensions.code` and, where there is more to say,
 * `extensions.details`. What they may not read is logged and named by the request id instead.
 */
export function toClientError(error: GraphQLError, requestId: string, logger: Logger): GraphQLError {
  const known = gatewayErrorBehind(error);
  if (known !== undefined) {
    const { status } = ERROR_CODES[known.code];
    const http = HTTP[known.code] === undefined ? {} : { http: { status, ...HTTP[known.code] } };
    // GraphQL puts the variable before what a scalar says of its value.
    const message = error.message.endsWith(known.message) ? error.message : known.message;
    return replace(error, message, { code: known.code, details: known.details, ...http });
  }
  if (isAboutRequest(error)) {
    return replace(error, error.message, { ...error.extensions, code: 'INVALID_ARGUMENT' });
  }
  logger.error({ id: requestId, err: error.originalError, path: error.path }, 'operation failed');
  return replace(
    error,
    `Something went wrong here, not with the request. The log has it under request id ${requestId}.`,
    {
      code: 'INTERNAL',
      details: [{ '@type': 'type.googleapis.com/google.rpc.RequestInfo', requestId }],
    },
  );
}

/** A result that leaves without HTTP around it: each of its errors as clients see them, with an id of its own. */
export function withClientErrors(result: ExecutionResult, logger: Logger): ExecutionResult {
  if (result.errors === undefined) return result;
  return { ...result, errors: result.errors.map((error) => toMessageError(error, logger)) };
}

/** An error as clients see it in a message, which has no status or headers. */
export function toMessageError(error: GraphQLError, logger: Logger): GraphQLError {
  const shown = toClientError(error, randomUUID(), logger);
  const { http: _, ...extensions } = shown.extensions;
  return replace(shown, shown.message, extensions);
}

/** The errors that are the answer's status too: it is what makes clients and proxies try again, and when. */
const HTTP: { readonly [Code in ErrorCode]?: object } = {
  UNAVAILABLE: { headers: { 'Retry-After': '1' } },
  RESOURCE_EXHAUSTED: {},
};

/** GraphQL's own complaints come before any field is resolved, and have nothing but its own errors behind them. */
function isAboutRequest(error: GraphQLError): boolean {
  const original = originalOf(error);
  if (original === undefined) return true;
  return error.path === undefined && original instanceof GraphQLError && isAboutRequest(original);
}

function originalOf(error: Error): Error | undefined {
  if (!(error instanceof GraphQLError) || error instanceof GatewayError) return undefined;
  return error.originalError === error ? undefined : error.originalError;
}

function replace(error: GraphQLError, message: string, extensions: Record<string, unknown>): GraphQLError {
  const { nodes, source, positions, path } = error;
  return new GraphQLError(message, nodes, source, positions, path, null, extensions);
}
