import { isIP } from 'node:net';

/** The settings of a gateway process: read once from the environment, checked, frozen, grouped by who uses them. */
export type Config = {
  readonly [Group in keyof typeof configOptions]: {
    readonly [Key in keyof (typeof configOptions)[Group]]: (typeof configOptions)[Group][Key] extends Option<
      infer Value
    >
      ? Value
      : never;
  };
};

/** One environment variable. `--help` and the table of docs/running.md are made of these. */
export interface Option<Value> {
  readonly name: string;
  /** What it is, as a phrase for a table. */
  readonly what: string;
  /** What values it accepts, as a phrase; errors say the same. */
  readonly takes: string;
  /** The text that stands in for a variable that is not set; null where its absence means something itself. */
  readonly default: string | null;
  /** Gives the value, or throws a RangeError where the text is not accepted. */
  readonly parse: (text: string | null) => Value;
  /** How an error may show what was given: as it is, unless it can hold a secret. */
  readonly show: (text: string) => string;
}

/** Settings that cannot be used. The message names every bad variable with its value, and is for a person. */
export class ConfigError extends Error {
  override name = 'ConfigError';
}

const HOST_NAME: Accepted<string> = {
  takes: 'a host name or an IP address, without brackets or port',
  read: (text) => (/^[\w.:%-]+$/.test(text) ? text : undefined),
};

const ORIGINS: Accepted<'*' | readonly string[]> = {
  takes: '* or origins such as https://app.example.org, separated by commas',
  read(text) {
    if (text === '*') return text;
    const list = text.split(',').map((origin) => origin.trim());
    const isValid = list.every((origin) => URL.canParse(origin) && new URL(origin).origin === origin);
    return isValid ? Object.freeze(list) : undefined;
  },
};

const DATABASE_URL: Accepted<string> = {
  takes: 'an address such as postgres://user:password@host:5432/database',
  read: (text) => (/^postgres(ql)?:\/\//.test(text) && URL.canParse(text) ? text : undefined),
};

const DATABASE_URLS: Accepted<readonly string[]> = {
  takes: 'one or more addresses such as postgres://user:password@host:5432/database, separated by commas',
  read(text) {
    const list = text.split(',').map((url) => url.trim());
    return list.every((url) => DATABASE_URL.read(url) !== undefined) ? Object.freeze(list) : undefined;
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

const OTLP_ADDRESS: Accepted<string> = {
  takes: 'an address such as http://127.0.0.1:4318',
  read: (text) => (/^https?:\/\//.test(text) && URL.canParse(text) ? text : undefined),
};

const FOLDER: Accepted<string> = { takes: 'the path of a folder', read: (text) => text };

const FILE: Accepted<string> = { takes: 'the path of a file', read: (text) => text };

const WORKERS: Accepted<number | 'auto'> = {
  takes:
    'a whole number from 1 to 256, or auto for as many as there are cores, though no more than POOL_SIZE',
  read: (text) => (text === 'auto' ? text : whole(1, 256).read(text)),
};

/** Every variable that the gateway reads. A variable that is set to nothing counts as not set. */
export const configOptions = {
  http: {
    port: option(
      'PORT',
      'the port that the gateway listens on; 0 takes any free one',
      '3008',
      whole(0, 65535),
    ),
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
      'how much cost of small operations is under way at once (a field costs 1, about a microsecond), and twice as much of large ones (from 8000); twice as much of each may wait, clients taking turns',
      '400000',
      whole(1000, 1e9),
    ),
    admissionWaitMs: option(
      'ADMISSION_WAIT_MS',
      'how long a small operation waits for that before it is refused with 503; while some wait for as long, no more are under way and wait than twice POOL_SIZE, or 20 where that is more; once some are refused for that, no more wait than are under way',
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
      'how long a stop may take, the grace included; what is not answered then is cut',
      '10000',
      whole(0, 600_000),
    ),
  },
  workers: {
    count: option(
      'WORKERS',
      'how many processes serve, on one port; what is limited is limited for all of them together',
      '1',
      WORKERS,
    ),
    stallMs: option(
      'WORKER_STALL_MS',
      'how long one of several may show no sign of life before another takes its place',
      '10000',
      whole(200, 600_000),
    ),
  },
  answers: {
    keptMegabytes: option(
      'KEPT_ANSWERS_MB',
      'how many megabytes of answers that are asked for again are kept by each process that serves, each until a block changes what it read; 0 keeps none',
      '64',
      whole(0, 65_536),
    ),
  },
  database: {
    url: option(
      'DATABASE_URL',
      'the PostgreSQL server (15 or later) to use; not set: the gateway runs its own',
      null,
      DATABASE_URL,
      withoutPassword,
    ),
    readerUrl: option(
      'DATABASE_READER_URL',
      'the same with a role that may only read, for what serves; not set: DATABASE_URL is used for that too',
      null,
      DATABASE_URL,
      withoutPassword,
    ),
    replicaUrls: option(
      'DATABASE_REPLICA_URLS',
      'the servers that repeat the writes of DATABASE_URL, of which one is read in its stead; not set: none',
      null,
      DATABASE_URLS,
      withoutPasswords,
    ),
    maxReplicaLagBlocks: option(
      'MAX_REPLICA_LAG_BLOCKS',
      'how many blocks a replica may be behind the newest that any server has; beyond it the replica is not read',
      '10',
      whole(1, 1e6),
    ),
    primaryReads: option(
      'PRIMARY_READS',
      'how the primary is used while no replica is fit: it is read, or (off) requests are answered with 503',
      'on',
      oneOf('on', 'off'),
    ),
    preparedStatements: option(
      'PREPARED_STATEMENTS',
      'how statements are sent that come again: prepared by name, or (off) as ever, for a pooler in transaction mode that does not know names',
      'on',
      oneOf('on', 'off'),
    ),
    dataDir: option(
      'DATA_DIR',
      'the folder of the embedded database; not set: .periscope/network in the current folder (the demo: .periscope/demo), for root in /var/lib/periscope where PostgreSQL may not enter that',
      null,
      FOLDER,
    ),
    poolSize: option(
      'POOL_SIZE',
      'how many database connections are held at most, and small operations run at once, a third as many large ones; WORKERS share them, so that there are no more of these',
      '10',
      whole(1, 1000),
    ),
    poolWaitMs: option(
      'POOL_WAIT_MS',
      'how long a request waits for a database connection, and a large operation for its turn, before it is answered with 503',
      '1800',
      whole(1, 600_000),
    ),
    statementTimeoutMs: option(
      'STATEMENT_TIMEOUT_MS',
      'how long one read of the database may take',
      '5000',
      whole(1, 600_000),
    ),
  },
  ingest: {
    historyBlocks: option(
      'HISTORY_BLOCKS',
      'how many blocks a stream can resume from, counted back from the newest; not set: all of them',
      null,
      whole(100, 1e12),
    ),
    spoolDir: option(
      'SPOOL_DIR',
      "the folder where a core node's events wait for the database; not set: beside DATA_DIR, named like it with -spool",
      null,
      FOLDER,
    ),
    spoolLimit: option(
      'SPOOL_LIMIT',
      'how many bytes may wait there; beyond it the core node has to wait',
      '17179869184',
      whole(64 * 2 ** 20, 2 ** 49),
    ),
    skipDamaged: option(
      'SKIP_DAMAGED',
      'how an event is met that cannot be taken: ingest is held up at it, or (on) passes over it, as with --skip-damaged',
      'off',
      oneOf('on', 'off'),
    ),
    readyWhileHeldUp: option(
      'READY_WHILE_HELD_UP',
      'how a gateway stands while ingest is held up at what it cannot take: not ready (503 at /health/ready), or (on) ready to be read; its answer says so either way',
      'off',
      oneOf('on', 'off'),
    ),
  },
  graphql: {
    introspection: option(
      'INTROSPECTION',
      'the introspection of the schema, which GraphiQL and other tools ask for',
      'on',
      oneOf('on', 'off'),
    ),
    operationList: option(
      'OPERATION_LIST',
      'the only operations that GraphQL takes: a JSON file of documents by their SHA-256; not set: any',
      null,
      FILE,
    ),
  },
  streams: {
    maxStreams: option(
      'MAX_STREAMS',
      'how many streams may be open at once, on all transports together',
      '10000',
      whole(1, 1e6),
    ),
    maxStreamsPerClient: option(
      'MAX_STREAMS_PER_CLIENT',
      'how many of them one client may have: an address, or the one that a trusted proxy names',
      '250',
      whole(1, 1e6),
    ),
    maxSockets: option(
      'MAX_SOCKETS',
      'how many WebSockets may be open at once, and as many event streams of many operations',
      '10000',
      whole(1, 1e6),
    ),
    maxSocketsPerClient: option(
      'MAX_SOCKETS_PER_CLIENT',
      'how many of them one address may have',
      '250',
      whole(1, 1e6),
    ),
    maxOperationsPerSocket: option(
      'MAX_OPERATIONS_PER_SOCKET',
      'how many operations may be open at once on one GraphQL WebSocket',
      '100',
      whole(1, 1e6),
    ),
    bufferMessages: option(
      'STREAM_BUFFER_MESSAGES',
      'how many messages may wait for a slow reader before its stream ends with an error',
      '1000',
      whole(1, 1e6),
    ),
    bufferRows: option(
      'STREAM_BUFFER_ROWS',
      'how many rows these messages may have together',
      '100000',
      whole(1, 1e8),
    ),
    heartbeatMs: option(
      'STREAM_HEARTBEAT_MS',
      'how often a quiet stream shows that it is alive; a WebSocket that does not answer until the next is cut',
      '15000',
      whole(20, 600_000),
    ),
    stallMs: option(
      'STREAM_STALL_MS',
      'how long a reader may take nothing of what waits for it before its stream ends',
      '30000',
      whole(20, 600_000),
    ),
    pollMs: option(
      'FEED_POLL_MS',
      'how often the database is asked for new blocks unbidden, in case a notification was lost',
      '5000',
      whole(20, 600_000),
    ),
  },
  metrics: {
    port: option(
      'METRICS_PORT',
      'the port of /metrics alone, of what serves and of what takes in; 0 takes any free one; not set: PORT has it, where HOST is this machine alone and there are no TRUSTED_PROXIES',
      null,
      whole(0, 65535),
    ),
    host: option(
      'METRICS_HOST',
      'the address that METRICS_PORT is on; 0.0.0.0 or :: lets other machines in',
      '127.0.0.1',
      HOST_NAME,
    ),
    serverTiming: option(
      'SERVER_TIMING',
      'where requests with X-Server-Timing are told in Server-Timing what took how long',
      'on',
      oneOf('on', 'off'),
    ),
  },
  tracing: {
    endpoint: option(
      'OTEL_EXPORTER_OTLP_ENDPOINT',
      'where traces are sent, as OTLP over HTTP with JSON, below /v1/traces; not set: nowhere. The other variables of OpenTelemetry count too',
      null,
      OTLP_ADDRESS,
    ),
    tracesEndpoint: option(
      'OTEL_EXPORTER_OTLP_TRACES_ENDPOINT',
      'the whole address that traces are sent to, in the place of the one before',
      null,
      OTLP_ADDRESS,
    ),
    isDisabled: option(
      'OTEL_SDK_DISABLED',
      'how traces are turned off whatever else is set: true',
      'false',
      oneOf('true', 'false'),
    ),
  },
  log: {
    level: option(
      'LOG_LEVEL',
      'the least severe log line that is written',
      'info',
      oneOf('trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'),
    ),
  },
} as const;

/** Reads and checks the settings. Throws one ConfigError that names all bad variables. */
export function readConfig(env: Readonly<Record<string, string | undefined>>): Config {
  const problems: string[] = [];
  const config = mapEntries(configOptions, (group) =>
    mapEntries(group as Readonly<Record<string, Option<unknown>>>, (opt) => readOption(opt, env, problems)),
  ) as Config;
  if (config.http.headersTimeoutMs > config.http.requestTimeoutMs) {
    problems.push(
      `HEADERS_TIMEOUT_MS is ${config.http.headersTimeoutMs}, more than REQUEST_TIMEOUT_MS, ${config.http.requestTimeoutMs}`,
    );
  }
  if (isMoreThanPool(config)) problems.push(describeWorkers(config));
  if (config.database.readerUrl && config.database.url === null) {
    problems.push('DATABASE_READER_URL is set, and DATABASE_URL is not: it would go with that');
  }
  if (config.database.replicaUrls && config.database.url === null) {
    problems.push('DATABASE_REPLICA_URLS is set, and DATABASE_URL is not: they would repeat its writes');
  }
  if (problems.length > 0) throw new ConfigError(problems.join('\n'));
  return config;
}

/** The same settings with another number of workers. Throws a ConfigError where they cannot be had. */
export function withWorkers(config: Config, count: number | 'auto'): Config {
  const changed = { ...config, workers: { ...config.workers, count } };
  if (isMoreThanPool(changed)) throw new ConfigError(describeWorkers(changed));
  return changed;
}

function isMoreThanPool({ workers, database }: Config): boolean {
  return Number(workers.count) > database.poolSize;
}

function describeWorkers({ workers, database }: Config): string {
  return `WORKERS is ${workers.count}, more than POOL_SIZE, ${database.poolSize}, of which each needs one`;
}

function readOption(
  opt: Option<unknown>,
  env: Readonly<Record<string, string | undefined>>,
  problems: string[],
) {
  const text = env[opt.name] || opt.default;
  try {
    return opt.parse(text);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    problems.push(`${opt.name} is ${JSON.stringify(opt.show(text ?? ''))}; it takes ${opt.takes}`);
    return undefined;
  }
}

function mapEntries<V, W>(
  record: Readonly<Record<string, V>>,
  map: (value: V) => W,
): Readonly<Record<string, W>> {
  return Object.freeze(Object.fromEntries(Object.entries(record).map(([key, value]) => [key, map(value)])));
}

/** What a setting accepts: in words, and as what reads it. What it gives undefined for is not accepted. */
interface Accepted<Value> {
  readonly takes: string;
  readonly read: (text: string) => Value | undefined;
}

/** An option without a default is null where it is not set. */
function option<Value, Default extends string | null>(
  name: string,
  what: string,
  initial: Default,
  { takes, read }: Accepted<Value>,
  show: (text: string) => string = (text) => text,
): Option<Default extends string ? Value : Value | null> {
  const parse = (text: string | null) => {
    const value = text === null ? null : read(text);
    if (value === undefined) throw new RangeError(`it takes ${takes}`);
    return value as Default extends string ? Value : Value | null;
  };
  return { name, what, takes, default: initial, parse, show };
}

function whole(min: number, max: number): Accepted<number> {
  return {
    takes: `a whole number from ${min} to ${max}`,
    read(text) {
      const value = /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN;
      return value >= min && value <= max ? value : undefined;
    },
  };
}

function oneOf<const Choice extends string>(...choices: readonly Choice[]): Accepted<Choice> {
  return {
    takes: `one of ${choices.join(', ')}`,
    read: (text) => choices.find((choice) => choice === text),
  };
}

/** Covers what stands between the user's name and the host, also where the rest is no valid address. */
function withoutPassword(text: string): string {
  return (
    text
      .replace(/(\/\/[^:]*|^[^:/]*):(?!\/\/).*@/s, '$1:***@')
      // Without a host after it, what stands where a port should may be a password.
      .replace(/(\/\/[^:@/]*):(?!\d+$)[^@/?*]*$/s, '$1:***')
      .replace(/(password=)[^&]*/gi, '$1***')
  );
}

/** The same of several, separated by commas; what follows a comma may be part of a password all the same. */
function withoutPasswords(text: string): string {
  return text
    .split(/,(?=\s*postgres(?:ql)?:\/\/)/)
    .map(withoutPassword)
    .join(',');
}

/** An address, a network of a prefix's length, or a name that proxy-addr knows. */
function isProxy(text: string): boolean {
  const [address = '', bits] = text.split('/', 2);
  if (bits === undefined) return isIP(address) !== 0 || /^(?:loopback|linklocal|uniquelocal)$/.test(text);
  const most = isIP(address) === 4 ? 32 : isIP(address) === 6 ? 128 : 0;
  return /^\d{1,3}$/.test(bits) && Number(bits) >= 1 && Number(bits) <= most;
}
