import { accountTypes } from '../../domain/enumerations.ts';
import { enumerated, named, object, otherwise, required, textAs } from '../json-objects.ts';
import { ids, integers, parties } from '../json-values.ts';
import { id, integer, optionalMarketId, partyId } from '../values.ts';
import type { IngestNoun } from './noun.ts';

export const account: IngestNoun<'account', 'account'> = {
  events: { account: 6 },
  fromMessage: (account) => ({
    owner: partyId('owner', account.owner),
    assetId: id('asset', account.asset),
    marketId: optionalMarketId('marketId', account.marketId),
    type: account.type,
    balance: integer('balance', account.balance),
  }),
  fromJson: object({
    owner: required(parties),
    marketId: otherwise('', textAs(optionalMarketId)),
    assetId: named('asset', required(ids)),
    balance: required(integers),
    type: required(enumerated(accountTypes)),
  }),
};
