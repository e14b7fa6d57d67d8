import pg from 'pg';

/** The channel on which the writer names the height of each block it has applied. A wake-up only. */
export const BLOCK_CHANNEL = 'periscope_block';

const CONNECT_LIMIT_MS = 10_000;
/** So long a server has for its part of a goodbye: one that is frozen, or cut off, never says it. */
const GOODBYE_LIMIT_MS = 1_000;
/** As Node.js calls what is wrong with TLS, for `isUnavailable`. */
const UNUSABLE = 'ERR_TLS_ADDRESS';

/** What a connection has of its own; its limits, the driver's and the server's, by their names in pg. */
export type ConnectionOptions = Pick<
  pg.ClientConfig,
  | 'connectionTimeoutMillis'
  | 'keepAliveInitialDelayMillis'
  | 'lock_timeout'
  | 'pipeline'
  | 'query_timeout'
  | 'statement_timeout'
> & {
  /** What it is for, as the server shows it after `periscope`. */
  readonly purpose: string;
};

/**
 * A connection of its own, beside the pool that Prisma has, yet to be connected. A connection lost between queries is
 * reported by the next query. Whoever creates it ends it.
 */
export function createConnection(url: string, { purpose, ...options }: ConnectionOptions): pg.Client {
  const client = makeClient({
    connectionString: url,
    application_name: `periscope ${purpose}`,
    connectionTimeoutMillis: CONNECT_LIMIT_MS,
    keepAlive: true,
    ...options,
  });
  // An `error` without a listener would end the process.
  client.on('error', () => {});
  return client;
}

/**
 * The driver reads the files that an address names for each connection: where one is away, it is the connection that fails, and not
 * who makes it. The pool calls this with `new`.
 */
export function makeClient(config: pg.ClientConfig): pg.Client {
  try {
    return new Client(config);
  } catch (cause) {
    // What else is wrong with an address stays so.
    if ((cause as NodeJS.ErrnoException).syscall === undefined) throw cause;
    const message = `what its address says of encryption cannot be used: ${(cause as Error).message}`;
    const error = Object.assign(new Error(message, { cause }), { code: UNUSABLE });
    const connect = async (callback?: (error: Error) => void) => {
      if (callback === undefined) throw error;
      process.nextTick(callback, error);
    };
    return Object.assign(new Client(), { connect: connect as unknown as pg.Client['connect'] });
  }
}

/** The driver's, whose end has a bound: it waits until the server has hung up, too. */
class Client extends pg.Client {
  override end(): Promise<void>;
  override end(callback: (error: Error) => void): void;
  override end(callback?: (error: Error) => void): Promise<void> | undefined {
    const hangUp = setTimeout(() => this.connection.stream.destroy(), GOODBYE_LIMIT_MS).unref();
    this.connection.once('end', () => clearTimeout(hangUp));
    if (callback === undefined) return super.end();
    super.end(callback);
    return undefined;
  }
}
