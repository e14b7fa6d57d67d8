import {
  blockTimeOrOwn,
  numberAs,
  object,
  optional,
  otherwise,
  required,
  text,
  textAs,
} from '../json-objects.ts';
import { decimals, ids, integers, parties } from '../json-values.ts';
import { decimalIfSent, id, integer, optionalMarketId, partyId, percentage, uint63 } from '../values.ts';
import type { IngestNoun } from './noun.ts';

export const reward: IngestNoun<'reward', 'rewardPayout'> = {
  events: { rewardPayout: 34 },
  fromMessage: (reward) => ({
    partyId: partyId('party', reward.party),
    assetId: id('asset', reward.asset),
    marketId: optionalMarketId('market', reward.market),
    epoch: uint63('epochSeq', reward.epochSeq),
    amount: integer('amount', reward.amount),
    percentageOfTotal: percentage('percentOfTotalReward', reward.percentOfTotalReward),
    receivedAt: reward.timestamp,
    rewardType: reward.rewardType,
    lockedUntilEpoch: reward.lockedUntilEpoch ? uint63('lockedUntilEpoch', reward.lockedUntilEpoch) : null,
    quantumAmount: decimalIfSent('quantumAmount', reward.quantumAmount),
    gameId: reward.gameId ? id('gameId', reward.gameId) : null,
  }),
  fromJson: object({
    assetId: required(ids),
    marketId: otherwise('', textAs(optionalMarketId)),
    partyId: required(parties),
    epoch: required(numberAs(uint63)),
    amount: required(integers),
    percentageOfTotal: required(numberAs(percentage)),
    receivedAt: blockTimeOrOwn,
    rewardType: required(text),
    lockedUntilEpoch: optional(numberAs(uint63)),
    quantumAmount: optional(decimals),
    gameId: optional(ids),
  }),
};
