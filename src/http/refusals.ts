import type { IncomingMessage, ServerResponse } from 'node:http';
import { GatewayError } from '../errors.ts';
import { errorBody, retryAfterOf, statusOf } from './error-body.ts';
import { type ReadyHeaders, readyHeaders, type SendOptions } from './ready-head.ts';

/**
 * What is not done because there is more to do than can be done, more asked for than may be, or newer than there is. It is
 * no fault, so it is not logged by itself, and writing it must cost next to nothing.
 */
export class Refusal extends GatewayError {}

/**
 * Refuses a request, after the headers given: with the error body, and with GraphQL's `errors` where it was that. Gives
 * how long the body is that is sent.
 */
export function sendRefusal(
  request: IncomingMessage,
  response: ServerResponse,
  refusal: Refusal,
  id: string,
  { before, write }: Required<SendOptions>,
): number {
  const { text, bytes, own } = readyRefusal(refusal, request.method === 'POST', id);
  write(response, statusOf(refusal), [...before, own]);
  const isHead = request.method === 'HEAD';
  response.end(isHead ? undefined : text);
  return isHead ? 0 : bytes;
}

interface ReadyRefusal {
  readonly text: string;
  readonly bytes: number;
  readonly own: ReadyHeaders;
}

/** What admission refuses is always the same: it is made once. A code that clients may read needs no id. */
const ready = new WeakMap<Refusal, { get?: ReadyRefusal; post?: ReadyRefusal }>();

function readyRefusal(refusal: Refusal, isPost: boolean, id: string): ReadyRefusal {
  const known = ready.get(refusal) ?? {};
  ready.set(refusal, known);
  if (isPost) known.post ??= makeReady(refusal, { ...errorBody(refusal, id), errors: errorsOf(refusal) });
  else known.get ??= makeReady(refusal, errorBody(refusal, id));
  return (isPost ? known.post : known.get) as ReadyRefusal;
}

function errorsOf({ message, code, details }: Refusal) {
  return [{ message, extensions: { code, details } }];
}

function makeReady(refusal: Refusal, body: object): ReadyRefusal {
  const text = JSON.stringify(body);
  const bytes = Buffer.byteLength(text);
  const own = readyHeaders([
    ...['Cache-Control', 'no-store'],
    // What cannot be taken cannot be taken later either.
    ...(refusal.code === 'INVALID_ARGUMENT' ? [] : ['Retry-After', `${retryAfterOf(refusal) ?? 1}`]),
    ...['Content-Type', 'application/json', 'Content-Length', `${bytes}`],
  ]);
  return { text, bytes, own };
}
