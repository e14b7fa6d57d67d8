import { versionsWithin } from '../history/version-statements.ts';
import type { Noun, Positioned } from '../noun.ts';
import { nouns } from '../nouns/index.ts';
import type { Statements } from '../servers/statements.ts';
import { sql } from '../sql.ts';
import { unkept } from '../templates.ts';
import { type DigestedNoun, type DigestedRow, digestedNouns, writeLine } from './digested.ts';

/** How many rows were compared with the last version that their history has, and which of them are not what that says. */
export interface RowCheck {
  readonly noun: string;
  readonly rows: number;
  /** By their `createdPosition`. */
  readonly spoiled: readonly bigint[];
}

/** So many rows are looked up in their history at once. */
const ROWS_AT_ONCE = 500;
/** Behind all positions. */
const END = 2n ** 62n;

/**
 * Compares the rows that there are, up to a position, with the last version of each in its history, some at a time. Those whose last
 * version is forgotten are passed over, and so are kinds of rows that only come: what they are is their history.
 */
export async function* checkRows(statements: Statements, upTo: bigint): AsyncGenerator<RowCheck> {
  const archivedTo = await readArchivedTo(statements);
  for (const digested of digestedNouns.filter(({ name }) => nouns[name].history !== 'added')) {
    const noun = nouns[digested.name] as unknown as Noun<Positioned, never>;
    let after = -1n;
    for (;;) {
      const page = await statements.rows<DigestedRow & Positioned>(
        unkept(
          sql`SELECT ${noun.table.columns} FROM ${noun.table.name} AS t WHERE t.created_position > ${after}::bigint ORDER BY t.created_position LIMIT ${ROWS_AT_ONCE}`,
        ),
      );
      // What has changed since is for the next time.
      const rows = page.filter((row) => (row['updatedPosition'] as bigint) <= upTo);
      const spoiled = await findSpoiled(statements, { digested, noun, archivedTo, upTo }, rows);
      yield { noun: digested.kind, rows: rows.length, spoiled };
      if (page.length < ROWS_AT_ONCE) break;
      after = page.at(-1)?.createdPosition ?? END;
    }
  }
}

interface Checked {
  readonly digested: DigestedNoun;
  readonly noun: Noun<Positioned, never>;
  readonly archivedTo: bigint;
  readonly upTo: bigint;
}

async function findSpoiled(
  statements: Statements,
  checked: Checked,
  rows: readonly (DigestedRow & Positioned)[],
): Promise<readonly bigint[]> {
  const versions = await readLastVersions(
    statements,
    checked,
    rows.map(({ createdPosition }) => createdPosition),
  );
  const { kind, fields } = checked.digested;
  return rows.flatMap((row) => {
    const version = versions.get(row.createdPosition);
    const isSame = version === undefined || writeLine(kind, fields, version) === writeLine(kind, fields, row);
    return isSame ? [] : [row.createdPosition];
  });
}

/** The last version of each, by its `createdPosition`: among the changes, or else in the archive. */
async function readLastVersions(
  statements: Statements,
  { noun, archivedTo, upTo }: Checked,
  keys: readonly bigint[],
): Promise<ReadonlyMap<bigint, DigestedRow>> {
  const found = new Map<bigint, DigestedRow>();
  const parts = [
    { least: archivedTo + 1n, most: upTo, after: archivedTo },
    { least: 0n, most: archivedTo, after: -1n },
  ];
  for (const part of parts) {
    const missing = keys.filter((key) => !found.has(key));
    if (missing.length === 0) break;
    const walk = { direction: 'DESC', ...part, limit: missing.length, ofOne: 1 } as const;
    const versions = await statements.rows<DigestedRow & Positioned>(
      unkept(versionsWithin(noun, { keys: missing }, walk)),
    );
    for (const version of versions) found.set(version.createdPosition, version);
  }
  return found;
}

async function readArchivedTo(statements: Statements): Promise<bigint> {
  const [network] = await statements.rows<{ archivedTo: bigint }>(
    unkept(sql`SELECT archived_to AS "archivedTo" FROM networks LIMIT 1`),
  );
  return network?.archivedTo ?? -1n;
}
