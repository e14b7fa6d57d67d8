import { GatewayError } from '../../errors.ts';
import { PARTITIONED, type Partition } from '../history/partitions.ts';
import { MIGRATIONS_TABLE, type Migration } from '../migrate.ts';

/*
 * A backup is a script of SQL that psql runs: comments that say what it holds, the migrations that made the tables, their
 * partitions, and a COPY for each table, all in one transaction. `restore` takes the rows from it and makes the tables itself: it runs
 * no SQL of the file.
 */

/** The list of migrations is backed up like any other table. */
export const LIST = '_prisma_migrations';
const FORMAT = '-- Periscope backup 1';
const ROWS = '-- The rows of the tables';
const END = '-- The end of the backup';
/** More than the longest line of a migration, and of all of them together. */
const MOST_HEAD_BYTES = 16 * 2 ** 20;
const TERMINATOR = Buffer.from('\\.\n');
const LINE_END = 0x0a;

/** What a backup says of itself. */
export interface BackupFacts {
  /** Of Periscope, and of the server that it was made on. */
  readonly version: string;
  readonly server: string;
  readonly time: string;
  /** Null where the database held none. */
  readonly network: string | null;
  readonly height: string | null;
}

/** The migrations that made the tables of a backup. */
export type MigrationName = Pick<Migration, 'name' | 'checksum'>;

/** A part of a table, with its bounds. */
export type PartitionName = Pick<Partition, 'table' | 'name' | 'from' | 'to'>;

/** The rows of one table, as COPY writes them. */
export interface TableHead {
  readonly table: string;
  readonly columns: readonly string[];
}

/** The tables that migrations make. */
export function tablesOf(migrations: readonly Migration[]): readonly string[] {
  const made = migrations.flatMap(({ sql }) => [...sql.matchAll(/^CREATE TABLE "(\w+)"/gm)]);
  // A later one makes some anew.
  return [...new Set([LIST, ...made.map(([, name]) => name as string)])];
}

export function writeHead(
  facts: BackupFacts,
  migrations: readonly Migration[],
  partitions: readonly PartitionName[],
): string {
  const { version, server, time, network, height } = facts;
  return `${FORMAT}
-- Made by Periscope ${version}, on PostgreSQL ${server}, at ${time}
-- Network: ${network === null ? 'none' : JSON.stringify(network)}
-- Block: ${height ?? 'none'}
${migrations.map(({ name, checksum }) => `-- Migration: ${name} ${checksum}`).join('\n')}
${partitions.map(({ table, name, from, to }) => `-- Partition: ${table} ${name} ${from ?? 'MINVALUE'} ${to}\n`).join('')}--
-- For an empty database, all of it or nothing: periscope restore FILE, or psql -X -f FILE.

\\set ON_ERROR_STOP on
SET client_encoding = 'UTF8';
SET standard_conforming_strings = on;
SET datestyle = 'ISO, MDY';
SET periscope.migration = '${migrations.at(-1)?.name}';
BEGIN;
${MIGRATIONS_TABLE};
${migrations.map(({ name, sql }) => `-- ${name}\n${sql.trimEnd()}`).join('\n')}
${partitions.map((partition) => `${createPartition(partition)};\n`).join('')}
${ROWS}
`;
}

/** The COPY statement of a table, but for where it copies to or from. */
export function copyOf({ table, columns }: TableHead): string {
  return `COPY "${table}" (${columns.map((column) => `"${column}"`).join(', ')})`;
}

/** The COPY statement that reads a table: of what is in partitions, those are read. */
export function copyToOf({ table, columns }: TableHead): string {
  if (!PARTITIONED.includes(table)) return `${copyOf({ table, columns })} TO STDOUT`;
  return `COPY (SELECT ${columns.map((column) => `"${column}"`).join(', ')} FROM "${table}") TO STDOUT`;
}

/** Makes a part of a table that nobody reads yet. */
export function createPartition({ table, name, from, to }: PartitionName): string {
  return `CREATE TABLE "${name}" PARTITION OF "${table}" FOR VALUES FROM (${from ?? 'MINVALUE'}) TO (${to})`;
}

export function beginRows(head: TableHead): string {
  return `\n${copyOf(head)} FROM stdin;\n`;
}

export function endRows(rows: number): string {
  return `${TERMINATOR}-- ${rows} rows\n`;
}

export const FOOT = `\nCOMMIT;\n${END}\n`;

/** Reads a backup from its beginning to its end, in bounded memory. Throws INVALID_ARGUMENT where it is none, or damaged. */
export class BackupReader {
  readonly #chunks: AsyncIterator<Uint8Array>;
  #held: Buffer = Buffer.alloc(0);

  constructor(chunks: AsyncIterable<Uint8Array>) {
    this.#chunks = chunks[Symbol.asyncIterator]();
  }

  /** The migrations that the tables are made with, and their partitions; stands before the first table then. */
  async readHead(): Promise<{
    readonly migrations: readonly MigrationName[];
    readonly partitions: readonly PartitionName[];
  }> {
    const first = await this.#readLine().catch(() => null);
    if (first !== FORMAT) throw damaged(describeOther(first));
    const migrations: MigrationName[] = [];
    const partitions: PartitionName[] = [];
    for (let bytes = 0, line: string | null = first; line !== ROWS; line = await this.#readLine()) {
      if (line === null || bytes > MOST_HEAD_BYTES) throw cutOff();
      bytes += line.length;
      const [, name, checksum] = /^-- Migration: (\S+) ([0-9a-f]{64})$/.exec(line) ?? [];
      if (name !== undefined && checksum !== undefined) migrations.push({ name, checksum });
      const partition = readPartition(line);
      if (partition !== null) partitions.push(partition);
    }
    return { migrations, partitions };
  }

  /** What the next table is, or null where there is none. */
  async readTable(): Promise<TableHead | null> {
    const line = await this.#readFilledLine();
    if (line === 'COMMIT;' && (await this.#readFilledLine()) === END) return null;
    const [, table, columns] = /^COPY "(\w+)" \(("\w+"(?:, "\w+")*)\) FROM stdin;$/.exec(line) ?? [];
    if (table === undefined || columns === undefined)
      throw damaged(`a table was to begin, and there is ${JSON.stringify(line.slice(0, 80))}`);
    return { table, columns: columns.slice(1, -1).split('", "') };
  }

  /** The rows of the table that `readTable` gave, as COPY takes them; to be read to their end. */
  async *readRows(): AsyncGenerator<Buffer, void> {
    for (let isFirst = true; ; ) {
      if (isFirst && this.#held.subarray(0, TERMINATOR.length).equals(TERMINATOR)) return this.#drop(0);
      const end = this.#held.indexOf(`\n${TERMINATOR}`);
      if (end >= 0) {
        yield this.#held.subarray(0, end + 1);
        return this.#drop(end + 1);
      }
      // What may be the beginning of the end is kept.
      const ready = this.#held.length - TERMINATOR.length;
      if (ready > 0) {
        isFirst = false;
        const rows = this.#held.subarray(0, ready);
        this.#held = this.#held.subarray(ready);
        yield rows;
      }
      if (!(await this.#readMore())) throw cutOff();
    }
  }

  /** How many rows the table that was read should have. */
  async readCount(): Promise<number> {
    const line = (await this.#readLine()) ?? '';
    const [, rows] = /^-- (\d{1,15}) rows$/.exec(line) ?? [];
    if (rows === undefined) throw cutOff();
    return Number(rows);
  }

  async close(): Promise<void> {
    await this.#chunks.return?.();
  }

  #drop(rows: number): void {
    this.#held = this.#held.subarray(rows + TERMINATOR.length);
  }

  async #readFilledLine(): Promise<string> {
    for (;;) {
      const line = await this.#readLine();
      if (line === null) throw cutOff();
      if (line !== '') return line;
    }
  }

  async #readLine(): Promise<string | null> {
    let end = this.#held.indexOf(LINE_END);
    while (end < 0) {
      if (this.#held.length > MOST_HEAD_BYTES) throw damaged('a line of it is endless');
      if (!(await this.#readMore())) return null;
      end = this.#held.indexOf(LINE_END);
    }
    const line = this.#held.toString('utf8', 0, end);
    this.#held = this.#held.subarray(end + 1);
    return line;
  }

  async #readMore(): Promise<boolean> {
    const { done, value } = await this.#chunks.next();
    if (done) return false;
    this.#held = this.#held.length === 0 ? Buffer.from(value) : Buffer.concat([this.#held, value]);
    return true;
  }
}

/** The partition that a line of the head names, of one of our tables. */
function readPartition(line: string): PartitionName | null {
  const [, table, name, from, to] = /^-- Partition: (\w+) (\w+) (MINVALUE|\d+) (\d+)$/.exec(line) ?? [];
  if (table === undefined || name === undefined || from === undefined || to === undefined) return null;
  if (!PARTITIONED.includes(table) || !name.startsWith(`${table}_`)) return null;
  return { table, name, from: from === 'MINVALUE' ? null : BigInt(from), to: BigInt(to) };
}

/** A backup that cannot be restored, because of what is in it. */
export function damaged(why: string): GatewayError {
  return new GatewayError('INVALID_ARGUMENT', `The backup cannot be restored: ${why}.`);
}

function cutOff(): GatewayError {
  return damaged('it is cut off before its end');
}

function describeOther(first: string | null): string {
  return first?.startsWith('-- Periscope backup ')
    ? 'a newer version of Periscope made it, and only that one reads it'
    : 'this is no backup of Periscope';
}
