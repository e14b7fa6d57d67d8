import type { ObjectRef } from '@pothos/core';
import type { GraphQLResolveInfo } from 'graphql';
import type { Block as BlockRow } from '../data/generated/prisma/client.ts';
import type { ChosenRows } from '../data/history/version-statements.ts';
import {
  readLatestVersion,
  readVersions,
  type Version,
  type VersionRange,
} from '../data/history/versions.ts';
import type { Noun, Positioned } from '../data/noun.ts';
import { findBlockAt, findBlocks, findFirstKnownBlock } from '../data/queries/blocks.ts';
import { type PageRequest, walkOf } from '../data/queries/page-statements.ts';
import type { Page } from '../data/queries/pages.ts';
import type { Statements } from '../data/servers/statements.ts';
import { max, min } from '../domain/bigints.ts';
import { nameListAt, writeCursor } from '../domain/cursors.ts';
import { heightOf, positionsOf } from '../domain/positions.ts';
import { blockOutOfRange } from '../errors.ts';
import { blockEndingAt, checkKnown, checkKnownFrom } from './as-of.ts';
import { Block } from './blocks.ts';
import { builder } from './builder.ts';
import { pageInfoOf } from './connections.ts';
import type { GatewayContext } from './context.ts';
import { COST_OF, COST_OF_THE_PAST, costs, rowsOfPage } from './costs.ts';
import { checkCursorBlock, type PageArgs, readPageArgs } from './list-args.ts';
import { placePageInPasts } from './pasts.ts';
import { inProse } from './prose.ts';

/** A page of the versions of rows: each with the block that left it so, and the cursor of its place. */
export interface HistoryPage<Row> {
  readonly edges: readonly VersionEdge<Row>[];
  readonly pageInfo: ReturnType<typeof pageInfoOf>;
}

interface VersionEdge<Row> {
  readonly cursor: string;
  readonly block: BlockRow;
  readonly node: Version<Row>;
}

/** The times that versions are from, in nanoseconds: the first included, the last not. */
export interface TimeRange {
  readonly startTimestamp?: bigint | null | undefined;
  readonly endTimestamp?: bigint | null | undefined;
}

interface LatestArgs {
  /** Whether only the newest version is in the list. */
  readonly latest?: boolean | null | undefined;
}

/** What is asked for, and the first block whose past is known. */
interface Asked extends TimeRange, LatestArgs {
  readonly first: BlockRow | null;
}

/** The rows whose versions are wanted, or how they are found. */
type Chosen = ChosenRows | ((statements: Statements) => Promise<ChosenRows>);

/** Defines the pages of the versions of a noun's rows: `AccountHistory`, of `AccountVersion`. */
export function defineHistory<Row extends Positioned>(
  noun: Pick<Noun, 'name'>,
  type: ObjectRef<typeof builder.$inferSchemaTypes, Row>,
) {
  const Edge = builder.objectRef<VersionEdge<Row>>(`${type.name}Version`).implement({
    description: `What one of the ${inProse(noun)} was from a block on.`,
    fields: (t) => ({
      cursor: t.exposeString('cursor', {
        description: 'The cursor of the version, for `after` and `before`.',
      }),
      block: t.field({
        type: Block,
        description: 'The block that left it so.',
        resolve: ({ block }) => block,
      }),
      node: t.field({
        type,
        description: 'What it was at the end of the block. Everything below is as of that block.',
        ...costs({ each: 0 }),
        resolve: ({ node }) => node as never,
      }),
    }),
  });
  return builder.objectRef<HistoryPage<Row>>(`${type.name}History`).implement({
    description: `A page of versions of ${inProse(noun)}, by the blocks that changed them.`,
    ...costs({ each: COST_OF.history, page: { rows: rowsOfPage, row: COST_OF.row * COST_OF_THE_PAST } }),
    fields: (t) => ({
      edges: t.field({
        type: [Edge],
        description: 'A list of the versions in the page, each with its block.',
        ...costs({ each: COST_OF.part, values: 'rows' }),
        resolve: ({ edges }) => edges as VersionEdge<Row>[],
      }),
      nodes: t.field({
        type: [type],
        description:
          'A list of the rows in the page, as each was at the end of its block, without the block. Everything below a row is as of it.',
        ...costs({ each: COST_OF.part, values: 'rows' }),
        resolve: ({ edges }) => edges.map(({ node }) => node) as never,
      }),
      pageInfo: t.field({
        type: builder.pageInfoRef(),
        description: 'Information about the page.',
        resolve: ({ pageInfo }) => pageInfo,
      }),
    }),
  });
}

/** The name of the list that cursors of versions carry. */
export function listOfHistory({ name }: Pick<Noun, 'name'>): string {
  return `${name}History`;
}

/** Reads a page of versions, and has everything below each be as of its block. */
export async function readHistory<Row extends Positioned>(
  noun: Noun<Row, never>,
  chosen: Chosen,
  { startTimestamp, endTimestamp, latest, ...args }: PageArgs & TimeRange & LatestArgs,
  context: GatewayContext,
  info: GraphQLResolveInfo,
): Promise<HistoryPage<Row>> {
  const request = readPageArgs(listOfHistory(noun), args);
  checkCursorBlock(request, context);
  const times = { startTimestamp, endTimestamp, latest };
  const table = noun.table.name.text;
  const first = await findFirstKnownBlock(context.histories, [table]);
  if (context.past !== null) checkKnownFrom(first, [context.past], [table]);
  const page = await context.readInTurn(() => readPage(noun, chosen, { ...times, first }, request, context));
  if (!latest) await checkWalkKnown(noun, chosen, request, startTimestamp, context);
  // The latest may be from before what is kept; it was still so where that begins.
  const pasts = page.edges.map(({ block }) =>
    first !== null && block.lastPosition < first.lastPosition ? first : block,
  );
  placePageInPasts(pasts, context, info);
  return page;
}

/**
 * To be called once a page is read. Rejects with OUT_OF_RANGE where it goes on towards newer versions from one of before what is known:
 * those between would be left out, and nobody would know. Towards older ones a history ends where the past does.
 */
async function checkWalkKnown<Row extends Positioned>(
  noun: Noun<Row, never>,
  chosen: Chosen,
  request: PageRequest,
  startTimestamp: TimeRange['startTimestamp'],
  context: GatewayContext,
): Promise<void> {
  const { cursor, backward } = request;
  if (cursor === null || walkOf(request) === 'DESC') return;
  const first = await findFirstKnownBlock(context.histories, [noun.table.name.text]);
  if (first === null || cursor >= positionsOf(first.height).first) return;
  if (startTimestamp != null && startTimestamp > first.timestamp) return;
  const rows = await chooseIn(context, chosen);
  // A poll goes on from the last version that there was, for as long as nothing changes.
  if ('keys' in rows && !(await changedBetween(noun, rows, cursor, first, context))) return;
  const name = backward ? 'before' : 'after';
  throw blockOutOfRange(
    'BLOCK_NOT_KEPT',
    `${name} is a cursor of block ${heightOf(cursor)}, and the past of the ${inProse(noun)} is known from block ${first.height} on: the versions between are gone. Begin without it.`,
    { firstHeight: first.height },
  );
}

/** Whether rows had changed since a position when the first block ended whose past is known. */
async function changedBetween<Row extends Positioned>(
  noun: Noun<Row, never>,
  rows: ChosenRows,
  position: bigint,
  first: BlockRow,
  context: GatewayContext,
): Promise<boolean> {
  const [past = context] = context.pastsOf([first]);
  const [newest] = (await readLatestVersion(past.statements, noun, rows, NEWEST)).rows;
  return newest !== undefined && newest.changePosition > position;
}

async function chooseIn({ histories }: GatewayContext, chosen: Chosen): Promise<ChosenRows> {
  return typeof chosen === 'function' ? await chosen(histories) : chosen;
}

async function readPage<Row extends Positioned>(
  noun: Noun<Row, never>,
  chosen: Chosen,
  times: Asked,
  request: PageRequest,
  context: GatewayContext,
): Promise<HistoryPage<Row>> {
  const { histories } = context;
  const { latest, startTimestamp, endTimestamp } = times;
  const isOfNow = latest && startTimestamp == null && endTimestamp == null;
  // Before rows are chosen: one that is created between the two would be left out of a page that goes up to a later block.
  if (!isOfNow) await context.newestBlock();
  const rows = await chooseIn(context, chosen);
  const page = isOfNow
    ? await readLatestVersion(context.statements, noun, rows, request)
    : await readWithin(noun, rows, times, request, context);
  const blocks = await findBlocks(histories, [
    ...new Set(page.rows.map(({ changePosition }) => heightOf(changePosition))),
  ]);
  const list = nameListAt(`${noun.name}History`, context.past?.height ?? null);
  const edges = page.rows.flatMap((node): VersionEdge<Row>[] => {
    const block = blocks.get(heightOf(node.changePosition));
    const cursor = writeCursor({ list, position: node.changePosition });
    return block === undefined ? [] : [{ cursor, block, node }];
  });
  return { edges, pageInfo: pageInfoOf(edges, page) };
}

async function readWithin<Row extends Positioned>(
  noun: Noun<Row, never>,
  rows: ChosenRows,
  times: Asked,
  request: PageRequest,
  context: GatewayContext,
): Promise<Page<Version<Row>>> {
  const { histories } = context;
  const confirm = (from: bigint) => {
    const end = positionsOf(heightOf(from)).last;
    return checkKnown(histories, [blockEndingAt(end)], [noun.table.name.text]);
  };
  const all = { ...(await findRange(context, times)), confirm };
  const range = times.latest ? await findLatest(histories, noun, rows, all) : all;
  return readVersions(histories, noun, rows, range, request);
}

const NEWEST = { limit: 1, cursor: null, backward: false, newestFirst: true };

/** The position of the newest version alone. */
async function findLatest<Row extends Positioned>(
  histories: Statements,
  noun: Noun<Row, never>,
  rows: ChosenRows,
  range: VersionRange,
): Promise<VersionRange> {
  const [newest] = (await readVersions(histories, noun, rows, range, NEWEST)).rows;
  return newest === undefined ? range : { least: newest.changePosition, most: newest.changePosition };
}

/** The last block before a time; 64 bits hold that of every block. */
function findBlockBefore(statements: Statements, time: bigint): Promise<BlockRow | null> {
  // None is from before 1970.
  if (time <= 0n) return Promise.resolve(null);
  return findBlockAt(statements, time > MAX_TIME ? MAX_TIME : time - 1n);
}

const MAX_TIME = 2n ** 63n - 1n;

/** The positions of the blocks of some times, from the first whose past is known up to the one that everything is as of. */
async function findRange(
  { histories, newestBlock }: GatewayContext,
  { startTimestamp, endTimestamp, first }: Asked,
): Promise<VersionRange> {
  const newest = (await newestBlock())?.lastPosition ?? -1n;
  const known = first === null ? 0n : positionsOf(first.height).first;
  const before = startTimestamp == null ? null : await findBlockBefore(histories, startTimestamp);
  const last = endTimestamp == null ? null : await findBlockBefore(histories, endTimestamp);
  const most = endTimestamp == null ? newest : (last?.lastPosition ?? -1n);
  return { least: max(known, (before?.lastPosition ?? -1n) + 1n), most: min(most, newest) };
}
