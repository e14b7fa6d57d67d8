import type { InputFieldMap, InputShapeFromFields } from '@pothos/core';
import type { AnyNoun, Noun, Positioned } from '../data/noun.ts';
import { dependsOnList, dependsOnNoun } from '../data/noun-tags.ts';
import { epochs } from '../data/nouns/epochs.ts';
import { writeBigint } from '../domain/bigints.ts';
import { invalidArgument } from '../errors.ts';
import { builder } from './builder.ts';
import type { Listed } from './connections.ts';
import { COST_OF, costs } from './costs.ts';
import { hasAmounts } from './list-args.ts';
import { defineReadings } from './live-readings.ts';
import { inProse } from './prose.ts';
import {
  type Group,
  NEVER_ACROSS_ASSETS,
  readGroups,
  readSumsArgs,
  type SumParts,
  type SumsArgs,
} from './sums.ts';

/** How many groups a message has at most. */
const MOST_GROUPS = 100;
/** How many rows are read for a message at most, where the writer keeps no such sums: each block may need one. */
const MOST_ROWS = 10_000;

const firstArg = builder.args((t) => ({
  first: t.int({
    description: `The largest number of groups in a message: 1 to ${MOST_GROUPS}, which is the default.`,
  }),
}));

/** Defines the subscription to the sums of a noun, as `accountSums`: whole, as of each block that may have changed them. */
export function defineLiveSums<R extends Positioned, Filter, Args extends InputFieldMap>(
  noun: Noun<R, Filter>,
  name: string,
  { Sum, args: sumsArgs }: SumParts,
  {
    args,
    filterOf,
  }: { readonly args: Args; readonly filterOf: (args: InputShapeFromFields<Args>) => Filter },
): void {
  const rows = inProse(noun);
  defineReadings<readonly Group[], Args & typeof sumsArgs & typeof firstArg>(name, {
    description: `The sums of the ${rows} that pass the filter, in groups, as they change. A message has all groups that are asked for, as of its block, and takes the place of the one before. ${NEVER_ACROSS_ASSETS} Where the writer keeps no such sums, at most ${MOST_ROWS} rows are read for a message, and more are refused.`,
    message: 'the groups as of its block',
    args: { ...args, ...sumsArgs, ...firstArg },
    fields: (t) => ({
      sums: t.field({
        type: [Sum],
        nullable: true,
        description: `A list of the groups; null in a message that says only how far the stream has come.`,
        ...costs({ each: COST_OF.row, values: MOST_GROUPS, isTold: true }),
        resolve: ({ value }) => value,
      }),
    }),
    follow: (given) => {
      const { by, first, orderBy, ...rest } = given as SumsArgs;
      const filter = filterOf(rest as InputShapeFromFields<Args>);
      const listed = { noun: noun as AnyNoun, of: null, filter } as Listed;
      if (hasAmounts(noun.conditions(filter)))
        throw invalidArgument(
          'filter',
          'sums are followed of no amounts or balances: choose by what never changes.',
        );
      if (first != null && (first < 1 || first > MOST_GROUPS))
        throw invalidArgument('first', `first takes a number from 1 to ${MOST_GROUPS}, not ${first}.`);
      const asked = { by, first: first ?? MOST_GROUPS, orderBy };
      const request = { ...readSumsArgs(listed, asked), mostRows: MOST_ROWS };
      return {
        key: JSON.stringify([asked, rest], writeBigint),
        dependsOn: [
          ...dependsOnList(noun as AnyNoun, noun.checks(filter)),
          // Whether an epoch is over is told without any row.
          ...(by.includes('EPOCH') ? dependsOnNoun(epochs) : []),
        ],
        from: null,
        read: (past) => readGroups(listed, asked, past, request),
        endOf: () => null,
        lengthsOf: ({ length }) => ({ sums: length }),
      };
    },
  });
}
