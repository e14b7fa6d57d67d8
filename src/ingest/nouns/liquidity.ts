import type { LiquidityProviderFeeShare, LiquidityProviderSla } from '../../data/nouns/market-data.ts';
import { listOf, object, optional, otherwise, required } from '../json-objects.ts';
import { decimals, parties } from '../json-values.ts';
import type {
  LiquidityProviderFeeShare as FeeShareMessage,
  LiquidityProviderSla as SlaMessage,
} from '../protocol/generated/market-data_pb.ts';
import { decimal, decimalIfSent, partyId } from '../values.ts';

export const liquidityProviderFeeShare = object({
  party: required(parties),
  equityLikeShare: required(decimals),
  averageEntryValuation: required(decimals),
  averageScore: otherwise('0', decimals),
  virtualStake: optional(decimals),
});

export function fromFeeShare(share: FeeShareMessage): LiquidityProviderFeeShare {
  return {
    party: partyId('liquidityProviderFeeShare.party', share.party),
    equityLikeShare: decimal('equityLikeShare', share.equityLikeShare),
    averageEntryValuation: decimal('averageEntryValuation', share.averageEntryValuation),
    averageScore: decimal('averageScore', share.averageScore),
    virtualStake: decimalIfSent('virtualStake', share.virtualStake),
  };
}

export const liquidityProviderSla = object({
  party: required(parties),
  currentEpochFractionOfTimeOnBook: otherwise('0', decimals),
  lastEpochFractionOfTimeOnBook: otherwise('0', decimals),
  lastEpochFeePenalty: otherwise('0', decimals),
  lastEpochBondPenalty: otherwise('0', decimals),
  hysteresisPeriodFeePenalties: otherwise([], listOf(decimals)),
  requiredLiquidity: otherwise('0', decimals),
  notionalVolumeBuys: otherwise('0', decimals),
  notionalVolumeSells: otherwise('0', decimals),
});

export function fromSla(sla: SlaMessage): LiquidityProviderSla {
  return {
    party: partyId('liquidityProviderSla.party', sla.party),
    currentEpochFractionOfTimeOnBook: decimal(
      'currentEpochFractionOfTimeOnBook',
      sla.currentEpochFractionOfTimeOnBook,
    ),
    lastEpochFractionOfTimeOnBook: decimal(
      'lastEpochFractionOfTimeOnBook',
      sla.lastEpochFractionOfTimeOnBook,
    ),
    lastEpochFeePenalty: decimal('lastEpochFeePenalty', sla.lastEpochFeePenalty),
    lastEpochBondPenalty: decimal('lastEpochBondPenalty', sla.lastEpochBondPenalty),
    hysteresisPeriodFeePenalties: sla.hysteresisPeriodFeePenalties.map((penalty) =>
      decimal('hysteresisPeriodFeePenalties', penalty),
    ),
    requiredLiquidity: decimal('requiredLiquidity', sla.requiredLiquidity),
    notionalVolumeBuys: decimal('notionalVolumeBuys', sla.notionalVolumeBuys),
    notionalVolumeSells: decimal('notionalVolumeSells', sla.notionalVolumeSells),
  };
}
