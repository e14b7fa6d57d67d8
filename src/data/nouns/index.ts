import type { AnyNoun, Noun } from '../noun.ts';
import { accounts } from './accounts.ts';
import { assets } from './assets.ts';
import { deposits } from './deposits.ts';
import { epochs } from './epochs.ts';
import { feeDiscounts } from './fee-discounts.ts';
import { marginLevels } from './margin-levels.ts';
import { marketData } from './market-data.ts';
import { markets } from './markets.ts';
import { parties } from './parties.ts';
import { partyProfiles } from './party-profiles.ts';
import { proposals } from './proposals.ts';
import { rewards } from './rewards.ts';
import { riskFactors } from './risk-factors.ts';
import { trades } from './trades.ts';
import { votes } from './votes.ts';

/** Every noun, by the name of its events. A block's rows are written in this order. */
export const nouns = {
  party: parties,
  partyProfile: partyProfiles,
  feeDiscount: feeDiscounts,
  epoch: epochs,
  asset: assets,
  market: markets,
  riskFactor: riskFactors,
  marketData,
  account: accounts,
  deposit: deposits,
  trade: trades,
  reward: rewards,
  proposal: proposals,
  vote: votes,
  marginLevel: marginLevels,
} as const;

export type NounName = keyof typeof nouns;

export const nounNames = Object.keys(nouns) as readonly NounName[];

/** The nouns whose rows are in some tables. */
export function nounsIn(tables: readonly string[]): readonly AnyNoun[] {
  return Object.values<AnyNoun>(nouns).filter(({ table }) => tables.includes(table.name.text));
}

/** A row of the noun with a name. */
export type NounRow<Name extends NounName> =
  (typeof nouns)[Name] extends Noun<infer Row, never> ? Row : never;
