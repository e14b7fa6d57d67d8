import type { RequestHandler } from 'express';
import type { Engine } from '../engine/engine.ts';
import type { SharedResult } from '../engine/run/subscribe.ts';
import { rejectedAnswer } from '../graphql-http/graphql-answer.ts';
import { lengthOf, readParams } from '../graphql-http/request-params.ts';
import { ClientLeft } from '../http/request-scope.ts';
import type { AnswerWriter } from '../http/write/answer-writer.ts';
import { exchangeOf } from '../http/write/exchange.ts';
import { type BodyForm, BodySink, beginBody } from './body-sink.ts';
import type { Operations } from './graphql-operations.ts';
import { pumpUnlessStalled } from './pump.ts';

/** How a subscription is the body of the answer to its own request. */
export interface OperationForm extends BodyForm {
  /** The Accept headers that ask for it. */
  readonly accepted: RegExp;
  /** What stands before the first result, so that whoever asks sees that the stream is there. */
  readonly beginning: Buffer;
  readonly encode: Encode;
}

/** The bytes of a result. */
type Encode = (result: SharedResult) => Buffer;

/** Makes the bytes of each result once, however many clients it goes to. */
export function encodeOnce(encode: Encode): Encode {
  const made = new WeakMap<SharedResult, Buffer>();
  return (result) => {
    const bytes = made.get(result) ?? encode(result);
    made.set(result, bytes);
    return bytes;
  };
}

/** Serves subscriptions to those who take them in a form. Everything else is left to the next handler. */
export function serveBodies(options: {
  readonly form: OperationForm;
  readonly operations: Operations;
  readonly writer: AnswerWriter;
  readonly engine: Engine;
  readonly heartbeatMs: number;
  readonly stallMs: number;
}): RequestHandler {
  const { form, engine, operations, writer, heartbeatMs, stallMs } = options;
  return async (request, response, next) => {
    if (request.method === 'HEAD' || !form.accepted.test(request.get('Accept') ?? '')) return next();
    const { client } = exchangeOf(response).scope;
    const params = await engine.readBytes(client, lengthOf(request), () => readParams(request));
    if (params === null || (await engine.typeOf(params, client)) !== 'subscription') return next();
    const leaving = new AbortController();
    response.once('close', () => leaving.abort(new ClientLeft()));
    const begun = await operations.begin(params, request, {
      others: 0,
      minHeight: null,
      signal: leaving.signal,
    });
    if (begun.kind !== 'stream') {
      const errors = begun.kind === 'refused' ? begun.errors : (begun.result.errors ?? []);
      return writer.send(exchangeOf(response), rejectedAnswer(errors));
    }
    // The request is there for as long as the stream is.
    request.body = undefined;
    const { results } = begun;
    const leave = () => void results.return();
    if (response.destroyed) return leave();
    response.once('close', leave);
    beginBody(response, form);
    response.write(form.beginning);
    const sink = new BodySink(response, form, (result) => [form.encode(result)], heartbeatMs);
    await pumpUnlessStalled(results, sink, stallMs);
  };
}
