import { marginModes, marketTradingModes } from '../../src/domain/enumerations.ts';
import type { ModeEstimateInput } from '../../src/domain/estimates/estimate-in-mode.ts';
import { Fraction } from './fractions.ts';

/*
 * The network's own rules where release 0.79's estimate of them is wrong, said once more and in another way than the
 * gateway computes them: a fully collateralised position as the lots that it is made of, an isolated one as a ledger.
 * Nothing is rounded.
 */

interface Order {
  readonly size: Fraction;
  readonly price: Fraction;
  readonly isLimit: boolean;
}

/** What is asked in whole units of the instrument, and in prices in asset decimals. */
export interface Question {
  readonly volume: Fraction;
  readonly buys: readonly Order[];
  readonly sells: readonly Order[];
  readonly marketPrice: Fraction;
  readonly entryPrice: Fraction;
  /** The cap; zero where there is none. */
  readonly highest: Fraction;
  readonly isIsolated: boolean;
  readonly marginFactor: Fraction;
}

export function readQuestion(input: ModeEstimateInput): Question {
  const { market, asset, marketData, orders = [] } = input;
  const price = (text: string) =>
    Fraction.of(text).times(Fraction.power(asset.decimals - market.decimalPlaces));
  const size = (volume: bigint) =>
    Fraction.of(String(volume)).times(Fraction.power(-market.positionDecimalPlaces));
  const { TRADING_MODE_OPENING_AUCTION } = marketTradingModes.numbers;
  const isOpening =
    marketData.auctionEnd > 0n && marketData.marketTradingMode === TRADING_MODE_OPENING_AUCTION;
  const marketPrice = price(isOpening ? marketData.indicativePrice : marketData.markPrice);
  const of = (side: 'SIDE_BUY' | 'SIDE_SELL') =>
    orders
      .filter((order) => order.side === side)
      .map((order) => ({
        size: size(order.remaining),
        price: order.price === null ? marketPrice : price(order.price),
        isLimit: order.price !== null,
      }));
  return {
    volume: size(input.openVolume),
    buys: of('SIDE_BUY'),
    sells: of('SIDE_SELL'),
    marketPrice,
    entryPrice: price(input.averageEntryPrice ?? '0'),
    highest: price((market.product.kind === 'future' && market.product.cap?.maxPrice) || '0'),
    isIsolated: input.marginMode === marginModes.numbers.MARGIN_MODE_ISOLATED_MARGIN,
    marginFactor: Fraction.of(input.marginFactor ?? '0'),
  };
}

/** Units that were entered at one price; below zero where they were sold. */
interface Lot {
  readonly size: Fraction;
  readonly price: Fraction;
}

/** What a fully collateralised position can lose, and in cross mode the dearer side of its limit orders; in asset decimals. */
export function fullyCollateralisedMargin(question: Question): Fraction {
  const { volume, buys, sells, entryPrice, marketPrice, isIsolated } = question;
  // What market orders buy and sell cancels out before it meets the position.
  const atMarket = total(buys.filter(isMarketOrder)).minus(total(sells.filter(isMarketOrder)));
  const lots = trade([{ size: volume, price: entryPrice }], { size: atMarket, price: marketPrice });
  const held = loss(lots, question);
  if (isIsolated) return held;
  const bought = loss(buys.filter(isLimitOrder), question);
  const sold = loss(sells.filter(isLimitOrder).map(sell), question);
  return held.plus(bought.greatest(sold));
}

/** What limit orders need in isolated mode: the parts of them that would open volume, of the dearer side; in asset decimals. */
export function isolatedOrderMargin(
  { volume, buys, sells, marginFactor }: Question,
  least: Fraction,
): Fraction {
  const needed = (orders: readonly Lot[]) =>
    orders
      .reduce(
        ({ lots, sum }, order) => {
          const after = trade(lots, order);
          const opened = size(after).minus(size(lots)).plus(order.size.abs()).over(Fraction.of('2'));
          return { lots: after, sum: sum.plus(opened.times(order.price.greatest(least))) };
        },
        { lots: [{ size: volume, price: least }] as readonly Lot[], sum: Fraction.zero },
      )
      .sum.times(marginFactor);
  const best = (direction: 1 | -1) => (a: Order, b: Order) => direction * b.price.compare(a.price);
  return needed(buys.filter(isLimitOrder).sort(best(1))).greatest(
    needed(sells.filter(isLimitOrder).sort(best(-1)).map(sell)),
  );
}

/** The margin account of an isolated position as trades come in. */
export interface Ledger {
  readonly volume: Fraction;
  readonly balance: Fraction;
  /** What the balance is marked to. */
  readonly price: Fraction;
}

/** A limit order trades: the position is marked to it, closed volume takes its share of the balance away, opened volume brings its margin. */
export function tradeIsolated(ledger: Ledger, { size, price }: Lot, marginFactor: Fraction): Ledger {
  const marked = ledger.balance.plus(ledger.volume.times(price.minus(ledger.price)));
  const closes = ledger.volume.sign * size.sign < 0;
  const closed = closes ? ledger.volume.abs().least(size.abs()) : Fraction.zero;
  const released = ledger.volume.sign === 0 ? marked : marked.times(closed).over(ledger.volume.abs());
  const margin = size.abs().minus(closed).times(price).times(marginFactor);
  return { volume: ledger.volume.plus(size), balance: marked.minus(released).plus(margin), price };
}

/** As a lot that was sold. */
export function sell(order: Order): Lot {
  return { size: Fraction.zero.minus(order.size), price: order.price };
}

function loss(lots: readonly Lot[], { highest }: Question): Fraction {
  return lots.reduce(
    (sum, lot) => sum.plus(lot.size.abs().times(lot.size.sign < 0 ? highest.minus(lot.price) : lot.price)),
    Fraction.zero,
  );
}

/** Closes units of the other direction first; what is left of the trade is units of its own. */
function trade(lots: readonly Lot[], incoming: Lot): readonly Lot[] {
  let rest = incoming.size;
  const left = lots.map((lot) => {
    if (lot.size.sign * rest.sign >= 0) return lot;
    const sum = lot.size.plus(rest);
    const survives = sum.sign === lot.size.sign;
    rest = survives ? Fraction.zero : sum;
    return { ...lot, size: survives ? sum : Fraction.zero };
  });
  return [...left, { ...incoming, size: rest }];
}

function size(lots: readonly Lot[]): Fraction {
  return lots.reduce((sum, lot) => sum.plus(lot.size.abs()), Fraction.zero);
}

function total(orders: readonly Order[]): Fraction {
  return orders.reduce((sum, order) => sum.plus(order.size), Fraction.zero);
}

function isLimitOrder(order: Order): boolean {
  return order.isLimit;
}

function isMarketOrder(order: Order): boolean {
  return !order.isLimit;
}
