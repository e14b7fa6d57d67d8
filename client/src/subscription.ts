import type { Rows } from './messages.ts';

/** A subscription of the gateway, as `subscriptions.generated.ts` has them: what it takes, and what rows it tells of. */
export interface Subscription<Arguments, Lists> {
  readonly name: string;
  /** How the schema calls its messages, and what these have of a block. */
  readonly types: { readonly message: string; readonly updates: string };
  /** The types of its arguments, by their names. */
  readonly args: Readonly<Record<string, string>>;
  /** The lists of its messages: the type of their rows, what these are told apart by, and what they have by themselves. */
  readonly lists: Readonly<
    Record<string, { readonly type: string; readonly key: string; readonly fields: string }>
  >;
  /** Whether its lists stand in the message itself, which has the rows that may have changed. Blocks have none. */
  readonly isSeries?: true;
  /** The rows of what is told of a series, where they are not its lists as they stand. */
  readonly rowsOf?: (told: Rows) => Rows;
  /** Only carry types. */
  readonly taken?: Arguments;
  readonly rows?: Lists;
}

export type AnySubscription = Subscription<object, object>;

/** The fields of each list that are asked for, as GraphQL; all that need no further request where nothing is said. */
export type Fields = Readonly<Record<string, string>>;

/** The lists of rows that are asked for: of several kinds of things, those that are named. */
export function listsOf({ lists }: AnySubscription, nouns: readonly string[] | undefined): readonly string[] {
  const named = (list: string) => list.replace(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase();
  return Object.keys(lists).filter((list) => nouns === undefined || nouns.includes(named(list)));
}

/** What is asked of the rows of a list. */
export function fieldsOf(
  { lists }: Pick<AnySubscription, 'lists'>,
  list: string,
  fields: Fields = {},
): string {
  return fields[list] ?? lists[list]?.fields ?? '';
}

/**
 * The fields of rows for a cache: with `nodeId` where nothing is said, as one that holds the past too goes by it. Throws for what it has
 * no place for: the begin of a bucket names it among those of its series alone.
 */
export function fieldsForCache(
  { name, isSeries, lists }: Pick<AnySubscription, 'name' | 'isSeries' | 'lists'>,
  given: Fields = {},
): Fields {
  if (isSeries) throw new TypeError(`No query shows the rows of ${name}: keep them with rows().`);
  const all = Object.entries(lists).map(([list, { key, fields }]) => [
    list,
    // What has an `id` has both.
    typed(given[list] ?? (key === 'id' ? `${fields} nodeId` : fields)),
  ]);
  return Object.fromEntries(all);
}

/** Fields with the types of what they link to, without which a cache does not know it again. Brackets within arguments are no selection. */
const typed = (fields: string) =>
  fields.replace(/\((?:"(?:\\.|[^"\\])*"|[^"()])*\)|\{/g, (found) =>
    found === '{' ? '{ __typename ' : found,
  );

/** Writes a subscription as GraphQL. */
export function writeQuery(subscription: AnySubscription, asked: readonly string[], fields?: Fields): string {
  const { name, args, isSeries } = subscription;
  const rows = asked.map((list) => `${list} { ${fieldsOf(subscription, list, fields)} }`).join(' ');
  const told = isSeries ? rows : `snapshot { ${rows} lastPage } updates { ${rows} }`;
  const declared = Object.entries(args).map(([arg, type]) => `, $${arg}: ${type}`);
  const given = Object.keys(args).map((arg) => `, ${arg}: $${arg}`);
  return `subscription Follow($after: String${declared.join('')}) {
  ${name}(after: $after, progress: true${given.join('')}) {
    block { height timestamp } cursor ${told} } }`;
}
