import type { Registry } from 'prom-client';
import { counter, define, gauge } from './define.ts';

/** How far a server has been read again, and what was found. */
export interface MeasuredScrub {
  readonly server: string;
  readonly upTo: bigint | null;
  readonly rows: number;
  /** Of the round before this one: how many were found, and when it ended, in milliseconds since the epoch. */
  readonly spoiled: number;
  readonly finishedAt: number | null;
}

/** Defines what is measured of the servers that are read again in the background. */
export function defineScrubMetrics(registry: Registry, read: () => readonly MeasuredScrub[]): void {
  const ofEach = (pick: (scrub: MeasuredScrub) => number | null) => () =>
    read().flatMap((scrub) => {
      const value = pick(scrub);
      return value === null ? [] : [[{ server: scrub.server }, value] as const];
    });
  define(registry, [
    gauge(
      'periscope_scrub_block_height',
      'Up to which block a server has been read again in this round.',
      ofEach(({ upTo }) => (upTo === null ? null : Number(upTo))),
      'max',
    ),
    counter(
      'periscope_scrub_rows_total',
      'Rows of a server that were read again.',
      ofEach(({ rows }) => rows),
    ),
    gauge(
      'periscope_scrub_spoiled',
      'How many blocks and rows of a server are not what they were when they were written: those that were found in this round, or in the last where that were more.',
      ofEach(({ spoiled }) => spoiled),
      'max',
    ),
    gauge(
      'periscope_scrub_finished_timestamp_seconds',
      'When all of a server was read again last, since the epoch; absent before.',
      ofEach(({ finishedAt }) => (finishedAt === null ? null : finishedAt / 1000)),
      'max',
    ),
  ]);
}
