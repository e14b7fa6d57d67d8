import type { IncomingMessage, ServerResponse } from 'node:http';
import { GatewayError } from '../../errors.ts';
import { errorBody, retryAfterOf, statusOf } from '../write/error-body.ts';
import { type ReadyHeaders, readyHeaders, type SendOptions } from '../write/ready-head.ts';

/**
 * What is not done because there is more to do than can be done, more asked for than may be, or newer than there is. It is
 * no fault, so it is not logged by itself, and writing it must cost next to nothing.
 */
export class Rejection extends GatewayError {}

/**
 * Refuses a request, after the headers given: with the error body, and with GraphQL's `errors` where it was that. Gives
 * how long the body is that is sent.
 */
export function sendRejection(
  request: IncomingMessage,
  response: ServerResponse,
  refusal: Rejection,
  id: string,
  { before, write }: Required<SendOptions>,
): number {
  const { status, text, bytes, own } = readyRejection(refusal, request.method, id);
  write(response, status, [...before, own]);
  const isHead = request.method === 'HEAD';
  response.end(isHead ? undefined : text);
  return isHead ? 0 : bytes;
}

/** What is sent of a refusal. */
export interface ReadyRejection {
  readonly status: number;
  readonly text: string;
  readonly bytes: number;
  readonly own: ReadyHeaders;
}

/** What admission refuses is always the same: it is made once. A code that clients may read needs no id. */
const ready = new WeakMap<Rejection, { get?: ReadyRejection; post?: ReadyRejection }>();

/** What a request of a method and an id is sent. */
export function readyRejection(refusal: Rejection, method: string | undefined, id: string): ReadyRejection {
  const isPost = method === 'POST';
  const known = ready.get(refusal) ?? {};
  ready.set(refusal, known);
  if (isPost) known.post ??= makeReady(refusal, { ...errorBody(refusal, id), errors: errorsOf(refusal) });
  else known.get ??= makeReady(refusal, errorBody(refusal, id));
  return (isPost ? known.post : known.get) as ReadyRejection;
}

function errorsOf({ message, code, details }: Rejection) {
  return [{ message, extensions: { code, details } }];
}

function makeReady(refusal: Rejection, body: object): ReadyRejection {
  const text = JSON.stringify(body);
  const bytes = Buffer.byteLength(text);
  const own = readyHeaders([
    ...['Cache-Control', 'no-store'],
    // What cannot be taken cannot be taken later either.
    ...(refusal.code === 'INVALID_ARGUMENT' ? [] : ['Retry-After', `${retryAfterOf(refusal) ?? 1}`]),
    ...['Content-Type', 'application/json', 'Content-Length', `${bytes}`],
  ]);
  return { status: statusOf(refusal), text, bytes, own };
}
