import { createHash } from 'node:crypto';
import { tradeSides, tradeTypes } from '../domain/enumerations.ts';
import { writeFee } from '../domain/trade-fees.ts';
import type { Fees } from './fees.ts';
import type { Market } from './state/markets.ts';
import { isNewer, type SimulatedBlock } from './state/network.ts';
import type { Party } from './state/parties.ts';

/** Two parties trade at the market's price. Who takes the order of the other pays the fees. */
export interface Deal {
  readonly taker: Party;
  readonly maker: Party;
  readonly isTakerBuying: boolean;
  readonly size: number;
  readonly fees: Fees;
}

/** Tells of a trade, after the order that met another. Ids draw no chance: the network is the same without them. */
export function announceTrade(block: SimulatedBlock, market: Market, deal: Deal): void {
  const { taker, maker, isTakerBuying, size, fees } = deal;
  const idOf = (what: string) =>
    createHash('sha256').update(`${market.id} ${block.height} ${block.events.length} ${what}`).digest('hex');
  const [fee, none] = [feeOf(fees), ''];
  const [takerOrder, makerOrder] = [idOf('taker'), idOf('maker')];
  block.events.push(
    { type: 'other', kind: 5 },
    {
      type: 'trade',
      row: {
        id: idOf('trade'),
        marketId: market.id,
        price: market.price.toString(),
        size: size.toString(),
        aggressor: tradeSides.numbers[isTakerBuying ? 'SIDE_BUY' : 'SIDE_SELL'],
        type: tradeTypes.numbers.TYPE_DEFAULT,
        ...(isTakerBuying
          ? { buyer: taker.id, seller: maker.id, buyOrder: takerOrder, sellOrder: makerOrder }
          : { buyer: maker.id, seller: taker.id, buyOrder: makerOrder, sellOrder: takerOrder }),
        ...(isTakerBuying ? { buyerFee: fee, sellerFee: none } : { buyerFee: none, sellerFee: fee }),
        buyerAuctionBatch: '0',
        sellerAuctionBatch: '0',
        assetPrice: isNewer(block) ? assetPrice(market).toString() : null,
      },
    },
  );
  market.lastTradedPrice = market.price;
}

function feeOf({ maker, infrastructure, liquidity, treasury, buyBack }: Fees): string {
  return writeFee({
    makerFee: `${maker}`,
    infrastructureFee: `${infrastructure}`,
    liquidityFee: `${liquidity}`,
    treasuryFee: `${treasury}`,
    buyBackFee: `${buyBack}`,
  });
}

/** The price in the decimals of the asset, cut off where these are fewer. */
function assetPrice({ price, kind, asset }: Market): bigint {
  const places = asset.row.decimals - kind.decimalPlaces;
  return places < 0 ? BigInt(price) / 10n ** BigInt(-places) : BigInt(price) * 10n ** BigInt(places);
}
