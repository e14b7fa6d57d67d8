import { depositStatuses } from '../../domain/enumerations.ts';
import {
  blockTimeOrOwn,
  enumerated,
  named,
  object,
  otherwise,
  required,
  text,
  time,
} from '../json-objects.ts';
import { ids, integers, parties } from '../json-values.ts';
import { id, integer, partyId } from '../values.ts';
import type { IngestNoun } from './noun.ts';

export const deposit: IngestNoun<'deposit', 'deposit'> = {
  events: { deposit: 21 },
  fromMessage: (deposit) => ({
    id: id('id', deposit.id),
    partyId: partyId('partyId', deposit.partyId),
    assetId: id('asset', deposit.asset),
    amount: integer('amount', deposit.amount),
    status: deposit.status,
    txHash: deposit.txHash,
    createdTimestamp: deposit.createdTimestamp,
    creditedTimestamp: deposit.creditedTimestamp,
  }),
  fromJson: object({
    id: required(ids),
    partyId: required(parties),
    assetId: named('asset', required(ids)),
    amount: required(integers),
    status: required(enumerated(depositStatuses)),
    txHash: otherwise('', text),
    createdTimestamp: blockTimeOrOwn,
    creditedTimestamp: otherwise(0n, time),
  }),
};
