import { type AsOfArgs, type AsOfEachArgs, checkAsOf, MOST_BLOCKS, readHeights } from './as-of.ts';
import { AsOf, builder } from './builder.ts';
import { type Argument, COST_OF, COST_OF_THE_PAST, costs } from './costs.ts';
import { placeOf } from './pasts.ts';
import { from } from './sources.ts';

AsOf.implement({
  description:
    'The queries as of one block: everything below is what was at the end of that block. The cursors of its lists are of that block, and so are the global IDs of its objects.',
});

builder.queryFields((t) => ({
  asOf: t.field({
    type: AsOf,
    nullable: true,
    description:
      'Everything as of one block, named by its height or by a time. Without arguments it is the newest block: one answer, one block. A block that is not there yet, or whose past is not kept any more, is an error that names one that can be asked about.',
    args: {
      height: t.arg({ type: 'Uint64', description: 'The height of the block.' }),
      time: t.arg({
        type: 'Timestamp',
        description:
          'A time, in nanoseconds: the last block at or before it is meant. Not used with `height`. A time that looks like seconds, milliseconds or microseconds is refused.',
      }),
    },
    extensions: {
      ...costs({ each: COST_OF.object, values: () => COST_OF_THE_PAST }).extensions,
      ...from({ kind: 'asOf', check: checkAsOf, readAll: (args: AsOfArgs) => [args] }).extensions,
    },
    resolve: async (_, args, context, info) => {
      const [past] = await context.asOf([args]);
      if (past !== undefined) context.pastAt.begin(placeOf(info), past);
      return {};
    },
  }),
  asOfEach: t.field({
    type: [AsOf],
    nullable: true,
    description: `Everything as of each of several blocks, at most ${MOST_BLOCKS}, in the order of their heights.`,
    args: {
      from: t.arg({ type: 'Uint64', required: true, description: 'The height of the first block.' }),
      to: t.arg({ type: 'Uint64', required: true, description: 'The last height that may be asked about.' }),
      every: t.arg({
        type: 'Uint64',
        required: true,
        description: 'How many heights there are from each block to the next.',
      }),
    },
    extensions: {
      ...costs({ each: COST_OF.object, values: (argument) => COST_OF_THE_PAST * blocksOf(argument) })
        .extensions,
      ...from({ kind: 'asOf', check: readHeights, readAll: (args: AsOfEachArgs) => heightsOf(args) })
        .extensions,
    },
    resolve: async (_, args, context, info) => {
      const pasts = await context.asOf(heightsOf(args));
      for (const [index, past] of pasts.entries()) context.pastAt.begin(placeOf(info, index), past);
      return pasts.map(() => ({}));
    },
  }),
}));

function heightsOf(args: AsOfEachArgs): readonly AsOfArgs[] {
  return readHeights(args).map((height) => ({ height }));
}

/** How many blocks are asked about; what is refused counts as one. */
function blocksOf(argument: Argument): number {
  try {
    const [from = 0n, to = 0n, every = 0n] = ['from', 'to', 'every'].map((name) =>
      BigInt(String(argument(name))),
    );
    return readHeights({ from, to, every }).length;
  } catch {
    return 1;
  }
}
