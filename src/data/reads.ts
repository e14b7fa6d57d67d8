import type { Condition } from './conditions.ts';
import type { AnyNoun, Noun } from './noun.ts';
import { touchFieldsOf } from './touches.ts';

/** What an answer depends on: the rows of a noun, or those of them with a value in one of its `touchFieldsOf`. */
export interface Read {
  readonly noun: Pick<Noun, 'name'>;
  readonly field?: string;
  readonly value?: string;
}

export type NoteRead = (read: Read) => void;

/** More values than these are noted as the whole noun. */
const MOST_VALUES = 100;

/** Notes what a page or a count depends on: the rows with the values that it asks for in one field, the fewest there are. */
export function noteList(
  note: NoteRead,
  noun: AnyNoun,
  conditions: readonly Condition[],
  scope?: { readonly field: string; readonly keys: readonly string[] },
): void {
  const choices = conditions.flatMap((one) =>
    'field' in one ? [{ field: one.field, values: one.values }] : [],
  );
  if (scope !== undefined) choices.push({ field: scope.field, values: scope.keys });
  const fields = touchFieldsOf(noun);
  const [fewest] = choices
    .filter(({ field, values }) => fields.includes(field) && values.length <= MOST_VALUES)
    .sort((a, b) => a.values.length - b.values.length);
  if (fewest === undefined) note({ noun });
  else for (const value of fewest.values) note({ noun, field: fewest.field, value });
}

/** Notes what rows by their keys depend on, whether they are there or not. */
export function noteRows(note: NoteRead, noun: AnyNoun, field: string, keys: readonly string[]): void {
  if (keys.length > MOST_VALUES || !touchFieldsOf(noun).includes(field)) note({ noun });
  else for (const value of keys) note({ noun, field, value });
}
