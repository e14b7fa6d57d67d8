import { once } from 'node:events';
import { hostname } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { Backoff } from '../../backoff.ts';
import { BLOCK_CHANNEL, createConnection } from './connect.ts';
import { nameListener, readProcessSpace } from './listener-name.ts';

/** The workers of one gateway, which it has a channel to, have its name. */
const LISTENER = nameListener(
  hostname(),
  process.send === undefined ? process.pid : process.ppid,
  readProcessSpace(),
);
const ANSWER_LIMIT_MS = 10_000;
const FIRST_RETRY_MS = 100;
const LAST_RETRY_MS = 5_000;
/** How long a connection whose other end is silent may seem alive: the kernel asks it from then on. */
const KEEP_ALIVE_MS = 10_000;
/** How often a replica is asked whether it was promoted. */
const REPLICA_LOOK_MS = 1_000;

/** How a server stands. */
export interface ServerSight {
  /** Whether it repeats another's writes: then nobody can be told by it of new blocks. */
  readonly isReplica: boolean;
  /** The newest block that it has; 0 before the first. */
  readonly height: bigint;
  readonly position: bigint;
  /** The name of the last migration that it has; empty before the first. */
  readonly migration: string;
}

export interface ServerEvents {
  /** It was looked at. Of one that is no replica every new block is told from then on. */
  onSight(sight: ServerSight): void;
  /** The writer has committed a block, by its height; null where that was not said. */
  onBlock(height: bigint | null): void;
  /** The connection was lost, or could not be made. It is tried again. */
  onLost(error: Error): void;
}

export interface WatchOptions {
  /** How often it is looked at; where this is not given, a replica each second and others once for each connection. */
  readonly lookMs?: number;
  /** How long its answer may take. */
  readonly answerMs?: number;
  /** The longest wait between the attempts to reach it. */
  readonly retryMs?: number;
}

/** Whoever starts it closes it. */
export interface ServerWatch {
  /** Has the server looked at now, where it is there. */
  look(): void;
  close(): Promise<void>;
}

/**
 * Watches one server over a connection of its own: what it is, how far it has come, and what its writer notifies.
 * Reconnects for as long as it is open, ever less often.
 */
export function watchServer(url: string, events: ServerEvents, options: WatchOptions = {}): ServerWatch {
  const { lookMs, answerMs = ANSWER_LIMIT_MS, retryMs = LAST_RETRY_MS } = options;
  const closing = new AbortController();
  const { signal } = closing;
  let hurry = new AbortController();

  async function watch(): Promise<void> {
    // Many gateways lose a database at once; they need not all come back at once.
    const backoff = new Backoff({ firstMs: FIRST_RETRY_MS, limitMs: retryMs, jitter: true, signal });
    while (!signal.aborted) {
      const connection = createConnection(url, {
        purpose: LISTENER,
        connectionTimeoutMillis: answerMs,
        query_timeout: answerMs,
        keepAliveInitialDelayMillis: KEEP_ALIVE_MS,
      });
      const cut = () => connection.connection.stream.destroy();
      signal.addEventListener('abort', cut);
      try {
        const loss = lossOf(connection);
        connection.on('notification', ({ payload }) => events.onBlock(readHeight(payload)));
        await connection.connect();
        await lookOn(connection, loss, () => backoff.reset());
      } catch (error) {
        if (signal.aborted) return;
        events.onLost(error instanceof Error ? error : new Error(String(error)));
      } finally {
        signal.removeEventListener('abort', cut);
        await connection.end().catch(() => undefined);
      }
      await backoff.wait();
    }
  }

  /** Looks at the server again and again. Throws when the connection is lost. */
  async function lookOn(connection: pg.Client, loss: AbortSignal, onSeen: () => void): Promise<never> {
    let isListening = false;
    // No AbortSignal.any for each look: Node.js 20 keeps what follows a signal for as long as the signal lives.
    loss.addEventListener('abort', () => hurry.abort());
    while (true) {
      let sight = await look(connection);
      if (!sight.isReplica && !isListening) {
        await connection.query(`LISTEN ${BLOCK_CHANNEL}`);
        isListening = true;
        // Again, so that no block falls between.
        sight = await look(connection);
      }
      events.onSight(sight);
      onSeen();
      hurry = new AbortController();
      loss.throwIfAborted();
      await pause(lookMs ?? (sight.isReplica ? REPLICA_LOOK_MS : null), hurry.signal);
      loss.throwIfAborted();
    }
  }

  const done = watch();
  return {
    look: () => hurry.abort(),
    close() {
      closing.abort();
      return done;
    },
  };
}

async function look(connection: pg.Client): Promise<ServerSight> {
  // Without a name: a pooler may send it to another connection each time.
  const { rows } = await connection.query<SeenRow>(LOOK);
  const [{ replica, height, position, migration }] = rows as [SeenRow];
  return { isReplica: replica, height: BigInt(height), position: BigInt(position), migration };
}

interface SeenRow {
  readonly replica: boolean;
  readonly height: string;
  readonly position: string;
  readonly migration: string;
}

const LOOK = `
  SELECT pg_is_in_recovery() AS replica, coalesce(newest.height, 0) AS height, coalesce(newest.last_position, 0) AS position,
    (SELECT coalesce(max(migration_name COLLATE "C"), '') FROM _prisma_migrations
     WHERE finished_at IS NOT NULL AND rolled_back_at IS NULL) AS migration
  FROM (SELECT) AS always
  LEFT JOIN (SELECT height, last_position FROM blocks ORDER BY blocks.height DESC LIMIT 1) AS newest ON TRUE`;

function readHeight(payload: string | undefined): bigint | null {
  return payload !== undefined && /^\d{1,18}$/.test(payload) ? BigInt(payload) : null;
}

/** Aborted with what ended a connection. */
function lossOf(connection: pg.Client): AbortSignal {
  const loss = new AbortController();
  connection.on('error', (error) => loss.abort(error));
  connection.on('end', () => loss.abort(new Error('the connection ended')));
  return loss.signal;
}

/** Waits so long, or for ever; no longer than until the signal is aborted. */
async function pause(ms: number | null, signal: AbortSignal): Promise<void> {
  if (ms === null) await once(signal, 'abort');
  else await sleep(ms, undefined, { signal }).catch(() => undefined);
}
