import type { Request, RequestHandler } from 'express';
import { parseJson } from '../engine/documents/operation-params.ts';
import type { Engine } from '../engine/engine.ts';
import type { SharedResult } from '../engine/run/subscribe.ts';
import type { GatewayError } from '../errors.ts';
import { rejectedAnswer } from '../graphql-http/graphql-answer.ts';
import { isJson } from '../graphql-http/media-types.ts';
import { readQueryParams } from '../graphql-http/request-plugins.ts';
import { ClientLeft } from '../http/request-scope.ts';
import type { AnswerWriter } from '../http/write/answer-writer.ts';
import { exchangeOf } from '../http/write/exchange.ts';
import { type BodyForm, BodySink, beginBody } from './body-sink.ts';
import type { Operations } from './graphql-operations.ts';
import { pumpUnlessStalled } from './pump.ts';

const BOUNDARY = '--graphql';

/**
 * A stream as parts of a body, which Apollo's clients read without a WebSocket. Each part ends with the boundary of the
 * next, as they take a part only when they have seen that.
 * https://www.apollographql.com/docs/graphos/routing/operations/subscriptions/multipart-protocol
 */
const PARTS: BodyForm = {
  contentType: 'multipart/mixed;boundary="graphql";subscriptionSpec=1.0',
  heartbeat: partOf('{}'),
  ending: (error) => Buffer.concat([error === null ? Buffer.alloc(0) : partOfErrors([error]), END]),
};

/** What stands before the first part. */
const FIRST_BOUNDARY = Buffer.from(`\r\n${BOUNDARY}`);
const END = Buffer.from('--\r\n');

/** As Apollo's clients ask for a subscription; some name a boundary, in whatever order. */
const ACCEPTED = /multipart\/mixed *;[^,]*subscriptionSpec="?1\.0"?/i;

/** Serves subscriptions to those who take them in parts. Everything else is left to the next handler. */
export function serveParts(options: {
  readonly operations: Operations;
  readonly writer: AnswerWriter;
  readonly engine: Engine;
  readonly heartbeatMs: number;
  readonly stallMs: number;
}): RequestHandler {
  const { engine, operations, writer, heartbeatMs, stallMs } = options;
  return async (request, response, next) => {
    if (!ACCEPTED.test(request.get('Accept') ?? '')) return next();
    const { client } = exchangeOf(response).scope;
    const params = await engine.readBytes(client, lengthOf(request), () => readParams(request));
    if (params === null || (await engine.typeOf(params, client)) !== 'subscription') return next();
    const leaving = new AbortController();
    response.once('close', () => leaving.abort(new ClientLeft()));
    const begun = await operations.begin(params, request, {
      others: 0,
      minHeight: null,
      bytes: 0,
      signal: leaving.signal,
    });
    if (begun.kind !== 'stream') {
      const errors = begun.kind === 'refused' ? begun.errors : (begun.result.errors ?? []);
      return writer.send(exchangeOf(response), rejectedAnswer(errors));
    }
    const { results } = begun;
    const leave = () => void results.return();
    if (response.destroyed) return leave();
    response.once('close', leave);
    beginBody(response, PARTS);
    response.write(FIRST_BOUNDARY);
    const sink = new BodySink(response, PARTS, encodePart, heartbeatMs);
    sink.beat();
    await pumpUnlessStalled(results, sink, stallMs);
  };
}

function lengthOf({ body, originalUrl }: Request): number {
  return Buffer.isBuffer(body) ? body.length : originalUrl.length;
}

/** The parameters of an operation; null where the next handler says what is wrong with them. */
function readParams(request: Request): unknown {
  if (request.method === 'HEAD') return null;
  try {
    if (request.method === 'POST')
      return isJson(request.get('Content-Type')) ? parseJson(request.body) : null;
    return readQueryParams(new URL(request.originalUrl, 'http://localhost').searchParams);
  } catch {
    return null;
  }
}

const parts = new WeakMap<SharedResult, Buffer>();

/** The part of a result: made once, however many clients it goes to. */
function encodePart(result: SharedResult): Buffer {
  const known = parts.get(result);
  if (known !== undefined) return known;
  // What was not executed has no data: the stream itself has failed, which the protocol tells apart.
  const part =
    result.data === undefined
      ? partOfErrors(result.errors ?? [])
      : partOf(`{"payload":${result.encode().toString()}}`);
  parts.set(result, part);
  return part;
}

function partOfErrors(errors: SharedResult['errors'] | readonly GatewayError[]): Buffer {
  return partOf(JSON.stringify({ payload: null, errors }));
}

function partOf(json: string): Buffer {
  return Buffer.from(`\r\nContent-Type: application/json\r\n\r\n${json}\r\n${BOUNDARY}`);
}
