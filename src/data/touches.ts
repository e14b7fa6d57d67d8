import type { Noun } from './noun.ts';

/**
 * A number for something that a block changes and an answer reads: the rows of a noun, or those of them with one value
 * in one field. Two things can have one number; then an answer is read anew for nothing, and no answer is wrong.
 */
export type Touch = number;

/** Any row of a noun. */
export function touchOf(noun: NamedNoun): Touch {
  return hash(noun.name);
}

/** The list of blocks, which is no noun: every block touches it. */
export const BLOCKS = { name: 'blocks' } as const;

/** The rows of a noun with a value in a field, which is one of `touchFieldsOf`. */
export function touchOfValue(noun: NamedNoun, field: string, value: string): Touch {
  return hash(`${noun.name}\0${field}\0${value}`);
}

/** Stands for every value of every field of a noun, where a block changes more than are listed. */
export function touchOfEveryValue(noun: NamedNoun): Touch {
  return hash(`${noun.name}\0*`);
}

/**
 * The fields whose values never change in a row: a row that changes was always, and stays, with each of them. The writer
 * sees to it where they are not in its key, as the party of a deposit.
 */
export function touchFieldsOf(noun: Pick<Noun, 'key' | 'by' | 'history'>): readonly string[] {
  const known = touchFields.get(noun);
  if (known !== undefined) return known;
  const { key, by, history } = noun;
  const all = new Set([...key, ...(history === 'none' ? [] : Object.values(by))]);
  const fields = [...all].filter((field) => field !== 'createdPosition');
  touchFields.set(noun, fields);
  return fields;
}

/** Asked for with every list that is read. */
const touchFields = new WeakMap<object, readonly string[]>();

/** Those of them that are not in its key: a row that comes with other values there is not the one that has the key. */
export function fixedFieldsOf(noun: Pick<Noun, 'key' | 'by' | 'history'>): readonly string[] {
  return touchFieldsOf(noun).filter((field) => !noun.key.includes(field));
}

type NamedNoun = Pick<Noun, 'name'>;

/** FNV-1a over the text's UTF-16 units, low byte first, as a signed 32-bit integer. */
export function hash(text: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index += 1) {
    const unit = text.charCodeAt(index);
    hash = Math.imul(hash ^ (unit & 0xff), 0x01000193);
    hash = Math.imul(hash ^ (unit >> 8), 0x01000193);
  }
  return hash | 0;
}
