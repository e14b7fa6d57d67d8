import type { IncomingMessage, ServerResponse } from 'node:http';
import type { ErrorRequestHandler, Request, Response } from 'express';
import type { Logger } from 'pino';
import { GatewayError, gatewayErrorOf } from '../../errors.ts';
import { Rejection } from '../limits/rejection.ts';
import { ClientLeft } from '../request-scope.ts';
import { errorBody, HttpError, retryAfterOf, statusOf } from './error-body.ts';
import { writeJson } from './json.ts';
import { quotedPath } from './quoted.ts';
import { requestIdOf } from './request-id.ts';

/** The last handler: whatever was thrown becomes the documented error body, or the end of a stream begun already. */
export function handleErrors(logger: Logger): ErrorRequestHandler {
  // Express knows an error handler by its four parameters.
  return (thrown: unknown, request, response, _next) => {
    const error = translateError(thrown, request) ?? thrown;
    const isExpected = error instanceof ClientLeft || error instanceof Rejection;
    if (statusOf(error) >= 500 && !isExpected) {
      const level = gatewayErrorOf(error) === undefined ? 'error' : 'warn';
      logger[level]({ id: requestIdOf(response), err: error }, 'request failed');
    }
    if (response.headersSent) response.destroy();
    else writeError(request, response, error);
  };
}

/** Passes paths that nothing serves on to the error handler. */
export function refuseUnknownPaths(
  request: Request,
  _response: Response,
  next: (error: unknown) => void,
): void {
  next(new GatewayError('NOT_FOUND', `There is nothing at ${quotedPath(request)}.`));
}

/** Answers with an error's status, body and `Retry-After`. Never cached, whatever the handler had set before. */
export function writeError(request: IncomingMessage, response: ServerResponse, error: unknown): void {
  const retryAfter = retryAfterOf(error);
  if (retryAfter !== undefined) response.setHeader('Retry-After', retryAfter);
  response.setHeader('Cache-Control', 'no-store');
  for (const name of ['ETag', 'Last-Modified', 'Content-Encoding']) response.removeHeader(name);
  writeJson(request, response, statusOf(error), errorBody(error, requestIdOf(response)));
}

/** Express and its parsers report what they cannot read as errors with a status of 400 to 499. */
function translateError(thrown: unknown, request: Request): GatewayError | undefined {
  const known = gatewayErrorOf(thrown);
  if (known !== undefined || !(thrown instanceof Error)) return known;
  if (thrown instanceof URIError) {
    return new GatewayError(
      'INVALID_ARGUMENT',
      `The path ${quotedPath(request)} has a percent escape that is not one, or not of UTF-8.`,
    );
  }
  const status = 'status' in thrown ? Number(thrown.status) : 0;
  if (status === 413) return new HttpError(413, 'The request body is too large.');
  if (status >= 400 && status < 500)
    return new GatewayError('INVALID_ARGUMENT', `The request cannot be read: ${thrown.message}.`);
  return undefined;
}
