/**
 * Whether an error says that the database could not be asked, rather than that the question was wrong: it is
 * down, starting, full of connections, slower than the limits allow, or was lost on the way. Looks through what
 * Prisma, its adapter and GraphQL wrap around the driver's error.
 */
export function isUnavailable(error: unknown): boolean {
  for (const link of linksOf(error)) {
    if (isLoss(link['code']) || isLoss(link['originalCode'])) return true;
    if (KINDS.has(String(link['kind'])) || link['syscall'] === 'connect') return true;
    if (link instanceof Error && isLossMessage(link.message)) return true;
  }
  return false;
}

/** Whether an error says that a server takes nothing in, as one that is not promoted yet. */
export function takesNothingIn(error: unknown): boolean {
  for (const { code } of linksOf(error)) if (code === READ_ONLY) return true;
  return false;
}

const READ_ONLY = '25006';

/** Whether an error that `isUnavailable` holds of says that a statement took too long: sent again, it may again. */
export function tookTooLong(error: unknown): boolean {
  for (const { code, originalCode } of linksOf(error)) {
    if (code === QUERY_CANCELED || originalCode === QUERY_CANCELED) return true;
  }
  return false;
}

const QUERY_CANCELED = '57014';

/**
 * The table whose rows are still to come, if an error says that one was asked for them: it has another name until a base is there as
 * far as that. Null for every other error.
 */
export function tableToCome(error: unknown): string | null {
  for (const { message, originalMessage = message } of linksOf(error)) {
    const found = MISSING_TABLE.exec(String(originalMessage))?.[1];
    if (found !== undefined) return found;
  }
  return null;
}

/** What PostgreSQL says, and Prisma's adapter hands on. These are the tables of rows by position. */
const MISSING_TABLE = /^relation "(?:public\.)?(rewards|trades)" does not exist/;

/**
 * What is said of a database server, after its name, where its operator has to change something: a wrong password, a database or a
 * right that is missing, encryption that it does not speak, a certificate that is not to be relied on. Null for every other error.
 */
export function describeRefusal(error: Error & { readonly code?: unknown }): string | null {
  if (CERTIFICATE.test(String(error.code)))
    return `cannot be relied on: ${error.message}. docs/running.md says how connections are encrypted`;
  const isRefusal = REFUSED.test(String(error.code)) || /\bSSL\b/.test(error.message);
  return isRefusal ? `refuses: ${error.message}` : null;
}

/** What a server says of a connection or a statement that its settings do not allow, by PostgreSQL's codes. */
const REFUSED = /^(?:28...|3D000|42501|3F000|0A000)$/;

/** What Node.js and OpenSSL say of a server's certificate, which may be another one soon. */
const CERTIFICATE =
  /^(?:ERR_(?:TLS|SSL|OSSL)_|CERT_|UNABLE_TO_(?:GET|VERIFY)_|(?:DEPTH_ZERO_)?SELF_SIGNED_CERT|INVALID_(?:CA|PURPOSE)$|PATH_LENGTH_EXCEEDED$)/;

const MAX_DEPTH = 8;

const CODES = new Set([
  // Prisma's: not reachable, slow, closed, no connection free, no transaction to be had, too many connections.
  ...['P1001', 'P1002', 'P1008', 'P1017', 'P2024', 'P2028', 'P2037'],
  // The kernel's, of a connection that breaks, and of one whose way there is gone.
  ...['ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'EHOSTUNREACH', 'ENETUNREACH', 'ENETDOWN'],
]);

/** What Prisma's adapter calls them. */
const KINDS = new Set(['DatabaseNotReachable', 'ConnectionClosed', 'SocketTimeout', 'TooManyConnections']);

/**
 * PostgreSQL's own codes: lost connections (08), no memory, disk or connections left (53), the server coming or going and
 * statements out of time (57), a replica's conflict with recovery (40001), an idle transaction cut off (25P03).
 */
const STATE = /^(?:08...|53[0-3]00|57014|57P0[1-5]|40001|25P03)$/;

/** Errors of the driver that have no code. */
const MESSAGES = [
  // Of the pool, and of a connection of its own.
  'timeout exceeded when trying to connect',
  'timeout expired',
  'Connection terminated',
  'Client has encountered a connection error',
  'Client was closed',
  'Cannot use a pool after calling end',
  'Query read timeout',
];

/** What the kernel and the resolver say of a connection that cannot be made; Prisma puts its own lines before it. */
const NO_CONNECTION = /(?:^|\n)(?:connect|getaddrinfo) E[A-Z_]+/;

function isLossMessage(text: string): boolean {
  return NO_CONNECTION.test(text) || MESSAGES.some((message) => text.startsWith(message));
}

function isLoss(code: unknown): boolean {
  return typeof code === 'string' && (CODES.has(code) || STATE.test(code) || CERTIFICATE.test(code));
}

/** An error, and what it wraps, from the outside to the inside. */
function* linksOf(error: unknown): Generator<Readonly<Record<string, unknown>>, void> {
  for (let link = error, depth = 0; isRecord(link) && depth < MAX_DEPTH; link = wrapped(link), depth++)
    yield link;
}

function wrapped(error: Readonly<Record<string, unknown>>): unknown {
  const meta = error['meta'];
  // A host with several addresses fails with one error for each, all of a kind.
  const first = error instanceof AggregateError ? error.errors[0] : undefined;
  return (
    first ??
    error['cause'] ??
    error['originalError'] ??
    (isRecord(meta) ? meta['driverAdapterError'] : undefined)
  );
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}
