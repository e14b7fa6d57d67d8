import { once } from 'node:events';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { ConfigError } from '../../config.ts';

/** Where a server listens. */
export interface Place {
  readonly host: string;
  /** 0 takes any free port. */
  readonly port: number;
  /** How the settings are called that `port` and `host` come from. */
  readonly settings?: SettingNames;
}

interface SettingNames {
  readonly port: string;
  readonly host: string;
}

/** How many connections may wait to be accepted: one that finds no room tries again only a second later. */
const BACKLOG = 4096;

const PUBLIC: SettingNames = { port: 'PORT', host: 'HOST' };

export const METRICS_SETTINGS: SettingNames = { port: 'METRICS_PORT', host: 'METRICS_HOST' };

/** Listens on a port. Throws a ConfigError when the address cannot be had. */
export async function listen(server: Server, { host, port, settings: names = PUBLIC }: Place): Promise<void> {
  server.listen({ host, port, backlog: BACKLOG });
  try {
    await once(server, 'listening');
  } catch (error) {
    throw listenError(error as NodeJS.ErrnoException, host, port, names);
  }
}

/** Listens on a port for a moment. Throws a ConfigError when the address cannot be had. */
export async function tryPort(place: Place): Promise<void> {
  const server = createServer();
  await listen(server, place);
  await new Promise((resolve) => server.close(resolve));
}

function listenError(error: NodeJS.ErrnoException, host: string, port: number, names: SettingNames): Error {
  switch (error.code) {
    case 'EADDRINUSE':
      return new ConfigError(
        `${names.port} is ${port}, which another program uses on ${host}; stop that one or set ${names.port} to another.`,
      );
    case 'EACCES':
      return new ConfigError(
        `${names.port} is ${port}, which this user may not listen on; set ${names.port} to 1024 or more.`,
      );
    case 'EADDRNOTAVAIL':
    case 'EAFNOSUPPORT':
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
    case 'EINVAL':
      return new ConfigError(
        `${names.host} is ${JSON.stringify(host)}, which is no address of this machine.`,
      );
    default:
      return error;
  }
}

/** Where a client on this machine reaches a server that listens on a port. */
export function urlOf(server: Server): string {
  const { address, family, port } = server.address() as AddressInfo;
  const host = address === '0.0.0.0' ? '127.0.0.1' : address === '::' ? '::1' : address;
  return `http://${family === 'IPv6' ? `[${host}]` : host}:${port}`;
}
