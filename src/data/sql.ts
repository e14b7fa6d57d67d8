import sql, { join, raw, Sql } from 'sql-template-tag';

/**
 * SQL with its values apart, as Prisma's own tag makes it (it is the same library): whoever only writes need not load
 * the client for it.
 */
export { join, raw, Sql, sql };

/** All rows of several SELECTs. */
export function unionAll(selects: readonly Sql[]): Sql {
  return join(
    selects.map((one) => sql`(${one})`),
    ' UNION ALL ',
  );
}

/** Where a value stands in a statement that is written before its values are known. */
export class Slot {
  readonly place: number;

  constructor(place: number) {
    this.place = place;
  }
}
