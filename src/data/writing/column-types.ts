import type { ClientBase } from 'pg';

/** The SQL type of a table's column, as in `bigint` or `text[]`. */
export type TypeOfColumn = (table: string, column: string) => string;

/** Reads the types from the database, so that none is written down twice. */
export async function readColumnTypes(client: ClientBase): Promise<TypeOfColumn> {
  const { rows } = await client.query<{ name: string; type: string }>(`
    SELECT relname || '.' || attname AS name, format_type(atttypid, atttypmod) AS type
    FROM pg_attribute JOIN pg_class ON pg_class.oid = attrelid
    WHERE relkind IN ('r', 'p') AND relnamespace = 'public'::regnamespace AND attnum > 0 AND NOT attisdropped`);
  const types = new Map(rows.map(({ name, type }) => [name, type]));
  return (table, column) => {
    const type = types.get(`${table}.${column}`);
    if (type === undefined) throw new TypeError(`the table ${table} has no column ${column}`);
    return type;
  };
}
