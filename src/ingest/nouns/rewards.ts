import { blockTimeOrOwn, numberAs, object, otherwise, required, text, textAs } from '../json-objects.ts';
import { ids, integers, parties } from '../json-values.ts';
import { id, integer, optionalMarketId, partyId, percentage, uint63 } from '../values.ts';
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
  }),
};
