import { GraphQLError } from 'graphql';
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
    const { code, details } = known;
    // GraphQL names the variable before what a scalar says of its value.
    const message = code === 'UNAVAILABLE' ? known.message : error.message;
    return replace(error, message, { ...httpOf(code, error), code, details });
  }
  if (isAboutRequest(error)) {
    const code = 'INVALID_ARGUMENT';
    return replace(error, error.message, { ...httpOf(code, error), ...error.extensions, code });
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

/** Says the HTTP status where GraphQL over HTTP has one for an error; `spec` leaves older clients their 200. */
function httpOf(code: ErrorCode, { path }: GraphQLError): Record<string, unknown> {
  const { status } = ERROR_CODES[code];
  // An answer of 503 is what makes clients and proxies try again.
  if (code === 'UNAVAILABLE') return { http: { status, headers: { 'Retry-After': '1' } } };
  return path === undefined ? { http: { status, spec: true } } : {};
}

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
