import { expect } from 'vitest';
import type { Database } from '../../src/data/servers/client.ts';
import { bytesOf, runBy } from '../engine/executors.ts';
import { argumentsOf, type Given, type SimulatedList } from './simulated-lists.ts';

/** A row of a list, by its id, and what it has of what the list is in the order of, or of what changes with that. */
export type Row = readonly [id: string, value: string];

/** A walk through the pages of a list, from its begin or its end. */
export interface OrderedWalk {
  readonly list: SimulatedList;
  readonly given: Given;
  readonly orderBy: string;
  readonly newestFirst?: boolean;
  /** The field that a row is read with. */
  readonly value: string;
  /** Whether what the list hangs off may not be there, as a party that is named nowhere but in the question. */
  readonly mayLackParent?: boolean;
  readonly back: boolean;
  readonly size: number;
  readonly asText: boolean;
}

interface PageRead {
  readonly rows: readonly Row[];
  readonly totalCount: number;
  /** The block that the cursor carries which the page was asked for with. */
  readonly block: number | undefined;
  readonly hasNextPage: boolean;
  readonly hasPreviousPage: boolean;
  readonly startCursor: string | null;
  readonly endCursor: string | null;
}

/** Walks to the end, and holds that each page is as of the block of the first, whatever comes between them: the rows must be these. */
export async function expectWalk(
  database: Database,
  walk: OrderedWalk,
  expected: { readonly rows: readonly Row[]; readonly height: number },
  betweenPages: () => Promise<void>,
): Promise<void> {
  const { list, given, back } = walk;
  const pages: PageRead[] = [];
  for (let cursor: string | null = null; ; ) {
    const page = await readPage(database, walk, cursor);
    expect(page.block).toBe(cursor === null ? undefined : expected.height);
    // Of the walk's block, too, though rows have come since.
    expect([list.name, given.arguments, page.totalCount]).toEqual([
      ...[list.name, given.arguments, expected.rows.length],
    ]);
    pages.push(page);
    const isMore = back ? page.hasPreviousPage : page.hasNextPage;
    expect([list.name, back ? page.hasNextPage : page.hasPreviousPage]).toEqual([
      ...[list.name, pages.length > 1],
    ]);
    if (!isMore) break;
    cursor = back ? page.startCursor : page.endCursor;
    await betweenPages();
    if (pages.length > 400) throw new Error(`${list.name}: a walk that does not end`);
  }
  const walked = (back ? pages.reverse() : pages).flatMap(({ rows }) => rows);
  expect([list.name, given.arguments, walked]).toEqual([list.name, given.arguments, expected.rows]);
}

async function readPage(
  database: Database,
  { list, given, orderBy, newestFirst, value, mayLackParent = false, back, size, asText }: OrderedWalk,
  cursor: string | null,
): Promise<PageRead> {
  const [count, at] = back ? (['last', 'before'] as const) : (['first', 'after'] as const);
  const page = {
    ...(newestFirst !== undefined && { newestFirst }),
    [count]: size,
    ...(cursor !== null && { [at]: cursor }),
  };
  const args = `${argumentsOf({ ...given.arguments, ...page }).slice(0, -1)}, orderBy: ${orderBy})`;
  const connection = `list: ${list.field}${args} {
    edges { cursor node { nodeId value: ${value} } }
    totalCount plain: nodes { nodeId value: ${value} }
    pageInfo { hasNextPage hasPreviousPage startCursor endCursor } }`;
  const parent = list.parent && `parent: ${list.parent.field}(id: ${JSON.stringify(given.parentId)})`;
  const text = parent === undefined ? `{ ${connection} }` : `{ ${parent} { ${connection} } }`;
  const { answer } = await runBy(database, { text, variables: {} }, asText);
  const { data, errors } = JSON.parse(bytesOf(answer));
  expect(errors).toBeUndefined();
  const of = parent === undefined ? data : data.parent;
  const { edges, plain, pageInfo, totalCount } = of === null && mayLackParent ? NOTHING : of.list;
  expect(plain).toEqual(edges.map(({ node }: { readonly node: unknown }) => node));
  expect([edges.at(0)?.cursor ?? null, edges.at(-1)?.cursor ?? null]).toEqual([
    ...[pageInfo.startCursor, pageInfo.endCursor],
  ]);
  const block = /@(\d+)\./.exec(Buffer.from(cursor ?? '', 'base64url').toString())?.[1];
  return {
    ...pageInfo,
    totalCount,
    block: block === undefined ? undefined : Number(block),
    rows: edges.map(({ node }: { readonly node: { readonly nodeId: string; readonly value: string } }) => [
      atob(node.nodeId).replace(/^\w+@\d+:/, ''),
      node.value,
    ]),
  };
}

const NOTHING = {
  edges: [],
  plain: [],
  pageInfo: { hasNextPage: false, hasPreviousPage: false, startCursor: null, endCursor: null },
  totalCount: 0,
};
