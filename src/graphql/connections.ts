import type { Noun, Positioned } from '../data/noun.ts';
import type { Owner } from '../data/page-loaders.ts';
import type { Page, PageRequest } from '../data/pages.ts';
import { readCursor, writeCursor } from '../domain/cursors.ts';
import { DEFAULT_PAGE_SIZE, MAX_PAGE_SIZE } from '../domain/page-sizes.ts';
import { invalidArgument, quoted } from '../errors.ts';
import { builder } from './builder.ts';
import type { GatewayContext } from './context.ts';

/** The arguments that every list takes. */
export const pageArgs = builder.args((t) => ({
  first: t.int({
    description: `The largest number of rows to return from the start of the list, or after the cursor: 1 to ${MAX_PAGE_SIZE}. The default is ${DEFAULT_PAGE_SIZE} if \`last\` is not given either.`,
  }),
  after: t.string({ description: 'The cursor of the row that the page starts after. Used with `first`.' }),
  last: t.int({
    description: `The largest number of rows to return from the end of the list, or before the cursor: 1 to ${MAX_PAGE_SIZE}.`,
  }),
  before: t.string({ description: 'The cursor of the row that the page ends before. Used with `last`.' }),
  newestFirst: t.boolean({
    defaultValue: true,
    description:
      'Whether the list begins with the row that was created last. If false, it begins with the one created first.',
  }),
}));

interface PageArgs {
  readonly first?: number | null | undefined;
  readonly after?: string | null | undefined;
  readonly last?: number | null | undefined;
  readonly before?: string | null | undefined;
  readonly newestFirst?: boolean | null | undefined;
}

/** Answers a list's connection from one page. */
export async function resolveConnection<R extends Positioned, Filter>(
  context: GatewayContext,
  list: Noun<R, Filter>,
  filter: Filter,
  args: PageArgs,
) {
  const page = await context.pages.read(list, filter, readPageArgs(list.name, args));
  return toConnection(list.name, page, () => context.pages.countAll(list, filter));
}

/** As `resolveConnection`, for a list that hangs off an object: the same list of many objects is read at once. */
export async function resolveScopedConnection<R extends Positioned, Filter>(
  context: GatewayContext,
  list: Noun<R, Filter>,
  owner: Owner<R>,
  filter: Filter,
  args: PageArgs,
) {
  const page = await context.pages.load(list, owner, filter, readPageArgs(list.name, args));
  return toConnection(list.name, page, () => context.pages.count(list, owner, filter));
}

function toConnection<R extends Positioned>(list: string, page: Page<R>, count: () => Promise<number>) {
  const edges = page.rows.map((node) => ({
    cursor: writeCursor({ list, position: node.createdPosition }),
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
    countRows: count,
  };
}

/** Checks the page arguments of a list. Throws INVALID_ARGUMENT naming the argument at fault and its value. */
function readPageArgs(list: string, args: PageArgs): PageRequest {
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
  return {
    limit: readPageSize(backward ? 'last' : 'first', backward ? args.last : args.first),
    cursor: readCursorArg(list, backward ? 'before' : 'after', backward ? args.before : args.after),
    backward,
    newestFirst: args.newestFirst ?? true,
  };
}

function readPageSize(name: 'first' | 'last', size: number | null | undefined): number {
  if (!isGiven(size)) return DEFAULT_PAGE_SIZE;
  if (size >= 1 && size <= MAX_PAGE_SIZE) return size;
  throw invalidArgument(name, `${name} takes a number from 1 to ${MAX_PAGE_SIZE}, not ${size}.`);
}

function readCursorArg(
  list: string,
  name: 'after' | 'before',
  text: string | null | undefined,
): bigint | null {
  if (!isGiven(text)) return null;
  const position = readCursor(list, text);
  if (position !== null) return position;
  throw invalidArgument(name, `${name} takes a cursor that a page of ${list} gave, not ${quoted(text)}.`);
}

function isGiven<T>(value: T | null | undefined): value is T {
  return value !== null && value !== undefined;
}
