import type { ScenarioName } from '../../src/domain/estimates/errors.ts';
import type { ModeEstimateInput } from '../../src/domain/estimates/estimate-in-mode.ts';
import { type PositionAnswer079, type PositionVector079, positionInputOf } from './estimates-0.79.ts';
import { Fraction } from './fractions.ts';
import {
  fullyCollateralisedMargin,
  isolatedOrderMargin,
  type Ledger,
  type Question,
  readQuestion,
  sell,
  tradeIsolated,
} from './network-margins.ts';

/** What a vector is to be answered: what release 0.79 answered, but for what is wrong in it. */
export function networkAnswer(vector: PositionVector079): PositionAnswer079 {
  const { answer } = vector;
  if (answer === undefined) throw new Error(`${vector.id} has no answer`);
  const input = positionInputOf(vector);
  const { product } = input.market;
  const question = readQuestion(input);
  if (product.kind === 'future' && product.cap?.fullyCollateralised)
    return fullyCollateralised(answer, input, question);
  return question.isIsolated ? isolated(answer, input, question) : answer;
}

function fullyCollateralised(
  answer: PositionAnswer079,
  input: ModeEstimateInput,
  question: Question,
): PositionAnswer079 {
  const margin = fullyCollateralisedMargin(question).nearest();
  const apart = { maintenanceMargin: margin, initialMargin: margin };
  const changes = question.isIsolated
    ? { ...apart, orderMargin: isolatedOrderMargin(question, indicative(input)).nearest() }
    : { ...apart, searchLevel: margin, collateralReleaseLevel: margin };
  const held = balance(input.marginAccountBalance).plus(balance(input.orderMarginAccountBalance));
  const lacking = Fraction.of(margin).minus(held).nearest();
  const end = (volume: Fraction) => told(volume.sign < 0 ? question.highest : Fraction.zero, input);
  const prices = {
    openVolumeOnly: end(question.volume),
    includingBuyOrders: end(question.buys.reduce((sum, { size }) => sum.plus(size), question.volume)),
    includingSellOrders: end(question.sells.reduce((sum, { size }) => sum.minus(size), question.volume)),
  };
  return {
    margin: {
      worstCase: { ...answer.margin.worstCase, ...changes },
      bestCase: { ...answer.margin.bestCase, ...changes },
    },
    collateralIncreaseEstimate: question.isIsolated
      ? answer.collateralIncreaseEstimate
      : { worstCase: lacking, bestCase: lacking },
    liquidation: { worstCase: prices, bestCase: prices },
  };
}

function isolated(
  answer: PositionAnswer079,
  input: ModeEstimateInput,
  question: Question,
): PositionAnswer079 {
  const market = told(question.marketPrice, input);
  const corrected = (name: ScenarioName) => {
    const prices = answer.liquidation[name];
    // A position that is not covered is closed out at once, before any order trades.
    if (Object.values(prices).every((price) => price === market)) return prices;
    const after = (side: 1 | -1) => told(priceAfterOrders(input, question, name, side), input);
    return { ...prices, includingBuyOrders: after(1), includingSellOrders: after(-1) };
  };
  return {
    ...answer,
    liquidation: { worstCase: corrected('worstCase'), bestCase: corrected('bestCase') },
  };
}

/** Where the position ends once the orders of a side have traded, those that are reached before it ends. */
function priceAfterOrders(
  input: ModeEstimateInput,
  question: Question,
  name: ScenarioName,
  side: 1 | -1,
): Fraction {
  const { volume, buys, sells, marketPrice, marginFactor } = question;
  let ledger: Ledger = { volume, balance: collateral(input, question), price: marketPrice };
  let end = endOf(ledger, input, name);
  const orders = [...(side > 0 ? buys : sells)].sort((a, b) => side * b.price.compare(a.price));
  for (const order of orders) {
    if (ledger.volume.sign === side && side * order.price.compare(end) < 0) break;
    const lot = side > 0 ? order : sell(order);
    ledger = order.isLimit
      ? tradeIsolated(ledger, lot, marginFactor)
      : {
          volume: ledger.volume.plus(lot.size),
          balance: ledger.balance.plus(ledger.volume.times(lot.price.minus(ledger.price))),
          price: lot.price,
        };
    end = endOf(ledger, input, name);
  }
  return end;
}

/** The price L at which `balance + volume * (L - price)` is the maintenance margin at L; not below 0. */
function endOf(ledger: Ledger, input: ModeEstimateInput, name: ScenarioName): Fraction {
  const { volume, balance: held, price } = ledger;
  if (volume.sign === 0) return Fraction.zero;
  const { market, riskFactor } = input;
  const slip = (text: string | null) => Fraction.of(name === 'bestCase' ? '0' : (text ?? '0'));
  const size = volume.abs();
  const perPrice = size
    .times(Fraction.of(volume.sign < 0 ? riskFactor.short : riskFactor.long))
    .plus(size.times(slip(market.linearSlippageFactor)))
    .plus(size.times(size).times(slip(market.quadraticSlippageFactor)));
  const funding = fundingOf(input).times(volume).greatest(Fraction.zero);
  const end = held.minus(volume.times(price)).minus(funding).over(perPrice.minus(volume));
  return end.greatest(Fraction.zero);
}

function fundingOf({ market: { product }, marketData: { funding } }: ModeEstimateInput): Fraction {
  if (product.kind !== 'perpetual' || funding === null || Fraction.of(funding.rate ?? '0').sign === 0)
    return Fraction.zero;
  return Fraction.of(product.marginFundingFactor ?? '0').times(Fraction.of(funding.payment ?? '0'));
}

function collateral(input: ModeEstimateInput, question: Question): Fraction {
  if (!input.includeRequiredPositionMarginInAvailableCollateral) return balance(input.marginAccountBalance);
  const atMarket = (orders: Question['buys']) =>
    orders
      .filter((order) => !order.isLimit)
      .reduce((sum, { size, price }) => sum.plus(size.times(price)), Fraction.zero);
  return question.volume
    .times(question.entryPrice)
    .plus(atMarket(question.buys))
    .minus(atMarket(question.sells))
    .abs()
    .times(question.marginFactor);
}

function balance(text: string | null): Fraction {
  return Fraction.of(text ?? '0');
}

function indicative({ marketData, asset, market }: ModeEstimateInput): Fraction {
  return Fraction.of(marketData.indicativePrice).times(Fraction.power(asset.decimals - market.decimalPlaces));
}

/** A price in asset decimals as it was asked for. */
function told(
  price: Fraction,
  { scaleLiquidationPriceToMarketDecimals, asset, market }: ModeEstimateInput,
): string {
  if (!scaleLiquidationPriceToMarketDecimals) return price.nearest();
  return price.over(Fraction.power(asset.decimals - market.decimalPlaces)).nearest();
}
