import { BLOCKS, type CacheTag, tagOf, tagOfEveryValue, tagOfValue } from '../cache/cache-tags.ts';
import { type Check, isAnyOf } from './conditions.ts';
import type { Noun } from './noun.ts';
import type { Owners } from './queries/owners.ts';

/** What of a noun says which tags its rows have. */
export type TaggedNoun = Pick<Noun, 'name' | 'key' | 'by' | 'changing'>;

/** More values than these are one tag: that of the whole noun. */
const MOST_VALUES = 100;

/** What any row of a noun may change. */
export function dependsOnNoun(noun: Pick<Noun, 'name'>): readonly CacheTag[] {
  return [tagOf(noun)];
}

/** What a look at the list of blocks depends on: every block adds to it. */
export const DEPENDS_ON_BLOCKS = dependsOnNoun(BLOCKS);

/** What a page or a count depends on: the rows with the values that it asks for in one field, the fewest there are. */
export function dependsOnList(
  noun: TaggedNoun,
  conditions: readonly Check[],
  owners?: Owners,
): readonly CacheTag[] {
  const fields = tagFieldsOf(noun);
  let chosen: { readonly field: string; readonly values: readonly string[] } | null = null;
  let fewest = MOST_VALUES + 1;
  const consider = (field: string, values: readonly string[]) => {
    if (values.length >= fewest || !fields.includes(field)) return;
    fewest = values.length;
    chosen = { field, values };
  };
  for (const one of conditions) if (isAnyOf(one)) consider(one.field, one.values);
  if (owners !== undefined) consider(owners.field, owners.keys);
  return chosen === null ? dependsOnNoun(noun) : dependsOnValues(noun, chosen);
}

/** What rows by their keys depend on, whether they are there or not. */
export function dependsOnRows(noun: TaggedNoun, field: string, keys: readonly string[]): readonly CacheTag[] {
  const isKnown = keys.length <= MOST_VALUES && tagFieldsOf(noun).includes(field);
  return isKnown ? dependsOnValues(noun, { field, values: keys }) : dependsOnNoun(noun);
}

function dependsOnValues(
  noun: TaggedNoun,
  { field, values }: { readonly field: string; readonly values: readonly string[] },
): readonly CacheTag[] {
  if (values.length === 0) return [];
  return [tagOfEveryValue(noun), ...values.map((value) => tagOfValue(noun, field, value))];
}

/**
 * The fields whose values never change in a row: a row that changes was always, and stays, with each of them. The writer
 * sees to it where they are not in its key, as the party of a deposit.
 */
export function tagFieldsOf(noun: Pick<Noun, 'key' | 'by' | 'changing'>): readonly string[] {
  const known = tagFields.get(noun);
  if (known !== undefined) return known;
  const { key, by, changing } = noun;
  const all = new Set([...key, ...Object.values(by)]);
  const fields = [...all].filter((field) => field !== 'createdPosition' && !changing.includes(field));
  tagFields.set(noun, fields);
  return fields;
}

/** Asked for with every list that is read. */
const tagFields = new WeakMap<object, readonly string[]>();

/** Those of them that are not in its key: a row that comes with other values there is not the one that has the key. */
export function fixedFieldsOf(noun: Pick<Noun, 'key' | 'by' | 'changing'>): readonly string[] {
  return tagFieldsOf(noun).filter((field) => !noun.key.includes(field));
}
