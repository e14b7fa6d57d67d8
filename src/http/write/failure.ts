import type { IncomingMessage } from 'node:http';
import type { Logger } from 'pino';
import { GatewayError, gatewayErrorOf, Rejection, RowsToCome } from '../../errors.ts';
import { ClientLeft } from '../request-scope.ts';
import { Answer } from './answer.ts';
import { type ErrorBody, errorBody, HttpError, quotedPath, retryAfterOf, statusOf } from './error-body.ts';
import type { Exchange } from './exchange.ts';
import { toReferenceForm } from './json.ts';

/** The answer to a request that failed: the documented error body. Logs what is the gateway's own fault. */
export function failureAnswer(
  thrown: unknown,
  { request, id }: Pick<Exchange, 'request' | 'id'>,
  logger: Logger,
): Answer {
  const error = translate(thrown, request) ?? thrown;
  if (error instanceof Rejection) return rejectionAnswer(error, request.method === 'POST');
  if (statusOf(error) >= 500 && !(error instanceof ClientLeft || error instanceof RowsToCome)) {
    const level = gatewayErrorOf(error) === undefined ? 'error' : 'warn';
    logger[level]({ id, err: error }, 'request failed');
  }
  return errorAnswer(errorBody(error, id), error, request.url);
}

/** An error body as an answer, with what it says of trying again. Nobody may keep it. */
export function errorAnswer(body: ErrorBody, error: unknown, url = ''): Answer {
  const retryAfter = retryAfterOf(error);
  const headers = [
    'Cache-Control',
    'no-store',
    ...(retryAfter === undefined ? [] : ['Retry-After', `${retryAfter}`]),
  ];
  return new Answer('application/json', toReferenceForm([JSON.stringify(body)], url), headers, {
    status: statusOf(error),
  });
}

/** What admission rejects is always the same: its answers are made once. A code that clients may read needs no id. */
const rejections = new WeakMap<Rejection, { get?: Answer; post?: Answer }>();

function rejectionAnswer(rejection: Rejection, isPost: boolean): Answer {
  const known = rejections.get(rejection) ?? {};
  rejections.set(rejection, known);
  if (isPost) known.post ??= errorAnswer(withErrors(rejection), rejection);
  else known.get ??= errorAnswer(errorBody(rejection, ''), rejection);
  return (isPost ? known.post : known.get) as Answer;
}

/** POST asks for GraphQL, whose clients look for `errors`. */
function withErrors(rejection: Rejection): ErrorBody {
  const { code, message, details } = rejection;
  return { ...errorBody(rejection, ''), ...{ errors: [{ message, extensions: { code, details } }] } };
}

/** Express and its parsers report what they cannot read as errors with a status of 400 to 499. */
function translate(thrown: unknown, request: IncomingMessage): GatewayError | undefined {
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
