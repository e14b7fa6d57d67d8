import { type Request, Router } from 'express';
import type { Engine } from '../engine/engine.ts';
import type { SharedResult } from '../engine/run/subscribe.ts';
import { onlyMethods } from '../http/limits/methods.ts';
import { LONGEST_ACCEPT } from '../http/preferences.ts';
import { exchangeOf } from '../http/write/exchange.ts';
import { setHeaders } from '../http/write/ready-head.ts';
import { findIgnoredParameters } from '../rest/ignored-parameters.ts';
import { queryOf } from '../rest/query-string.ts';
import type { StreamRoute } from '../rest/stream-route.ts';
import { BodySink, beginBody, type DocumentedForm, EVENTS, LINES } from './body-sink.ts';
import { pumpUnlessStalled } from './pump.ts';
import { type Encode, openDocumentedStream, refuseErrors } from './stream-messages.ts';
import type { Subscription } from './subscription.ts';

/** How long a stream may take to show that it cannot begin, before its answer does. */
const OPENING_MS = 1000;

interface StreamOptions {
  readonly engine: Engine;
  readonly encode: Encode;
  readonly heartbeatMs: number;
  readonly stallMs: number;
}

/**
 * Serves the documented streams as lines of JSON, or as server-sent events where those are asked for. What cannot
 * begin is answered as any other request; once begun, a stream says in its last line why it ends.
 */
export function createStreamRouter(routes: readonly StreamRoute[], options: StreamOptions): Router {
  const router = Router({ caseSensitive: true, strict: true });
  for (const route of routes) {
    const ignored = findIgnoredParameters(route.parameters);
    router.all(route.path, onlyMethods(route.method), async (request, response) => {
      const form = formOf(request);
      const lastEventId = form === EVENTS ? request.get('Last-Event-ID') : undefined;
      const query = queryOf(request.originalUrl);
      setHeaders(response, ignored.name(request, query));
      ignored.refuse(request, query);
      const question = route.read(query, lastEventId);
      if (request.method === 'HEAD') {
        beginBody(response, form);
        response.end();
        return;
      }
      const protocol = form === EVENTS ? 'sse' : 'ndjson';
      const { scope } = exchangeOf(response);
      const subscription = await openDocumentedStream(options.engine, route, question, scope, protocol);
      const leave = () => void subscription.return();
      if (response.destroyed) return leave();
      response.once('close', leave);
      await awaitOpening(subscription);
      beginBody(response, form);
      const toBytes = (result: SharedResult) => options.encode(route, result, form.wrapping, question);
      const sink = new BodySink(response, form, toBytes, options.heartbeatMs);
      // Some browsers and proxies wait for a first byte of the body before they show even the head.
      if (form === EVENTS) sink.beat();
      await pumpUnlessStalled(subscription, sink, options.stallMs);
    });
  }
  return router;
}

/**
 * Waits for the first result, though not for long: when the stream cannot begin, that is thrown while the answer can
 * still have a status of its own. After a cursor on a quiet network the first result may be hours away.
 */
async function awaitOpening(subscription: Subscription): Promise<void> {
  const first = await subscription.peek(OPENING_MS);
  if (first !== null) refuseErrors(first);
}

function formOf(request: Request): DocumentedForm {
  if ((request.headers.accept ?? '').length > LONGEST_ACCEPT) return LINES;
  return request.accepts([LINES.contentType, EVENTS.contentType]) === EVENTS.contentType ? EVENTS : LINES;
}
