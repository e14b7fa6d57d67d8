import type { IncomingMessage, ServerResponse } from 'node:http';
import type { RequestHandler, Router } from 'express';
import type { Logger } from 'pino';
import type { ClientAddresses } from '../http/client-address.ts';
import type { HttpServer } from '../http/listen.ts';
import { Quota } from '../http/quota.ts';
import { COST_OF_ASKING, type RateLimiter } from '../http/rate-limiter.ts';
import { cutAnswerWhenStalled } from '../http/stalls.ts';
import { asksForSubscription } from '../operations/asks-for-subscription.ts';
import type { DocumentCache } from '../operations/document-cache.ts';
import type { PersistedOperations } from '../operations/persisted-operations.ts';
import type { GraphqlServer } from '../operations/read-operation.ts';
import type { OpenSource } from '../operations/subscribe.ts';
import { streamRoutes } from '../rest/index.ts';
import { createEventStreams } from './event-stream-router.ts';
import { Operations } from './graphql-operations.ts';
import { chooseGraphqlProtocol, createGraphqlSockets } from './graphql-socket.ts';
import { serveParts } from './serve-parts.ts';
import { createUpgrade } from './sockets.ts';
import { createEncoder, type StreamCounters } from './stream-messages.ts';
import { createStreamRouter } from './stream-router.ts';
import { createStreamSocket } from './stream-socket.ts';
import { limitSubscribe, type Subscribe } from './subscription.ts';
import { takeUpgrades } from './upgrades.ts';

export interface StreamingOptions {
  readonly openSource: OpenSource;
  readonly clients: ClientAddresses;
  /** Null where clients may open as many streams as they like, one after the other. */
  readonly limiter: RateLimiter | null;
  /** The text of the document that an operation's parameters bring or name. */
  readonly textOf: PersistedOperations['textOf'];
  readonly documents: DocumentCache;
  readonly logger: Logger;
  /** The web origins whose pages may open WebSockets. */
  readonly origins: '*' | readonly string[];
  /** How many streams may be open at once, on all transports together, and how many for one address. */
  readonly maxStreams: number;
  readonly maxStreamsPerClient: number;
  /** How many WebSockets, and as many event streams of many operations. */
  readonly maxSockets: number;
  readonly maxSocketsPerClient: number;
  readonly maxOperationsPerSocket: number;
  /** How often a quiet stream shows that it is alive. */
  readonly heartbeatMs: number;
  /** How long a reader may take nothing of what waits for it. */
  readonly stallMs: number;
  readonly counters?: StreamCounters;
}

/** Every stream, on every transport, within the limits that they share. `pump.ts` says which way a stream takes. */
export interface Streaming {
  /** Serves the documented streams over HTTP. */
  readonly router: Router;
  /** Subscribes for the client that a request came from, within what it may have open. */
  subscribeFor(request: IncomingMessage): Subscribe;
  /** Streams of GraphQL that are bodies: `parts` for those that take parts, `events` for many on one connection. */
  serveGraphql(graphql: GraphqlServer): { readonly parts: RequestHandler; readonly events: Router };
  /** Destroys the connection of an answer of GraphQL that is not read. */
  watch(response: ServerResponse): void;
  /** Serves WebSockets on a server. */
  attach(server: Pick<HttpServer, 'server' | 'answered'>, graphql: GraphqlServer): void;
  /** Takes no more WebSockets and operations on them, and closes each (1001) when its last operation is over. */
  stop(): void;
}

export function createStreaming(options: StreamingOptions): Streaming {
  const { openSource, logger, heartbeatMs, stallMs } = options;
  const streams = new Quota('streams', { total: options.maxStreams, perClient: options.maxStreamsPerClient });
  const sockets = new Quota('WebSockets', {
    total: options.maxSockets,
    perClient: options.maxSocketsPerClient,
  });
  const subscribeFor = (request: IncomingMessage) => {
    const client = options.clients.ofRequest(request);
    return limitSubscribe(openSource, () => {
      options.limiter?.charge(client, COST_OF_ASKING.stream);
      return streams.take(client);
    });
  };
  const encode = createEncoder(options.counters);
  const stopping = new AbortController();
  const operationsOf = (graphql: GraphqlServer) => {
    const { textOf, maxOperationsPerSocket: maxPerSocket } = options;
    return new Operations({ graphql, textOf, maxPerSocket, logger });
  };
  return {
    router: createStreamRouter(streamRoutes, { subscribeFor, encode, heartbeatMs, stallMs }),
    subscribeFor,
    serveGraphql(graphql) {
      const { documents, textOf, clients, limiter } = options;
      const operations = operationsOf(graphql);
      const quota = new Quota('event streams', {
        total: options.maxSockets,
        perClient: options.maxSocketsPerClient,
      });
      const watched = { operations, heartbeatMs, stallMs };
      const events = createEventStreams({ ...watched, quota, clients, limiter, logger });
      const onStop = () => {
        operations.drain();
        events.drain();
      };
      stopping.signal.addEventListener('abort', onStop, { once: true });
      return {
        parts: serveParts({
          ...watched,
          asksForSubscription: (params) => asksForSubscription(params, documents, textOf),
        }),
        events: events.router,
      };
    },
    watch(response) {
      cutAnswerWhenStalled(response, stallMs, () => response.destroy());
    },
    attach(server, graphql) {
      const graphqlSockets = createGraphqlSockets({
        operations: operationsOf(graphql),
        completeUpgrade: createUpgrade({ chooseProtocol: chooseGraphqlProtocol, heartbeatMs }),
        stallMs,
        logger,
      });
      const streamSocket = {
        subscribeFor,
        encode,
        completeUpgrade: createUpgrade({ chooseProtocol: ([first]) => first ?? false, heartbeatMs }),
        stallMs,
        isStopping: () => stopping.signal.aborted,
        logger,
      };
      takeUpgrades(server, {
        handlers: new Map([
          ['/graphql', graphqlSockets.handler],
          ...streamRoutes.map((route) => [route.path, createStreamSocket(route, streamSocket)] as const),
        ]),
        origins: options.origins,
        sockets,
        clients: options.clients,
        limiter: options.limiter,
        logger,
      });
      stopping.signal.addEventListener('abort', () => graphqlSockets.drain(), { once: true });
    },
    stop: () => stopping.abort(),
  };
}
