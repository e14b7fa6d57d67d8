import type { BenchDatabase, BenchPostgres } from './database/bench-database.ts';
import type { Loader } from './load/start-loader.ts';
import type { Target } from './measure/figures.ts';
import type { BenchServer, PeerName } from './servers/start-server.ts';
import type { Size } from './size.ts';

/** What a case works with. */
export interface Bench {
  readonly size: Size;
  readonly postgres: BenchPostgres;
  /** The filled database that Periscope and its peers share; started with the first case that wants it. */
  database(): Promise<BenchDatabase>;
  /** Periscope over that database, or a peer over it: one process each, for all cases. */
  periscope(): Promise<BenchServer>;
  peer(name: PeerName): Promise<BenchServer>;
  readonly loader: Loader;
  /** The folder of an older checkout, built, that is measured beside this one where a case does; null where none is given. */
  readonly before: string | null;
  /** A line for whoever waits. */
  say(text: string): void;
}

/** One thing that is measured: one file in `cases/`, run alone by `--only NAME`. */
export interface BenchCase {
  readonly name: string;
  readonly title: string;
  run(bench: Bench): Promise<readonly Result[]>;
}

/** One line of the table. */
export interface Result {
  /** The same in every run: by it two runs are compared. */
  readonly id: string;
  readonly what: string;
  readonly figure: string;
  /** What stands beside it, measured in the same run. */
  readonly beside: string;
  /** The figure in the target's terms; null where it could not be measured, and the note says why. */
  readonly value: number | null;
  /** What the value is: a ratio (`x the limit`), milliseconds. */
  readonly unit: string;
  /** Null where it only shows where others stand. */
  readonly target: Target | null;
  /** CPU of one request, event or message in microseconds, where there is such a thing; and that of what stands beside it. */
  readonly cpuUs: number | null;
  readonly peerCpuUs: number | null;
  /** Of `cpuUs`, what the process took and what PostgreSQL took, where both are known. */
  readonly serverUs?: number;
  readonly databaseUs?: number;
  /** How far the rounds lie apart, as a part of their median; 0 where there was one. */
  readonly spread: number;
  readonly note: string;
}
