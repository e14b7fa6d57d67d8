import type { ExecutionResult } from 'graphql';
import type { Engine } from '../engine/engine.ts';
import type { SharedResult } from '../engine/run/subscribe.ts';
import { asThrown, type ErrorCode, type ErrorDetail, GatewayError } from '../errors.ts';
import type { Caller } from '../http/request-scope.ts';
import { errorBody } from '../http/write/error-body.ts';
import { escapeJson } from '../http/write/json.ts';
import type { StreamMessage, StreamQuestion, StreamRoute } from '../rest/stream-route.ts';
import type { StreamProtocol } from './stream-counts.ts';
import { Subscription } from './subscription.ts';

/** How a message of a documented stream is wrapped: a line of NDJSON, a server-sent event, a WebSocket's frame. */
export type Wrapping = 'line' | 'event' | 'frame';

/**
 * The bytes of each message of a result; they are made once, however many clients they go to. Throws the error that the
 * result holds instead.
 */
export type Encode = (
  route: StreamRoute,
  result: SharedResult,
  wrapping: Wrapping,
  question: Pick<StreamQuestion, 'withCursors' | 'withProgress'>,
) => readonly Buffer[];

export interface StreamCounters {
  /** How often the bytes of a message were made. */
  encodings: number;
}

/** Begins what a request for a documented stream asks: a subscription in this process. Throws what refuses it. */
export async function openDocumentedStream(
  engine: Engine,
  { operation }: StreamRoute,
  { variables }: StreamQuestion,
  caller: Caller,
  protocol: StreamProtocol,
): Promise<Subscription> {
  const begun = await engine.subscribe(engine.price(operation, variables, protocol), caller);
  if (begun instanceof Subscription) return begun;
  const [error] = (begun as ExecutionResult).errors ?? [];
  throw error === undefined ? new Error('no stream and no error') : asThrown(error);
}

/** Throws the error of a result that has one: a documented stream has no other place for it than its end. */
export function refuseErrors({ errors }: SharedResult): void {
  const [error] = errors ?? [];
  if (error === undefined) return;
  if (error instanceof GatewayError) throw error;
  // A field's, with its place in the operation. Clients may read it: results come masked.
  const { code, details } = error.extensions;
  throw new GatewayError(code as ErrorCode, error.message, (details ?? []) as readonly ErrorDetail[]);
}

export function createEncoder(counters?: StreamCounters): Encode {
  const made = new WeakMap<SharedResult, Map<string, readonly Buffer[]>>();
  return (route, result, wrapping, question) => {
    refuseErrors(result);
    const ofResult = made.get(result) ?? new Map<string, readonly Buffer[]>();
    made.set(result, ofResult);
    const { withCursors, withProgress } = question;
    const key = `${route.path} ${wrapping} ${withCursors} ${withProgress}`;
    const known = ofResult.get(key);
    if (known !== undefined) return known;
    const bytes = messagesOf(route.toMessage(result.data), question).map(({ json, cursor }) =>
      Buffer.from(wrap(wrapping, json, cursor === null ? '' : `id: ${cursor}\n`)),
    );
    ofResult.set(key, bytes);
    if (counters !== undefined) counters.encodings += 1;
    return bytes;
  };
}

/** The bytes of the error that a stream ends with; the request's id stands in it where the error has to be masked. */
export function encodeError(error: unknown, wrapping: Wrapping, requestId = ''): Buffer {
  const json = escapeJson(JSON.stringify({ error: errorBody(error, requestId) }));
  return Buffer.from(wrap(wrapping, json, 'event: error\n'));
}

/**
 * The JSON of each message, and the cursor after it. Of several that are told at once the last alone has one: who goes on after
 * it has had them all.
 */
function messagesOf(
  { results, block, cursor }: StreamMessage,
  { withCursors, withProgress }: Parameters<Encode>[3],
): readonly { readonly json: string; readonly cursor: string | null }[] {
  if (results.length === 0)
    return withProgress ? [{ json: escapeJson(JSON.stringify({ reached: { block, cursor } })), cursor }] : [];
  return results.map((result, place) => {
    const own = place === results.length - 1 ? cursor : null;
    const beside = own === null ? { block } : { block, cursor: own };
    const rest = withCursors ? `,${JSON.stringify(beside).slice(1)}` : '}';
    return { json: escapeJson(`{"result":${result}${rest}`), cursor: own };
  });
}

function wrap(wrapping: Wrapping, json: string, eventFields: string): string {
  switch (wrapping) {
    case 'line':
      return `${json}\n`;
    case 'event':
      return `${eventFields}data: ${json}\n\n`;
    case 'frame':
      return json;
  }
}
