import { tradeSides, tradeTypes } from '../../domain/enumerations.ts';
import { feeParts, type TradeFee, writeFee } from '../../domain/trade-fees.ts';
import {
  blockTimeOrOwn,
  enumerated,
  numberAs,
  object,
  optional,
  otherwise,
  type Reader,
  required,
  textAs,
  time,
} from '../json-objects.ts';
import { ids, integers, optionalIntegers, parties } from '../json-values.ts';
import type { Fee } from '../protocol/generated/trades_pb.ts';
import { id, integer, optionalId, optionalInteger, partyId, refusal, uint64 } from '../values.ts';
import type { IngestNoun } from './noun.ts';

const readParts = object(ofEachPart(() => otherwise('0', integers)));
const fees: Reader<string> = (path, value, context) => writeFee(readParts(path, value, context));

/** The node of an answer has it, and so may a line; a trade has no other. */
const timeOfBlock: Reader<bigint> = (path, value, context) => {
  const given = time(path, value, context);
  if (given === context.blockTimestamp) return given;
  throw refusal(path, `${given}`, `is not the time of the block, ${context.blockTimestamp}`);
};

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
  fromJson(path, value, context) {
    const { timestamp: _, ...row } = readTrade(path, value, context);
    return row;
  },
};

const readTrade = object({
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
  assetPrice: optional(optionalIntegers),
  timestamp: { ...blockTimeOrOwn, read: timeOfBlock },
});

function feeOf(field: string, fee: Fee | undefined): string {
  return fee === undefined ? '' : writeFee(ofEachPart((part) => integer(`${field}.${part}`, fee[part])));
}

function ofEachPart<Value>(make: (part: keyof TradeFee) => Value) {
  return Object.fromEntries(feeParts.map((part) => [part, make(part)])) as Record<keyof TradeFee, Value>;
}
