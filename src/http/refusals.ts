import type { IncomingMessage, ServerResponse } from 'node:http';
import { GatewayError } from '../errors.ts';
import { errorBody, retryAfterOf, statusOf } from './error-body.ts';
import type { HeaderList } from './ready-head.ts';
import { setHeaders } from './send-answer.ts';

/**
 * What is not done because there is more to do than can be done, or more asked for than may be. It is no fault, so it is
 * not logged by itself, and writing it must cost next to nothing.
 */
export class Refusal extends GatewayError {}

/** Refuses a request, after the headers given: with the error body, and with GraphQL's `errors` where it was that. */
export function sendRefusal(
  request: IncomingMessage,
  response: ServerResponse,
  refusal: Refusal,
  id: string,
  head: HeaderList,
): void {
  const { message, code, details } = refusal;
  const body = errorBody(refusal, id);
  const errors = [{ message, extensions: { code, details } }];
  const text = JSON.stringify(request.method === 'POST' ? { ...body, errors } : body);
  setHeaders(response, head);
  response.writeHead(statusOf(refusal), {
    'Cache-Control': 'no-store',
    'Retry-After': `${retryAfterOf(refusal) ?? 1}`,
    'Content-Type': 'application/json',
    'Content-Length': `${Buffer.byteLength(text)}`,
  });
  response.end(request.method === 'HEAD' ? undefined : text);
}
