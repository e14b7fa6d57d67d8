import { type Accepted, FOLDER, ON_OFF, option, whole } from './option.ts';

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

/** What this program itself finds its server by. */
const OURS =
  /^(port|listen_addresses|unix_socket_\w+|data_directory|hba_file|ident_file|config_file|external_pid_file)$/;

const SETTINGS: Accepted<Readonly<Record<string, string>>> = {
  takes:
    'a name with its value, or several, separated by commas, as in shared_buffers=4GB,max_wal_size=8GB; none that say where the server is and who may enter',
  read(text) {
    const pairs = text.split(',').map((pair) => /^\s*([a-z_][a-z0-9_.]*)\s*=\s*(.*?)\s*$/.exec(pair));
    if (pairs.some((pair) => pair === null || OURS.test(pair[1] ?? ''))) return undefined;
    return Object.freeze(Object.fromEntries(pairs.map((pair) => [pair?.[1], pair?.[2]])));
  },
};

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

/** Hides the passwords of several addresses, separated by commas; what follows a comma may be part of a password all the same. */
function withoutPasswords(text: string): string {
  return text
    .split(/,(?=\s*postgres(?:ql)?:\/\/)/)
    .map(withoutPassword)
    .join(',');
}

export const database = {
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
    ON_OFF,
  ),
  preparedStatements: option(
    'PREPARED_STATEMENTS',
    'whether repeated statements are prepared by name. Turn it off for a pooler in transaction mode that cannot track names',
    'on',
    ON_OFF,
  ),
  dataDir: option(
    'DATA_DIR',
    'the folder of the embedded database; not set: .periscope/network in the current folder (the demo: .periscope/demo), for root in /var/lib/periscope where PostgreSQL may not enter that',
    null,
    FOLDER,
  ),
  postgresSettings: option(
    'POSTGRES_SETTINGS',
    'the settings of the embedded PostgreSQL that take the place of those that it has here; they hold from when its server starts',
    null,
    SETTINGS,
  ),
  poolSize: option(
    'POOL_SIZE',
    'the most database connections. So many small operations run at once, and a third as many large ones. WORKERS share the connections, so there are never more workers. The embedded PostgreSQL has room for them from when its server starts: set it for what starts that',
    '10',
    whole(1, 1000),
  ),
  poolWaitMs: option(
    'POOL_WAIT_MS',
    'how long a request waits for a database connection, also for a new one to be made, and a large operation for its turn, before it is answered with 503. A server that says nothing for a third of it, or for 600 ms where that is longer, counts as lost: raise it for one that is far away or behind a busy pooler',
    '1800',
    whole(1, 600_000),
  ),
  statementTimeoutMs: option(
    'STATEMENT_TIMEOUT_MS',
    'how long one read of the database may take',
    '5000',
    whole(1, 600_000),
  ),
} as const;
