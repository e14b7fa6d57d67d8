import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';

/** The open connections of a server (also those that became WebSockets), and the answers that each still owes. */
export class Connections {
  readonly #server: Server;
  readonly #owed = new Map<Socket, Set<ServerResponse>>();
  #draining = false;

  constructor(server: Server) {
    this.#server = server;
    server.on('connection', (socket: Socket) => {
      this.#owed.set(socket, new Set());
      socket.once('close', () => this.#owed.delete(socket));
    });
    // Before the application's own listener, so that it can still say in the head what becomes of the connection.
    const onRequest = (request: IncomingMessage, response: ServerResponse) => this.#accept(request, response);
    server.on('request', onRequest);
    server.on('checkExpectation', onRequest);
  }

  /** Whether the head of an answer is out and its end is not. */
  isAnswering(socket: Duplex): boolean {
    return [...(this.#owed.get(socket as Socket) ?? [])].some((response) => response.headersSent);
  }

  /**
   * Stops listening and resolves when every connection is closed: idle ones now, the others with the end of the answer that
   * they owe, the rest when the deadline has passed. Gives the number of these.
   */
  async drain(deadlineMs: number): Promise<number> {
    this.#draining = true;
    const closed = new Promise<void>((resolve) => this.#server.close(() => resolve()));
    for (const [socket, responses] of this.#owed) {
      for (const response of responses) announceClose(response);
      if (socket.bytesRead === 0) socket.destroy();
    }
    this.#server.closeIdleConnections();
    let destroyed = 0;
    const deadline = setTimeout(() => {
      destroyed = this.#owed.size;
      for (const socket of this.#owed.keys()) socket.destroy();
    }, deadlineMs);
    await closed;
    clearTimeout(deadline);
    return destroyed;
  }

  #accept(request: IncomingMessage, response: ServerResponse): void {
    const responses = this.#owed.get(request.socket);
    responses?.add(response);
    response.once('close', () => {
      responses?.delete(response);
      // The head may have promised to keep the connection, before the server knew that it would stop.
      if (this.#draining) setImmediate(() => this.#server.closeIdleConnections());
    });
    if (this.#draining) announceClose(response);
  }
}

function announceClose(response: ServerResponse): void {
  if (!response.headersSent) response.setHeader('Connection', 'close');
}
