import fc from 'fast-check';
import { expect, test } from 'vitest';
import { forAllTests } from '../support/for-all-tests.ts';
import { startTestGateway } from '../support/gateway.ts';
import { seed } from '../support/seed.ts';
import { createSimulatedDatabase } from '../support/simulated.ts';

// What must be so of any two answers, whatever the right one is: filters, orders, blocks and pages, each with each.

const BLOCKS = 120;
const OPTIONS = { seed: seed + 9, parties: 15, markets: 4, blocks: BLOCKS } as const;

/** The lists, the fields of their rows that filters go by, and all that are asked for. */
const LISTS = {
  accounts: {
    noun: 'ACCOUNTS',
    filters: { partyIds: 'owner', marketIds: 'marketId', assetId: 'asset', accountTypes: 'type' },
    key: ['owner', 'asset', 'marketId', 'type'],
    fields: 'owner asset marketId type balance',
  },
  deposits: {
    noun: 'DEPOSITS',
    filters: { partyId: 'partyId' },
    key: ['id'],
    fields: 'id partyId asset amount status creditedTimestamp',
  },
  rewards: {
    noun: 'REWARDS',
    filters: { partyId: 'partyId', assetId: 'assetId', marketId: 'marketId' },
    key: ['nodeId'],
    fields: 'nodeId partyId assetId marketId epoch amount rewardType',
  },
  votes: {
    noun: 'VOTES',
    filters: { partyId: 'partyId', proposalId: 'proposalId' },
    key: ['partyId', 'proposalId'],
    fields: 'partyId proposalId value timestamp totalGovernanceTokenBalance',
  },
} as const;
type ListName = keyof typeof LISTS;
type Row = Readonly<Record<string, string>>;
type Filter = Readonly<Record<string, string | readonly string[]>>;

interface Asked {
  readonly list: ListName;
  readonly filter: Filter;
  readonly newestFirst: boolean;
  readonly height: number | null;
}

const network = await forAllTests(createSimulatedDatabase(OPTIONS));
const gateway = await forAllTests(startTestGateway(network.url));

const heights = fc.option(fc.integer({ min: 2, max: BLOCKS }), { freq: 5 });
const lists = fc.constantFrom(...(Object.keys(LISTS) as ListName[]));
const sizes = fc.integer({ min: 1, max: 60 });

test('a walk is the same whatever its pages and its direction, and as long as its count', async () => {
  const property = fc.asyncProperty(lists, heights, fc.boolean(), sizes, fc.gen(), async (...given) => {
    const [list, height, newestFirst, size, choose] = given;
    const asked = { list, height, newestFirst, filter: await chooseFilter(list, choose) };
    const { rows, count } = await walk(asked, { size: 5000, from: 'start' });
    expect(rows.length).toBe(count);
    const pages = Math.max(size, Math.ceil(rows.length / 12));
    expect((await walk(asked, { size: pages, from: 'start' })).rows).toEqual(rows);
    expect((await walk(asked, { size: pages, from: 'end' })).rows).toEqual(rows);
    const opposite = await walk({ ...asked, newestFirst: !newestFirst }, { size: 5000, from: 'start' });
    expect(opposite.rows.toReversed()).toEqual(rows);
  });
  await fc.assert(property, { numRuns: 60, endOnFailure: true });
});

test('a filter gives those rows of the whole list that meet it, and a list of values what each of them gives', async () => {
  const property = fc.asyncProperty(lists, heights, fc.boolean(), fc.gen(), async (...given) => {
    const [list, height, newestFirst, choose] = given;
    const filter = await chooseFilter(list, choose);
    const all = { size: 5000, from: 'start' } as const;
    const whole = await walk({ list, height, newestFirst, filter: {} }, all);
    const met = whole.rows.filter((row) => meets(list, filter, row));
    expect((await walk({ list, height, newestFirst, filter }, all)).rows).toEqual(met);
    for (const [name, values] of Object.entries(filter)) {
      if (!Array.isArray(values)) continue;
      const apart = [];
      for (const value of new Set(values as readonly string[]))
        apart.push(
          ...(await walk({ list, height, newestFirst, filter: { ...filter, [name]: [value] } }, all)).rows,
        );
      expect(new Set(apart)).toEqual(new Set(met));
    }
  });
  await fc.assert(property, { numRuns: 40, endOnFailure: true });
});

test('what was at a block, with the changes from there to another, is what was at that', async () => {
  const span = fc.tuple(fc.integer({ min: 2, max: BLOCKS }), fc.integer({ min: 2, max: BLOCKS }));
  let changed = 0;
  const property = fc.asyncProperty(lists, span, sizes, async (list, span, size) => {
    const [from, to] = [Math.min(...span), Math.max(...span)];
    const at = (height: number) => stateAt({ list, height, newestFirst: true, filter: {} });
    const state = await at(from);
    for (const row of await changesBetween(list, from, to, size)) {
      changed += 1;
      state.set(keyOf(list, row), row);
    }
    expect(state).toEqual(await at(to));
  });
  await fc.assert(property, { numRuns: 40, endOnFailure: true });
  expect(changed).toBeGreaterThan(100);
});

/** A filter with some values that there are, now and then with one that there is not. */
async function chooseFilter(list: ListName, choose: fc.GeneratorValue): Promise<Filter> {
  const all = { list, height: null, newestFirst: true, filter: {} };
  const { rows } = await walk(all, { size: 5000, from: 'start' });
  const chosen = Object.entries(LISTS[list].filters).flatMap(([name, field]) => {
    if (choose(fc.boolean)) return [];
    const values = [...new Set(rows.map((row) => row[field] ?? ''))].filter((value) => value !== '');
    const value = () => choose(fc.constantFrom, ...values, ...(field === 'type' ? [] : ['0'.repeat(64)]));
    const isList = name.endsWith('s');
    return [[name, isList ? Array.from({ length: choose(fc.integer, { min: 1, max: 3 }) }, value) : value()]];
  });
  return Object.fromEntries(chosen);
}

function meets(list: ListName, filter: Filter, row: Row): boolean {
  const fields = LISTS[list].filters as Readonly<Record<string, string>>;
  return Object.entries(filter).every(([name, values]) =>
    [values].flat().includes(row[fields[name] ?? ''] ?? ''),
  );
}

function keyOf(list: ListName, row: Row): string {
  return LISTS[list].key.map((field) => row[field]).join(' ');
}

async function stateAt(asked: Asked): Promise<Map<string, Row>> {
  const { rows } = await walk(asked, { size: 5000, from: 'start' });
  return new Map(rows.map((row) => [keyOf(asked.list, row), row]));
}

/** The rows of a list, page by page, in its order from whichever end. */
async function walk(
  { list, filter, newestFirst, height }: Asked,
  { size, from }: { readonly size: number; readonly from: 'start' | 'end' },
) {
  const { fields } = LISTS[list];
  const inList =
    list === 'accounts'
      ? `filter: $filter`
      : Object.keys(filter)
          .map((name) => `${name}: $${name}`)
          .join(', ');
  const types: Readonly<Record<string, string>> = { filter: 'AccountFilter' };
  const variables: Readonly<Record<string, unknown>> = list === 'accounts' ? { filter } : filter;
  const declared = Object.keys(variables).map((name) => `$${name}: ${types[name] ?? 'ID'}`);
  const [take, beyond] = from === 'start' ? ['first', 'after'] : ['last', 'before'];
  const field = `${list}(newestFirst: ${newestFirst}, ${take}: ${size}, ${beyond}: $cursor, ${inList}) {
    totalCount edges { node { ${fields} } } pageInfo { hasNextPage hasPreviousPage startCursor endCursor } }`;
  const body = height === null ? `{ ${field} }` : `{ asOf(height: "${height}") { ${field} } }`;
  const rows: Row[] = [];
  for (let cursor: string | null = null; ; ) {
    const answer = await gateway.graphql(`query(${['$cursor: String', ...declared].join(', ')}) ${body}`, {
      ...variables,
      cursor,
    });
    expect(answer.errors).toBeUndefined();
    const page = (answer.data.asOf ?? answer.data)[list];
    const found = page.edges.map(({ node }: { readonly node: Row }) => withoutBlock(node));
    if (from === 'start') rows.push(...found);
    else rows.unshift(...found);
    const { hasNextPage, hasPreviousPage, startCursor, endCursor } = page.pageInfo;
    // On its way a page says, too, that there is what it came from.
    expect(from === 'start' ? hasPreviousPage : hasNextPage).toBe(cursor !== null);
    if (!(from === 'start' ? hasNextPage : hasPreviousPage))
      return { rows, count: page.totalCount as number };
    cursor = from === 'start' ? endCursor : startCursor;
  }
}

/** What the blocks after one and up to another changed, oldest first. */
async function changesBetween(
  list: ListName,
  from: number,
  to: number,
  size: number,
): Promise<readonly Row[]> {
  const { noun, fields } = LISTS[list];
  const start = await gateway.graphql(`{ asOf(height: "${from}") { block { cursor } } }`);
  let cursor: string = start.data.asOf.block.cursor;
  const rows: Row[] = [];
  for (;;) {
    const { data, errors } = await gateway.graphql(
      `query($after: String) { asOf(height: "${to}") { changes(nouns: [${noun}], after: $after, first: ${size}) {
        edges { node { block { height } ${list} { ${fields} } } } pageInfo { hasNextPage endCursor } } } }`,
      { after: cursor },
    );
    expect(errors).toBeUndefined();
    const { edges, pageInfo } = data.asOf.changes;
    for (const { node } of edges) {
      expect(Number(node.block.height)).toBeGreaterThan(from);
      expect(Number(node.block.height)).toBeLessThanOrEqual(to);
      rows.push(...node[list].map(withoutBlock));
    }
    if (!pageInfo.hasNextPage) return rows;
    cursor = pageInfo.endCursor;
  }
}

/** Global IDs of the past have the block. */
function withoutBlock(row: Row): Row {
  const { nodeId } = row;
  if (nodeId === undefined) return row;
  return { ...row, nodeId: Buffer.from(nodeId, 'base64').toString().replace(/@\d+/, '') };
}
