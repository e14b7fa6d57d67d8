import type { ProductData } from '../data/nouns/market-data.ts';
import { compositePriceTypes } from '../domain/enumerations.ts';
import { share } from './amounts.ts';
import type { FundingPeriod, Market } from './state/markets.ts';
import type { Network, SimulatedBlock } from './state/network.ts';

/** How long a funding period is, if no auction is held at its end. It is to be a multiple of `BLOCKS_PER_MARK`. */
const BLOCKS_PER_PERIOD = 30;

/** Begins the first funding period of a perpetual that opens, with the market's price as the one outside. */
export function beginFunding(block: SimulatedBlock, market: Market): void {
  if (market.kind.product === 'PERPETUAL') market.funding = beginPeriod(block, 1, market.price, market.price);
}

/** Notes the market's price and the one outside the network, which goes its own way around it. */
export function observePrices({ random }: Network, market: Market): void {
  const { funding, price } = market;
  if (funding === null) return;
  const index = Math.max(1, price + Math.trunc((price / 1000) * random.between(-4, 3)));
  market.funding = {
    ...funding,
    index,
    points: funding.points + 1,
    internal: funding.internal + BigInt(price),
    external: funding.external + BigInt(index),
  };
}

/** At the end of a period longs pay shorts by how far the market was above the prices outside, or are paid. */
export function payFunding(block: SimulatedBlock, market: Market, period: FundingPeriod): void {
  if (block.height % BLOCKS_PER_PERIOD !== 0) return;
  block.events.push({ type: 'other', kind: 61 });
  const payment = paymentOf(period);
  // What all pay is what all are paid: sizes add up to nothing.
  for (const position of market.positions) position.carry -= BigInt(position.size) * payment;
  market.funding = beginPeriod(block, period.sequence + 1, market.price, period.index);
}

/** What a position owes as its period stands, in units of size times price; below zero where it is owed. */
export function fundingOwed({ funding }: Market, size: number): bigint {
  return funding === null ? 0n : BigInt(size) * paymentOf(funding);
}

/** What the market tells of its funding; null before it opens. */
export function productData({ funding, asset, kind, markPrice }: Market): ProductData | null {
  if (funding === null) return null;
  const unit = 10n ** BigInt(asset.row.decimals - kind.decimalPlaces);
  const points = BigInt(funding.points);
  const payment = paymentOf(funding) * unit;
  const external = (funding.external * unit) / points;
  return {
    perpetualData: {
      fundingPayment: payment.toString(),
      fundingRate: share(payment, external),
      internalTwap: (external + payment).toString(),
      externalTwap: external.toString(),
      seqNum: funding.sequence.toString(),
      startTime: funding.startedAt.toString(),
      internalCompositePrice: markPrice.toString(),
      nextInternalCompositePriceCalc: '0',
      internalCompositePriceType: compositePriceTypes.numbers.COMPOSITE_PRICE_TYPE_LAST_TRADE,
      underlyingIndexPrice: (BigInt(funding.index) * unit).toString(),
      internalCompositePriceState: null,
    },
  };
}

/** On a unit of size, in the market's decimals. */
function paymentOf({ points, internal, external }: FundingPeriod): bigint {
  return (internal - external) / BigInt(points);
}

/** A period begins with the prices that are there. */
function beginPeriod(
  { timestamp }: SimulatedBlock,
  sequence: number,
  price: number,
  index: number,
): FundingPeriod {
  const [internal, external] = [BigInt(price), BigInt(index)];
  return { sequence, startedAt: timestamp, points: 1, internal, external, index };
}
