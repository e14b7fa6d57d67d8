import type pg from 'pg';
import { inTransaction } from '../servers/transaction.ts';
import { type Manifest, readManifest, writeManifest } from './manifest.ts';
import { hasProgress, PROGRESS_TABLE } from './progress-table.ts';

/*
 * How far a base has been taken into a database, as the database itself has it: what is noted is noted in the transaction that does it. So
 * whoever is ended in the middle is gone on from, by another process, too.
 */

/** The present, the rows of tables that come behind it, and what was before, in this order. */
export const STAGES = ['present', 'added', 'past'] as const;
export type Stage = (typeof STAGES)[number];

/** Whoever may connect may see how far it is. */
const CREATE = `CREATE TABLE ${PROGRESS_TABLE} (kind text, name text, value text NOT NULL, PRIMARY KEY (kind, name));
  GRANT SELECT ON ${PROGRESS_TABLE} TO PUBLIC`;

/** What was begun; null where nothing was. */
export async function readBegun(client: pg.ClientBase): Promise<Manifest | null> {
  if (!(await hasProgress(client))) return null;
  const [text] = (await readNotes(client, 'manifest')).values();
  return text === undefined ? null : readManifest(text, 'what was begun');
}

/** Begins, with what is to be taken in, and whatever else is done with that. */
export function begin(client: pg.ClientBase, manifest: Manifest, work: () => Promise<void>): Promise<void> {
  return inTransaction(client, async () => {
    await client.query(CREATE);
    await note(client, 'manifest', '', writeManifest(manifest));
    await work();
  });
}

/** What of a base comes next; null where none is being taken in. */
export async function readStage(client: pg.ClientBase): Promise<Stage | null> {
  if (!(await hasProgress(client))) return null;
  const done = await readNotes(client, 'stage');
  return STAGES.find((stage) => !done.has(stage)) ?? null;
}

/** What is noted of a kind, by name. */
export async function readNotes(client: pg.ClientBase, kind: string): Promise<ReadonlyMap<string, string>> {
  const { rows } = await client.query<{ name: string; value: string }>(
    `SELECT name, value FROM ${PROGRESS_TABLE} WHERE kind = $1`,
    [kind],
  );
  return new Map(rows.map(({ name, value }) => [name, value]));
}

export async function note(client: pg.ClientBase, kind: string, name: string, value = ''): Promise<void> {
  await client.query(`INSERT INTO ${PROGRESS_TABLE} VALUES ($1, $2, $3)`, [kind, name, value]);
}

/** Takes a note away. Throws where somebody else has. */
export async function unnote(client: pg.ClientBase, kind: string, name: string): Promise<void> {
  const { rowCount } = await client.query(`DELETE FROM ${PROGRESS_TABLE} WHERE kind = $1 AND name = $2`, [
    kind,
    name,
  ]);
  if (rowCount !== 1) throw new Error(`the ${kind} ${name} was done by somebody else`);
}

/** Has nothing left of it. Stands in the transaction that does the last. */
export async function end(client: pg.ClientBase): Promise<void> {
  await client.query(`DROP TABLE ${PROGRESS_TABLE}`);
}
