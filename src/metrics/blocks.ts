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
    {
      name: 'periscope_feed_following',
      help: 'Whether new blocks are published as soon as they are there: 1, or 0.',
      together: 'min',
    },
    () => [[{}, feed.isFollowing ? 1 : 0]],
  );
  defineGauge(
    registry,
    {
      name: 'periscope_database_up',
      help: 'Whether the database has said within a second which block is its newest: 1, or 0.',
      together: 'min',
    },
    async () => [[{}, (await look()) === undefined ? 0 : 1]],
  );
  defineGauge(
    registry,
    {
      name: 'periscope_feed_lag_blocks',
      help: 'How many blocks the database has that are not served yet; absent while it does not answer.',
      together: 'max',
    },
    async () => {
      const found = await look();
      if (found === undefined) return [];
      const { newest } = found;
      // The feed may have come on meanwhile.
      return [[{}, Math.max(0, Number((newest?.height ?? 0n) - feed.latest.height))]];
    },
  );
  defineGauge(
    registry,
    {
      name: 'periscope_feed_lag_seconds',
      help: 'How much older the newest block that is served is than that of the database; absent while it does not answer.',
      together: 'max',
    },
    async () => {
      const found = await look();
      if (found === undefined || (found.newest !== null && feed.latest.timestamp === 0n)) return [];
      const { newest } = found;
      return [[{}, newest === null ? 0 : Math.max(0, secondsOf(newest) - secondsOf(feed.latest))]];
    },
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
    { name: `${prefix}_height`, help: `The height of the newest block ${which}.`, together: 'max' },
    read(({ height }) => Number(height)),
  );
  defineGauge(
    registry,
    {
      name: `${prefix}_timestamp_seconds`,
      help: `The network's time of the newest block ${which}, since the epoch.`,
      together: 'max',
    },
    read(secondsOf),
  );
  defineGauge(
    registry,
    {
      name: `${prefix}_age_seconds`,
      help: `How long ago, by the clock of this machine, the network made the newest block ${which}.`,
      together: 'min',
    },
    read((block) => Date.now() / 1000 - secondsOf(block)),
  );
}

function secondsOf({ timestamp }: MeasuredBlock): number {
  return Number(timestamp / 1_000_000n) / 1000;
}

/** Defines what is measured of the connections to the database and of what is asked through them. */
export function defineDatabaseMetrics(registry: Registry, loadOf: () => DatabaseLoad): void {
  defineGauge(
    registry,
    { name: 'periscope_pool_connections', help: 'Connections to the database that are open, busy or idle.' },
    () => {
      const { open, idle } = loadOf();
      return [
        [{ state: 'busy' }, open - idle],
        [{ state: 'idle' }, idle],
      ];
    },
  );
  defineGauge(
    registry,
    { name: 'periscope_pool_connections_limit', help: 'How many there may be (POOL_SIZE).' },
    () => [[{}, loadOf().most]],
  );
  defineGauge(
    registry,
    { name: 'periscope_pool_waiting', help: 'Statements that wait for a connection.' },
    () => [[{}, loadOf().waiting]],
  );
  defineCounter(
    registry,
    { name: 'periscope_database_statements_total', help: 'Statements, by how they ended.' },
    () => {
      const { sent, failed } = loadOf();
      return [
        [{ status: 'ok' }, sent - failed],
        [{ status: 'failed' }, failed],
      ];
    },
  );
  defineCounter(
    registry,
    {
      name: 'periscope_database_statement_seconds_total',
      help: 'How long statements took together, their wait for a connection included.',
    },
    () => [[{}, loadOf().ms / 1000]],
  );
}
