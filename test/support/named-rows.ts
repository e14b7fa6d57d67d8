import { columnOf } from '../../src/data/columns.ts';
import { nouns } from '../../src/data/nouns/index.ts';
import type { Enumeration } from '../../src/domain/enumeration.ts';

type Row = Readonly<Record<string, unknown>>;

/** The enumerations of the rows of a noun and of its table, by their fields and their columns. */
const enumerationsOf = new Map(
  Object.entries(nouns).flatMap(([noun, { table, enumerations }]) => {
    const places = Object.entries<Enumeration>(enumerations).flatMap(
      ([field, one]) =>
        [
          [field, one],
          [columnOf(field), one],
        ] as const,
    );
    return [noun, table.name.text].map((name) => [name, new Map(places)] as const);
  }),
);

/** A row of a noun, or of a table, with the names of its enumerations, as it is served. */
export function withNames(noun: string, row: object): Row {
  const enumerations = enumerationsOf.get(noun);
  return Object.fromEntries(
    Object.entries(row).map(([place, value]) => {
      const enumeration = enumerations?.get(place);
      return [place, enumeration && value !== null ? enumeration.nameOf(Number(value)) : value] as const;
    }),
  );
}
