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
 * The bytes of a result's message; those of one message are made once, however many clients it goes to. Throws the
 * error that the result holds instead.
 */
export type Encode = (
  route: StreamRoute,
  result: SharedResult,
  wrapping: Wrapping,
  withCursors: boolean,
) => Buffer;

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
  const made = new WeakMap<SharedResult, Map<string, Buffer>>();
  return (route, result, wrapping, withCursors) => {
    refuseErrors(result);
    const ofResult = made.get(result) ?? new Map<string, Buffer>();
    made.set(result, ofResult);
    const key = `${route.path} ${wrapping} ${withCursors}`;
    const known = ofResult.get(key);
    if (known !== undefined) return known;
    const message = route.toMessage(result.data);
    const bytes = Buffer.from(wrap(wrapping, toJson(message, withCursors), `id: ${message.cursor}\n`));
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

function toJson({ result, block, cursor }: StreamMessage, withCursors: boolean): string {
  if (result === null) return escapeJson(JSON.stringify({ reached: { block, cursor } }));
  const beside = withCursors ? `,${JSON.stringify({ block, cursor }).slice(1)}` : '}';
  return escapeJson(`{"result":${result}${beside}`);
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
