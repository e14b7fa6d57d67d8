import fc from 'fast-check';
import {
  type GraphQLArgument,
  type GraphQLField,
  getNamedType,
  graphql,
  isInputObjectType,
  isObjectType,
} from 'graphql';
import { describe, expect, test } from 'vitest';
import { openDatabase } from '../../src/data/servers/client.ts';
import { writeCursor } from '../../src/domain/cursors.ts';
import { createContext } from '../../src/graphql/context.ts';
import { schema } from '../../src/graphql/index.ts';
import { forAllTests } from '../support/for-all-tests.ts';
import { createSimulatedDatabase } from '../support/simulated.ts';
import { anyText } from '../support/texts.ts';
import {
  argumentsOf,
  expectedRows,
  type Given,
  LISTS,
  readTables,
  type SimulatedList,
  type Tables,
} from './simulated-lists.ts';

const BLOCKS = 120;
const RUNS = 12;
/** Queries ask for none. */
const NO_FEED = null as never;

/** Of no object of the network here do these have more than one row. */
const LISTS_OF_ONE = ['asset.markets', 'asset.baseMarkets', 'asset.quoteMarkets', 'market.successorMarkets'];

const REFUSED: readonly (readonly [PageArguments, string])[] = [
  [{ first: 1, last: 1 }, 'last'],
  [{ first: 1, before: 'x' }, 'before'],
  [{ last: 1, after: 'x' }, 'after'],
  [{ before: 'x', after: 'x' }, 'after'],
  [{ first: -1 }, 'first'],
  [{ first: 5001 }, 'first'],
  [{ last: -1 }, 'last'],
  [{ last: -2147483648 }, 'last'],
  [{ last: 5001 }, 'last'],
];

const ALL_TABLES = ['parties', ...LISTS.map(({ table }) => table)];

const simulated = await forAllTests(
  createSimulatedDatabase({ seed: 11, blocks: BLOCKS, parties: 16, markets: 3 }),
);
const database = await forAllTests(openDatabase({ url: simulated.url, readOnly: true }));
const tables = await readTables(simulated, ALL_TABLES);

describe.each(LISTS.map((list) => [list.name, list] as const))('%s', (_, list) => {
  test('pages in either direction make up the whole list, and say truly whether it goes on', async () => {
    await fc.assert(
      fc.asyncProperty(walks(list), async ({ given, newestFirst, size }) => {
        const expected = expectedRows(list, given, tables, newestFirst);
        // A long list is not walked in small steps.
        const step = Math.max(size, Math.ceil(expected.length / 5));
        const forwards = await walk(list, given, newestFirst, step, false);
        const backwards = await walk(list, given, newestFirst, step, true);
        expect(forwards.flatMap(({ ids }) => ids)).toEqual(expected.map(({ id }) => id));
        expect(backwards.flatMap(({ ids }) => ids)).toEqual(expected.map(({ id }) => id));
        for (const pages of [forwards, backwards]) {
          for (const [index, page] of pages.entries()) {
            expect([page.hasPreviousPage, page.hasNextPage]).toEqual([index > 0, index < pages.length - 1]);
          }
        }
      }),
      { numRuns: RUNS },
    );
  });

  test('a page from any cursor is true, also from a row that the filter hides or that is gone', async () => {
    await fc.assert(
      fc.asyncProperty(
        walks(list),
        fc.boolean(),
        places(list),
        async ({ given, newestFirst, size }, back, at) => {
          const expected = expectedRows(list, given, tables, newestFirst);
          const comesBefore = (position: bigint) => (newestFirst ? position > at : position < at);
          const before = expected.filter(({ position }) => comesBefore(position));
          const after = expected.filter(({ position }) => !comesBefore(position) && position !== at);
          const cursor = writeCursor({ list: list.cursorName, position: at });
          const page = await readPage(list, given, {
            newestFirst,
            ...(back ? { last: size, before: cursor } : { first: size, after: cursor }),
          });
          const wanted = back ? before.slice(-size) : after.slice(0, size);
          expect(page.ids).toEqual(wanted.map(({ id }) => id));
          // The cursor's own row, where the filter shows it, lies on the other side of the page.
          const others = expected.length - (back ? before : after).length;
          expect(back ? page.hasNextPage : page.hasPreviousPage).toBe(others > 0);
          expect(back ? page.hasPreviousPage : page.hasNextPage).toBe((back ? before : after).length > size);
          expect(page.totalCount).toBe(expected.length);
        },
      ),
      { numRuns: RUNS },
    );
  });

  test('a page of no rows says truly whether the list has any, from either end and beyond any cursor', async () => {
    await fc.assert(
      fc.asyncProperty(
        walks(list),
        fc.boolean(),
        fc.option(places(list)),
        async ({ given, newestFirst }, back, at) => {
          const expected = expectedRows(list, given, tables, newestFirst);
          const isBeyond = (position: bigint) =>
            at === null || (position !== at && position < at === (newestFirst !== back));
          const beyond = expected.filter(({ position }) => isBeyond(position)).length;
          const cursor = at === null ? null : writeCursor({ list: list.cursorName, position: at });
          const page = await readPage(list, given, {
            newestFirst,
            ...(back ? { last: 0 } : { first: 0 }),
            ...(cursor === null ? {} : { [back ? 'before' : 'after']: cursor }),
          });
          const [onwards, behind] = [beyond > 0, expected.length > beyond];
          expect(page).toEqual({
            ids: [],
            hasNextPage: back ? behind : onwards,
            hasPreviousPage: back ? onwards : behind,
            startCursor: null,
            endCursor: null,
            totalCount: expected.length,
          });
        },
      ),
      { numRuns: RUNS },
    );
  });

  test('a cursor with any character changed is refused, and so is one of another list', async () => {
    const cursor = writeCursor({ list: list.cursorName, position: positions(list)[0] ?? 7n });
    const arbitrary = fc.record({
      at: fc.nat(cursor.length - 1),
      char: anyText({ maxLength: 1 }).filter((char) => !char.includes('\0')),
    });
    await fc.assert(
      fc.asyncProperty(arbitrary, fc.constantFrom('after', 'before'), async ({ at, char }, side) => {
        const mutant = cursor.slice(0, at) + char + cursor.slice(at + 1);
        const answer = await ask(list, {}, { [side]: mutant });
        // A digit of the position may have become another digit: that is a cursor too.
        if (isCursor(list, mutant)) expect(answer.errors).toBeUndefined();
        else expectRefusal(answer, side);
      }),
      { numRuns: 40 },
    );
    const other = writeCursor({ list: list.cursorName === 'votes' ? 'deposits' : 'votes', position: 7n });
    expectRefusal(await ask(list, {}, { after: other }), 'after');
    expectRefusal(await ask(list, {}, { after: '' }), 'after');
  });

  test('an argument that is null is one that is not given', async () => {
    const given = mostRows(list);
    const { args } = fieldOf(list);
    const nulls = [...args.map(nullArgument), Object.assign({}, ...args.map(nullArgument)), innerNulls(args)];
    for (const size of [{}, { first: 2 }, { last: 2 }]) {
      const page = await ask(list, given, size);
      // Else the order of a page could not be seen: but each market here has assets of its own, and no successor.
      if (!LISTS_OF_ONE.includes(list.name))
        expect((await ask(list, given, { ...size, newestFirst: false })).data).not.toEqual(page.data);
      for (const one of nulls)
        expect(await ask(list, { ...given, arguments: { ...one, ...size } }, {})).toEqual(page);
    }
  });

  test('sizes beyond the limits and arguments that contradict each other are refused by name', async () => {
    for (const [page, named] of REFUSED) expectRefusal(await ask(list, {}, page), named);
  });
});

test('no list of the schema is left out', () => {
  const lists = Object.values(schema.getTypeMap())
    .filter((type) => isObjectType(type))
    // Those of a block of the past are the query's own, each declared once.
    .filter(({ name }) => name !== 'AsOf')
    .flatMap((type) =>
      Object.values(type.getFields())
        // Changes are of no list; blocks and candles, which are no nouns, have tests: block-list.test.ts, candles.test.ts.
        .filter(({ name }) => !['changes', 'blocks', 'candles'].includes(name))
        .filter((field) => getNamedType(field.type).name.endsWith('Connection'))
        .map(({ name }) => (type.name === 'Query' ? name : `${type.name.toLowerCase()}.${name}`)),
    );
  expect(lists.sort()).toEqual(LISTS.map(({ name }) => name).sort());
});

// The blocks go on from here, so it comes last.
test('walks while blocks are applied give each row that stays in the list once, in order', async () => {
  const before = tables;
  let height = BLOCKS;
  const walking = new AbortController();
  const applying = (async () => {
    while (!walking.signal.aborted) await simulated.advanceTo(++height);
  })();
  const walked: { list: SimulatedList; given: Given; newestFirst: boolean; back: boolean; ids: string[] }[] =
    [];
  try {
    for (const list of LISTS) {
      for (const { given, newestFirst, back } of fc.sample(
        fc.record({ given: list.filters(before), newestFirst: fc.boolean(), back: fc.boolean() }),
        { numRuns: 4 },
      )) {
        const { length } = expectedRows(list, given, before, true);
        const pages = await walk(list, given, newestFirst, Math.max(1, Math.ceil(length / 10)), back);
        walked.push({ list, given, newestFirst, back, ids: pages.flatMap(({ ids }) => ids) });
      }
    }
  } finally {
    walking.abort();
    await applying;
  }
  const after = await readTables(simulated, ALL_TABLES);
  expect(height).toBeGreaterThan(BLOCKS + 5);
  for (const { list, given, newestFirst, ids } of walked) {
    expect(new Set(ids).size).toBe(ids.length);
    const final = expectedRows(list, given, after, newestFirst).map(({ id }) => id);
    const still = new Set(final);
    const changed = changedRows(list, before, after);
    const stable = expectedRows(list, given, before, newestFirst).filter(
      ({ id }) => still.has(id) && !changed.has(id),
    );
    const seen = new Set(ids);
    expect(ids.filter((id) => still.has(id))).toEqual(final.filter((id) => seen.has(id)));
    expect(stable.filter(({ id }) => !seen.has(id))).toEqual([]);
  }
});

/** The object whose list is the longest, where the list hangs off one. */
function mostRows({ parent, table }: SimulatedList): Given {
  if (parent === undefined) return {};
  const values = (tables[table] ?? []).flatMap((row) => Object.values(row));
  const timesOf = (id: string) => values.filter((value) => value === id).length;
  const [parentId = ''] = [...parent.ids(tables)].sort((a, b) => timesOf(b) - timesOf(a));
  return { parentId };
}

function fieldOf({ field, parent }: SimulatedList): GraphQLField<unknown, unknown> {
  const type = parent === undefined ? 'Query' : schema.getQueryType()?.getFields()[parent.field]?.type;
  const named = schema.getType(String(type).replace('!', ''));
  const found = isObjectType(named) ? named.getFields()[field] : undefined;
  if (found === undefined) throw new Error(`the schema has no ${field} there`);
  return found;
}

function nullArgument({ name }: GraphQLArgument) {
  return { [name]: null };
}

/** Every argument that is an object, with nothing but nulls in it. */
function innerNulls(args: readonly GraphQLArgument[]) {
  const objects = args.flatMap(({ name, type }) => {
    const fields = isInputObjectType(type) ? Object.keys(type.getFields()) : null;
    return fields === null ? [] : [[name, Object.fromEntries(fields.map((field) => [field, null]))]];
  });
  return Object.fromEntries(objects);
}

/** Rows that may have left the list for a while: states and times change, what else filters ask for does not. */
function changedRows({ table, key }: SimulatedList, before: Tables, after: Tables): ReadonlySet<string> {
  if (['accounts', 'votes', 'margin_levels', 'rewards'].includes(table)) return new Set();
  const was = new Map(before[table]?.map((row) => [row[key], row['updated_position']]));
  const changed = after[table]?.filter((row) => row['updated_position'] !== was.get(row[key] ?? ''));
  return new Set(changed?.map((row) => String(row[key])));
}

interface PageArguments {
  readonly first?: number;
  readonly after?: string;
  readonly last?: number;
  readonly before?: string;
  readonly newestFirst?: boolean;
}

interface PageRead {
  readonly ids: readonly string[];
  readonly hasNextPage: boolean;
  readonly hasPreviousPage: boolean;
  readonly startCursor: string | null;
  readonly endCursor: string | null;
  readonly totalCount: number;
}

/** The pages from one end of the list to the other, in the order of the list. */
async function walk(list: SimulatedList, given: Given, newestFirst: boolean, size: number, back: boolean) {
  const pages: PageRead[] = [];
  let page: PageArguments = { newestFirst, ...(back ? { last: size } : { first: size }) };
  for (;;) {
    const read = await readPage(list, given, page);
    pages.push(read);
    if (!(back ? read.hasPreviousPage : read.hasNextPage)) return back ? pages.reverse() : pages;
    const cursor = back ? read.startCursor : read.endCursor;
    if (cursor === null || pages.length > 10_000) throw new Error(`${list.name}: a walk that does not end`);
    page = { newestFirst, ...(back ? { last: size, before: cursor } : { first: size, after: cursor }) };
  }
}

async function readPage(list: SimulatedList, given: Given, page: PageArguments): Promise<PageRead> {
  const { data, errors } = await ask(list, given, page);
  if (errors !== undefined) throw new Error(`${list.name}: ${errors[0]?.message}`);
  // biome-ignore lint/suspicious/noExplicitAny: the shape is that of the operation below.
  const root = data as any;
  const connection = list.parent === undefined ? root.list : root.parent.list;
  const { edges, pageInfo, totalCount } = connection;
  expect([pageInfo.startCursor, pageInfo.endCursor]).toEqual([
    edges[0]?.cursor ?? null,
    edges.at(-1)?.cursor ?? null,
  ]);
  const ids = edges.map(({ node }: { node: { nodeId: string } }) => atob(node.nodeId).replace(/^\w+:/, ''));
  return { ids, totalCount, ...pageInfo };
}

function ask(list: SimulatedList, given: Given, page: PageArguments) {
  const all = argumentsOf({ ...given.arguments, ...page });
  const connection = `list: ${list.field}${all} {
    totalCount
    edges { node { nodeId } cursor }
    pageInfo { hasNextPage hasPreviousPage startCursor endCursor }
  }`;
  const parent = list.parent?.field;
  const id = JSON.stringify(given.parentId ?? list.parent?.ids(tables)[0]);
  const source =
    parent === undefined ? `{ ${connection} }` : `{ parent: ${parent}(id: ${id}) { ${connection} } }`;
  return graphql({ schema, source, contextValue: createContext({ ...database, feed: NO_FEED }) });
}

function expectRefusal({ errors }: Awaited<ReturnType<typeof ask>>, named: string): void {
  expect(errors?.[0]?.extensions).toMatchObject({
    code: 'INVALID_ARGUMENT',
    details: [{ fieldViolations: [{ field: named }] }],
  });
  expect(errors?.[0]?.message).toContain(named);
}

function isCursor({ cursorName }: SimulatedList, text: string): boolean {
  const [, digits] = new RegExp(`^1\\.${cursorName}\\.(\\d{1,16})$`).exec(atobOrNothing(text)) ?? [];
  return digits !== undefined && writeCursor({ list: cursorName, position: BigInt(digits) }) === text;
}

function atobOrNothing(text: string): string {
  return Buffer.from(text, 'base64url').toString();
}

function walks(list: SimulatedList) {
  return fc.record({
    given: list.filters(tables),
    newestFirst: fc.boolean(),
    size: fc.oneof(fc.integer({ min: 1, max: 30 }), fc.constant(1000)),
  });
}

/** Positions of rows of the list's table, beside them, and beyond all. */
function places(list: SimulatedList) {
  return fc.oneof(
    fc.constantFrom(...positions(list)),
    fc.constantFrom(...positions(list)).map((position) => position + 1n),
    fc.constantFrom(0n, 2n ** 53n - 1n, 9_999_999_999_999_999n),
  );
}

function positions(list: SimulatedList): readonly bigint[] {
  return (tables[list.table] ?? []).map((row) => BigInt(row['created_position'] ?? 0));
}
