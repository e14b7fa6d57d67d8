import { describe, expect, inject, test } from 'vitest';
import { columnOf } from '../../src/data/columns.ts';
import { migrate } from '../../src/data/migrate.ts';
import { nouns } from '../../src/data/nouns/index.ts';
import { grantReader } from '../../src/data/upkeep/readers.ts';
import { writeStreamCursor } from '../../src/domain/cursors.ts';
import type { Enumeration } from '../../src/domain/enumeration.ts';
import { proposalErrors } from '../../src/domain/enumerations.ts';
import { positionOf } from '../../src/domain/positions.ts';
import { createEmptyDatabase, type TestDatabase } from '../support/database.ts';
import { startTestGateway } from '../support/gateway.ts';
import { openGraphqlSse } from '../support/http-clients.ts';
import { ask, readState } from '../support/state.ts';
import { copyMigrations } from './migrations-folder.ts';

const MIGRATION = '20261123090000_enumeration_numbers';

/** The names of an enumeration of PostgreSQL, of which a column was. */
interface EnumerationColumn {
  readonly table: string;
  readonly column: string;
  readonly names: readonly string[];
}

describe('a database that kept enumerations by name', () => {
  test('has their numbers instead, in every row and its history, and nothing else is changed', async () => {
    await using folder = await copyMigrations(MIGRATION);
    await using database = await createEmptyDatabase();
    await migrate(database.url, { folder: folder.path });
    const columns = await fillWithNames(database);
    expect(columns).toHaveLength(12);
    const before = await readState(database.url);
    await folder.addNext(MIGRATION);
    expect(await migrate(database.url, { folder: folder.path })).toEqual([MIGRATION]);
    const { unknown_numbers: unknown, ...after } = await readState(database.url);
    expect(unknown).toEqual([]);
    const numbered = Object.entries(before).map(([table, rows]) => {
      return [table, rows.map((row) => JSON.stringify(withNumbers(table, JSON.parse(row)))).sort()] as const;
    });
    expect(stateOf(after)).toEqual(Object.fromEntries(numbered));
    expect(await ask(database.url, "SELECT typname FROM pg_type WHERE typtype = 'e'")).toEqual([]);
  });

  test('serves the same names, and streams resume in its history', async () => {
    await using folder = await copyMigrations(MIGRATION);
    await using database = await createEmptyDatabase();
    await migrate(database.url, { folder: folder.path });
    const columns = await fillWithNames(database);
    await migrate(database.url);
    await grantReader(database.url, inject('reader').role);
    await using gateway = await startTestGateway(database.url);
    const namesOf = (table: string, column: string) =>
      columns.find((one) => one.table === table && one.column === column)?.names;
    const { data } = await gateway.graphql(`{
      accounts { edges { node { type } } } assets { edges { node { status } } }
      deposits { edges { node { status } } } votes { edges { node { value } } }
      markets { edges { node { state tradingMode marketData { ${MARKET_DATA} } } } }
      proposals { edges { node { state reason } } }
    }`);
    const served = (list: string, ...path: readonly string[]) =>
      new Set(
        data[list].edges.map(({ node }: { node: Row }) =>
          path.reduce<unknown>((value, step) => (value as Row)[step], node),
        ),
      );
    for (const [table, column, ...path] of LISTED)
      expect(served(...path), column).toEqual(new Set(namesOf(table, column)));
    expect(served('proposals', 'reason')).toEqual(new Set([...REASONS, null]));

    for (const [stream, table, fields] of FOLLOWED) {
      const query = `subscription($after: String) {
        ${stream}(after: $after) { updates { ${stream} { ${fields} } } }
      }`;
      const after = writeStreamCursor({ stream, position: positionOf(1, 0), row: null });
      await using client = await openGraphqlSse(gateway.url, query, { after });
      const { updates } = (await client.next()).data[stream];
      for (const field of fields.split(' ')) {
        const told = updates[stream].map((row: Record<string, string>) => row[field]);
        expect(new Set(told), field).toEqual(new Set(namesOf(table, columnOf(field))));
      }
    }
  });
});

const MARKET_DATA = 'marketState marketTradingMode trigger extensionTrigger';

/** Where each column is served: the table, the column, the list and the fields within it. */
const LISTED: readonly (readonly [table: string, column: string, list: string, ...path: string[]])[] = [
  ['accounts', 'type', 'accounts', 'type'],
  ['assets', 'status', 'assets', 'status'],
  ['deposits', 'status', 'deposits', 'status'],
  ['votes', 'value', 'votes', 'value'],
  ['markets', 'state', 'markets', 'state'],
  ['markets', 'trading_mode', 'markets', 'tradingMode'],
  ['proposals', 'state', 'proposals', 'state'],
  ...MARKET_DATA.split(' ').map(
    (field) => ['market_data', columnOf(field), 'markets', 'marketData', field] as const,
  ),
];

/** The nouns whose rows have a history: the stream, the table, and the fields. */
const FOLLOWED = [
  ['deposits', 'deposits', 'status'],
  ['votes', 'votes', 'value'],
  ['marketData', 'market_data', MARKET_DATA],
] as const;

/** What the network refused proposals for, which was kept as text: the names that its release 0.71 has. */
const REASONS = proposalErrors.names.filter((name) => proposalErrors.values[name][1] === '0.71');

/** Writes rows of every name into every column of an enumeration, and their histories, all in one block. */
async function fillWithNames({ url }: TestDatabase): Promise<readonly EnumerationColumn[]> {
  const columns = await ask<{ table: string; column: string; names: string[] }>(
    url,
    `SELECT table_name AS table, column_name AS column,
       (SELECT array_agg(enumlabel ORDER BY enumsortorder)::text[] FROM pg_enum JOIN pg_type ON pg_type.oid = enumtypid
        WHERE typname = udt_name) AS names
     FROM information_schema.columns WHERE data_type = 'USER-DEFINED' ORDER BY 1, 2`,
  );
  const all = [...columns, { table: 'proposals', column: 'reason', names: REASONS }];
  const [first, last] = [positionOf(2, 1), positionOf(2, 5000)];
  await ask(
    url,
    `INSERT INTO networks (chain_id) VALUES ('old');
     INSERT INTO blocks (height, hash, timestamp, last_position) VALUES (1, 'A', 1, ${positionOf(1, 1)}), (2, 'B', 2, ${last})`,
  );
  let begin = first;
  for (const table of new Set(all.map((one) => one.table))) {
    const own = all.filter((one) => one.table === table);
    // Besides every name there is a row without one, where a column takes that.
    const count = Math.max(...own.map(({ names }) => names.length)) + 1;
    const rows = Array.from({ length: count }, (_, row) => {
      const values = own.map(({ column, names }) => [column, names[row % names.length]] as const);
      return { ...Object.fromEntries(values), ...(row === count - 1 ? { reason: null } : {}) };
    });
    await insertRows(url, table, rows, begin);
    begin += BigInt(count);
  }
  for (const [, table] of FOLLOWED)
    await ask(
      url,
      `INSERT INTO changes (position, noun, row_position, row)
       SELECT updated_position, '${table}', created_position, to_jsonb(t) FROM ${table} AS t`,
    );
  return all;
}

/** Writes rows with some values; every other column has some value of its type. */
async function insertRows(
  url: string,
  table: string,
  rows: readonly Readonly<Record<string, string | null | undefined>>[],
  begin: bigint,
): Promise<void> {
  const columns = await ask<{ name: string; type: string }>(
    url,
    `SELECT column_name AS name, data_type AS type FROM information_schema.columns WHERE table_name = '${table}'`,
  );
  const written = rows.map((row, number) => {
    const values = columns.map(({ name, type }) => {
      if (Object.hasOwn(row, name)) return row[name] === null ? 'NULL' : `'${row[name]}'`;
      if (name.endsWith('_position')) return `${begin + BigInt(number)}`;
      if (type === 'ARRAY') return "'{}'";
      return type === 'jsonb' ? "'[]'" : `'${number}'`;
    });
    return `(${values.join(', ')})`;
  });
  await ask(
    url,
    `INSERT INTO ${table} (${columns.map(({ name }) => name).join(', ')}) VALUES ${written.join(', ')}`,
  );
}

type Row = Readonly<Record<string, unknown>>;

/** The enumerations of each table's columns. */
const enumerationsOf = new Map(
  Object.values(nouns).map(({ table, enumerations }) => {
    const columns = Object.entries<Enumeration>(enumerations).map(
      ([field, one]) => [columnOf(field), one] as const,
    );
    return [table.name.text, new Map(columns)] as const;
  }),
);

function withNumbers(table: string, row: Row): Row {
  if (table === 'changes') return { ...row, row: withNumbers(row['noun'] as string, row['row'] as Row) };
  const enumerations = enumerationsOf.get(table);
  return Object.fromEntries(
    Object.entries(row).map(([column, value]) => {
      const enumeration = enumerations?.get(column);
      return [column, enumeration && value !== null ? enumeration.numberOf(value as string) : value] as const;
    }),
  );
}

/** Each row as JSON, whose members have one order. */
function stateOf(state: Readonly<Record<string, readonly string[]>>) {
  const tables = Object.entries(state).map(([table, rows]) => {
    return [table, rows.map((row) => JSON.stringify(JSON.parse(row))).sort()] as const;
  });
  return Object.fromEntries(tables);
}
