import type { Block as BlockRow } from '../data/generated/prisma/client.ts';
import { placeOfBlock, readBlockPage } from '../data/queries/blocks.ts';
import type { Page } from '../data/queries/pages.ts';
import { min } from '../domain/bigints.ts';
import { nameListAt } from '../domain/cursors.ts';
import { Block } from './blocks.ts';
import { builder, defineQueries } from './builder.ts';
import { toConnection } from './connections.ts';
import type { GatewayContext } from './context.ts';
import { COST_OF, rowsOfPage } from './costs.ts';
import { DateRange, type DateRangeArgs, readDateRange } from './date-ranges.ts';
import { checkCursorBlock, type PageArgs, pageArgs, readPageArgs } from './list-args.ts';
import { definePlainConnection } from './plain-connections.ts';

/** The list of blocks. It is no noun's: a block is found by its height, and nothing counts them. */

type BlockPage = ReturnType<typeof toConnection<BlockRow>>;

const BlockConnection = definePlainConnection(Block, {
  ...{ name: 'Block', row: 'A block', rows: 'blocks' },
  cost: { each: COST_OF.list, page: { rows: rowsOfPage, row: COST_OF.row } },
});

const blockRangeArgs = builder.args((t) => ({
  fromHeight: t.field({ type: 'Uint64', description: 'Only blocks from this height on.' }),
  toHeight: t.field({ type: 'Uint64', description: 'Only blocks up to and with this height.' }),
  dateRange: t.field({ type: DateRange, description: 'Only blocks of this range of times.' }),
}));

interface BlockRangeArgs extends DateRangeArgs {
  readonly fromHeight?: bigint | null | undefined;
  readonly toHeight?: bigint | null | undefined;
}

defineQueries((t) => ({
  blocks: t.field({
    type: BlockConnection,
    description:
      'A list of blocks, by height. It ends with the newest block, which no other in the answer is newer than.',
    args: { ...blockRangeArgs, ...pageArgs },
    resolve: async (_, args, context) => readPage(args, context),
  }),
}));

async function readPage(
  { fromHeight, toHeight, dateRange, ...page }: BlockRangeArgs & PageArgs,
  context: GatewayContext,
): Promise<BlockPage> {
  const request = readPageArgs('blocks', page);
  checkCursorBlock(request, context);
  const times = readDateRange({ dateRange });
  const newest = (await context.newestBlock())?.height ?? -1n;
  const range = {
    fromHeight: min(fromHeight ?? 0n, newest + 1n),
    toHeight: min(toHeight ?? newest, newest),
    ...times,
  };
  const found: Page<BlockRow> = await readBlockPage(context.statements, range, request);
  return toConnection(nameListAt('blocks', context.past?.height ?? null), found, placeOfBlock);
}
