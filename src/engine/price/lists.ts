import { type FieldNode, Kind, type ValueNode } from 'graphql';
import { MAX_WALKS } from '../../data/queries/scans.ts';
import { COST_OF_READING } from './reading.ts';

/** The lists that a value has, however deep they are. */
export interface Lists {
  /** How many values they hold together. */
  readonly values: number;
  /** In how many ways one value of each can be taken, which are looked for one by one; at most as many as ever are. */
  readonly ways: number;
}

export const NO_LISTS: Lists = { values: 0, ways: 1 };

/** The lists of a value that a client gives. */
export function listsIn(value: unknown): Lists {
  if (typeof value !== 'object' || value === null) return NO_LISTS;
  const isList = Array.isArray(value);
  let lists = isList ? listOf(value.length) : NO_LISTS;
  for (const inner of isList ? value : Object.values(value))
    if (typeof inner === 'object') lists = both(lists, listsIn(inner));
  return lists;
}

/** What it costs to read the values in the lists of an operation's variables, once. */
export function costOfValues(variables: Readonly<Record<string, unknown>>): number {
  return COST_OF_READING.value * listsIn(variables).values;
}

/** The lists of a value that stands in a document, in which variables may stand. */
export function listsOfLiteral(value: ValueNode, ofVariable: (name: string) => Lists): Lists {
  if (value.kind === Kind.VARIABLE) return ofVariable(value.name.value);
  let lists = value.kind === Kind.LIST ? listOf(value.values.length) : NO_LISTS;
  const inner =
    value.kind === Kind.LIST
      ? value.values
      : value.kind === Kind.OBJECT
        ? value.fields.map((field) => field.value)
        : [];
  for (const one of inner) lists = both(lists, listsOfLiteral(one, ofVariable));
  return lists;
}

/** What the lists in the arguments of a field cost each time that it is read. */
export function costOfLists(field: FieldNode, ofVariable: (name: string) => Lists): number {
  let lists = NO_LISTS;
  for (const { value } of field.arguments ?? []) lists = both(lists, listsOfLiteral(value, ofVariable));
  return lists.values === 0 ? 0 : COST_OF_READING.value * Math.max(lists.values, lists.ways);
}

function listOf(length: number): Lists {
  return { values: length, ways: Math.min(MAX_WALKS, Math.max(1, length)) };
}

function both(one: Lists, other: Lists): Lists {
  if (other.values === 0) return one;
  return { values: one.values + other.values, ways: Math.min(MAX_WALKS, one.ways * other.ways) };
}
