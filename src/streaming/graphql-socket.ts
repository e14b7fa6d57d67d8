import { GRAPHQL_TRANSPORT_WS_PROTOCOL } from 'graphql-ws';
import type { Logger } from 'pino';
import type { WebSocket } from 'ws';
import type { Turns } from '../http/limits/turns.ts';
import { cutWhenStalled } from '../http/server/stalls.ts';
import { FrameWriter, frameOf } from './frames.ts';
import type { Operations } from './graphql-operations.ts';
import { Inbox } from './inbox.ts';
import { stalled } from './pump.ts';
import { type ProtocolWire, SocketProtocol } from './socket-protocol.ts';
import { type CompleteUpgrade, closeReason } from './sockets.ts';
import type { StreamCounts } from './stream-counts.ts';
import type { UpgradeHandler } from './upgrades.ts';

/** GraphQL over WebSocket. */
interface GraphqlSockets {
  readonly handler: UpgradeHandler;
  /** Takes no more operations, and closes each socket (1001) when its last operation is over. */
  drain(): void;
}

/** Chooses among the protocols that a client offers. Without this one, the socket is closed with 4406. */
export function chooseGraphqlProtocol(offered: ReadonlySet<string>): string | false {
  return offered.has(GRAPHQL_TRANSPORT_WS_PROTOCOL) && GRAPHQL_TRANSPORT_WS_PROTOCOL;
}

export function createGraphqlSockets(options: {
  readonly operations: Operations;
  readonly completeUpgrade: CompleteUpgrade;
  readonly stallMs: number;
  readonly turns: Turns;
  readonly counts: StreamCounts;
  readonly logger: Logger;
}): GraphqlSockets {
  const { operations, completeUpgrade, stallMs, turns, counts, logger } = options;
  const open = new Map<WebSocket, SocketProtocol>();
  const closeIfIdle = (webSocket: WebSocket) => {
    if (operations.isDraining && open.get(webSocket)?.isIdle)
      webSocket.close(1001, 'The gateway is stopping.');
  };
  return {
    async handler(request, socket, head) {
      const webSocket = await completeUpgrade(request, socket, head);
      if (webSocket.protocol !== GRAPHQL_TRANSPORT_WS_PROTOCOL)
        return webSocket.close(4406, `The protocol is ${GRAPHQL_TRANSPORT_WS_PROTOCOL}.`);
      const frames = new FrameWriter(webSocket, socket);
      const wire: ProtocolWire = {
        get hasRoom() {
          return frames.hasRoom;
        },
        whenRoom: (reader) => frames.whenRoom(reader),
        send: (before, shared, after) => frames.write(frameOf(before, shared, after)),
        answer: (text) => frames.answer(text),
        close: (code, reason) => webSocket.close(code, reason),
      };
      const onFault = (err: unknown) => logger.error({ err }, 'an operation on a WebSocket failed');
      const connection = new SocketProtocol(wire, (payload, on) => operations.begin(payload, request, on), {
        onIdle: () => closeIfIdle(webSocket),
        onFault,
      });
      open.set(webSocket, connection);
      const leaving = new AbortController();
      const end = () => {
        leaving.abort();
        connection.end();
      };
      const read = (bytes: Buffer) =>
        operations.readMessage(request, bytes.length, leaving.signal, () => {
          if (!leaving.signal.aborted) connection.receive(String(bytes));
        });
      const inbox = new Inbox(webSocket, frames, { turns, read, onFault });
      webSocket.on('message', (data) => inbox.take(data as Buffer));
      webSocket.on('close', () => {
        open.delete(webSocket);
        end();
      });
      // After the goodbyes, which a client need not follow by closing its half.
      socket.on('finish', end);
      cutWhenStalled(socket, stallMs, () => {
        counts.cut.stalled += 1;
        end();
        webSocket.close(1013, closeReason(stalled(stallMs).message));
      });
      // One that comes while the gateway stops opens too, so that a browser can read why it is closed.
      closeIfIdle(webSocket);
    },
    drain() {
      operations.drain();
      for (const webSocket of open.keys()) closeIfIdle(webSocket);
    },
  };
}
