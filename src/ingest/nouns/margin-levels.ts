import { marginModes } from '../../domain/enumerations.ts';
import { blockTimeOrOwn, enumerated, named, object, optional, required } from '../json-objects.ts';
import { decimals, ids, parties } from '../json-values.ts';
import { decimal, decimalIfSent, id, partyId } from '../values.ts';
import type { IngestNoun } from './noun.ts';

export const marginLevel: IngestNoun<'marginLevel', 'marginLevels'> = {
  events: { marginLevels: 9 },
  fromMessage: (levels) => ({
    partyId: partyId('partyId', levels.partyId),
    marketId: id('marketId', levels.marketId),
    assetId: id('asset', levels.asset),
    maintenanceMargin: decimal('maintenanceMargin', levels.maintenanceMargin),
    searchLevel: decimal('searchLevel', levels.searchLevel),
    initialMargin: decimal('initialMargin', levels.initialMargin),
    collateralReleaseLevel: decimal('collateralReleaseLevel', levels.collateralReleaseLevel),
    timestamp: levels.timestamp,
    orderMargin: decimalIfSent('orderMargin', levels.orderMargin),
    marginMode: levels.marginMode ?? null,
    marginFactor: decimalIfSent('marginFactor', levels.marginFactor),
  }),
  fromJson: object({
    marketId: required(ids),
    partyId: required(parties),
    assetId: named('asset', required(ids)),
    initialMargin: required(decimals),
    maintenanceMargin: required(decimals),
    searchLevel: required(decimals),
    collateralReleaseLevel: required(decimals),
    timestamp: blockTimeOrOwn,
    orderMargin: optional(decimals),
    marginMode: optional(enumerated(marginModes)),
    marginFactor: optional(decimals),
  }),
};
