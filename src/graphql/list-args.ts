import { type Condition, isAnyOf, isBounds, isGiven } from '../data/conditions.ts';
import type { Noun, OrderName, Positioned } from '../data/noun.ts';
import type { PageRequest } from '../data/queries/page-statements.ts';
import { valueOrderOf } from '../data/value-orders.ts';
import { nameListBy, type ReadCursor, readCursor } from '../domain/cursors.ts';
import { DEFAULT_PAGE_SIZE, MAX_PAGE_SIZE } from '../domain/page-sizes.ts';
import { invalidArgument, quoted } from '../errors.ts';
import { builder } from './builder.ts';
import type { GatewayContext } from './context.ts';

/** The arguments that every list takes. */
export const pageArgs = builder.args((t) => ({
  first: t.int({
    description: `The largest number of rows to return from the start of the list, or after the cursor: 0 to ${MAX_PAGE_SIZE}. The default is ${DEFAULT_PAGE_SIZE} if \`last\` is not given either.`,
  }),
  after: t.string({ description: 'The cursor of the row that the page starts after. Used with `first`.' }),
  last: t.int({
    description: `The largest number of rows to return from the end of the list, or before the cursor: 0 to ${MAX_PAGE_SIZE}.`,
  }),
  before: t.string({ description: 'The cursor of the row that the page ends before. Used with `last`.' }),
  newestFirst: t.boolean({
    defaultValue: true,
    description:
      'Whether the list begins with the row that was created last. If false, it begins with the one created first.',
  }),
}));

const ListOrder = builder.enumType('ListOrder', {
  description: 'What the rows of a list are in the order of.',
  values: {
    CREATED: { description: 'When the row was created, which never changes.' },
    UPDATED: {
      description:
        'When the row was last updated; of deposits, but for those of an asset, votes, proposals, markets and assets. The list, and everything below it, is as of one block: the newest when the first page was asked for, and the same for all pages that follow by its cursors, whatever is updated meanwhile.',
    },
    ...byValue('AMOUNT', 'amount', 'deposits and rewards'),
    ...byValue('BALANCE', 'balance', 'accounts'),
  } as const,
});

function byValue<Name extends string>(name: Name, value: string, of: string) {
  const as = `; of ${of}, and of one asset only. Rows with the same ${value} stand in the order of their creation in this direction. As of one block, as UPDATED is.`;
  return {
    [`${name}_DESC`]: { description: `The largest ${value} first${as}` },
    [`${name}_ASC`]: { description: `The smallest ${value} first${as}` },
  } as Record<`${Name}_DESC` | `${Name}_ASC`, { readonly description: string }>;
}

/** The arguments of a list that has more orders than one. */
export const orderedPageArgs = builder.args((t) => ({
  ...pageArgs,
  newestFirst: t.boolean({
    defaultValue: true,
    description:
      'Whether the list begins with the row that was created last, or updated last. If false, it begins with the one that was first. An order by a value says this itself.',
  }),
  orderBy: t.field({
    type: ListOrder,
    defaultValue: 'CREATED',
    description: 'What the rows are in the order of.',
  }),
}));

export interface PageArgs {
  readonly first?: number | null | undefined;
  readonly after?: string | null | undefined;
  readonly last?: number | null | undefined;
  readonly before?: string | null | undefined;
  readonly newestFirst?: boolean | null | undefined;
  readonly orderBy?: typeof ListOrder.$inferType | null | undefined;
}

/** What the arguments of a list ask for. Throws INVALID_ARGUMENT naming the argument at fault and its value. */
export function readListArgs<Filter, Args extends PageArgs>(
  {
    noun,
    owner,
    filterOf,
  }: {
    readonly noun: Noun<Positioned, Filter>;
    readonly owner: { readonly field: string } | null;
    readonly filterOf: (args: Args) => Filter;
  },
  args: Args,
): { readonly filter: Filter; readonly request: PageRequest } {
  const filter = filterOf(args);
  const request = readPageArgs(noun.name, args);
  checkOrder(noun, owner?.field ?? null, noun.conditions(filter), request, args);
  return { filter, request };
}

/** Values of different assets are never compared, and no index has them in the order of creation. */
function checkOrder(
  noun: Pick<Noun, 'orders' | 'valued'>,
  owner: string | null,
  conditions: readonly Condition[],
  request: PageRequest,
  { orderBy, newestFirst }: PageArgs,
): void {
  const order = valueOrderOf(noun, request);
  const { UPDATED } = noun.orders;
  const hasUpdated = UPDATED && (owner === null || (UPDATED.owners?.includes(owner) ?? true));
  const isTaken =
    !orderBy || orderBy === 'CREATED' || (orderBy === 'UPDATED' ? hasUpdated : order !== undefined);
  if (!isTaken) {
    const byValue = Object.keys(noun.valued).flatMap((name) => [`${name}_DESC`, `${name}_ASC`]);
    const orders = ['CREATED', ...(hasUpdated ? ['UPDATED'] : []), ...byValue];
    throw invalidArgument('orderBy', `orderBy takes ${orders.join(', ')} here, not ${orderBy}.`);
  }
  for (const { field } of conditions.filter(
    (one) => isBounds(one) && one.isText && one.field !== order?.value,
  )) {
    const name = field.toUpperCase();
    throw invalidArgument(
      'filter',
      `filter.${field}From and filter.${field}To go with orderBy ${name}_DESC or ${name}_ASC, not with ${orderBy ?? 'CREATED'}: no index has them in any other order.`,
    );
  }
  if (order === undefined) return;
  if (newestFirst === false)
    throw invalidArgument(
      'newestFirst',
      `newestFirst is false, which does not go with orderBy ${orderBy}: that says which row is first.`,
    );
  if (owner !== order.within && !isOfOne(conditions, order.within))
    throw invalidArgument(
      'orderBy',
      `orderBy is ${orderBy}: values of different assets are never compared. Choose one asset by the filter.`,
    );
}

/** Whether what is asked of rows is that they have one and the same value in a field. */
export function isOfOne(conditions: readonly Condition[], field: string): boolean {
  return conditions.some((one) => isAnyOf(one) && one.field === field && new Set(one.values).size === 1);
}

/** Whether amounts are asked for that lie within bounds. */
export function hasAmounts(conditions: readonly Condition[]): boolean {
  return conditions.some((one) => isBounds(one) && one.isText);
}

/** Checks the page arguments of a list. Throws INVALID_ARGUMENT naming the argument at fault and its value. */
export function readPageArgs(list: string, args: PageArgs): PageRequest {
  for (const [given, other] of NEVER_TOGETHER) {
    if (isGiven(args[given]) && isGiven(args[other])) {
      throw invalidArgument(
        other,
        `${other} does not go with ${given}: give first and after, or last and before.`,
      );
    }
  }
  const backward = isGiven(args.last) || isGiven(args.before);
  const { orderBy } = args;
  const [name, direction] = (orderBy ?? 'CREATED').split('_');
  const order = name === 'CREATED' ? null : (name as OrderName);
  const cursor = readCursorArg(
    nameListBy(list, order),
    backward ? 'before' : 'after',
    backward ? args.before : args.after,
  );
  return {
    limit: readPageSize(backward ? 'last' : 'first', backward ? args.last : args.first),
    cursor: cursor?.position ?? null,
    asOf: cursor?.asOf ?? null,
    backward,
    newestFirst: direction === undefined ? (args.newestFirst ?? true) : direction === 'DESC',
    order,
  };
}

const NEVER_TOGETHER = [
  ['first', 'last'],
  ['before', 'after'],
  ['first', 'before'],
  ['last', 'after'],
] as const;

/** A walk is of one block, whoever goes on with it. Throws INVALID_ARGUMENT for a cursor of another. */
export function checkCursorBlock(
  { cursor, asOf = null, backward }: Pick<PageRequest, 'cursor' | 'asOf' | 'backward'>,
  { past }: Pick<GatewayContext, 'past'>,
): void {
  const height = past?.height ?? null;
  if (cursor === null || asOf === height) return;
  const name = backward ? 'before' : 'after';
  const of = asOf === null ? 'a page of the present' : `a page as of block ${asOf}`;
  const wanted = height === null ? 'of the present' : `as of block ${height}`;
  throw invalidArgument(name, `${name} takes a cursor of a page ${wanted} here; this one is of ${of}.`);
}

/** A page of none has true `pageInfo` all the same: clients ask so whether a list has any rows. */
export function readPageSize(name: 'first' | 'last', size: number | null | undefined): number {
  if (!isGiven(size)) return DEFAULT_PAGE_SIZE;
  if (size >= 0 && size <= MAX_PAGE_SIZE) return size;
  throw invalidArgument(name, `${name} takes a number from 0 to ${MAX_PAGE_SIZE}, not ${size}.`);
}

function readCursorArg(
  list: string,
  name: 'after' | 'before',
  text: string | null | undefined,
): ReadCursor | null {
  if (!isGiven(text)) return null;
  const cursor = readCursor(list, text);
  if (cursor !== null) return cursor;
  throw invalidArgument(name, `${name} takes a cursor that a page of ${list} gave, not ${quoted(text)}.`);
}
