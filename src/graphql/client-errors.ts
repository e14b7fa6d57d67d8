import { GraphQLError } from 'graphql';
import type { Logger } from 'pino';
import { isUnavailable, unavailable } from '../data/unavailable.ts';
import { ERROR_CODES, GatewayError } from '../errors.ts';

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
    // An answer of 503 is what makes clients and proxies try again.
    const http = known.code === 'UNAVAILABLE' ? { http: { status, headers: { 'Retry-After': '1' } } } : {};
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
