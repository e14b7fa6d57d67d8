import type { ErrorCode, ErrorDetail } from '../errors.ts';
import { GatewayError } from '../errors.ts';
import { errorBody } from '../http/error-body.ts';
import { escapeJson } from '../http/json.ts';
import type { SharedResult } from '../operations/subscribe.ts';
import { accountStream, type StreamMessage } from '../rest/streams.ts';

/** How a message of the documented stream is wrapped: a line of NDJSON, a server-sent event, a WebSocket's frame. */
export type Wrapping = 'line' | 'event' | 'frame';

/** The bytes of messages; those of one message are made once, however many readers they go to. */
export type Encode = (result: SharedResult, wrapping: Wrapping, withCursors: boolean) => Buffer;

export interface StreamCounters {
  /** How often the bytes of a message were made. */
  encodings: number;
}

export function createEncoder(counters?: StreamCounters): Encode {
  const made = new WeakMap<SharedResult, Map<string, Buffer>>();
  return (result, wrapping, withCursors) => {
    const ofResult = made.get(result) ?? new Map<string, Buffer>();
    made.set(result, ofResult);
    const key = `${wrapping} ${withCursors}`;
    const known = ofResult.get(key);
    if (known !== undefined) return known;
    const message = accountStream.toMessage(result.data);
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

/** The error of a result that has one. Clients may read it: results come masked. */
export function errorOf({ errors }: SharedResult): GatewayError | null {
  const [error] = errors ?? [];
  if (error === undefined) return null;
  const { code, details } = error.extensions;
  return new GatewayError(code as ErrorCode, error.message, (details ?? []) as readonly ErrorDetail[]);
}

function toJson({ result, block, cursor }: StreamMessage, withCursors: boolean): string {
  return escapeJson(JSON.stringify(withCursors ? { result, block, cursor } : { result }));
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
