import { isIP } from 'node:net';
import { type Accepted, HOST_NAME, option, whole } from './option.ts';

const ORIGINS: Accepted<'*' | readonly string[]> = {
  takes: '* or origins such as https://app.example.org, separated by commas',
  read(text) {
    if (text === '*') return text;
    const list = text.split(',').map((origin) => origin.trim());
    const isValid = list.every((origin) => URL.canParse(origin) && new URL(origin).origin === origin);
    return isValid ? Object.freeze(list) : undefined;
  },
};

const PROXIES: Accepted<number | readonly string[]> = {
  takes:
    'the number of them in a row, or addresses and networks (loopback, linklocal and uniquelocal are names of some), separated by commas',
  read(text) {
    if (/^\d$/.test(text)) return Number(text);
    const list = text.split(',').map((proxy) => proxy.trim());
    return list.every(isProxy) ? Object.freeze(list) : undefined;
  },
};

/** An address, a network of a prefix's length, or a name that proxy-addr knows. */
function isProxy(text: string): boolean {
  const [address = '', bits, ...more] = text.split('/');
  if (more.length > 0) return false;
  if (bits === undefined) return isIP(address) !== 0 || /^(?:loopback|linklocal|uniquelocal)$/.test(text);
  const most = isIP(address) === 4 ? 32 : isIP(address) === 6 ? 128 : 0;
  return /^\d{1,3}$/.test(bits) && Number(bits) >= 1 && Number(bits) <= most;
}

export const http = {
  port: option('PORT', 'the port that the gateway listens on; 0 takes any free one', '3008', whole(0, 65535)),
  host: option(
    'HOST',
    'the address that it listens on; 0.0.0.0 or :: lets other machines in (there is no authentication)',
    '127.0.0.1',
    HOST_NAME,
  ),
  corsOrigin: option('CORS_ORIGIN', 'the web origins whose pages may read answers; * is all', '*', ORIGINS),
  bodyLimit: option('BODY_LIMIT', 'the largest request body, in bytes', '65536', whole(1024, 16 * 2 ** 20)),
  maxConnections: option(
    'MAX_CONNECTIONS',
    'how many connections may be open at once',
    '10000',
    whole(1, 1e6),
  ),
  maxConnectionsPerClient: option(
    'MAX_CONNECTIONS_PER_CLIENT',
    'how many of them one address may have; those of TRUSTED_PROXIES are not counted',
    '1000',
    whole(1, 1e6),
  ),
  rateLimit: option(
    'RATE_LIMIT',
    'how much a client may ask for each second, ten seconds of it at once, in the cost of operations (a field costs 1, about a microsecond; a request 50 besides, GraphQL in an unusual form 500 more); 0 is no limit; not set: 200000, and none where HOST is this machine alone',
    null,
    whole(0, 1e9),
  ),
  admittedCost: option(
    'ADMITTED_COST',
    'the most cost of small operations under way at once; a field costs 1, about a microsecond. Large operations (cost 8000 and more) have twice as much of their own. Of each kind twice this cost may wait, and clients take turns',
    '400000',
    whole(1000, 1e9),
  ),
  admissionWaitMs: option(
    'ADMISSION_WAIT_MS',
    'how long a small operation waits for room before it gets 503. Once one has waited so long, at most twice POOL_SIZE operations (at least 20) are under way and waiting together. Once one of these is rejected too, only as many wait as are under way',
    '80',
    whole(1, 60_000),
  ),
  trustedProxies: option(
    'TRUSTED_PROXIES',
    'the proxies whose X-Forwarded-For names the client, for every limit by client; not set: none',
    null,
    PROXIES,
  ),
  headersTimeoutMs: option(
    'HEADERS_TIMEOUT_MS',
    'how long the head of a request may take to arrive, at most REQUEST_TIMEOUT_MS',
    '10000',
    whole(100, 600_000),
  ),
  requestTimeoutMs: option(
    'REQUEST_TIMEOUT_MS',
    'how long a whole request may take to arrive',
    '15000',
    whole(100, 600_000),
  ),
  keepAliveTimeoutMs: option(
    'KEEP_ALIVE_TIMEOUT_MS',
    'how long an idle connection is kept; longer than the load balancer in front keeps it',
    '65000',
    whole(1000, 600_000),
  ),
  minBlockWaitMs: option(
    'MIN_BLOCK_WAIT_MS',
    'how long a request waits for the block of its X-Min-Block-Height before it is answered with 503',
    '2000',
    whole(0, 60_000),
  ),
  shutdownGraceMs: option(
    'SHUTDOWN_GRACE_MS',
    'how long a stop goes on taking requests, not ready any more, where anybody is connected or was as lately; as long as the load balancer in front takes to see it',
    '2000',
    whole(0, 600_000),
  ),
  shutdownDeadlineMs: option(
    'SHUTDOWN_DEADLINE_MS',
    'how long a stop may take, the grace included; requests still unanswered then are cut off',
    '10000',
    whole(0, 600_000),
  ),
} as const;
