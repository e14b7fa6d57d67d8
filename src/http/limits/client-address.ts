import type { IncomingMessage } from 'node:http';
import { isIP, isIPv6, type Socket } from 'node:net';
import { LRUCache } from 'lru-cache';
import type { Logger } from 'pino';
import proxyAddress from 'proxy-addr';

/** Which proxies are believed: so many in a row before us, or those with these addresses and networks; null: none. */
export type TrustedProxies = number | readonly string[] | null;

/** Whom requests and connections count for. */
export interface ClientAddresses {
  /** Whom a request counts for. */
  ofRequest(request: Peer): string;
  /** Whom a connection counts for; null where it is a trusted proxy's, which carries the requests of many. */
  ofConnection(socket: Pick<Socket, 'remoteAddress'>): string | null;
  /** How the client reached the address that it asks at: what a trusted proxy says in `X-Forwarded-Proto`, else plain HTTP. */
  schemeOf(request: Peer): 'http' | 'https';
}

type Peer = Pick<IncomingMessage, 'headers'> & { readonly socket: Pick<Socket, 'remoteAddress'> };

/**
 * Without trusted proxies a client is the address that a connection comes from, and no header is asked: anybody can
 * write one. Behind them it is the last address of `X-Forwarded-For` that none of them has.
 */
export function createClientAddresses(trusted: TrustedProxies, logger: Logger): ClientAddresses {
  if (trusted === null) {
    const warn = warnOnce(logger);
    return {
      ofRequest({ headers, socket }) {
        if (headers['x-forwarded-for'] !== undefined) warn(socket);
        return clientAt(socket.remoteAddress);
      },
      ofConnection: ({ remoteAddress }) => clientAt(remoteAddress),
      schemeOf: () => 'http',
    };
  }
  const isTrusted =
    typeof trusted === 'number'
      ? (_address: string, place: number) => place < trusted
      : proxyAddress.compile([...trusted]);
  const warn = warnOnce(logger);
  const byForwarded = new LRUCache<string, string>(KNOWN);
  const readForwarded = (address: string, list: string) => {
    const peer = { headers: { 'x-forwarded-for': list }, socket: { remoteAddress: address } };
    const forwarded = withoutPort(proxyAddress(peer as unknown as IncomingMessage, isTrusted));
    return clientAt(isIP(forwarded) === 0 ? address : forwarded);
  };
  return {
    ofRequest(request) {
      const address = request.socket.remoteAddress ?? '';
      const forwarded = request.headers['x-forwarded-for'];
      if (forwarded === undefined) return clientAt(address);
      if (!isTrusted(address, 0)) {
        warn(request.socket);
        return clientAt(address);
      }
      const list = endOf(String(forwarded));
      return remember(byForwarded, `${address} ${list}`, () => readForwarded(address, list));
    },
    ofConnection({ remoteAddress = '' }) {
      return isTrusted(remoteAddress, 0) ? null : clientAt(remoteAddress);
    },
    schemeOf({ headers, socket }) {
      const isSecure = headers['x-forwarded-proto'] === 'https';
      return isSecure && isTrusted(socket.remoteAddress ?? '', 0) ? 'https' : 'http';
    },
  };
}

/** One line is enough: it says what to set. */
function warnOnce(logger: Logger): (socket: Pick<Socket, 'remoteAddress'>) => void {
  let isTold = false;
  return ({ remoteAddress }) => {
    if (isTold) return;
    isTold = true;
    logger.warn(
      { peer: remoteAddress },
      'a request came with X-Forwarded-For from a peer that is not trusted: if it is your proxy, name it in TRUSTED_PROXIES; until then all its clients count as one',
    );
  };
}

/** The last addresses of a list: no chain of proxies is as long, and all before it is whatever a client writes. */
function endOf(forwarded: string): string {
  return forwarded.length <= MOST_OF_LIST ? forwarded : forwarded.slice(-MOST_OF_LIST).replace(/^[^,]*,/, '');
}

const MOST_OF_LIST = 1000;

/** Some proxies add the port that their client had. */
function withoutPort(address: string): string {
  return /^\[(.*)\](?::\d+)?$/.exec(address)?.[1] ?? address.replace(/^(\d+(?:\.\d+){3}):\d+$/, '$1');
}

/** Each request asks several times, and most of a client's come one after the other. What is long is read each time. */
const KNOWN = {
  max: 1000,
  maxEntrySize: 200,
  sizeCalculation: (_client: string, text: string) => text.length + 1,
} as const;
const byAddress = new LRUCache<string, string>(KNOWN);

function clientAt(remoteAddress = ''): string {
  return remember(byAddress, remoteAddress, () => readClient(remoteAddress));
}

function remember(known: LRUCache<string, string>, text: string, read: () => string): string {
  const client = known.get(text);
  if (client !== undefined) return client;
  const found = read();
  known.set(text, found);
  return found;
}

/** Of an IPv6 address the network (/64), since whoever has one has all of it. */
function readClient(remoteAddress: string): string {
  const address = remoteAddress.replace(/^::ffff:(?=\d+\.)/, '').split('%', 1)[0] ?? '';
  return isIPv6(address) ? networkOf(address) : address;
}

function networkOf(address: string): string {
  const [head = '', tail] = address.split('::');
  const first = head.split(':').filter((group) => group !== '');
  const last = (tail ?? '').split(':').filter((group) => group !== '');
  const zeros = tail === undefined ? [] : new Array<string>(8 - first.length - last.length).fill('0');
  return `${[...first, ...zeros, ...last].slice(0, 4).join(':')}::/64`;
}
