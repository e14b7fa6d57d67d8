import type { Noun } from '../data/noun.ts';
import { parties } from '../data/nouns/parties.ts';
import type { GatewayContext } from './context.ts';
import { from } from './sources.ts';

/**
 * Makes a relation give the row of a noun that a column of the object's own names; null where there is none, or it names
 * none. Prisma brings it along where the object is read, and it is asked for where the object came otherwise, as with a
 * message of a stream.
 */
export function linkTo<Row, Key extends string>(noun: Noun<Row, never>, key: Key, description: string) {
  return { description, ...relation(noun, key), ...from({ kind: 'link', noun, key }) };
}

/**
 * Makes a relation give the party that a column of the object's own names. Whoever the network names is a row, written
 * with what names it, and never changes: what reads nothing else of it need not read it.
 */
export function partyNamedBy<Key extends string>(key: Key, description: string) {
  const source = from({ kind: 'link', noun: parties, key, isCertain: true });
  return { description, ...relation(parties, key), ...source };
}

function relation<Row, Key extends string>(noun: Noun<Row, never>, key: Key) {
  return {
    nullable: true,
    resolve: async (
      including: object,
      parent: Readonly<Record<Key, string | null>>,
      _args: object,
      { models }: GatewayContext,
    ) => (parent[key] === null ? null : models().row(noun, parent[key], including)),
  } as const;
}

/** Makes a field give the row of a noun that an argument names; null where there is none. */
export function rowBy<Row, Argument extends string>(noun: Noun<Row, never>, argument: Argument) {
  return {
    resolve: (
      including: object,
      _parent: unknown,
      args: Readonly<Record<Argument, string>>,
      { models }: GatewayContext,
    ) => models().row(noun, args[argument], including),
    ...from({ kind: 'row', noun, argument }),
  };
}
