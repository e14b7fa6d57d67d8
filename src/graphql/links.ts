import type { Noun } from '../data/noun.ts';
import { parties } from '../data/nouns/parties.ts';
import type { GatewayContext } from './context.ts';
import { from } from './sources.ts';

/** Makes a field give the row of a noun that a column of the object's own names; null where there is none, or it names none. */
export function linkTo<Row, Key extends string>(noun: Noun<Row, never>, key: Key) {
  return {
    resolve: async (
      _query: object,
      parent: Readonly<Record<Key, string | null>>,
      _args: object,
      { links }: GatewayContext,
    ) => (parent[key] === null ? null : links.load(noun, parent[key])),
    ...from({ kind: 'link', noun, key }),
  };
}

/**
 * Makes a field give the party that a column of the object's own names. Whoever the network names is a row, written
 * with what names it, and never changes: an answer does not depend on it.
 */
export function partyNamedBy<Key extends string>(key: Key) {
  return {
    resolve: (
      _query: object,
      parent: Readonly<Record<Key, string>>,
      _args: object,
      { links }: GatewayContext,
    ) => links.loadCertain(parties, parent[key]),
    ...from({ kind: 'link', noun: parties, key, isCertain: true }),
  };
}

/** Makes a field give the row of a noun that an argument names; null where there is none. */
export function rowBy<Row, Argument extends string>(noun: Noun<Row, never>, argument: Argument) {
  return {
    resolve: (
      _query: object,
      _parent: unknown,
      args: Readonly<Record<Argument, string>>,
      { links }: GatewayContext,
    ) => links.load(noun, args[argument]),
    ...from({ kind: 'row', noun, argument }),
  };
}

/** Makes a field give the objects that a column of JSON holds. */
export function objectsIn<Shape>() {
  return <Column extends string>(column: Column) => ({
    resolve: (parent: Readonly<Record<Column, unknown>>) => parent[column] as readonly Shape[],
    ...from({ kind: 'json', column }),
  });
}

/** Makes a field give the one object that a column of JSON holds, or null. */
export function objectIn<Shape>() {
  return <Column extends string>(column: Column) => ({
    resolve: (parent: Readonly<Record<Column, unknown>>) => parent[column] as Shape | null,
    ...from({ kind: 'json', column }),
  });
}
