import { BLOCK_STREAM, writeStreamCursor } from '../domain/cursors.ts';
import { builder, defineQueries } from './builder.ts';
import { exposeColumns } from './columns.ts';
import { COST_OF, costs } from './costs.ts';

const MAX_HEIGHT = 2n ** 63n - 1n;

export const Block = builder.prismaObject('Block', {
  description: 'A block: the changes that the network made at one time.',
  // It is read once for the whole operation, or has come with a message.
  ...costs({ each: COST_OF.part }),
  fields: (t) => ({
    ...exposeColumns(t, {
      Uint64: { height: 'The height of the block.' },
      String: { hash: 'The hash of the block, in hexadecimal.' },
      Timestamp: { timestamp: 'The time of the block.' },
      'String | null': {
        digest:
          'The digest of the block and of all blocks before it, in hexadecimal: two gateways with the same digest have taken in the same. Null where an older version wrote the block.',
      },
    }),
    cursor: t.string({
      description:
        'The cursor of the end of the block, for `after` of every stream and of `changes`: what came after it.',
      // Without a selection of its own: for that each block would be read once more, as it came from no list of Prisma's.
      resolve: ({ lastPosition }) =>
        writeStreamCursor({ stream: BLOCK_STREAM, position: lastPosition, row: null }),
    }),
  }),
});

defineQueries((t) => ({
  block: t.field({
    type: Block,
    nullable: true,
    description:
      'The block at a height, or the latest block; null if there is none. Everything else in an answer is at least as new as the latest block in it.',
    // It is resolved by itself, as of each block that is asked about.
    ...costs({ each: COST_OF.object }),
    args: { height: t.arg({ type: 'Uint64', description: 'The height of the block.' }) },
    resolve: (_, { height }, { blockAt, newestBlock }) => {
      if (height === null || height === undefined) return newestBlock();
      return height > MAX_HEIGHT ? null : blockAt(height);
    },
  }),
}));
