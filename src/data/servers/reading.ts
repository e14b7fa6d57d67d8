import type { Logger } from 'pino';
import { Backoff } from '../../backoff.ts';
import type { Signal } from '../../signal.ts';
import type { Steps } from '../../steps.ts';
import { readNewestMigration } from '../migrate.ts';
import { createModels } from '../models/client.ts';
import { createCounts } from '../queries/counts.ts';
import { type Database, type DatabaseOptions, DEFAULT_MAX_CONNECTIONS, openDatabase } from './client.ts';
import { watchServer } from './server-watch.ts';
import { type ServerStatus, Servers } from './servers.ts';
import { Floor, type StatementCounts, type Statements } from './statements.ts';
import { isUnavailable, tookTooLong } from './unavailable.ts';

export interface ReadingOptions extends Omit<DatabaseOptions, 'url' | 'readOnly' | 'floor'> {
  readonly url: string;
  /** Servers that repeat its writes, to be read in its stead. */
  readonly replicaUrls: readonly string[];
  readonly maxLagBlocks: number;
  readonly readsPrimary: boolean;
  readonly waitMs: number;
  readonly logger: Logger;
}

/**
 * How new blocks become known: they are told as they are committed, or whoever wants to know has to ask, as of a replica
 * alone; or there is nobody to ask.
 */
export type BlockNews = 'told' | 'asked' | 'none';

export interface BlockEvents {
  /** There may be a new block: of this height, where the server that is read may not have it yet. */
  onBlock(height: bigint | null): void;
  /** How they become known from now on. `error` is why a server was lost. */
  onNews(news: BlockNews, error?: Error): void;
}

/** The tables as a gateway reads them, of one server at a time. Whoever opens it closes it. */
export interface Reading extends Database {
  /** Tells of blocks and of servers. To be called once; whoever does closes what it gives. */
  watch(events: BlockEvents): { close(): Promise<void> };
  /** How the servers stand; null where there is but one. */
  readonly servers: (() => readonly ServerStatus[]) | null;
}

/** Opens one server, or the fittest of several. Nothing older is ever read than what was read before. */
export async function openReading(options: ReadingOptions): Promise<Reading> {
  const { url, replicaUrls, maxLagBlocks, readsPrimary, logger, ...settings } = options;
  const onWrongCount = (noun: string) =>
    logger.error(
      { noun },
      'rows were written that are not counted: totalCount reads them all until ingest has counted them',
    );
  const others = { ...settings, onWrongCount };
  if (replicaUrls.length === 0) return readOne(url, openDatabase({ ...others, url, readOnly: true }));
  const floor = new Floor();
  const sent = { sent: 0, failed: 0, ms: 0 };
  const open = (address: string) => openDatabase({ ...others, url: address, readOnly: true, floor, sent });
  const urls = [url, ...replicaUrls];
  const migration = await readNewestMigration();
  const servers = await Servers.start({ urls, maxLagBlocks, migration, readsPrimary, floor, open, logger });
  return readFittest(servers, floor, sent, { ...options, onWrongCount });
}

function readOne(url: string, database: Database): Reading {
  return Object.assign(database, { servers: null, watch: watchAlone(url) });
}

/** Tells of the blocks of one server. */
export function watchAlone(url: string): Reading['watch'] {
  return (events) =>
    watchServer(url, {
      onSight({ isReplica }) {
        events.onNews(isReplica ? 'asked' : 'told');
        events.onBlock(null);
      },
      onBlock: () => events.onBlock(null),
      onLost: (error) => events.onNews('none', error),
    });
}

function readFittest(
  servers: Servers,
  floor: Floor,
  sent: StatementCounts,
  { waitMs, maxConnections = DEFAULT_MAX_CONNECTIONS, onWrongCount }: ReadingOptions,
): Reading {
  const statements = movingStatements(servers, floor, waitMs);
  const close = () => servers.close();
  const prisma = createModels(statements);
  return {
    statements,
    counts: createCounts(statements, { waitMs, onWrongCount }),
    prisma,
    get load() {
      return servers.used?.load ?? { ...sent, most: maxConnections, open: 0, idle: 0, waiting: 0 };
    },
    cut: () => servers.used?.cut(),
    servers: () => servers.describe(),
    watch(events) {
      const onChange = () =>
        events.onNews(servers.isTold ? 'told' : servers.used === null ? 'none' : 'asked');
      const onBlock = (height: bigint | null) => events.onBlock(servers.isReplica ? height : null);
      servers.listen({ onChange, onBlock });
      onChange();
      onBlock(null);
      return { close: async () => servers.listen(null) };
    },
    close,
    [Symbol.asyncDispose]: close,
  };
}

/** A statement that came to nothing, or to a server that is not read any more, is sent again after so long, and longer. */
const FIRST_RETRY_MS = 5;
const LAST_RETRY_MS = 100;

/**
 * Sends each statement to the server that is read. Where that is lost it is sent to the next one, within `waitMs`: it
 * only reads. What comes from a server that was left meanwhile is not given: the next one may be behind that.
 */
function movingStatements(
  servers: Servers,
  floor: Floor,
  waitMs: number,
  { signals, steps }: { readonly signals: readonly Signal[]; readonly steps?: Steps | undefined } = {
    signals: [],
  },
): Statements {
  async function ask<Result>(send: (statements: Statements) => Promise<Result>): Promise<Result> {
    let backoff: Backoff | undefined;
    for (let failure: unknown = noServer(); ; ) {
      const { used } = servers;
      try {
        if (used !== null) {
          const result = await send(
            signals.reduce((all, signal) => all.until(signal, steps), used.statements),
          );
          if (servers.used === used) return result;
        }
      } catch (error) {
        if (!isWorthRetrying(error)) throw error;
        failure = error;
      }
      backoff ??= new Backoff({ firstMs: FIRST_RETRY_MS, limitMs: LAST_RETRY_MS, deadlineMs: waitMs });
      const isInTime = await backoff.wait();
      const left = signals.find(({ aborted }) => aborted);
      if (left !== undefined) throw left.reason;
      if (!isInTime) throw failure;
    }
  }
  return {
    rows: (statement) => ask((statements) => statements.rows(statement)),
    texts: (statement) => ask((statements) => statements.texts(statement)),
    arrays: (statement) => ask((statements) => statements.arrays(statement)),
    until: (signal, told = steps) =>
      movingStatements(servers, floor, waitMs, { signals: [...signals, signal], steps: told }),
    isPast: false,
    saw: (position) => floor.raise(position),
  };
}

/** A statement that took too long would again. */
function isWorthRetrying(error: unknown): boolean {
  return isUnavailable(error) && !tookTooLong(error);
}

/** As a lost connection says it, for `isUnavailable`. */
function noServer(): Error {
  return new Error('Connection terminated: no server is fit to be read');
}
