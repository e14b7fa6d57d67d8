import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type pg from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import { GatewayError } from '../../errors.ts';
import { inTransaction } from '../servers/transaction.ts';
import { MOST_ROWS } from './column-batch.ts';
import { readColumns } from './columns.ts';
import { type LinesOf, readLines } from './copied-text.ts';
import { note } from './ingest-progress.ts';
import { readLinesAside } from './lines-aside.ts';
import type { PartFile } from './manifest.ts';
import type { CheckedFile } from './part-source.ts';
import { PART_TABLES } from './tables.ts';
import { nameToCome } from './to-come.ts';

/** What a file's rows become: rows of its table, or versions that the histories have. */
export type LoadAs = 'rows' | 'versions';

/** Data exceptions, and integrity constraints violated: they lie in what the file holds. */
const DATA_FAULT = /^2[23]/;

/** Takes the rows of a file into the database and notes it, in a transaction of its own: all of them count, or none. */
export function loadFile(
  client: pg.ClientBase,
  file: PartFile,
  checked: CheckedFile,
  as: LoadAs,
): Promise<void> {
  return inTransaction(client, async () => {
    await copyFile(client, file, checked, as);
    await note(client, 'file', `${as} ${file.name}`);
  });
}

/** Takes the rows of a file into the database within a transaction that is there, and without a note. */
export async function copyFile(
  client: pg.ClientBase,
  { table, name, rows }: PartFile,
  { path }: CheckedFile,
  as: LoadAs,
): Promise<void> {
  const { into, of } =
    as === 'rows' ? await toRows(client, nameToCome(table)) : await toVersions(client, table);
  const stream = client.query(copyFrom(`COPY ${into} FROM STDIN`));
  // A thread takes as long to start as some thousand rows to read.
  const texts = rows > MOST_ROWS ? readLinesAside(path, of) : readLines(path, of);
  await pipeline(Readable.from(texts, { objectMode: false }), stream).catch((error) => explain(error, name));
  if (stream.rowCount !== rows)
    throw new GatewayError(
      'INVALID_ARGUMENT',
      `${name} has ${stream.rowCount} rows, and the manifest says ${rows}.`,
    );
}

/** As `balance_changes` has them. */
const BALANCES: LinesOf = {
  kind: 'rows',
  columns: [
    { name: 'updated_position', type: 'bigint' },
    { name: 'created_position', type: 'bigint' },
    { name: 'balance', type: 'text' },
  ],
};

interface Target {
  readonly into: string;
  readonly of: LinesOf;
}

async function toRows(client: pg.ClientBase, table: string): Promise<Target> {
  const columns = await readColumns(client, table);
  const names = columns.map(({ name }) => `"${name}"`);
  return { into: `"${table}" (${names.join(', ')})`, of: { kind: 'rows', columns } };
}

async function toVersions(client: pg.ClientBase, table: string): Promise<Target> {
  const history = PART_TABLES.find((one) => one.table === table)?.history;
  if (history === 'balances')
    return { into: 'balance_changes (position, account_position, balance)', of: BALANCES };
  return {
    into: 'changes (position, noun, row_position, row)',
    of: { kind: 'versions', noun: table, columns: await readColumns(client, table) },
  };
}

function explain(error: Error & { readonly code?: unknown }, name: string): never {
  if (!DATA_FAULT.test(String(error.code))) throw error;
  throw new GatewayError('INVALID_ARGUMENT', `The rows of ${name} cannot be taken: ${error.message}.`);
}
