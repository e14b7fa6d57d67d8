import type { SharedResult } from '../engine/run/subscribe.ts';
import type { GatewayError } from '../errors.ts';
import { encodeOnce, type OperationForm } from './operation-bodies.ts';

const BOUNDARY = '--graphql';

/**
 * A stream as parts of a body, which Apollo's clients read without a WebSocket. Each part ends with the boundary of the
 * next, as they take a part only when they have seen that.
 * https://www.apollographql.com/docs/graphos/routing/operations/subscriptions/multipart-protocol
 */
export const OPERATION_PARTS: OperationForm = {
  // As Apollo's clients ask for a subscription; some name a boundary, in whatever order. Each type is looked through once.
  accepted: /(?:^|,)\s*multipart\/mixed *;[^,]*subscriptionSpec="?1\.0"?/i,
  contentType: 'multipart/mixed;boundary="graphql";subscriptionSpec=1.0',
  heartbeat: partOf('{}'),
  beginning: Buffer.concat([Buffer.from(`\r\n${BOUNDARY}`), partOf('{}')]),
  encode: encodeOnce(encodePart),
  ending: (error) => Buffer.concat([error === null ? Buffer.alloc(0) : partOfErrors([error]), END]),
};

const END = Buffer.from('--\r\n');

function encodePart({ data, errors, encode }: SharedResult): Buffer {
  // What was not executed has no data: the stream itself has failed, which the protocol tells apart.
  return data === undefined ? partOfErrors(errors ?? []) : partOf(`{"payload":${encode().toString()}}`);
}

function partOfErrors(errors: SharedResult['errors'] | readonly GatewayError[]): Buffer {
  return partOf(JSON.stringify({ payload: null, errors }));
}

function partOf(json: string): Buffer {
  return Buffer.from(`\r\nContent-Type: application/json\r\n\r\n${json}\r\n${BOUNDARY}`);
}
