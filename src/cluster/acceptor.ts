import type { Socket } from 'node:net';
import type { Logger } from 'pino';
import type { ClientAddresses } from '../http/limits/client-address.ts';
import { RefusedConnections, type RefusedCounts } from '../http/server/refused-connections.ts';
import { type Newcomer, RoomRequests, type Taker } from './room-requests.ts';

export interface AcceptorOptions {
  readonly maxConnections: number;
  readonly maxConnectionsPerClient: number;
  readonly clients: ClientAddresses;
  readonly logger: Logger;
}

/** A connection is not kept waiting for longer where no worker is ready. */
const WAIT_MS = 5000;

/**
 * The connections of all workers. Each goes to the worker that has the fewest, unread; it is the acceptor's until that
 * has taken it, and goes to another where that ends before. Our own: Node's cluster counts no connections, gives up its
 * port where all workers end at once, and drops what a worker was just handed.
 */
export class Acceptor {
  readonly #options: AcceptorOptions;
  readonly #refused: RefusedConnections;
  readonly #connections = new Map<number, Connection>();
  readonly #perClient = new Map<string, number>();
  readonly #takers = new Map<number, { readonly taker: Taker; readonly open: Set<Connection> }>();
  readonly #waiting = new Set<Connection>();
  readonly #room: RoomRequests;
  #lastId = 0;
  #lastClosed = Number.NEGATIVE_INFINITY;

  constructor(options: AcceptorOptions) {
    this.#options = options;
    this.#refused = new RefusedConnections(options.logger);
    this.#room = new RoomRequests({
      takersOf: (client) => this.#takersOf(client),
      admit: ({ socket, client }) => this.#admit(socket, client),
      refuse: ({ socket, client }) => this.#refuse(socket, client, 'MAX_CONNECTIONS_PER_CLIENT'),
    });
  }

  /** When a connection was open last, as `performance.now()` has it. */
  get usedAt(): number {
    return this.#connections.size > 0 ? performance.now() : this.#lastClosed;
  }

  /** How many were refused, by the limit. */
  get refused(): RefusedCounts {
    return this.#refused.counts;
  }

  /** Takes a connection that is to be read by nobody here. */
  accept(socket: Socket): void {
    // Without a listener, a client that goes away now would end the process.
    socket.on('error', () => {});
    const client = this.#options.clients.ofConnection(socket);
    if (this.#connections.size + this.#room.size >= this.#options.maxConnections)
      this.#refuse(socket, client ?? '', 'MAX_CONNECTIONS');
    else if (client === null || (this.#perClient.get(client) ?? 0) < this.#options.maxConnectionsPerClient)
      this.#admit(socket, client);
    else this.#room.ask({ socket, client });
  }

  /** A worker takes connections from now on. */
  add(taker: Taker): void {
    this.#takers.set(taker.id, { taker, open: new Set() });
    for (const connection of this.#waiting) this.#handOver(connection);
  }

  /** A worker is gone. What it had is closed, and what it had not taken yet goes to another. */
  remove(id: number): void {
    const open = this.#takers.get(id)?.open ?? [];
    this.#takers.delete(id);
    for (const connection of open) {
      if (connection.socket === null) this.#forget(connection);
      else this.#handOver(connection);
    }
    this.#room.forget(id);
  }

  /** A worker has a connection now, before it reads any of it. */
  taken(id: number): void {
    const connection = this.#connections.get(id);
    // This closes no more than what this process has of it.
    connection?.socket?.destroy();
    if (connection !== undefined) connection.socket = null;
  }

  closed(id: number): void {
    const connection = this.#connections.get(id);
    if (connection !== undefined) this.#forget(connection);
  }

  /** A worker has none of a client's connections that could be closed for another. */
  noRoom(id: number, client: string): void {
    this.#room.tellNone(id, client);
  }

  /** Closes what no worker has taken. */
  close(): void {
    for (const { socket } of this.#connections.values()) socket?.destroy();
    this.#room.close();
    this.#refused.close();
  }

  #admit(socket: Socket, client: string | null): void {
    const connection: Connection = { id: ++this.#lastId, client, socket, taker: null };
    this.#connections.set(connection.id, connection);
    if (client !== null) this.#perClient.set(client, (this.#perClient.get(client) ?? 0) + 1);
    this.#handOver(connection);
  }

  #handOver(connection: Connection): void {
    const { socket } = connection;
    if (socket === null) return;
    const [first, ...others] = this.#takers.values();
    if (first === undefined) {
      this.#await(connection);
      return;
    }
    this.#waiting.delete(connection);
    const { taker, open } = others.reduce(
      (least, one) => (one.open.size < least.open.size ? one : least),
      first,
    );
    open.add(connection);
    connection.taker = taker.id;
    taker.send({ kind: 'connection', connection: connection.id }, socket);
  }

  #await(connection: Connection): void {
    this.#waiting.add(connection);
    setTimeout(() => {
      if (this.#waiting.has(connection)) this.#forget(connection);
    }, WAIT_MS).unref();
  }

  #forget(connection: Connection): void {
    const { id, client, socket, taker } = connection;
    socket?.destroy();
    this.#connections.delete(id);
    this.#waiting.delete(connection);
    if (taker !== null) this.#takers.get(taker)?.open.delete(connection);
    this.#lastClosed = performance.now();
    if (client === null) return;
    const left = (this.#perClient.get(client) ?? 0) - 1;
    if (left > 0) this.#perClient.set(client, left);
    else this.#perClient.delete(client);
    this.#room.tellRoom(client);
  }

  /** The workers that have connections of a client, those with the most of them first. */
  #takersOf(client: string): readonly Taker[] {
    const counted = [...this.#takers.values()].map(({ taker, open }) => {
      let count = 0;
      for (const connection of open) if (connection.client === client) count += 1;
      return { taker, count };
    });
    const having = counted.filter(({ count }) => count > 0).sort((one, other) => other.count - one.count);
    return having.map(({ taker }) => taker);
  }

  #refuse(socket: Newcomer['socket'], client: string, limit: keyof RefusedCounts): void {
    this.#refused.add(client, limit);
    socket.destroy();
  }
}

interface Connection {
  readonly id: number;
  /** Whom it counts for; null where it counts for nobody. */
  readonly client: string | null;
  /** Until a worker has taken it. */
  socket: Socket | null;
  taker: number | null;
}
