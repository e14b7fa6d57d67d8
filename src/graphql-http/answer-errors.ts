import type { IncomingMessage, ServerResponse } from 'node:http';
import type { GraphQLError } from 'graphql';
import { ERROR_CODES, type ErrorCode, type ErrorDetail, GatewayError } from '../errors.ts';
import { errorBody, retryAfterOf, statusOf } from '../http/write/error-body.ts';
import { writeJson } from '../http/write/json.ts';

/**
 * Answers with what is wrong with an operation, as clients may see it: the status and the documented body of the first
 * error, and GraphQL's `errors` beside.
 */
export function answerErrors(
  request: IncomingMessage,
  response: ServerResponse,
  errors: readonly GraphQLError[],
): void {
  const error = asGatewayError(errors[0]);
  const retryAfter = retryAfterOf(error);
  if (retryAfter !== undefined) response.setHeader('Retry-After', retryAfter);
  response.setHeader('Cache-Control', 'no-store');
  writeJson(request, response, statusOf(error), { ...errorBody(error, ''), errors });
}

function asGatewayError(error: GraphQLError | undefined): GatewayError {
  const code = error?.extensions['code'] as ErrorCode | undefined;
  if (error === undefined || code === undefined || !(code in ERROR_CODES))
    throw error ?? new Error('no error to answer with');
  return new GatewayError(code, error.message, (error.extensions['details'] ?? []) as readonly ErrorDetail[]);
}
