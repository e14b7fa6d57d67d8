import { columnOf } from './columns.ts';
import { Prisma } from './generated/prisma/client.ts';

/** A table as the list queries see it. Every such table has a `created_position` that orders its rows. */
export interface Table<Row> {
  readonly name: Prisma.Sql;
  /** The select list that gives rows with the Prisma model's field names. */
  readonly columns: Prisma.Sql;
  /** Only carries the type of the rows. */
  readonly row?: Row;
}

/**
 * Describes a table by its name and its Prisma fields (`Prisma.DepositScalarFieldEnum`); a column is its
 * field in snake_case, as everywhere in `schema.prisma`.
 */
export function describeTable<Row>(name: string, fields: Readonly<Record<string, string>>): Table<Row> {
  const columns = Object.keys(fields).map((field) => Prisma.raw(`t.${columnOf(field)} AS "${field}"`));
  return { name: Prisma.raw(name), columns: Prisma.join(columns) };
}
