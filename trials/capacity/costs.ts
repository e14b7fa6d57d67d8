import { readFileSync, writeFileSync } from 'node:fs';
import type { Result } from '../bench/bench.ts';
import type { Results } from '../bench/report/results.ts';

/** Where the measured costs are kept: `npm run bench -- --capacity` writes them anew. */
export const COSTS = 'trials/capacity/costs.json';

/** Processor time of one request or event in whole nanoseconds: of the process, and of PostgreSQL for it. */
export interface Work {
  readonly process: number;
  readonly database: number;
}

/** What a bench has measured, as far as capacity needs it: whole nanoseconds of processor time, and whole bytes. */
export interface Costs {
  readonly from: Pick<Results, 'date' | 'commit' | 'size' | 'machine'> & {
    readonly node: string;
    readonly postgresql: string;
  };
  readonly ns: {
    /** The same again, of which nothing has changed: with its body, and as 304. */
    readonly kept: Work;
    readonly notModified: Work;
    /** What nothing kept answers: one row, and a page of 20. */
    readonly row: Work;
    readonly page: Work;
    /** A message of 1 kB that equal streams share, and a change that one stream of many follows. */
    readonly message: number;
    readonly change: number;
    readonly event: Work;
    /** A block on its way into the log: of the relay, and of its three servers together. */
    readonly relayedBlock: number;
    readonly loggedBlock: number;
  };
  /** How many blocks a second a relay puts into the log, one after the other. */
  readonly relayedPerSecond: number;
  /** From a block's commit to its message at a client, unloaded. */
  readonly noticeNs: number;
  readonly bytes: {
    readonly row: number;
    readonly page: number;
    readonly marketData: number;
    /** On disk, and in PostgreSQL's log of writes. */
    readonly storedEvent: number;
    readonly walEvent: number;
  };
  /** Of a process that serves: at rest, asked, and for each of its streams. */
  readonly memory: { readonly idle: number; readonly asked: number; readonly stream: number };
}

/** Takes from a run what capacity needs. Throws where it has not been measured. */
export function costsOf({ results, date, commit, size, machine, versions }: Results): Costs {
  const value = (id: string) => numberOf(results, id, 'value');
  const work = (id: string): Work => ({
    process: toNs(numberOf(results, id, 'serverUs')),
    database: toNs(numberOf(results, id, 'databaseUs')),
  });
  const cpu = (id: string) => toNs(numberOf(results, id, 'cpuUs'));
  const { node = 'unknown', postgresql = 'unknown' } = versions;
  return {
    from: { date, commit, size, machine, node, postgresql },
    ns: {
      kept: work('repeat-rest'),
      notModified: work('not-modified'),
      row: work('cold-row/rest/limit'),
      page: work('cold-newest-20/rest/limit'),
      message: cpu('stream-throughput'),
      change: cpu('subscribers-many-parties'),
      event: work('ingest'),
      relayedBlock: cpu('log/relay'),
      loggedBlock: cpu('log/servers'),
    },
    relayedPerSecond: Math.round(value('log/blocks')),
    noticeNs: Math.round(value('stream-latency/p50') * 1e6),
    bytes: {
      row: Math.round(value('sizes/row')),
      page: Math.round(value('sizes/page')),
      marketData: Math.round(value('sizes/market-data')),
      storedEvent: Math.round(value('ingest/disk')),
      walEvent: Math.round(value('ingest/wal')),
    },
    memory: {
      idle: Math.round(value('memory/idle') * 1e6),
      asked: Math.round(value('memory/mix') * 1e6),
      stream: Math.round(value('memory/stream') * 1e3),
    },
  };
}

export function readCosts(): Costs {
  return JSON.parse(readFileSync(COSTS, 'utf8')) as Costs;
}

export function writeCosts(costs: Costs): void {
  writeFileSync(COSTS, `${JSON.stringify(costs, null, 2)}\n`);
}

function numberOf(
  results: readonly Result[],
  id: string,
  field: 'value' | 'cpuUs' | 'serverUs' | 'databaseUs',
): number {
  const result = results.find((one) => one.id === id);
  const number = result?.[field];
  if (typeof number !== 'number' || !Number.isFinite(number))
    throw new Error(
      `The run has not measured ${id} (${field}), which ${COSTS} needs: run npm run bench without --only.`,
    );
  return number;
}

function toNs(us: number): number {
  return Math.round(us * 1000);
}
