import type { ObjectRef } from '@pothos/core';
import { queryFromInfo } from '@pothos/plugin-prisma';
import type { GraphQLResolveInfo } from 'graphql';
import type { Condition } from '../data/conditions.ts';
import { type Noun, type OrderName, orderedBy, type Positioned } from '../data/noun.ts';
import type { PageRequest } from '../data/queries/page-statements.ts';
import type { Page } from '../data/queries/pages.ts';
import { nameListAt, nameListBy, type ReadCursor, readCursor, writeCursor } from '../domain/cursors.ts';
import { DEFAULT_PAGE_SIZE, MAX_PAGE_SIZE } from '../domain/page-sizes.ts';
import { invalidArgument, quoted } from '../errors.ts';
import { builder } from './builder.ts';
import type { GatewayContext } from './context.ts';
import { placeOf } from './pasts.ts';
import { keysBelow, selectsAny } from './selected.ts';
import { from, type ListSource } from './sources.ts';

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
        'When the row was last updated. The list, and everything below it, is as of one block: the newest when the first page was asked for, and the same for all pages that follow by its cursors, whatever is updated meanwhile.',
    },
  } as const,
});

/** The arguments of a list that has more orders than one. */
export const orderedPageArgs = builder.args((t) => ({
  ...pageArgs,
  newestFirst: t.boolean({
    defaultValue: true,
    description:
      'Whether the list begins with the row that was created last, or updated last. If false, it begins with the one that was first.',
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
  readonly orderBy?: 'CREATED' | OrderName | null | undefined;
}

/** Defines the pages of a noun's list: `AccountConnection`, of `AccountEdge`. `one` is what stands in a page: `An account`. */
export function defineConnection<R extends Positioned>(
  noun: Pick<Noun, 'name'>,
  type: ObjectRef<typeof builder.$inferSchemaTypes, R>,
  one: string,
) {
  return builder.connectionObject(
    { type, name: `${type.name}Connection`, description: `A page of ${inProse(noun)}.` },
    { name: `${type.name}Edge`, description: `${one} in a page.` },
  );
}

/** Several of a noun in prose: `marketData` is written `market data`. */
export function inProse({ name }: Pick<Noun, 'name'>): string {
  return name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
}

/** The object that a list hangs off: the field of the list's rows that names it, or what several are called together, and which of its own has the key. */
interface Owner<Row, Key> {
  readonly field: (keyof Row & string) | 'party';
  readonly key: Key;
}

/**
 * Makes a field give a page of a list: of all rows of a noun; or of those that name the object that the field is of,
 * then the same list of many objects is read at once. Its arguments are the filter.
 */
export function listOf<R extends Positioned, Filter, const Key extends string = never>(
  noun: Noun<R, Filter>,
  owner?: Owner<R, Key>,
) {
  return filteredListOf(noun, (args: Filter) => args, owner);
}

/** As `listOf`, where the filter is made of the arguments. */
export function filteredListOf<R extends Positioned, Filter, Args, const Key extends string = never>(
  noun: Noun<R, Filter>,
  filterOf: (args: Args) => Filter,
  owner?: Owner<R, Key>,
) {
  async function resolve(
    parent: Readonly<Record<Key, string>>,
    args: Args & PageArgs,
    context: GatewayContext,
    info: GraphQLResolveInfo,
  ) {
    const filter = filterOf(args);
    const request = readPageArgs(noun.name, args);
    const field = orderedBy(noun, request);
    const positionOf = (row: R) => (row as Readonly<Record<string, unknown>>)[field] as bigint;
    const at = await contextOf(request, context);
    const list = nameListAt(nameListBy(noun.name, request.order), at.past?.height ?? null);
    if (at !== context)
      for (const keys of ROWS.flatMap((name) => keysBelow(info, [name])))
        context.pastAt.set(placeOf(info, ...keys), at);
    const models = context.models();
    const of = owner === undefined ? null : { field: owner.field, key: parent[owner.key] };
    const others = { countRows: () => models.count(noun, of, filter), listed: { noun, of, filter } };
    // What is left of a list that is written as text need not have a page.
    if (!selectsAny(info, [...ROWS, 'pageInfo']))
      return { ...toConnection(list, EMPTY, positionOf), ...others };
    const page =
      of === null
        ? await at
            .models()
            .page(
              noun,
              filter,
              request,
              queryFromInfo({ context, info, paths: [['edges', 'node'], ['nodes']] }),
            )
        : await at.models().pageOf(of, noun, filter, request);
    return { ...toConnection(list, page, positionOf), ...others };
  }
  const source = { kind: 'list', noun, filterOf, owner: owner ?? null } as unknown as ListSource;
  return { resolve, ...from(source) };
}

/** What a connection is of, for what is computed of the same rows. */
export interface Listed {
  readonly noun: Noun<Positioned, unknown>;
  /** The object that the list hangs off. */
  readonly of: { readonly field: string; readonly key: string } | null;
  readonly filter: unknown;
}

/** The fields of a page that its rows are below. */
const ROWS = ['edges', 'nodes'] as const;

const EMPTY = { rows: [], hasNextPage: false, hasPreviousPage: false };

/** What the rows of a list meet: those of an object name it. */
export function conditionsOf({ noun, of, filter }: Listed): readonly Condition[] {
  const conditions = noun.conditions(filter);
  return of === null ? conditions : [{ ...noun.fieldOf(of.field), values: [of.key] }, ...conditions];
}

/** A page of rows as a connection. */
export function toConnection<R>(list: string, page: Page<R>, positionOf: (row: R) => bigint) {
  const edges = page.rows.map((node) => ({
    cursor: writeCursor({ list, position: positionOf(node) }),
    node,
  }));
  const { hasNextPage, hasPreviousPage } = page;
  return {
    edges,
    pageInfo: {
      hasNextPage,
      hasPreviousPage,
      startCursor: edges[0]?.cursor ?? null,
      endCursor: edges.at(-1)?.cursor ?? null,
    },
  };
}

/** Checks the page arguments of a list. Throws INVALID_ARGUMENT naming the argument at fault and its value. */
export function readPageArgs(list: string, args: PageArgs): PageRequest {
  for (const [given, other] of [
    ['first', 'last'],
    ['before', 'after'],
    ['first', 'before'],
    ['last', 'after'],
  ] as const) {
    if (isGiven(args[given]) && isGiven(args[other])) {
      throw invalidArgument(
        other,
        `${other} does not go with ${given}: give first and after, or last and before.`,
      );
    }
  }
  const backward = isGiven(args.last) || isGiven(args.before);
  const order = args.orderBy === 'CREATED' ? null : (args.orderBy ?? null);
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
    newestFirst: args.newestFirst ?? true,
    order,
  };
}

/**
 * The context in which a page is read, and everything below it. In the order of creation that is the one that it is asked in.
 * In any other a walk is as of the block of its first page, which is the newest then: rows move while blocks arrive. Rejects with
 * OUT_OF_RANGE where that block is not kept any more, and with INVALID_ARGUMENT for a cursor of another block than that which all
 * is asked as of.
 */
export async function contextOf(request: PageRequest, context: GatewayContext): Promise<GatewayContext> {
  if (!request.order || context.past !== null) {
    checkCursorBlock(request, context);
    return context;
  }
  // Before the first block there is nothing.
  if (request.asOf == null && (await context.newestBlock()) === null) return context;
  const [past] = await context.asOf([{ height: request.asOf }]);
  return past ?? context;
}

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

function isGiven<T>(value: T | null | undefined): value is T {
  return value !== null && value !== undefined;
}
