import { tradeSides, tradeTypes } from '../../domain/enumerations.ts';
import { feeParts, type TradeFee, writeFee } from '../../domain/trade-fees.ts';
import {
  enumerated,
  numberAs,
  object,
  optional,
  otherwise,
  type Reader,
  required,
  textAs,
} from '../json-objects.ts';
import { ids, integers, parties } from '../json-values.ts';
import type { Fee } from '../protocol/generated/trades_pb.ts';
import { id, integer, optionalId, optionalInteger, partyId, uint64 } from '../values.ts';
import type { IngestNoun } from './noun.ts';

const readParts = object(ofEachPart(() => otherwise('0', integers)));
const fees: Reader<string> = (path, value, context) => writeFee(readParts(path, value, context));

export const trade: IngestNoun<'trade', 'trade'> = {
  events: { trade: 8 },
  fromMessage: (trade) => ({
    id: id('id', trade.id),
    marketId: id('marketId', trade.marketId),
    price: integer('price', trade.price),
    size: `${trade.size}`,
    buyer: partyId('buyer', trade.buyer),
    seller: partyId('seller', trade.seller),
    aggressor: trade.aggressor,
    buyOrder: optionalId('buyOrder', trade.buyOrder),
    sellOrder: optionalId('sellOrder', trade.sellOrder),
    type: trade.type,
    buyerFee: feeOf('buyerFee', trade.buyerFee),
    sellerFee: feeOf('sellerFee', trade.sellerFee),
    buyerAuctionBatch: `${trade.buyerAuctionBatch}`,
    sellerAuctionBatch: `${trade.sellerAuctionBatch}`,
    assetPrice: optionalInteger('assetPrice', trade.assetPrice),
  }),
  fromJson: object({
    id: required(ids),
    marketId: required(ids),
    price: required(integers),
    size: required(numberAs(uint64)),
    buyer: required(parties),
    seller: required(parties),
    aggressor: required(enumerated(tradeSides)),
    buyOrder: otherwise('', textAs(optionalId)),
    sellOrder: otherwise('', textAs(optionalId)),
    type: required(enumerated(tradeTypes)),
    buyerFee: otherwise('', fees),
    sellerFee: otherwise('', fees),
    buyerAuctionBatch: otherwise('0', numberAs(uint64)),
    sellerAuctionBatch: otherwise('0', numberAs(uint64)),
    assetPrice: optional(integers),
  }),
};

function feeOf(field: string, fee: Fee | undefined): string {
  return fee === undefined ? '' : writeFee(ofEachPart((part) => integer(`${field}.${part}`, fee[part])));
}

function ofEachPart<Value>(make: (part: keyof TradeFee) => Value) {
  return Object.fromEntries(feeParts.map((part) => [part, make(part)])) as Record<keyof TradeFee, Value>;
}
