import type { Registry } from 'prom-client';
import type { DatabaseLoad } from '../data/servers/client.ts';
import { defineCounter, defineGauge } from './define.ts';

/** A block, as far as metrics tell of it. */
export interface MeasuredBlock {
  readonly height: bigint;
  /** Nanoseconds since the epoch. */
  readonly timestamp: bigint;
}

/** Defines what is measured of the feed: the newest block that is served, and how far behind the database it is. */
export function defineFeedMetrics(
  registry: Registry,
  {
    feed,
    look,
  }: {
    readonly feed: { readonly latest: MeasuredBlock; readonly isFollowing: boolean };
    /** Asks the database for its newest block, which is null before the first; undefined where it does not answer. */
    readonly look: () => Promise<{ readonly newest: MeasuredBlock | null } | undefined>;
  },
): void {
  defineNewestBlock(registry, 'periscope_block', 'that is served', () =>
    feed.latest.timestamp === 0n ? null : feed.latest,
  );
  defineGauge(
    registry,
    'periscope_feed_following',
    'Whether new blocks are published as soon as they are there: 1, or 0.',
    () => [[{}, feed.isFollowing ? 1 : 0]],
    'min',
  );
  defineGauge(
    registry,
    'periscope_database_up',
    'Whether the database has said within a second which block is its newest: 1, or 0.',
    async () => [[{}, (await look()) === undefined ? 0 : 1]],
    'min',
  );
  defineGauge(
    registry,
    'periscope_feed_lag_blocks',
    'How many blocks the database has that are not served yet; absent while it does not answer.',
    async () => {
      const found = await look();
      if (found === undefined) return [];
      const { newest } = found;
      // The feed may have come on meanwhile.
      return [[{}, Math.max(0, Number((newest?.height ?? 0n) - feed.latest.height))]];
    },
    'max',
  );
  defineGauge(
    registry,
    'periscope_feed_lag_seconds',
    'How much older the newest block that is served is than that of the database; absent while it does not answer.',
    async () => {
      const found = await look();
      if (found === undefined || (found.newest !== null && feed.latest.timestamp === 0n)) return [];
      const { newest } = found;
      return [[{}, newest === null ? 0 : Math.max(0, secondsOf(newest) - secondsOf(feed.latest))]];
    },
    'max',
  );
}

/** Defines height, time and age of a newest block, by names that begin alike. */
export function defineNewestBlock(
  registry: Registry,
  prefix: 'periscope_block' | 'periscope_ingest_block',
  which: string,
  newest: () => MeasuredBlock | null,
): void {
  const read = (pick: (block: MeasuredBlock) => number) => () => {
    const block = newest();
    return block === null ? [] : [[{}, pick(block)] as const];
  };
  defineGauge(
    registry,
    `${prefix}_height`,
    `The height of the newest block ${which}.`,
    read(({ height }) => Number(height)),
    'max',
  );
  defineGauge(
    registry,
    `${prefix}_timestamp_seconds`,
    `The network's time of the newest block ${which}, since the epoch.`,
    read(secondsOf),
    'max',
  );
  defineGauge(
    registry,
    `${prefix}_age_seconds`,
    `How long ago, by the clock of this machine, the network made the newest block ${which}.`,
    read((block) => Date.now() / 1000 - secondsOf(block)),
    'min',
  );
}

function secondsOf({ timestamp }: MeasuredBlock): number {
  return Number(timestamp / 1_000_000n) / 1000;
}

/** Defines what is measured of the connections to the database and of what is asked through them. */
export function defineDatabaseMetrics(registry: Registry, loadOf: () => DatabaseLoad): void {
  defineGauge(
    registry,
    'periscope_pool_connections',
    'Connections to the database that are open, busy or idle.',
    () => {
      const { open, idle } = loadOf();
      return [
        [{ state: 'busy' }, open - idle],
        [{ state: 'idle' }, idle],
      ];
    },
  );
  defineGauge(registry, 'periscope_pool_connections_limit', 'How many there may be (POOL_SIZE).', () => [
    [{}, loadOf().most],
  ]);
  defineGauge(registry, 'periscope_pool_waiting', 'Statements that wait for a connection.', () => [
    [{}, loadOf().waiting],
  ]);
  defineCounter(registry, 'periscope_database_statements_total', 'Statements, by how they ended.', () => {
    const { sent, failed } = loadOf();
    return [
      [{ status: 'ok' }, sent - failed],
      [{ status: 'failed' }, failed],
    ];
  });
  defineCounter(
    registry,
    'periscope_database_statement_seconds_total',
    'How long statements took together, their wait for a connection included.',
    () => [[{}, loadOf().ms / 1000]],
  );
}
