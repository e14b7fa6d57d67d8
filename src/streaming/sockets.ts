import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { type WebSocket, WebSocketServer } from 'ws';
import { GatewayError } from '../errors.ts';
import { type Tended, TimerWheel } from '../http/server/timer-wheel.ts';
import type { StreamCounts } from './stream-counts.ts';

/** The largest message that a client may send; a larger one closes its WebSocket with 1009. */
const MAX_PAYLOAD = 64 * 1024;
/** In how many pieces it may come, which nobody pays for; more close its WebSocket with 1008. */
const MOST_FRAGMENTS = 32;

/** How many pings in a row may have no answer. */
const MOST_PINGS = 3;

/**
 * How many frames that nobody pays for are taken from a client within so long: more close its WebSocket with 1008, or cut it where it is
 * closing, when what was under way already may still come.
 */
const UNPAID = { most: 100, mostWhileClosing: 1000, withinMs: 10_000 } as const;

export interface SocketOptions {
  /** Chooses one of the protocols that the client offers. */
  readonly chooseProtocol: (offered: ReadonlySet<string>) => string | false;
  readonly heartbeatMs: number;
  readonly counts: StreamCounts;
}

/** Makes WebSockets of connections. */
export type CompleteUpgrade = (request: IncomingMessage, socket: Socket, head: Buffer) => Promise<WebSocket>;

/**
 * Makes the function that completes the handshake. It throws INVALID_ARGUMENT where the client's half is wrong. The
 * WebSocket is pinged, and terminated when its client has said nothing for `MOST_PINGS` pings: a client that is busy for a moment, as
 * with all that it missed, is not gone, and would only come again with the same to do.
 */
export function createUpgrade({ chooseProtocol, heartbeatMs, counts }: SocketOptions): CompleteUpgrade {
  const server = new WebSocketServer({
    noServer: true,
    clientTracking: false,
    maxPayload: MAX_PAYLOAD,
    maxFragments: MOST_FRAGMENTS,
    perMessageDeflate: false,
    handleProtocols: chooseProtocol,
  });
  const heartbeats = new TimerWheel(heartbeatMs);
  const refusals = new WeakMap<IncomingMessage, (error: Error) => void>();
  server.on('wsClientError', ({ message }, _, request) => {
    refusals.get(request)?.(
      new GatewayError('INVALID_ARGUMENT', `This is no WebSocket handshake: ${message}.`),
    );
  });
  return (request, socket, head) =>
    new Promise((resolve, reject) => {
      refusals.set(request, reject);
      // When the client has gone already, neither of the two is called.
      const onGone = () => reject(new GatewayError('INVALID_ARGUMENT', 'The connection is gone.'));
      socket.once('close', onGone);
      server.handleUpgrade(request, socket, head, (webSocket) => {
        // It would hold the request for as long as the socket is open.
        socket.off('close', onGone);
        boundUnpaid(webSocket);
        keepAlive(webSocket, heartbeats, counts);
        resolve(webSocket);
      });
    });
}

function keepAlive(webSocket: WebSocket, heartbeats: TimerWheel, { webSockets, cut }: StreamCounts): void {
  webSockets.open += 1;
  webSockets.opened += 1;
  let pings = 0;
  const heartbeat: Tended = {
    tend() {
      // While what waits for it is bounded nothing of it is read, its pongs neither; whoever takes nothing then is cut for that.
      if (webSocket.isPaused) {
        pings = 0;
        return;
      }
      if (pings === MOST_PINGS) {
        cut.unanswered += 1;
        return webSocket.terminate();
      }
      pings += 1;
      webSocket.ping();
    },
  };
  heartbeats.join(heartbeat);
  const noteLife = () => {
    pings = 0;
  };
  webSocket.on('pong', noteLife).on('message', noteLife);
  // The close code that follows says to the client what is wrong.
  webSocket.on('error', ignore);
  webSocket.on('close', () => {
    webSockets.open -= 1;
    heartbeats.leave(heartbeat);
  });
}

/** Of pings and pongs, and of messages after the goodbyes. */
function boundUnpaid(webSocket: WebSocket): void {
  let since = 0;
  let count = 0;
  const noteUnpaid = () => {
    const now = performance.now();
    if (now - since > UNPAID.withinMs) [since, count] = [now, 0];
    count += 1;
    const isOpen = webSocket.readyState === webSocket.OPEN;
    if (count <= (isOpen ? UNPAID.most : UNPAID.mostWhileClosing)) return;
    count = 0;
    if (isOpen) webSocket.close(1008, 'Too many pings and pongs.');
    else webSocket.terminate();
  };
  webSocket.on('ping', noteUnpaid).on('pong', noteUnpaid);
  webSocket.on('message', () => {
    if (webSocket.readyState !== webSocket.OPEN) noteUnpaid();
  });
}

function ignore(): void {}

/** What a close frame has room for beside its code. */
const MAX_REASON_BYTES = 123;

/** As much of a text as can be the reason of a WebSocket's close, in whole characters. */
export function closeReason(text: string): string {
  const { read } = new TextEncoder().encodeInto(text, new Uint8Array(MAX_REASON_BYTES));
  return text.slice(0, read);
}
