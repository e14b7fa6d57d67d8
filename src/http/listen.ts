import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import type { Logger } from 'pino';
import { ConfigError } from '../config.ts';
import type { ClientAddresses } from './client-address.ts';
import { Connections, type DrainOptions } from './connections.ts';
import { refuseBrokenRequest, refuseTunnel } from './protocol-errors.ts';
import { MAX_HEADERS } from './request-limits.ts';

export interface HttpServerOptions {
  readonly app: RequestListener;
  readonly host: string;
  /** 0 takes any free port. */
  readonly port: number;
  readonly headersTimeoutMs: number;
  readonly requestTimeoutMs: number;
  readonly keepAliveTimeoutMs: number;
  readonly maxConnections: number;
  readonly maxConnectionsPerClient: number;
  readonly clients: ClientAddresses;
  readonly corsOrigin: '*' | readonly string[];
  readonly logger: Logger;
}

export interface HttpServer {
  /** Where a client on this machine reaches the server, without a slash at the end. */
  readonly url: string;
  /** For those who take over connections (`upgrade`). */
  readonly server: Server;
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
  const { app, host, port, logger } = options;
  const server = createLimitedServer(options);
  const connections = new Connections(server, app, {
    maxPerClient: options.maxConnectionsPerClient,
    clients: options.clients,
    logger,
  });
  const broken = new WeakSet<Duplex>();
  server.on('clientError', (error, socket) => {
    // Once is enough: what comes behind bytes that cannot be read cannot be read either.
    if (broken.has(socket)) return;
    broken.add(socket);
    void refuseBrokenRequest(error, socket, connections.of(socket), options);
  });
  server.on('connect', (_request, socket) => void refuseTunnel(socket, connections.of(socket), options));
  await listen(server, host, port);

  let closed: Promise<number> | undefined;
  return {
    url: urlOf(server.address() as AddressInfo),
    server,
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

/** How many connections may wait to be accepted: one that finds no room tries again only a second later. */
const BACKLOG = 4096;

async function listen(server: Server, host: string, port: number): Promise<void> {
  server.listen({ host, port, backlog: BACKLOG });
  try {
    await once(server, 'listening');
  } catch (error) {
    throw listenError(error as NodeJS.ErrnoException, host, port);
  }
}

function listenError(error: NodeJS.ErrnoException, host: string, port: number): Error {
  switch (error.code) {
    case 'EADDRINUSE':
      return new ConfigError(
        `PORT is ${port}, which another program uses on ${host}; stop that one or set PORT to another.`,
      );
    case 'EACCES':
      return new ConfigError(`PORT is ${port}, which this user may not listen on; set PORT to 1024 or more.`);
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
    case 'EINVAL':
      return new ConfigError(`HOST is ${JSON.stringify(host)}, which is no address of this machine.`);
    default:
      return error;
  }
}

function urlOf({ address, family, port }: AddressInfo): string {
  const host = address === '0.0.0.0' ? '127.0.0.1' : address === '::' ? '::1' : address;
  return `http://${family === 'IPv6' ? `[${host}]` : host}:${port}`;
}
