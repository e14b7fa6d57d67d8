import type { NounName } from '../../data/nouns/index.ts';
import { account } from './accounts.ts';
import { asset } from './assets.ts';
import { deposit } from './deposits.ts';
import { epoch } from './epochs.ts';
import { feeDiscount } from './fee-discounts.ts';
import { marginLevel } from './margin-levels.ts';
import { marketData } from './market-data.ts';
import { market } from './markets.ts';
import type { IngestNoun } from './noun.ts';
import { party } from './parties.ts';
import { partyProfile } from './party-profiles.ts';
import { proposal } from './proposals.ts';
import { reward } from './rewards.ts';
import { riskFactor } from './risk-factors.ts';
import { trade } from './trades.ts';
import { vote } from './votes.ts';

/** Every noun as ingest reads it. The events of the network and the lines of JSON are read by looping over these. */
export const nouns = {
  party,
  partyProfile,
  feeDiscount,
  epoch,
  asset,
  market,
  riskFactor,
  marketData,
  account,
  deposit,
  trade,
  reward,
  proposal,
  vote,
  marginLevel,
} satisfies { readonly [Name in NounName]: IngestNoun<Name, never> };

/** The payloads that a noun takes. */
export type KeptPayload = { [Name in NounName]: keyof (typeof nouns)[Name]['events'] }[NounName];
