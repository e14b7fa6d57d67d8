import { GatewayError } from '../../errors.ts';
import type { LoadAs } from './load-file.ts';
import type { Base, Manifest, PartFile } from './manifest.ts';
import { PART_TABLES, VERSIONED_TABLES } from './tables.ts';
import { comesBehind, nameToCome } from './to-come.ts';

/** A file, and what its rows become. */
export interface Load {
  readonly file: PartFile;
  readonly as: LoadAs;
}

/** A table of fewer rows keeps its indexes. */
const MANY_ROWS = 1_000;

/** The newest base. Throws FAILED_PRECONDITION where there is none. */
export function baseOf({ bases }: Manifest, name: string): Base {
  const base = bases.at(-1);
  if (base === undefined)
    throw new GatewayError(
      'FAILED_PRECONDITION',
      `${name} has no base: write one with periscope export, without --closed.`,
    );
  return base;
}

/** What is there of the present: the rows of the base, and what was ever added to small tables. Blocks come last, and make it visible. */
export function presentOf(manifest: Manifest, base: Base): readonly Load[] {
  const added = filesOf(manifest, (table) => isAdded(table) && !comesBehind(table) && table !== 'blocks');
  return [...base.files, ...added].map((file) => ({ file, as: 'rows' }));
}

/** The blocks themselves. */
export function blocksOf(manifest: Manifest): readonly Load[] {
  return filesOf(manifest, (table) => table === 'blocks').map((file) => ({ file, as: 'rows' }));
}

/** What was ever added to large tables. */
export function addedOf(manifest: Manifest): readonly Load[] {
  return filesOf(manifest, comesBehind).map((file) => ({ file, as: 'rows' }));
}

/** What was before, which histories have. */
export function pastOf(manifest: Manifest): readonly Load[] {
  return filesOf(manifest, (table) => !isAdded(table)).map((file) => ({ file, as: 'versions' }));
}

function filesOf({ parts }: Manifest, isMeant: (table: string) => boolean): readonly PartFile[] {
  return parts.flatMap(({ files }) => files.filter(({ table }) => isMeant(table)));
}

function isAdded(table: string): boolean {
  return !VERSIONED_TABLES.some((one) => one.table === table);
}

/** The tables that get many rows, as they are called meanwhile. */
export function largeTables(loads: readonly Load[]): readonly string[] {
  const rows = new Map<string, number>();
  for (const { file, as } of loads) {
    const table = as === 'rows' ? nameToCome(file.table) : historyOf(file.table);
    rows.set(table, (rows.get(table) ?? 0) + file.rows);
  }
  return [...rows].filter(([, count]) => count >= MANY_ROWS).map(([table]) => table);
}

function historyOf(table: string): string {
  return PART_TABLES.find((one) => one.table === table)?.history === 'balances'
    ? 'balance_changes'
    : 'changes';
}
