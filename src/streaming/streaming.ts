import type { IncomingMessage, ServerResponse } from 'node:http';
import type { RequestHandler, Router } from 'express';
import type { Logger } from 'pino';
import { asksForSubscription } from '../engine/asks-for-subscription.ts';
import type { DocumentCache } from '../engine/documents/document-cache.ts';
import type { PersistedOperations } from '../engine/documents/persisted-operations.ts';
import type { OperationTimes } from '../engine/operation-times.ts';
import type { GraphqlServer } from '../engine/read-operation.ts';
import type { OpenSource } from '../engine/run/subscribe.ts';
import type { ClientAddresses } from '../http/limits/client-address.ts';
import type { WaitForBlock } from '../http/limits/min-block.ts';
import type { Quotas } from '../http/limits/quota.ts';
import { COST_OF_ASKING, type RateLimiter } from '../http/limits/rate-limiter.ts';
import type { HttpServer } from '../http/server/listen.ts';
import { cutAnswerWhenStalled } from '../http/server/stalls.ts';
import { streamRoutes } from '../rest/index.ts';
import { createEventStreams } from './event-stream-router.ts';
import { Operations, type OperationsOptions } from './graphql-operations.ts';
import { chooseGraphqlProtocol, createGraphqlSockets } from './graphql-socket.ts';
import { serveParts } from './parts.ts';
import { createUpgrade } from './sockets.ts';
import type { StreamCounts, StreamProtocol } from './stream-counts.ts';
import { createEncoder, type Encode, type StreamCounters } from './stream-messages.ts';
import { createStreamRouter } from './stream-router.ts';
import { createStreamSocket } from './stream-socket.ts';
import { limitSubscribe, type Subscribe } from './subscription.ts';
import { takeUpgrades } from './upgrades.ts';

export interface StreamingOptions {
  readonly openSource: OpenSource;
  readonly clients: ClientAddresses;
  /** Null where clients may open as many streams as they like, one after the other. */
  readonly limiter: RateLimiter | null;
  /** Holds a request back until the block is there that it asks for; null where it need not wait. */
  readonly minBlock: (request: IncomingMessage) => Promise<void> | null;
  /** Holds an operation back whose connection asks for a block. */
  readonly waitForBlock: WaitForBlock;
  /** The text of the document that an operation's parameters bring or name. */
  readonly textOf: PersistedOperations['textOf'];
  readonly documents: DocumentCache;
  readonly logger: Logger;
  /** The web origins whose pages may open WebSockets. */
  readonly origins: '*' | readonly string[];
  /** How many streams may be open at once, on all transports together, and how many WebSockets and event streams. */
  readonly quotas: Quotas;
  /** Whether other processes serve on the same port. */
  readonly isOneOfSeveral: boolean;
  readonly maxOperationsPerSocket: number;
  /** How often a quiet stream shows that it is alive. */
  readonly heartbeatMs: number;
  /** How long a reader may take nothing of what waits for it. */
  readonly stallMs: number;
  readonly counters?: StreamCounters;
  readonly counts: StreamCounts;
  readonly times: OperationTimes;
}

/** Every stream, on every transport, within the limits that they share. `pump.ts` says which way a stream takes. */
export interface Streaming {
  /** Serves the documented streams over HTTP. */
  readonly router: Router;
  /** Subscribes for the client that a request came from, within what it may have open. */
  subscribeFor(request: IncomingMessage, protocol: StreamProtocol): Subscribe;
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
  const { quotas, heartbeatMs, stallMs, counts } = options;
  const stopping = new AbortController();
  const open: OpenStreaming = {
    ...options,
    encode: createEncoder(options.counters),
    subscribeFor(request, protocol) {
      const client = options.clients.ofRequest(request);
      const take = async () => {
        await options.limiter?.charge(client, COST_OF_ASKING.stream);
        return quotas.streams.take(client);
      };
      return limitSubscribe(options.openSource, take, counts.streams[protocol]);
    },
    operationsOf: (graphql, protocol) =>
      new Operations({ ...options, graphql, protocol, maxPerSocket: options.maxOperationsPerSocket }),
    isStopping: () => stopping.signal.aborted,
    whenStopping: (call) => stopping.signal.addEventListener('abort', call, { once: true }),
  };
  const { encode, subscribeFor } = open;
  return {
    router: createStreamRouter(streamRoutes, { subscribeFor, encode, heartbeatMs, stallMs }),
    subscribeFor,
    serveGraphql: (graphql) => serveBodies(graphql, open),
    watch(response) {
      cutAnswerWhenStalled(response, stallMs, () => response.destroy());
    },
    attach: (server, graphql) => serveSockets(server, graphql, open),
    stop: () => stopping.abort(),
  };
}

/** What the transports have in common. */
interface OpenStreaming extends StreamingOptions {
  readonly encode: Encode;
  readonly subscribeFor: Streaming['subscribeFor'];
  operationsOf(graphql: GraphqlServer, protocol: OperationsOptions['protocol']): Operations;
  isStopping(): boolean;
  whenStopping(call: () => void): void;
}

function serveBodies(graphql: GraphqlServer, open: OpenStreaming): ReturnType<Streaming['serveGraphql']> {
  const { documents, textOf, quotas } = open;
  const [ofEvents, ofParts] = [open.operationsOf(graphql, 'sse'), open.operationsOf(graphql, 'multipart')];
  const events = createEventStreams({ ...open, operations: ofEvents, quota: quotas.eventStreams });
  open.whenStopping(() => {
    ofParts.drain();
    ofEvents.drain();
    events.drain();
  });
  const parts = serveParts({
    ...open,
    operations: ofParts,
    asksForSubscription: (params) => asksForSubscription(params, documents, textOf),
  });
  return { parts, events: events.router };
}

function serveSockets(
  server: Pick<HttpServer, 'server' | 'answered'>,
  graphql: GraphqlServer,
  open: OpenStreaming,
): void {
  const graphqlSockets = createGraphqlSockets({
    ...open,
    operations: open.operationsOf(graphql, 'websocket'),
    completeUpgrade: createUpgrade({ ...open, chooseProtocol: chooseGraphqlProtocol }),
  });
  const completeUpgrade = createUpgrade({ ...open, chooseProtocol: ([first]) => first ?? false });
  takeUpgrades(server, {
    ...open,
    sockets: open.quotas.sockets,
    handlers: new Map([
      ['/graphql', graphqlSockets.handler],
      ...streamRoutes.map(
        (route) => [route.path, createStreamSocket(route, { ...open, completeUpgrade })] as const,
      ),
    ]),
  });
  open.whenStopping(() => graphqlSockets.drain());
}
