import type { ObjectRef } from '@pothos/core';
import { queryFromInfo } from '@pothos/plugin-prisma';
import type { GraphQLResolveInfo } from 'graphql';
import type { Condition } from '../data/conditions.ts';
import { type Noun, orderedBy, type Positioned } from '../data/noun.ts';
import type { Owner } from '../data/queries/owners.ts';
import type { PageRequest } from '../data/queries/page-statements.ts';
import type { Page } from '../data/queries/pages.ts';
import { POSITION, readTextPage, readTextPages, type TextRow } from '../data/queries/text-rows.ts';
import { valueOrderOf } from '../data/value-orders.ts';
import { nameListAt, nameListBy, writeCursor } from '../domain/cursors.ts';
import { builder } from './builder.ts';
import type { GatewayContext } from './context.ts';
import { joinFilter } from './filters.ts';
import { checkWalkKept } from './kept-rows.ts';
import { checkCursorBlock, hasAmounts, type PageArgs, readListArgs } from './list-args.ts';
import { placeOf } from './pasts.ts';
import { inProse } from './prose.ts';
import { keysBelow, selectsAny } from './selected.ts';
import { from, type ListSource } from './sources.ts';

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

/** The object that a list hangs off: the field of the list's rows that names it, or what several are called together, and which of its own has the key. */
interface OwnerFields<Row, Key> {
  readonly field: (keyof Row & string) | 'party';
  readonly key: Key;
}

/**
 * Makes a field give a page of a list: of all rows of a noun; or of those that name the object that the field is of,
 * then the same list of many objects is read at once. Its arguments are the filter, and `filter` is one among them.
 */
export function listOf<R extends Positioned, Filter, const Key extends string = never>(
  noun: Noun<R, Filter>,
  owner?: OwnerFields<R, Key>,
) {
  const filterOf = (args: Filter & { readonly filter?: Filter | null | undefined }) =>
    joinFilter<object, unknown>(noun, args as object) as Filter;
  return filteredListOf(noun, filterOf, owner);
}

/** Makes a field give a page of a list as `listOf` does, where the filter is made of the arguments. */
export function filteredListOf<R extends Positioned, Filter, Args, const Key extends string = never>(
  noun: Noun<R, Filter>,
  filterOf: (args: Args) => Filter,
  owner?: OwnerFields<R, Key>,
) {
  async function resolve(
    parent: Readonly<Record<Key, string>>,
    args: Args & PageArgs,
    context: GatewayContext,
    info: GraphQLResolveInfo,
  ) {
    const { filter, request } = readListArgs({ noun, owner: owner ?? null, filterOf }, args);
    const field = orderedBy(noun, request);
    const positionOf = (row: R) => (row as Readonly<Record<string, unknown>>)[field] as bigint;
    const at = await contextOf(request, context);
    const list = nameListAt(nameListBy(noun.name, request.order), at.past?.height ?? null);
    const summing = summingContextOf(request, context, at);
    if (at !== context)
      for (const keys of at === summing ? [[]] : ROWS.flatMap((name) => keysBelow(info, [name])))
        context.pastAt.begin(placeOf(info, ...keys), at);
    const of = owner === undefined ? null : { field: owner.field, key: parent[owner.key] };
    const countRows = () => {
      const { pages, models } = at;
      // Prisma compares texts as they are spelt.
      if (!hasAmounts(noun.conditions(filter))) return models().count(noun, of, filter);
      return of === null ? pages.countAll(noun, filter) : pages.count(noun, of, filter);
    };
    const others = { countRows, listed: { noun, of, filter } };
    // What is left of a list that is written as text need not have a page.
    if (!selectsAny(info, [...ROWS, 'pageInfo']))
      return Object.assign(toConnection(list, EMPTY, positionOf), others);
    const including = () => queryFromInfo({ context, info, paths: [['edges', 'node'], ['nodes']] });
    const page = valueOrderOf(noun, request)
      ? await readInOrder(at, { noun, of, filter }, request)
      : of === null
        ? await at.models().page(noun, filter, request, including())
        : await at.models().pageOf(of, noun, filter, request);
    await checkWalkKept(noun, request, at.statements);
    return Object.assign(toConnection(list, page, positionOf), others);
  }
  const source = { kind: 'list', noun, filterOf, owner: owner ?? null } as unknown as ListSource;
  return { resolve, ...from(source) };
}

/** A page in the order of a value, of which Prisma reads the rows alone: what they link to is asked for one by one. */
async function readInOrder<R extends Positioned, Filter>(
  { statements, models, charge }: GatewayContext,
  {
    noun,
    of,
    filter,
  }: { readonly noun: Noun<R, Filter>; readonly of: Listed['of']; readonly filter: Filter },
  request: PageRequest,
): Promise<Page<R>> {
  const page =
    of === null
      ? await readTextPage(statements, noun, [POSITION], filter, request, charge)
      : (
          await readTextPages(
            statements,
            noun,
            [POSITION],
            { field: of.field, keys: [of.key] },
            filter,
            request,
            charge,
          )
        ).get(of.key);
  const { rows, ...ends } = page ?? EMPTY;
  const found = await Promise.all(
    (rows as readonly TextRow[]).map(([position]) =>
      models().row(noun, position ?? '', {}, 'createdPosition'),
    ),
  );
  return { ...ends, rows: found.flatMap((row) => row ?? []) };
}

/** What a connection is of, for what is computed of the same rows. */
export interface Listed {
  readonly noun: Noun<Positioned, unknown>;
  /** The object that the list hangs off. */
  readonly of: Owner | null;
  readonly filter: unknown;
}

/** The fields of a page that its rows are below. */
const ROWS = ['edges', 'nodes'] as const;

const EMPTY = { rows: [], hasNextPage: false, hasPreviousPage: false };

/** What the rows of a list meet: those of an object name it. */
export function conditionsOf({ noun, of, filter }: Listed): readonly Condition[] {
  const conditions = noun.conditions(filter);
  return of === null ? conditions : [{ values: [of.key], ...noun.fieldOf(of.field) }, ...conditions];
}

/** A page of rows as a connection. */
export function toConnection<R>(list: string, page: Page<R>, positionOf: (row: R) => bigint) {
  const edges = page.rows.map((node) => ({
    cursor: writeCursor({ list, position: positionOf(node) }),
    node,
  }));
  return { edges, pageInfo: pageInfoOf(edges, page) };
}

/** What is said of a page beside its edges: whether the list goes on behind it, and the cursors of its ends. */
export function pageInfoOf(
  edges: readonly { readonly cursor: string }[],
  { hasNextPage, hasPreviousPage }: Omit<Page<unknown>, 'rows'>,
) {
  return {
    hasNextPage,
    hasPreviousPage,
    startCursor: edges[0]?.cursor ?? null,
    endCursor: edges.at(-1)?.cursor ?? null,
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

/**
 * The context in which what a list comes to is read: sums, series. On a page that goes on, that of its walk. A first page has them of
 * the newest block, as they are kept: as of a block far fewer may be read.
 */
export function summingContextOf<Context>(request: PageRequest, now: Context, ofWalk: Context): Context {
  return request.asOf == null ? now : ofWalk;
}
