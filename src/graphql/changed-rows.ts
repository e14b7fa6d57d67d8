import type { FieldMap } from '@pothos/core';
import type { ChangedRow, FollowedName } from '../data/history/changed-rows.ts';
import { Account } from './accounts.ts';
import { Asset } from './assets.ts';
import type { builder } from './builder.ts';
import { COST_OF, costs } from './costs.ts';
import { Deposit } from './deposits.ts';
import { MarginLevel } from './margin-levels.ts';
import { MarketData } from './market-data.ts';
import { RiskFactor } from './market-links.ts';
import { Market } from './markets.ts';
import { Party, PartyProfile } from './parties.ts';
import { Proposal } from './proposals.ts';
import { inProse } from './prose.ts';
import { Reward } from './rewards.ts';
import { Trade } from './trades.ts';
import { Vote } from './votes.ts';

type RowsOf<Shape> = PothosSchemaTypes.RootFieldBuilder<typeof builder.$inferSchemaTypes, Shape>;

/** The type of the rows of each noun whose changes can be asked for. */
export const ROWS_OF = {
  parties: { type: Party },
  assets: { type: Asset },
  markets: { type: Market },
  riskFactors: { type: RiskFactor },
  marketData: { type: MarketData },
  accounts: { type: Account },
  deposits: { type: Deposit },
  trades: { type: Trade },
  rewards: { type: Reward },
  proposals: { type: Proposal },
  votes: { type: Vote },
  marginLevels: { type: MarginLevel },
  partyProfiles: { type: PartyProfile },
} as const satisfies Readonly<Record<FollowedName, unknown>>;

/** A field for each noun, of those of some rows that are of it. */
export function exposeRows<Shape extends { readonly rows: readonly ChangedRow[] }>(
  t: RowsOf<Shape>,
): FieldMap {
  const fields = Object.entries(ROWS_OF).map(([name, { type }]) => [
    name,
    (t as unknown as RowsOf<{ readonly rows: readonly ChangedRow[] }>).field({
      type: [type as typeof Account],
      description: `The ${inProse({ name })}; an empty list where none changed, or they were not asked for.`,
      ...costs({ each: COST_OF.row, values: 'rows', isTold: true }),
      resolve: ({ rows }: { readonly rows: readonly ChangedRow[] }) =>
        rows.flatMap(({ noun, row }) => (noun === name ? [row as typeof Account.$inferType] : [])),
    }),
  ]);
  return Object.fromEntries(fields);
}
