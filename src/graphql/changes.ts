import { givenValues } from '../data/conditions.ts';
import {
  type ChangedFilter,
  type ChangedRow,
  countByNoun,
  type FollowedName,
  followedNames,
  partsOf,
} from '../data/history/changed-rows.ts';
import { writeStreamCursor } from '../domain/cursors.ts';
import { DEFAULT_PAGE_SIZE, MAX_PAGE_SIZE } from '../domain/page-sizes.ts';
import { invalidArgument } from '../errors.ts';
import type { ChangedBlocks } from '../feed/changed-blocks.ts';
import { cursorOf } from '../feed/cursors.ts';
import { type StreamEvent, toBlock, type Updates } from '../feed/events.ts';
import { SNAPSHOT_PAGE } from '../feed/past.ts';
import { changesTopic } from '../feed/topics.ts';
import { Block } from './blocks.ts';
import { builder, defineQueries } from './builder.ts';
import { exposeRows, ROWS_OF } from './changed-rows.ts';
import { COST_OF, costs, rowsOfPage } from './costs.ts';
import { readPageSize } from './list-args.ts';
import { placePageInPasts } from './pasts.ts';
import { inProse } from './prose.ts';
import { defineMessage, exposeLastPage, listsIn, streamArgs } from './streams.ts';

/*
 * The changes of several nouns, polled as pages or followed as one stream: the same blocks, the same rows and the same
 * cursors.
 */

const STREAM = changesTopic.log.name;

const ChangedNoun = builder.enumType('ChangedNoun', {
  description: 'A kind of thing whose changes can be asked for.',
  values: Object.fromEntries(
    followedNames.map((name) => [
      name.replace(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase(),
      { value: name, description: `The ${inProse({ name })}: rows of \`${ROWS_OF[name].type.name}\`.` },
    ]),
  ) as Record<string, { value: FollowedName; description: string }>,
});

const ChangesFilter = builder.inputType('ChangesFilter', {
  description:
    'The conditions that changed rows must meet. Each is refused where one of the nouns that are asked for cannot be chosen by it.',
  fields: (t) => ({
    partyIds: t.idList({ description: 'Only rows about one of these parties.' }),
    marketIds: t.idList({ description: 'Only rows about one of these markets.' }),
    assetIds: t.idList({ description: 'Only rows about one of these assets.' }),
  }),
});

const changesArgs = builder.args((t) => ({
  nouns: t.field({
    type: [ChangedNoun],
    required: true,
    description: 'The kinds of things whose changes are wanted.',
  }),
  filter: t.field({
    type: ChangesFilter,
    description: 'The conditions that changed rows must meet. Without it, all changes.',
  }),
}));

interface ChangesArgs {
  readonly nouns: readonly FollowedName[];
  readonly filter?: typeof ChangesFilter.$inferInput | null | undefined;
}

const ChangesSnapshot = builder.objectRef<StreamEvent<ChangedRow>>('ChangesSnapshot').implement({
  description: "A page of the rows at the end of the message's block, one kind after the other.",
  fields: (t) => ({
    ...exposeRows(t),
    lastPage: exposeLastPage(t),
  }),
});

const BlockChanges = builder.objectRef<StreamEvent<ChangedRow>>('BlockChanges').implement({
  description: 'What a block changed: each row once, as it is at the end of the block.',
  fields: (t) => ({
    block: t.field({ type: Block, description: 'The block.', resolve: ({ block }) => toBlock(block) }),
    ...exposeRows(t),
  }),
});

/** A message is about as large as a page of a snapshot, and has a page or updates: each is charged for half of it. */
const messageCost = costs({
  each: COST_OF.part,
  isTold: true,
  page: { rows: () => SNAPSHOT_PAGE / 2, row: 0 },
});

const ChangesMessage = defineMessage(STREAM, ChangesSnapshot, BlockChanges, messageCost);

builder.subscriptionField('changes', (t) =>
  t.field({
    type: ChangesMessage,
    description:
      'The changes of several kinds of things as one stream: a snapshot of the rows that pass the filter, then each change of one, in order, by whole blocks.',
    args: { ...changesArgs, ...streamArgs },
    subscribe: (_, { after, progress, ...asked }, { feed }) =>
      feed.open(changesTopic, readFilter(asked), after ?? null, progress ?? false, listsIn(asked)),
    resolve: (event) => event,
  }),
);

const ChangesEdge = builder.objectRef<Updates<ChangedRow>>('ChangesEdge').implement({
  description: 'The changes of a block in a page.',
  fields: (t) => ({
    cursor: t.string({
      description: 'The cursor of the block, for `after` of `changes`, here and as a stream.',
      resolve: (event) => cursorOf(STREAM, event),
    }),
    node: t.field({
      type: BlockChanges,
      description: 'What the block changed.',
      ...costs({ each: COST_OF.part, hasPageRows: true }),
      resolve: (event) => event,
    }),
  }),
});

/** A page has as many rows as blocks at most, or more rows of fewer blocks: a row each, as far as the price knows. */
const blocksCost = costs({
  each: COST_OF.part,
  values: 'rows',
  isTold: true,
  page: { rows: () => 1, row: 0 },
});

const ChangesPageInfo = builder.objectRef<ChangedBlocks<ChangedRow>>('ChangesPageInfo').implement({
  description: 'Information about a page of changes.',
  fields: (t) => ({
    hasNextPage: t.boolean({
      description:
        'Whether changes follow, or may follow: a page can end before it is full where what passes the filter is little or lies far apart.',
      resolve: ({ isMore }) => isMore,
    }),
    endCursor: t.string({
      description:
        'The cursor of where the page ends, for `after`: on the next page, of later changes, or of the stream. It is there on an empty page, too.',
      resolve: ({ reached }) => writeStreamCursor({ stream: STREAM, position: reached, row: null }),
    }),
  }),
});

const ChangesConnection = builder.objectRef<ChangedBlocks<ChangedRow>>('ChangesConnection').implement({
  description: 'A page of changes, by blocks.',
  ...costs({ each: COST_OF.list, page: { rows: rowsOfPage, row: COST_OF.row } }),
  fields: (t) => ({
    edges: t.field({
      type: [ChangesEdge],
      description: 'A list of the blocks that changed something, oldest first.',
      ...blocksCost,
      resolve: ({ blocks }) => blocks,
    }),
    nodes: t.field({
      type: [BlockChanges],
      description: 'A list of what these blocks changed, oldest first, without their cursors.',
      ...blocksCost,
      resolve: ({ blocks }) => blocks,
    }),
    pageInfo: t.field({
      type: ChangesPageInfo,
      description: 'Information about the page.',
      resolve: (page) => page,
    }),
  }),
});

defineQueries((t) => ({
  changes: t.field({
    type: ChangesConnection,
    description:
      'The changes of several kinds of things, oldest first, by whole blocks: as many blocks as change `first` rows. It reads what the stream of the same name sends, and goes on after its cursors.',
    args: {
      ...changesArgs,
      first: t.arg.int({
        description: `About how many changed rows are wanted, 1 to ${MAX_PAGE_SIZE}: the last block is whole. The default is ${DEFAULT_PAGE_SIZE}.`,
      }),
      after: t.arg.string({
        description:
          'The cursor of a block, of a page or of a message of the stream: changes after it are wanted. Without it, the first that are kept.',
      }),
    },
    resolve: async (_, { first, after, ...asked }, context, info) => {
      const { feed, histories, newestBlock, readInTurn } = context;
      const filter = readFilter(asked);
      if (first != null && first < 1)
        throw invalidArgument('first', `first takes 1 to ${MAX_PAGE_SIZE}, not ${first}.`);
      const most = readPageSize('first', first);
      const upTo = (await newestBlock())?.lastPosition ?? 0n;
      const asking = { after: after ?? null, upTo, most, statements: histories };
      const page = await readInTurn(() => feed.readChanges(changesTopic, filter, asking));
      const rows = page.blocks.flatMap(({ rows }) => rows);
      if (rows.length > most)
        context.admitTold(info, { rows: rows.length, lengths: lengthsOf(page.blocks.length, rows) });
      // As of a block, what each block before it changed is as of that one.
      if (context.past !== null) placePageInPasts(page.blocks.map(blockOf), context, info);
      return page;
    },
  }),
}));

/** How many blocks there are, and rows of each kind in one of them, on average. */
function lengthsOf(blocks: number, rows: readonly ChangedRow[]): ReadonlyMap<string, number> {
  const ofBlock = [...countByNoun(rows)].map(([noun, count]) => [noun, count / blocks] as const);
  return new Map([['edges', blocks], ['nodes', blocks], ...ofBlock]);
}

function blockOf({ block, position }: Updates<ChangedRow>) {
  return toBlock({ ...block, position });
}

/** The filter as the feed takes it. Throws INVALID_ARGUMENT for one by which a noun cannot be chosen. */
function readFilter({ nouns, filter }: ChangesArgs): ChangedFilter {
  if (nouns.length === 0) throw invalidArgument('nouns', 'nouns is empty: name what is wanted.');
  for (const [part, values] of Object.entries(filter ?? {})) {
    const refused =
      givenValues(values) === null ? undefined : nouns.find((name) => !partsOf(name).includes(part));
    if (refused === undefined) continue;
    throw invalidArgument(
      `filter.${part}`,
      `filter.${part} cannot choose among ${inProse({ name: refused })}: ask for these by themselves.`,
    );
  }
  return { ...filter, nouns };
}
