import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { ClientAddresses } from '../limits/client-address.ts';
import { hasBody } from '../limits/request-limits.ts';
import { Connection } from './connection.ts';
import { RefusedConnections, type RefusedCounts } from './refused-connections.ts';
import { passGrace, stopListening, takeTurn } from './stop-listening.ts';

export interface DrainOptions {
  /** How long new connections and requests are still taken, and how long an idle connection then waits for its next. */
  readonly graceMs: number;
  /** When all is over. */
  readonly deadlineMs: number;
}

export interface ConnectionCounts {
  readonly open: number;
  readonly refused: RefusedCounts;
}

interface ConnectionsOptions {
  readonly maxPerClient: number;
  readonly clients: ClientAddresses;
  readonly logger: Logger;
  /** Who listens and hands connections over; null where the server listens itself. */
  readonly listener: Listener | null;
  /** Is told of every answer that is out, or whose client is gone, and how long that took. */
  readonly onAnswered: (response: ServerResponse, ms: number) => void;
}

/** Listens for several servers, and hands each some of the connections. */
export interface Listener {
  /** Hands connections over from now on, to what takes them; `makeRoom` closes one of a client's that is idle. */
  start(accept: (socket: Socket) => void, makeRoom: (client: string) => boolean): void;
  /** Resolves when it has handed over the last, no later than in so many milliseconds. */
  end(limitMs: number): Promise<void>;
}

/**
 * The open connections of a server, also those that became WebSockets: how many a client may have, and their end. Our
 * own: Node's `closeIdleConnections`, and the libraries that end a server, destroy idle connections at once, with the
 * requests that are on their way on them.
 */
export class Connections {
  readonly #server: Server;
  readonly #maxPerClient: number;
  readonly #clients: ClientAddresses;
  readonly #onAnswered: ConnectionsOptions['onAnswered'];
  readonly #refused: RefusedConnections;
  readonly #listener: Listener | null;
  readonly #open = new Map<Socket, Connection>();
  readonly #byClient = new Map<string, Set<Connection>>();
  #isDraining = false;
  /** Requests that wait while the listener closes. */
  #held: (() => void)[] | null = null;
  #lastClosed = Number.NEGATIVE_INFINITY;

  /** Hands every request on to `app`, unless its connection has ended. */
  constructor(server: Server, app: RequestListener, options: ConnectionsOptions) {
    const { maxPerClient, clients, logger, listener, onAnswered } = options;
    this.#onAnswered = onAnswered;
    this.#server = server;
    this.#maxPerClient = maxPerClient;
    this.#clients = clients;
    this.#refused = new RefusedConnections(logger);
    this.#listener = listener;
    server.on('connection', (socket: Socket) => this.#accept(socket));
    // MAX_CONNECTIONS is kept by Node itself.
    server.on('drop', (dropped) => this.#refused.add(dropped?.remoteAddress ?? '', 'MAX_CONNECTIONS'));
    const onRequest = (request: IncomingMessage, response: ServerResponse) => {
      this.#owe(request, response, () => {
        if (this.#held === null) app(request, response);
        else this.#held.push(() => app(request, response));
      });
    };
    server.on('request', onRequest);
    // Node would refuse an expectation it does not know, without a body; HTTP lets a server disregard it.
    server.on('checkExpectation', onRequest);
    server.on('checkContinue', (request: IncomingMessage, response: ServerResponse) => {
      bidContinue(request, response);
      onRequest(request, response);
    });
  }

  /** A client's longest idle connection makes room for its new one, which is about to be used. */
  makeRoom(client: string): boolean {
    const connections = this.#byClient.get(client);
    return connections !== undefined && this.#makeRoom(connections);
  }

  /** How many are open, and how many were refused by which limit. */
  get counts(): ConnectionCounts {
    return { open: this.#open.size, refused: this.#refused.counts };
  }

  /** The open connection of a socket. */
  of(socket: Duplex): Connection | undefined {
    return this.#open.get(socket as Socket);
  }

  /**
   * Goes on for the grace, announcing to each client that its connection ends with the answer; then stops listening, and
   * resolves when every connection is closed: idle ones when the grace has passed since their last answer, the others
   * with the answer that they are owed, the rest when the deadline has passed. Gives the number of these.
   */
  async drain({ graceMs, deadlineMs }: DrainOptions): Promise<number> {
    this.#isDraining = true;
    const start = performance.now();
    const deadline = start + deadlineMs;
    const grace = Math.min(graceMs, deadlineMs);
    for (const connection of this.#open.values()) connection.announceClose();
    if (this.#listener === null) await this.#passGrace(start, grace);
    else await this.#listener.end(deadlineMs);
    const closed = new Promise<void>((resolve) => this.#server.once('close', resolve));
    await this.#stopListening(deadline);
    while (this.#open.size > 0 && performance.now() < deadline) {
      await this.#endIdle((since) => performance.now() - Math.max(since, start) >= grace);
      await sleep(LOOK_MS);
    }
    const destroyed = this.#open.size;
    for (const connection of this.#open.values()) connection.destroy();
    await closed;
    // The listener is closed; this ends the rest: Node's own search for late requests.
    this.#server.close();
    this.#refused.close();
    return destroyed;
  }

  #passGrace(start: number, graceMs: number): Promise<void> {
    const usedAt = () => (this.#open.size > 0 ? start : Math.min(start, this.#lastClosed));
    return passGrace({ graceMs, usedAt });
  }

  /** Where there is more to do than can be done, those who wait to be accepted come first, for this moment. */
  async #stopListening(deadline: number): Promise<void> {
    this.#held = [];
    await stopListening(this.#server, deadline);
    const held = this.#held;
    this.#held = null;
    for (const answer of held) answer();
  }

  async #endIdle(isDue: (since: number) => boolean): Promise<void> {
    const due = [...this.#open.values()].filter(({ idleSince }) => idleSince !== null && isDue(idleSince));
    if (due.length === 0) return;
    // What has come already is read now, and its connection is idle no more.
    await takeTurn();
    for (const connection of due) if (connection.idleSince !== null) connection.end();
  }

  #accept(socket: Socket): void {
    // It was not to become what it asked for, and is served on.
    if (this.#open.has(socket)) return;
    const connection = new Connection(socket, this.#clients.ofConnection(socket), this.#onAnswered);
    const { client } = connection;
    const others = (client !== null && this.#byClient.get(client)) || new Set();
    if (client !== null && others.size >= this.#maxPerClient && !this.#makeRoom(others)) {
      this.#refused.add(client, 'MAX_CONNECTIONS_PER_CLIENT');
      socket.destroy();
      return;
    }
    this.#open.set(socket, connection);
    if (client !== null) this.#byClient.set(client, others.add(connection));
    if (this.#isDraining) connection.announceClose();
    // `on`, here and wherever a stream stays open: a connection closes once, and `once` would hold a wrapper until then.
    socket.on('close', () => {
      this.#open.delete(socket);
      this.#lastClosed = performance.now();
      others.delete(connection);
      if (client !== null && others.size === 0) this.#byClient.delete(client);
    });
  }

  #makeRoom(connections: Set<Connection>): boolean {
    let [oldest, since]: [Connection | null, number] = [null, performance.now() - IDLE_FOR_MS];
    for (const connection of connections) {
      if (connection.idleSince === null || connection.idleSince > since) continue;
      [oldest, since] = [connection, connection.idleSince];
    }
    if (oldest === null) return false;
    connections.delete(oldest);
    oldest.destroy();
    return true;
  }

  #owe(request: IncomingMessage, response: ServerResponse, begin: () => void): void {
    const connection = this.#open.get(request.socket);
    // What still came on a connection that has ended is read and forgotten, as HTTP asks for.
    if (connection?.isEnded) return void request.resume();
    connection?.owe(response);
    if (this.#isDraining) connection?.announceClose();
    if (connection === undefined) begin();
    else connection.begin(begin);
  }
}

const LOOK_MS = 10;

/** How long a connection has had nothing to do before it may be closed for another: long enough for its request to come. */
const IDLE_FOR_MS = 1000;

/**
 * Bids a client send the body that it holds back (`Expect: 100-continue`), when the answers before it are out. Node bids
 * by itself, too early: behind an answer that is not out it puts that between the head and the body of the next.
 */
function bidContinue(request: IncomingMessage, response: ServerResponse): void {
  // HTTP lets that be left out where there is nothing to wait for.
  if (!hasBody(request)) return;
  if (response.socket !== null) response.writeContinue();
  else
    response.once('socket', () => {
      if (!response.headersSent) response.writeContinue();
    });
}
