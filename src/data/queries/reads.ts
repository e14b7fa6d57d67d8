import { type Condition, isAnyOf } from '../conditions.ts';
import type { AnyNoun, Noun } from '../noun.ts';
import { touchFieldsOf } from '../touches.ts';

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
  const fields = touchFieldsOf(noun);
  let chosen: { readonly field: string; readonly values: readonly string[] } | null = null;
  let fewest = MOST_VALUES + 1;
  const consider = (field: string, values: readonly string[]) => {
    if (values.length >= fewest || !fields.includes(field)) return;
    fewest = values.length;
    chosen = { field, values };
  };
  for (const one of conditions) if (isAnyOf(one)) consider(one.field, one.values);
  if (scope !== undefined) consider(scope.field, scope.keys);
  noteValues(note, noun, chosen);
}

/** Notes what rows by their keys depend on, whether they are there or not. */
export function noteRows(note: NoteRead, noun: AnyNoun, field: string, keys: readonly string[]): void {
  const isKnown = keys.length <= MOST_VALUES && touchFieldsOf(noun).includes(field);
  noteValues(note, noun, isKnown ? { field, values: keys } : null);
}

function noteValues(
  note: NoteRead,
  noun: AnyNoun,
  chosen: { readonly field: string; readonly values: readonly string[] } | null,
): void {
  if (chosen === null) note({ noun });
  else for (const value of chosen.values) note({ noun, field: chosen.field, value });
}
