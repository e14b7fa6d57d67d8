import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { cpus, release, totalmem } from 'node:os';
import { dirname, join } from 'node:path';
import type { Result } from '../bench.ts';
import type { Size } from '../size.ts';

/** A run as it is kept: what came of it, and where. */
export interface Results {
  readonly date: string;
  /** The commit, with a + where files differed from it. */
  readonly commit: string;
  readonly size: Size['name'];
  readonly machine: {
    readonly cpu: string;
    readonly cores: number;
    readonly memoryGb: number;
    /** The load average before the run: what else the machine had to do. */
    readonly load: number;
    readonly kernel: string;
  };
  readonly versions: Readonly<Record<string, string>>;
  readonly results: readonly Result[];
  /** Whose results are of a later run than the others. */
  readonly again?: readonly Again[];
}

/** Results that were measured again, without the rest. */
export interface Again {
  readonly ids: readonly string[];
  readonly date: string;
  readonly commit: string;
}

const FOLDER = join('trials', 'bench', 'results');
const PEERS = [
  'postgraphile',
  'express',
  'graphql',
  '@pothos/core',
  '@prisma/client',
  'graphql-yoga',
  'graphql-ws',
  'ws',
  'pg',
];

export function describeRun({ size, load, postgres, results }: Run): Results {
  return {
    date: new Date().toISOString().slice(0, 10),
    commit: describeCommit(),
    size: size.name,
    machine: {
      cpu: cpus()[0]?.model ?? 'unknown',
      cores: cpus().length,
      memoryGb: Math.round(totalmem() / 2 ** 30),
      load: Number(load.toFixed(1)),
      kernel: release(),
    },
    versions: describeVersions(postgres),
    results,
  };
}

interface Run {
  readonly size: Size;
  readonly load: number;
  readonly postgres: string;
  readonly results: readonly Result[];
}

/** A run with the results of some cases measured again, which it says. Throws where these are none of its own. */
export function putInto(whole: Results, later: Results): Results {
  const ids = later.results.map(({ id }) => id);
  const strange = ids.filter((id) => !whole.results.some((result) => result.id === id));
  if (later.size !== whole.size)
    throw new Error(`A ${whole.size} run takes no results of a ${later.size} one.`);
  if (strange.length > 0) throw new Error(`That run has no ${strange.join(', ')}.`);
  const before = (whole.again ?? [])
    .map((again) => ({ ...again, ids: again.ids.filter((id) => !ids.includes(id)) }))
    .filter((again) => again.ids.length > 0);
  return {
    ...whole,
    results: whole.results.map((result) => later.results.find(({ id }) => id === result.id) ?? result),
    again: [...before, { ids, date: later.date, commit: later.commit }],
  };
}

/** Where a run is kept unless said otherwise. */
export function defaultFile({ date, size }: Pick<Results, 'date' | 'size'>): string {
  return join(FOLDER, `${date}-${size}.json`);
}

export function writeResults(file: string, results: Results): void {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, `${JSON.stringify(results, null, 2)}\n`);
}

export function readResults(file: string): Results {
  return JSON.parse(readFileSync(file, 'utf8')) as Results;
}

function describeCommit(): string {
  const git = (...args: readonly string[]) => execFileSync('git', args, { encoding: 'utf8' }).trim();
  try {
    return (
      git('rev-parse', '--short', 'HEAD') +
      (git('status', '--porcelain', '--', 'src', 'prisma') === '' ? '' : '+')
    );
  } catch {
    return 'unknown';
  }
}

function describeVersions(postgres: string): Readonly<Record<string, string>> {
  const node = process.env['BENCH_NODE'] ?? process.execPath;
  const peers = PEERS.map((name) => {
    const file = join('trials', 'bench', 'peers', 'node_modules', name, 'package.json');
    return [name, JSON.parse(readFileSync(file, 'utf8')).version as string];
  });
  return {
    node: execFileSync(node, ['--version'], { encoding: 'utf8' }).trim(),
    'node (PostGraphile)': process.version,
    postgresql: postgres,
    ...Object.fromEntries(peers),
  };
}
