import type { Socket } from 'node:net';
import type { Logger } from 'pino';
import type { ClientAddresses } from '../http/limits/client-address.ts';
import { RefusedConnections, type RefusedCounts } from '../http/server/refused-connections.ts';
import type { WorkerProcess } from './worker-process.ts';

interface AcceptorOptions {
  readonly maxConnections: number;
  readonly maxConnectionsPerClient: number;
  readonly clients: ClientAddresses;
  readonly logger: Logger;
}

/** A connection is not kept waiting for longer where no worker is ready. */
const WAIT_MS = 5000;
/** How many connections of a client may wait until an idle one of its own is closed. */
const MOST_NEWCOMERS = 64;

/** A connection that was accepted here. */
interface Accepted {
  readonly id: number;
  /** Whom it counts for; null where it counts for nobody. */
  readonly client: string | null;
  /** Until a worker has taken it. */
  socket: Socket | null;
  /** The one that it was handed to. */
  worker: WorkerProcess | null;
}

/**
 * The connections of all workers. Each goes to the worker that has the fewest, unread; it is the acceptor's until that
 * has taken it, and goes to another where that ends before.
 *
 * Node's cluster could accept instead. It cannot count the connections of a client. Of 12 connections it lost one where
 * one of two workers hung, and it refused all for 260 ms where all workers ended at once, the start of an empty program.
 */
export class Acceptor {
  readonly #options: AcceptorOptions;
  readonly #refused: RefusedConnections;
  readonly #connections = new Map<number, Accepted>();
  readonly #perClient = new Map<string, number>();
  readonly #workers = new Map<WorkerProcess, Set<Accepted>>();
  /** Those that were taken while no worker was ready. */
  readonly #waiting = new Set<Accepted>();
  #lastId = 0;
  #lastClosed = Number.NEGATIVE_INFINITY;

  constructor(options: AcceptorOptions) {
    this.#options = options;
    this.#refused = new RefusedConnections(options.logger);
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
    const { maxConnections, maxConnectionsPerClient: most, clients } = this.#options;
    // Without a listener, a client that goes away now would end the process.
    socket.on('error', () => {});
    const client = clients.ofConnection(socket);
    const others = (client !== null && this.#perClient.get(client)) || 0;
    if (this.#connections.size >= maxConnections) this.#refuse(socket, client, 'MAX_CONNECTIONS');
    else if (others >= most + MOST_NEWCOMERS) this.#refuse(socket, client, 'MAX_CONNECTIONS_PER_CLIENT');
    else if (others < most) this.#handOver(this.#add(socket, client));
    else void this.#handOverForIdle(this.#add(socket, client));
  }

  /** A worker takes connections from now on. */
  addWorker(worker: WorkerProcess): void {
    this.#workers.set(worker, new Set());
    for (const connection of this.#waiting) this.#handOver(connection);
  }

  /** A worker is gone. What it had is closed, and what it had not taken yet goes to another. */
  removeWorker(worker: WorkerProcess): void {
    const open = this.#workers.get(worker) ?? [];
    this.#workers.delete(worker);
    for (const connection of open) {
      if (connection.socket === null) this.#forget(connection);
      else this.#handOver(connection);
    }
  }

  /** A worker has a connection now, before it reads any of it. */
  noteTaken(id: number): void {
    const connection = this.#connections.get(id);
    // This closes no more than what this process has of it.
    connection?.socket?.destroy();
    if (connection !== undefined) connection.socket = null;
  }

  noteClosed(id: number): void {
    const connection = this.#connections.get(id);
    if (connection !== undefined) this.#forget(connection);
  }

  /** Closes what no worker has taken. */
  close(): void {
    for (const { socket } of this.#connections.values()) socket?.destroy();
    this.#refused.close();
  }

  #add(socket: Socket, client: string | null): Accepted {
    const connection = { id: ++this.#lastId, client, socket, worker: null };
    this.#connections.set(connection.id, connection);
    if (client !== null) this.#perClient.set(client, (this.#perClient.get(client) ?? 0) + 1);
    return connection;
  }

  /** Hands over one of a client that has as many as it may, where a worker closes an idle one of its own for it. */
  async #handOverForIdle(connection: Accepted): Promise<void> {
    const { socket, client } = connection;
    if (socket === null || client === null) return;
    const hasRoom = await this.#makeRoom(client);
    const open = this.#perClient.get(client) ?? 0;
    if (hasRoom || open <= this.#options.maxConnectionsPerClient) return this.#handOver(connection);
    this.#forget(connection);
    this.#refuse(socket, client, 'MAX_CONNECTIONS_PER_CLIENT');
  }

  /** Asks the workers that have connections of a client, those with the most first, until one has closed one. */
  async #makeRoom(client: string): Promise<boolean> {
    const counted = [...this.#workers].map(([worker, open]) => {
      let count = 0;
      for (const connection of open) if (connection.client === client) count += 1;
      return { worker, count };
    });
    const having = counted.filter(({ count }) => count > 0).sort((one, other) => other.count - one.count);
    for (const { worker } of having) if (await worker.calls.makeRoom(client).catch(() => false)) return true;
    return false;
  }

  #handOver(connection: Accepted): void {
    const { id, socket } = connection;
    const workers = [...this.#workers];
    if (socket === null) return;
    if (workers.length === 0) {
      this.#await(connection);
      return;
    }
    const [worker, open] = workers.reduce((least, one) => (one[1].size < least[1].size ? one : least));
    this.#waiting.delete(connection);
    open.add(connection);
    connection.worker = worker;
    worker.handOver(id, socket);
  }

  #await(connection: Accepted): void {
    this.#waiting.add(connection);
    setTimeout(() => this.#waiting.has(connection) && this.#forget(connection), WAIT_MS).unref();
  }

  #forget(connection: Accepted): void {
    const { id, client, socket, worker } = connection;
    socket?.destroy();
    this.#connections.delete(id);
    this.#waiting.delete(connection);
    if (worker !== null) this.#workers.get(worker)?.delete(connection);
    this.#lastClosed = performance.now();
    if (client === null) return;
    const left = (this.#perClient.get(client) ?? 0) - 1;
    if (left > 0) this.#perClient.set(client, left);
    else this.#perClient.delete(client);
  }

  #refuse(socket: Socket, client: string | null, limit: keyof RefusedCounts): void {
    this.#refused.add(client ?? '', limit);
    socket.destroy();
  }
}
