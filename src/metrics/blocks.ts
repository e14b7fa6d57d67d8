import type { Registry } from 'prom-client';
import type { Database } from '../data/servers/client.ts';
import { counter, type Definition, define, gauge } from './define.ts';

/** A block, as far as metrics tell of it. */
interface MeasuredBlock {
  readonly height: bigint;
  /** Nanoseconds since the epoch. */
  readonly timestamp: bigint;
}

/** How the database stands; undefined where it does not say. */
type Look = () => Promise<
  | {
      readonly newest: MeasuredBlock | null;
      readonly historyFrom: bigint | null;
      readonly keptFromOf: Readonly<Record<string, bigint>>;
    }
  | undefined
>;

/**
 * Defines what is measured of the feed: the newest block that is served, and how far behind the database it is. `look`
 * asks the database for its newest block, which is null before the first; undefined where it does not answer.
 */
export function defineFeedMetrics(
  registry: Registry,
  feed: {
    readonly latest: MeasuredBlock & { readonly digest: string | null };
    readonly isFollowing: boolean;
  },
  look: Look,
): void {
  define(registry, [
    ...newestBlock('periscope_block', 'that is served', () =>
      feed.latest.timestamp === 0n ? null : feed.latest,
    ),
    gauge(
      'periscope_block_digest_info',
      'The height of the newest block that is served, with the digest of all blocks up to it as a label: gateways that have the same height have the same digest. Absent where an older version wrote the block.',
      () => {
        const { digest, height } = feed.latest;
        return digest === null ? null : [[{ digest }, Number(height)]];
      },
      'max',
    ),
    gauge(
      'periscope_feed_following',
      'Whether new blocks are published as soon as they are there: 1, or 0.',
      () => (feed.isFollowing ? 1 : 0),
      'min',
    ),
    gauge(
      'periscope_database_up',
      'Whether the database has said within a second which block is its newest: 1, or 0.',
      async () => ((await look()) === undefined ? 0 : 1),
      'min',
    ),
    gauge(
      'periscope_history_from_block',
      'The first block whose changes are all kept, so that streams resume from there on; absent while the database does not answer.',
      async () => {
        const from = (await look())?.historyFrom ?? null;
        return from === null ? null : Number(from);
      },
      'max',
    ),
    keptFrom(look),
    gauge(
      'periscope_feed_lag_blocks',
      'How many blocks the database has that are not served yet; absent while it does not answer.',
      async () => {
        const found = await look();
        // The feed may have come on meanwhile.
        return found ? Math.max(0, Number((found.newest?.height ?? 0n) - feed.latest.height)) : null;
      },
      'max',
    ),
    gauge(
      'periscope_feed_lag_seconds',
      'How much older the newest block that is served is than that of the database; absent while it does not answer.',
      async () => {
        const found = await look();
        if (found === undefined || (found.newest !== null && feed.latest.timestamp === 0n)) return null;
        const { newest } = found;
        return newest === null ? 0 : Math.max(0, secondsOf(newest) - secondsOf(feed.latest));
      },
      'max',
    ),
  ]);
}

function keptFrom(look: Look): Definition {
  return gauge(
    'periscope_kept_from_block',
    'The first block whose rows are kept, by the tables of which older rows were dropped.',
    async () => {
      const kept = Object.entries((await look())?.keptFromOf ?? {});
      return kept.map(([table, height]) => [{ table }, Number(height)] as const);
    },
    'max',
  );
}

/** Height, time and age of a newest block, by names that begin alike. */
export function newestBlock(
  prefix: 'periscope_block' | 'periscope_ingest_block',
  which: string,
  newest: () => MeasuredBlock | null,
): readonly Definition[] {
  const read = (pick: (block: MeasuredBlock) => number) => () => {
    const block = newest();
    return block && pick(block);
  };
  return [
    gauge(
      `${prefix}_height`,
      `The height of the newest block ${which}.`,
      read(({ height }) => Number(height)),
      'max',
    ),
    gauge(
      `${prefix}_timestamp_seconds`,
      `The network's time of the newest block ${which}, since the epoch.`,
      read(secondsOf),
      'max',
    ),
    gauge(
      `${prefix}_age_seconds`,
      `How long ago, by the clock of this machine, the network made the newest block ${which}.`,
      read((block) => Date.now() / 1000 - secondsOf(block)),
      'min',
    ),
  ];
}

function secondsOf({ timestamp }: MeasuredBlock): number {
  return Number(timestamp / 1_000_000n) / 1000;
}

/** Defines what is measured of the connections to the database and of what is asked through them. */
export function defineDatabaseMetrics(registry: Registry, database: Pick<Database, 'load'>): void {
  define(registry, [
    gauge('periscope_pool_connections', 'Connections to the database that are open, busy or idle.', () => {
      const { open, idle } = database.load;
      return [
        [{ state: 'busy' }, open - idle],
        [{ state: 'idle' }, idle],
      ];
    }),
    gauge('periscope_pool_connections_limit', 'How many there may be (POOL_SIZE).', () => database.load.most),
    gauge('periscope_pool_waiting', 'Statements that wait for a connection.', () => database.load.waiting),
    counter('periscope_database_statements_total', 'Statements, by how they ended.', () => {
      const { sent, failed } = database.load;
      return [
        [{ status: 'ok' }, sent - failed],
        [{ status: 'failed' }, failed],
      ];
    }),
    counter(
      'periscope_database_statement_seconds_total',
      'How long statements took together, their wait for a connection included.',
      () => database.load.ms / 1000,
    ),
  ]);
}
