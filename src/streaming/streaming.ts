import type { RequestHandler, Router } from 'express';
import type { Logger } from 'pino';
import type { Engine } from '../engine/engine.ts';
import type { OperationProtocol } from '../engine/protocol.ts';
import type { OpenSource, SubscribeFor } from '../engine/run/subscribe.ts';
import type { Entrance } from '../http/entrance.ts';
import type { ClientAddresses } from '../http/limits/client-address.ts';
import type { WaitForBlock } from '../http/limits/min-block.ts';
import type { Quotas } from '../http/limits/quota.ts';
import type { RateLimiter } from '../http/limits/rate-limiter.ts';
import type { Turns } from '../http/limits/turns.ts';
import type { HttpServer } from '../http/server/listen.ts';
import type { AnswerWriter } from '../http/write/answer-writer.ts';
import { streamRoutes } from '../rest/index.ts';
import { createEventStreams } from './event-stream-router.ts';
import { Operations, type OperationsOptions } from './graphql-operations.ts';
import { chooseGraphqlProtocol, createGraphqlSockets } from './graphql-socket.ts';
import { HeldOperations } from './held-operations.ts';
import { serveBodies } from './operation-bodies.ts';
import { OPERATION_EVENTS } from './operation-events.ts';
import { OPERATION_LINES } from './operation-lines.ts';
import { OPERATION_PARTS } from './operation-parts.ts';
import { createUpgrade } from './sockets.ts';
import type { StreamCounts, StreamProtocol } from './stream-counts.ts';
import { createEncoder, type StreamCounters } from './stream-messages.ts';
import { createStreamRouter } from './stream-router.ts';
import { createStreamSocket } from './stream-socket.ts';
import { limitSubscribe } from './subscription.ts';
import { takeUpgrades } from './upgrades.ts';

interface StreamingOptions {
  readonly openSource: OpenSource;
  readonly clients: ClientAddresses;
  /** Null where clients may open as many streams as they like, one after the other. */
  readonly limiter: RateLimiter | null;
  /** What every request passes. */
  readonly enter: Entrance;
  readonly turns: Turns;
  readonly writer: AnswerWriter;
  /** Holds an operation back whose connection asks for a block. */
  readonly waitForBlock: WaitForBlock;
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
}

/** Every stream, on every transport, within the limits that they share. `pump.ts` says which way a stream takes. */
export interface Streaming {
  /** Subscribes for a client, within what it may have open. */
  readonly subscribeFor: SubscribeFor;
  /** Serves the documented streams over HTTP. */
  serveDocumented(engine: Engine): Router;
  /** Streams of GraphQL that are bodies: `bodies` in parts and lines, `events` for many on one connection. */
  serveGraphql(engine: Engine): { readonly bodies: readonly RequestHandler[]; readonly events: Router };
  /** Serves WebSockets on a server. */
  attach(server: Pick<HttpServer, 'server' | 'answered'>, engine: Engine): void;
  /** Takes no more WebSockets and operations on them, and closes each (1001) when its last operation is over. */
  stop(): void;
}

export function createStreaming(options: StreamingOptions): Streaming {
  const { openSource, quotas, clients, logger, heartbeatMs, stallMs, counts, enter, writer } = options;
  const held = new HeldOperations(quotas.streams);
  const subscribeFor: SubscribeFor = (client, protocol) =>
    limitSubscribe(
      openSource,
      (operation) => held.take(client, operation),
      counts.streams[streamProtocolOf(protocol)],
    );
  const encode = createEncoder(options.counters);
  const stopping = new AbortController();
  const onStop = (call: () => void) => stopping.signal.addEventListener('abort', call, { once: true });
  const operationsOf = (engine: Engine, protocol: OperationsOptions['protocol']) => {
    const { waitForBlock, maxOperationsPerSocket: maxPerSocket } = options;
    const operations = new Operations({ engine, clients, waitForBlock, maxPerSocket, protocol, logger });
    onStop(() => operations.drain());
    return operations;
  };
  return {
    subscribeFor,
    serveDocumented: (engine) => createStreamRouter(streamRoutes, { engine, encode, heartbeatMs, stallMs }),
    serveGraphql(engine) {
      const { limiter, isOneOfSeveral } = options;
      const watched = { writer, heartbeatMs, stallMs };
      const events = createEventStreams({
        ...watched,
        operations: operationsOf(engine, 'sse'),
        ...{ engine, quota: quotas.eventStreams, clients, limiter, isOneOfSeveral, counts, logger },
      });
      onStop(() => events.drain());
      const bodies = (
        [
          [OPERATION_PARTS, 'multipart'],
          [OPERATION_LINES, 'ndjson'],
          [OPERATION_EVENTS, 'sse'],
        ] as const
      ).map(([form, protocol]) =>
        serveBodies({ ...watched, form, engine, operations: operationsOf(engine, protocol) }),
      );
      return { bodies, events: events.router };
    },
    attach(server, engine) {
      const graphqlSockets = createGraphqlSockets({
        operations: operationsOf(engine, 'websocket'),
        completeUpgrade: createUpgrade({ chooseProtocol: chooseGraphqlProtocol, heartbeatMs, counts }),
        ...{ stallMs, turns: options.turns, counts, logger },
      });
      const streamSocket = {
        ...{ engine, encode, clients, stallMs, turns: options.turns, logger },
        completeUpgrade: createUpgrade({ chooseProtocol: ([first]) => first ?? false, heartbeatMs, counts }),
        isStopping: () => stopping.signal.aborted,
      };
      takeUpgrades(server, {
        handlers: new Map([
          ['/graphql', graphqlSockets.handler],
          ...streamRoutes.map((route) => [route.path, createStreamSocket(route, streamSocket)] as const),
        ]),
        ...{ origins: options.origins, sockets: quotas.sockets, clients, enter, writer, counts, logger },
      });
      onStop(() => graphqlSockets.drain());
    },
    stop: () => stopping.abort(),
  };
}

/** What streams are counted under that GraphQL over HTTP begins: it answers those with events. */
function streamProtocolOf(protocol: OperationProtocol): StreamProtocol {
  switch (protocol) {
    case 'rest':
    case 'http':
    case 'batch':
    case 'mcp':
      return 'sse';
    default:
      return protocol;
  }
}
