import type { IncomingMessage, ServerResponse } from 'node:http';
import { GatewayError } from '../errors.ts';
import { errorBody, retryAfterOf, statusOf } from './error-body.ts';
import type { HeaderList } from './ready-head.ts';

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
  const text = textOf(refusal, request.method === 'POST', id);
  response.writeHead(statusOf(refusal), [
    ...head,
    'Cache-Control',
    'no-store',
    'Retry-After',
    `${retryAfterOf(refusal) ?? 1}`,
    'Content-Type',
    'application/json',
    'Content-Length',
    `${Buffer.byteLength(text)}`,
  ]);
  response.end(request.method === 'HEAD' ? undefined : text);
}

/** What admission refuses is always the same: its text is made once. A code that clients may read needs no id. */
const texts = new WeakMap<Refusal, { readonly get: string; readonly post: string }>();

function textOf(refusal: Refusal, isPost: boolean, id: string): string {
  let known = texts.get(refusal);
  if (known === undefined) {
    const { message, code, details } = refusal;
    const body = errorBody(refusal, id);
    const errors = [{ message, extensions: { code, details } }];
    known = { get: JSON.stringify(body), post: JSON.stringify({ ...body, errors }) };
    texts.set(refusal, known);
  }
  return isPost ? known.post : known.get;
}
