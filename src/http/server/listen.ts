import { createServer, type RequestListener, type Server, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { Logger } from 'pino';
import type { ClientAddresses } from '../limits/client-address.ts';
import { MAX_HEADERS } from '../limits/request-limits.ts';
import { type ConnectionCounts, Connections, type DrainOptions, type Listener } from './connections.ts';
import { listen, type Place, urlOf } from './port.ts';
import { refuseBrokenRequest, refuseTunnel } from './protocol-errors.ts';

export interface HttpServerOptions extends Place {
  readonly app: RequestListener;
  readonly headersTimeoutMs: number;
  readonly requestTimeoutMs: number;
  readonly keepAliveTimeoutMs: number;
  readonly maxConnections: number;
  readonly maxConnectionsPerClient: number;
  readonly clients: ClientAddresses;
  /** Who listens on the port and hands connections over, where it is not this server. */
  readonly listener?: Listener | null;
  readonly corsOrigin: '*' | readonly string[];
  readonly logger: Logger;
  /** Is told of every answer that is out, or whose client is gone, and how long that took. */
  readonly onAnswered?: (response: ServerResponse, ms: number) => void;
}

export interface HttpServer {
  /** Where a client on this machine reaches the server, without a slash at the end; empty where another process listens. */
  readonly url: string;
  /** For those who take over connections (`upgrade`). */
  readonly server: Server;
  /** How many connections are open, and how many were refused by which limit. */
  readonly connections: ConnectionCounts;
  /** Resolves when all that was asked on a connection before is answered, or the connection is gone. */
  answered(socket: Duplex): Promise<void>;
  /**
   * Stops: goes on for the grace, then accepts no more connections, lets what was accepted finish, and destroys what is
   * left at the deadline. Resolves, when no connection is open, with how many had to be destroyed. Later calls get the
   * promise of the first.
   */
  close(options: DrainOptions): Promise<number>;
}

/** Listens, within the limits given. Throws a ConfigError when the address cannot be had. */
export async function startHttpServer(options: HttpServerOptions): Promise<HttpServer> {
  const { app, listener = null, logger } = options;
  const server = createLimitedServer(options);
  const connections = new Connections(server, app, {
    maxPerClient: options.maxConnectionsPerClient,
    clients: options.clients,
    logger,
    listener,
    onAnswered: options.onAnswered ?? (() => {}),
  });
  const broken = new WeakSet<Duplex>();
  server.on('clientError', (error, socket) => {
    // Once is enough: what comes behind bytes that cannot be read cannot be read either.
    if (broken.has(socket)) return;
    broken.add(socket);
    void refuseBrokenRequest(error, socket, connections.of(socket), options);
  });
  server.on('connect', (_request, socket) => void refuseTunnel(socket, connections.of(socket), options));
  if (listener === null) await listen(server, options);
  else {
    // Node's search for late requests begins with this.
    server.emit('listening');
    const makeRoom = (client: string) => connections.makeRoom(client);
    listener.start((socket) => accept(server, socket), makeRoom);
  }

  let closed: Promise<number> | undefined;
  return {
    url: listener === null ? urlOf(server) : '',
    server,
    get connections() {
      return connections.counts;
    },
    answered: async (socket) => connections.of(socket)?.answered(),
    close(drainOptions) {
      closed ??= connections.drain(drainOptions);
      return closed;
    },
  };
}

function createLimitedServer(options: HttpServerOptions): Server {
  const server = createServer({
    headersTimeout: options.headersTimeoutMs,
    requestTimeout: options.requestTimeoutMs,
    keepAliveTimeout: options.keepAliveTimeoutMs,
    // How often Node looks for requests that are late: often enough for short limits to mean what they say.
    connectionsCheckingInterval: Math.min(1000, options.headersTimeoutMs),
    maxHeaderSize: 16 * 1024,
    // Node's own refusal has no body; ours is in request-limits.ts.
    requireHostHeader: false,
  });
  server.maxHeadersCount = MAX_HEADERS + 1;
  server.maxConnections = options.maxConnections;
  return server;
}

/** Takes a connection that another process has accepted, as Node takes its own. */
function accept(server: Server, socket: Socket): void {
  socket.allowHalfOpen = true;
  socket.setNoDelay(true);
  server.emit('connection', socket);
}
