import { findCurrentEpoch } from '../data/queries/epochs.ts';
import { builder, defineQueries } from './builder.ts';
import { exposeColumns } from './columns.ts';
import { COST_OF, costs } from './costs.ts';
import { from } from './sources.ts';

export const Epoch = builder.prismaObject('Epoch', {
  description:
    "A span of the network's time. At its end the network pays rewards, and finds anew what parties are let off their fees.",
  ...costs({ each: COST_OF.object }),
  fields: (t) =>
    exposeColumns(t, {
      Uint64: { seq: 'The number of the epoch.' },
      Timestamp: {
        startTimestamp: 'The time at which the epoch began.',
        expiryTimestamp: 'The time after which the epoch ends with the next block.',
        endTimestamp: 'The time at which the epoch ended; `"0"` until then.',
      },
    }),
});

defineQueries((t) => ({
  currentEpoch: t.field({
    ...from({ kind: 'computed' }),
    type: Epoch,
    nullable: true,
    description: 'The epoch that goes on; null before the first.',
    resolve: (_, _args, { statements }) => findCurrentEpoch(statements),
  }),
}));
