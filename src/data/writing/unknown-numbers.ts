import type { Enumeration } from '../../domain/enumeration.ts';
import { isObject } from '../../domain/objects.ts';
import type { UnknownNumber } from '../generated/prisma/client.ts';
import { type NounName, nouns } from '../nouns/index.ts';

export type { UnknownNumber };

/** The numbers of enumerations in a row that this version has no name for. The row keeps them. */
export function unknownNumbersIn(noun: NounName, row: object): readonly NumberOfField[] {
  const found: NumberOfField[] = [];
  for (const { field, enumeration, steps } of enumeratedFields[noun]) {
    for (const number of valuesAt(row, steps)) {
      if (typeof number === 'number' && !enumeration.isKnown(number)) found.push({ field, number });
    }
  }
  return found;
}

/** What a row has at a path: one value, or one of each item of a list on the way. */
function valuesAt(value: unknown, [step, ...further]: readonly string[]): readonly unknown[] {
  if (step === undefined) return [value];
  if (Array.isArray(value)) return value.flatMap((item) => valuesAt(item, [step, ...further]));
  return isObject(value) ? valuesAt(value[step], further) : [];
}

/** What a number of a field (`accounts.type`) is served as; null where this version has a name for it by now. */
export function unknownNameOf({ field, number }: NumberOfField): string | null {
  const enumeration = enumerationsByField.get(field);
  if (enumeration === undefined) return String(number);
  return enumeration.isKnown(number) ? null : enumeration.nameOf(number);
}

export type NumberOfField = Pick<UnknownNumber, 'field' | 'number'>;

interface EnumeratedField {
  /** The noun and the field: `accounts.type`. */
  readonly field: string;
  readonly enumeration: Enumeration;
  /** The field, and what to step into from there. */
  readonly steps: readonly string[];
}

const enumeratedFields = Object.fromEntries(
  Object.entries(nouns).map(([noun, { name, enumerations }]) => [
    noun,
    Object.entries<Enumeration>(enumerations).map(([path, enumeration]): EnumeratedField => {
      return { field: `${name}.${path}`, enumeration, steps: path.split('.') };
    }),
  ]),
) as unknown as { readonly [Name in NounName]: readonly EnumeratedField[] };

const enumerationsByField = new Map(
  Object.values(enumeratedFields).flatMap((fields) =>
    fields.map(({ field, enumeration }) => [field, enumeration] as const),
  ),
);
