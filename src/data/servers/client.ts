import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import type { PrismaClient } from '../generated/prisma/client.ts';
import { createModels } from '../models/client.ts';
import { type Counts, createCounts } from '../queries/counts.ts';
import { makeClient } from './connect.ts';
import { Pipes } from './pipes.ts';
import { destroy, Presence } from './presence.ts';
import { createStatements, Floor, type StatementCounts, type Statements } from './statements.ts';

export type DatabaseOptions = {
  readonly url: string;
  /** Whether every transaction is read-only, whatever a statement tries. */
  readonly readOnly: boolean;
  readonly maxConnections?: number;
  /**
   * How long a caller waits for a connection, a free one or a new one, and for a server that says nothing at all (for 1.8 s at the
   * least); beyond it, the answer is "try again".
   */
  readonly waitMs?: number;
  readonly statementTimeoutMs?: number;
  /** Whether statements that come again are prepared under names; a pooler in transaction mode may not know them. */
  readonly isPreparing?: boolean;
  /** Shared by those whose servers take turns. */
  readonly floor?: Floor;
  readonly sent?: StatementCounts;
  /** Is told once of each noun whose rows somebody has written without counting them. */
  readonly onWrongCount?: ((noun: string) => void) | undefined;
};

/** How busy the pool is, and what was asked through `statements` since the start. */
export interface DatabaseLoad extends Readonly<StatementCounts> {
  readonly most: number;
  readonly open: number;
  readonly idle: number;
  /** How many wait for a connection. */
  readonly waiting: number;
}

/** The tables, over one bounded pool of connections. Whoever opens it closes it. */
export type Database = AsyncDisposable & {
  /** For all that is asked often: SQL of ours, sent by the driver itself. */
  readonly statements: Statements;
  /** What lists count, kept from one operation to the next. */
  readonly counts: Counts;
  /** Prisma's client, over the same statements. */
  readonly prisma: PrismaClient;
  readonly load: DatabaseLoad;
  /** Cuts every connection, whoever uses it: the server is not there any more. */
  cut(): void;
  close(): Promise<void>;
};

export const DEFAULT_MAX_CONNECTIONS = 10;
const DEFAULT_STATEMENT_TIMEOUT_MS = 10_000;
/** So that whoever waits is told within two seconds. */
const DEFAULT_WAIT_MS = 1_800;
/**
 * A reader only reads, and walks indexes in their order. So the planner is not to sort what another index has sorted in
 * part, and is not to take a random read for four times as costly as one in order, as it was on spinning disks.
 */
const READER_SETTINGS = [
  '-c default_transaction_read_only=on',
  '-c enable_incremental_sort=off',
  '-c random_page_cost=1.1',
  // A plan for each statement and not for its values: there is one index to walk, whatever they are, and to plan costs as much as to read.
  '-c plan_cache_mode=force_generic_plan',
  // To compile a plan takes longer than any of these statements.
  '-c jit=off',
  // What one statement takes more than a processor for, is taken from all others.
  '-c max_parallel_workers_per_gather=0',
];
const IDLE_TRANSACTION_LIMIT_MS = 30_000;
const WAITING_LOOK_MS = 5;
/** How much longer than a statement's own limit an answer may take: it is for a server that is not there any more. */
const ANSWER_SPARE_MS = 2_000;

/**
 * Opens the database at `url`. Connects when it is first used, and again after the server was away; what fails
 * meanwhile is known from other errors by `isUnavailable`.
 */
export function openDatabase(options: DatabaseOptions): Database {
  const {
    maxConnections = DEFAULT_MAX_CONNECTIONS,
    statementTimeoutMs = DEFAULT_STATEMENT_TIMEOUT_MS,
    waitMs = DEFAULT_WAIT_MS,
    isPreparing = true,
    floor = new Floor(),
    sent = { sent: 0, failed: 0, ms: 0 },
    onWrongCount,
  } = options;
  const { address, settings } = takeSettings(options.url);
  if (options.readOnly) settings.push(...READER_SETTINGS);
  const pool = new pg.Pool({
    Client: makeClient as unknown as new () => pg.Client,
    connectionString: address,
    options: settings.join(' '),
    max: maxConnections,
    connectionTimeoutMillis: waitMs,
    statement_timeout: statementTimeoutMs,
    query_timeout: statementTimeoutMs + ANSWER_SPARE_MS,
    idle_in_transaction_session_timeout: IDLE_TRANSACTION_LIMIT_MS,
    application_name: 'periscope',
    keepAlive: true,
    ...(isOnThisMachine(address) ? {} : { verify: refuseOlder(floor) }),
  });
  const clients = new Set<pg.PoolClient>();
  pool.on('connect', (client) => clients.add(client)).on('remove', (client) => clients.delete(client));
  // An idle connection that is lost is replaced; an `error` without a listener would end the process.
  pool.on('error', () => {});
  const presence = new Presence({ url: address, limitMs: waitMs, onLost: () => dropIdle(pool) });
  const pipes = new Pipes(pool, maxConnections);
  const statements = createStatements(pool, { pipes, presence, floor, isPreparing, counts: sent });
  const prisma = createModels(statements);
  let closed: Promise<void> | undefined;
  const close = () => {
    presence.close();
    pipes.close();
    closed ??= prisma.$disconnect().then(() => endPool(pool));
    return closed;
  };
  return {
    statements,
    counts: createCounts(statements, { waitMs, onWrongCount }),
    prisma,
    get load() {
      const { totalCount: open, idleCount: idle, waitingCount: waiting } = pool;
      return { ...sent, most: maxConnections, open, idle, waiting };
    },
    cut: () => clients.forEach(destroy),
    close,
    [Symbol.asyncDispose]: close,
  };
}

/** The pool forgets whoever waits for a connection when it ends. Each waits for no longer than the pool's limit. */
async function endPool(pool: pg.Pool): Promise<void> {
  while (pool.waitingCount > 0) await sleep(WAITING_LOOK_MS);
  await pool.end();
}

/** Refuses a new connection to a server that lacks blocks which were read: one that was promoted without them. */
function refuseOlder(floor: Floor): pg.PoolConfig['verify'] {
  return (client, done) => {
    if (floor.position === 0n) return done();
    client
      .query<{ is_there: boolean }>({ text: HAS_COME_TO, values: [floor.position] })
      .then(({ rows }) => done(rows[0]?.is_there ? undefined : new Error(OLDER)), done);
  };
}

const HAS_COME_TO = 'SELECT EXISTS (SELECT FROM blocks WHERE last_position >= $1) AS is_there';
/** As a lost connection says it, for `isUnavailable`. */
const OLDER = 'Connection terminated: the server lacks the newest blocks that were read';

/** At a socket of the file system there is always the same server. */
function isOnThisMachine(address: string): boolean {
  return new URL(address).searchParams.get('host')?.startsWith('/') ?? false;
}

/** Connections to a server that was lost would wait for it as long as the network lets them. */
function dropIdle(pool: pg.Pool): void {
  for (let count = pool.idleCount; count > 0; count -= 1)
    void pool.connect().then((client) => {
      destroy(client);
      client.release(true);
    }, ignore);
}

function ignore(): void {}

/** The settings that an address gives, apart: the driver would let them replace ours. */
function takeSettings(url: string): { address: string; settings: string[] } {
  const address = new URL(url);
  const given = address.searchParams.get('options');
  address.searchParams.delete('options');
  return { address: address.href, settings: given ? [given] : [] };
}
