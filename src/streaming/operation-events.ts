import { EVENTS } from './body-sink.ts';
import { encodeOnce, type OperationForm } from './operation-bodies.ts';

/**
 * A stream as server-sent events, on a request of its own: the distinct connections mode of graphql-sse. A comment is a heartbeat.
 * https://github.com/enisdenjo/graphql-sse/blob/master/PROTOCOL.md
 */
export const OPERATION_EVENTS: OperationForm = {
  accepted: /text\/event-stream/i,
  contentType: EVENTS.contentType,
  heartbeat: EVENTS.heartbeat,
  // Some browsers do not show an answer before its first byte.
  beginning: EVENTS.heartbeat,
  encode: encodeOnce((result) => Buffer.from(eventOf(result.encode().toString()))),
  ending: (error) =>
    Buffer.from(
      `${error === null ? '' : eventOf(JSON.stringify({ errors: [error] }))}event: complete\ndata:\n\n`,
    ),
};

function eventOf(json: string): string {
  return `event: next\ndata: ${json}\n\n`;
}
