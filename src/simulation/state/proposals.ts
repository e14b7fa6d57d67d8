import type { ProposalTerms } from '../../data/nouns/proposals.ts';
import type { ProposalError, ProposalState, VoteValue } from '../../domain/enumerations.ts';
import type { AssetName } from '../names.ts';
import type { Party } from './parties.ts';

/** What a proposal would change. */
export type ProposalKind =
  | 'market'
  | 'spot market'
  | 'market update'
  | 'asset'
  | 'network parameter'
  | 'freeform';

/** A proposal that is not over yet. */
export interface Proposal {
  readonly id: string;
  readonly kind: ProposalKind;
  readonly party: Party;
  readonly timestamp: bigint;
  /** Heights. */
  readonly opensAt: number;
  readonly closesAt: number;
  readonly enactsAt: number;
  /** How many voters of a hundred are for it. */
  readonly appeal: number;
  /** How its enactment ends, if it passes. */
  readonly enactment: 'STATE_ENACTED' | 'STATE_FAILED';
  /** The market to change, for a market update. By its id: a market knows its proposal, and may be over first. */
  readonly marketId: string | null;
  /** What the asset will be called; null where none is proposed. */
  readonly assetName: AssetName | null;
  readonly terms: ProposalTerms;
  readonly ballots: Map<Party, Ballot>;
  state: ProposalState;
  reason: ProposalError | null;
  errorDetails: string | null;
}

/** The latest vote of a party on a proposal. */
export interface Ballot {
  readonly value: VoteValue;
  readonly timestamp: bigint;
}
