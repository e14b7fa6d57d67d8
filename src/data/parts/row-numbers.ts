import type pg from 'pg';
import { GatewayError } from '../../errors.ts';
import { ROWS_BY_POSITION } from '../history/partitions.ts';
import type { AnyNoun } from '../noun.ts';
import { nouns } from '../nouns/index.ts';
import { type LinesOf, readLines } from './copied-text.ts';
import { type Base, type Manifest, nameOf } from './manifest.ts';
import type { PartSource } from './part-source.ts';
import { nameToCome } from './to-come.ts';

/*
 * A file that a manifest does not name any more is missed by nobody who reads the others. So what a manifest names is held to what its base
 * has counted, before any of it is taken.
 */

const COUNTS = 'row_counts';
const counted = Object.values<AnyNoun>(nouns).filter(({ isListed }) => isListed);

/** The rows of whole nouns among the counts, each as the noun and the number. */
const OF_NOUNS: LinesOf = {
  kind: 'rows',
  columns: [
    { name: 'noun', type: 'text' },
    { name: 'key', type: 'text' },
    { name: 'rows', type: 'bigint' },
  ],
};

/** Throws INVALID_ARGUMENT where a manifest names fewer blocks than its parts span, or fewer rows, or more, than its base counts. */
export async function checkNumbers(
  source: PartSource,
  manifest: Manifest,
  base: Base,
  signal: AbortSignal,
): Promise<void> {
  for (const part of manifest.parts) {
    const [blocks, rows] = [part.to - part.from + 1n, rowsIn([part], 'blocks')];
    if (rows !== blocks) throw fault(source.name, `${nameOf(part)} has ${rows} of its ${blocks} blocks`);
  }
  const counts = await readCounts(source, base, signal);
  for (const { name, table, history } of counted) {
    const count = counts.get(name) ?? 0n;
    const { least, most } = rowsOf(manifest, base, { table: table.name.text, isAdded: history === 'added' });
    if (count >= least && count <= most) continue;
    const found = count < least ? least : most;
    throw fault(source.name, describe(base, { table: table.name.text, count, found }));
  }
}

/** Checks the numbers of rewards and trades once they are in, and what was dropped of them is out. */
export async function checkAdded(client: pg.ClientBase, base: Base): Promise<void> {
  for (const table of ROWS_BY_POSITION) {
    const { rows } = await client.query<{ found: string; count: string }>(
      `SELECT (SELECT count(*) FROM ${nameToCome(table)}) AS found,
         coalesce((SELECT rows FROM ${COUNTS} WHERE noun = $1 AND key = ''), 0) AS count`,
      [counted.find((noun) => noun.table.name.text === table)?.name],
    );
    const [found, count] = [BigInt(rows[0]?.found ?? 0), BigInt(rows[0]?.count ?? 0)];
    if (found !== count) throw fault('What was begun', describe(base, { table, count, found }));
  }
}

async function readCounts(
  source: PartSource,
  { files }: Base,
  signal: AbortSignal,
): Promise<ReadonlyMap<string, bigint>> {
  const counts = new Map<string, bigint>();
  for (const file of files.filter(({ table }) => table === COUNTS)) {
    await using checked = await source.take(file, signal);
    for await (const lines of readLines(checked.path, OF_NOUNS))
      for (const line of lines.split('\n').slice(0, -1)) {
        const [noun, key, rows] = line.split('\t') as [string, string, string];
        if (key === '') counts.set(noun, BigInt(rows));
      }
  }
  return counts;
}

/** How many rows files have of a table. Of a part in which some were dropped since, any number may be left. */
function rowsOf(
  { parts }: Manifest,
  { files, keptFromOf }: Base,
  { table, isAdded }: { readonly table: string; readonly isAdded: boolean },
): { readonly least: bigint; readonly most: bigint } {
  if (!isAdded) {
    const rows = rowsIn([{ files }], table);
    return { least: rows, most: rows };
  }
  const from = keptFromOf[table] ?? 0n;
  const kept = parts.filter(({ upTo }) => upTo >= from);
  return {
    least: rowsIn(
      kept.filter(({ after }) => after + 1n >= from),
      table,
    ),
    most: rowsIn(kept, table),
  };
}

function rowsIn(places: readonly Pick<Base, 'files'>[], table: string): bigint {
  const files = places.flatMap((place) => place.files).filter((file) => file.table === table);
  return files.reduce((sum, { rows }) => sum + BigInt(rows), 0n);
}

function describe(
  { height }: Base,
  { table, count, found }: { readonly table: string; readonly count: bigint; readonly found: bigint },
): string {
  return `the base at block ${height} counts ${count} rows of ${table}, and there are ${found}`;
}

function fault(place: string, what: string): GatewayError {
  return new GatewayError('INVALID_ARGUMENT', `${place} is not whole: ${what}.`);
}
