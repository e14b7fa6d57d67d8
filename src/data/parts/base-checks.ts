import type pg from 'pg';
import { GatewayError } from '../../errors.ts';
import { HISTORIES } from '../history/partitions.ts';
import { readNewestMigration } from '../migrate.ts';
import { forgetUnbegun } from '../writing/forget-unbegun.ts';
import { readNotes } from './ingest-progress.ts';
import { type Base, type Manifest, nameOf, type PartFile } from './manifest.ts';
import { PART_TABLES, readBaseTables } from './tables.ts';
import { areAside } from './to-come.ts';

/** The tables of a base are those of one version, and parts may be of older ones. */
export async function checkVersion(
  { parts }: Manifest,
  { schema, height }: Base,
  place: string,
): Promise<void> {
  const newest = await readNewestMigration();
  const newer = parts.find((part) => part.schema > newest);
  if (newer !== undefined)
    throw new GatewayError(
      'FAILED_PRECONDITION',
      `In ${place}, ${nameOf(newer)} was written by a newer version of Periscope, with the migration ${newer.schema}: take it in with that version.`,
    );
  if (schema === newest) return;
  const remedy =
    schema > newest
      ? 'take it in with that version'
      : 'write another one with this version (periscope export), or take it in with the older one and migrate';
  throw new GatewayError(
    'FAILED_PRECONDITION',
    `The base at block ${height} was written by another version of Periscope, with the migration ${schema} and not ${newest}: ${remedy}.`,
  );
}

/** What is taken in is what this version has tables for. */
export async function checkTables(
  client: pg.Client,
  { parts }: Manifest,
  base: Base,
  place: string,
): Promise<void> {
  const refuse = (files: readonly PartFile[], known: readonly string[], which: string) => {
    const unknown = files.find(({ table }) => !known.includes(table));
    if (unknown === undefined) return;
    throw new GatewayError(
      'INVALID_ARGUMENT',
      `In ${place}, ${which} has rows of ${unknown.table}, which is no table of this version: write another one (periscope export).`,
    );
  };
  refuse(base.files, await readBaseTables(client), `the base at block ${base.height}`);
  const ofParts = PART_TABLES.map(({ table }) => table);
  for (const part of parts) refuse(part.files, ofParts, nameOf(part));
}

/** Older versions took all of the present first, and left their notes and tables otherwise. */
export async function checkBegun(client: pg.Client): Promise<void> {
  if ((await readNotes(client, 'stage')).has('added') || (await areAside(client))) return;
  throw new GatewayError(
    'FAILED_PRECONDITION',
    'This base was begun by an older version of Periscope: go on with that one, or begin anew in another database or DATA_DIR.',
  );
}

/** Throws FAILED_PRECONDITION where a database holds anything. */
export async function refuseRows(client: pg.Client): Promise<void> {
  await forgetUnbegun(client);
  const { rows } = await client.query<{ chain: string }>('SELECT chain_id AS chain FROM networks LIMIT 1');
  const into = 'a base is taken into an empty one only: name another database or DATA_DIR.';
  if (rows[0] !== undefined)
    throw new GatewayError('FAILED_PRECONDITION', `The database holds the network ${rows[0].chain}; ${into}`);
  const tables = [...(await readBaseTables(client)), ...PART_TABLES.map(({ table }) => table), ...HISTORIES];
  for (const table of new Set(tables)) {
    const found = await client.query<{ filled: boolean }>(`SELECT EXISTS (SELECT FROM "${table}") AS filled`);
    if (found.rows[0]?.filled)
      throw new GatewayError('FAILED_PRECONDITION', `The database holds rows in ${table}; ${into}`);
  }
}

/** The blocks that came must be those that the manifest names: its digests are over all that they changed. */
export async function checkDigests(client: pg.Client, { parts }: Manifest): Promise<void> {
  const { rows } = await client.query<{ height: string; wanted: string; found: string | null }>(
    `SELECT part.to_height AS height, part.digest AS wanted,
       (SELECT digest FROM blocks WHERE last_position <= part.up_to ORDER BY last_position DESC LIMIT 1) AS found
     FROM unnest($1::bigint[], $2::bigint[], $3::text[]) AS part (to_height, up_to, digest)`,
    [parts.map(({ to }) => to), parts.map(({ upTo }) => upTo), parts.map(({ digest }) => digest)],
  );
  const wrong = rows.find(({ wanted, found }) => wanted !== found);
  if (wrong === undefined) return;
  throw new GatewayError(
    'INVALID_ARGUMENT',
    `The digest of block ${wrong.height} is ${wrong.found}, and the manifest says ${wrong.wanted}: none of the blocks was taken.`,
  );
}
