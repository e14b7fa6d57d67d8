import type { ChosenRows } from '../data/history/version-statements.ts';
import { chooseRows } from '../data/history/versions.ts';
import type { Noun, Positioned } from '../data/noun.ts';
import { accounts } from '../data/nouns/accounts.ts';
import { nouns } from '../data/nouns/index.ts';
import { marketData } from '../data/nouns/market-data.ts';
import { type Account, accountFilterArgs, readFixedAccountFilter } from './accounts.ts';
import { builder, defineQueries } from './builder.ts';
import { ROWS_OF } from './changed-rows.ts';
import { DateRange, type DateRangeArgs, readDateRange } from './date-ranges.ts';
import { defineHistory, listOfHistory, readHistory } from './history.ts';
import { type PageArgs, pageArgs, readPageArgs } from './list-args.ts';
import { inProse } from './prose.ts';
import { from } from './sources.ts';

/** The versions of rows: of an object, and of all accounts that pass a filter. */

const historyArgs = builder.args((t) => ({
  ...pageArgs,
  dateRange: t.field({ type: DateRange, description: 'Only versions of blocks of this range of times.' }),
  newestFirst: t.boolean({
    defaultValue: true,
    description: 'Whether the list begins with the newest version. If false, it begins with the oldest.',
  }),
}));

type AnyRow = typeof Account.$inferType;
type AnyRowNoun = Noun<AnyRow, never>;

function defineObjectHistory(noun: AnyRowNoun, type: typeof Account) {
  const History = defineHistory(noun, type);
  builder.prismaObjectFields(type, (t) => ({
    history: t.field({
      type: History,
      description: `What it was after each block that changed it, as far back as the past is known: its versions among the ${inProse(noun)}.`,
      args: historyArgs,
      ...from({
        kind: 'resolved',
        check: ({ dateRange, ...page }: PageArgs & DateRangeArgs) => {
          readPageArgs(listOfHistory(noun), page);
          readDateRange({ dateRange });
        },
      }),
      resolve: ({ createdPosition }: Positioned, { dateRange, ...page }, context, info) => {
        const chosen: ChosenRows = { keys: [createdPosition] };
        return readHistory(noun, chosen, { ...readDateRange({ dateRange }), ...page }, context, info);
      },
    }),
  }));
  return History;
}

const known = new Map(Object.values<Pick<Noun, 'name'>>(nouns).map((noun) => [noun.name, noun]));
const histories = new Map(
  Object.entries(ROWS_OF).flatMap(([name, { type }]) => {
    const noun = known.get(name) as AnyRowNoun;
    if (noun.history === 'added') return [];
    return [[name, defineObjectHistory(noun, type as typeof Account)] as const];
  }),
);

defineQueries((t) => ({
  balanceChanges: t.field({
    type: histories.get('accounts') as ReturnType<typeof defineObjectHistory>,
    description:
      'The balances of the accounts that pass the filter after each block that changed one, as far back as the past is known.',
    args: { ...accountFilterArgs, ...historyArgs },
    resolve: (_, { filter, dateRange, ...page }, context, info) =>
      readHistory(
        accounts as AnyRowNoun,
        (statements) =>
          chooseRows(statements, accounts, accounts.conditions(readFixedAccountFilter({ filter }))),
        { ...readDateRange({ dateRange }), ...page },
        context,
        info,
      ),
  }),
  marketDataHistory: t.field({
    type: histories.get('marketData') as ReturnType<typeof defineObjectHistory>,
    description:
      'The data of a market after each block that changed them, as far back as the past is known; an empty page for a market that has none.',
    args: {
      marketId: t.arg.id({ required: true, description: 'The identifier of the market.' }),
      latest: t.arg.boolean({ description: 'Whether only the latest version is in the list.' }),
      ...historyArgs,
    },
    resolve: (_, { marketId, dateRange, ...page }, context, info) =>
      readHistory(
        marketData as unknown as AnyRowNoun,
        (statements) => chooseRows(statements, marketData, marketData.conditions({ marketIds: [marketId] })),
        { ...readDateRange({ dateRange }), ...page },
        context,
        info,
      ),
  }),
}));
