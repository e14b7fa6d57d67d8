import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Decimal } from '../../src/domain/decimals.ts';
import { marketTradingModes } from '../../src/domain/enumerations.ts';
import { UndefinedLiquidationPriceError } from '../../src/domain/estimates/errors.ts';
import {
  estimatePosition,
  type PositionEstimateInput,
} from '../../src/domain/estimates/estimate-position.ts';
import { liquidationPrices } from '../../src/domain/estimates/liquidation.ts';
import { maintenanceMargin } from '../../src/domain/estimates/margin.ts';
import type { Position } from '../../src/domain/estimates/position.ts';
import { type Scenario, slippage } from '../../src/domain/estimates/scenario.ts';

/** Canonical text of a number between the two bounds, with this many places. */
function decimalText(min: bigint, max: bigint, places: number) {
  return fc.bigInt({ min, max }).map((value) => Decimal.ofScaled(value, places).toString());
}

const sizes = fc.bigInt({ min: 0n, max: 10n ** 12n });
const volumes = fc.bigInt({ min: -(10n ** 12n), max: 10n ** 12n });
const prices = decimalText(0n, 10n ** 15n, 0);
const factors = decimalText(0n, 10n ** 16n - 1n, 16);
const collaterals = decimalText(-(10n ** 20n), 10n ** 30n, 4);
const orders = fc.array(
  fc.record({
    side: fc.constantFrom('SIDE_BUY' as const, 'SIDE_SELL' as const),
    remaining: sizes,
    price: fc.option(prices),
  }),
  { maxLength: 5 },
);

const inputs: fc.Arbitrary<PositionEstimateInput> = fc.record({
  market: fc.record({
    product: fc.constant({ kind: 'future' as const, cap: null }),
    decimalPlaces: fc.integer({ min: 0, max: 8 }),
    positionDecimalPlaces: fc.integer({ min: -6, max: 6 }),
    linearSlippageFactor: factors,
    quadraticSlippageFactor: factors,
    searchLevel: decimalText(10n, 20n, 1),
    initialMargin: decimalText(10n, 20n, 1),
    collateralRelease: decimalText(10n, 20n, 1),
  }),
  asset: fc.record({ decimals: fc.integer({ min: 0, max: 18 }) }),
  riskFactor: fc.record({ long: factors, short: factors }),
  marketData: fc.record({
    markPrice: prices,
    indicativePrice: prices,
    auctionEnd: fc.constantFrom(0n, 1n),
    marketTradingMode: fc.constantFrom(
      marketTradingModes.numbers.TRADING_MODE_CONTINUOUS,
      marketTradingModes.numbers.TRADING_MODE_OPENING_AUCTION,
    ),
    funding: fc.constant(null),
  }),
  openVolume: volumes,
});

const scenarios: fc.Arbitrary<Scenario> = fc
  .record({ price: prices, long: factors, short: factors, linear: factors, quadratic: factors })
  .map((terms) => ({
    name: 'worstCase',
    price: Decimal.parse(terms.price),
    riskFactorLong: Decimal.parse(terms.long),
    riskFactorShort: Decimal.parse(terms.short),
    linearSlippageFactor: Decimal.parse(terms.linear),
    quadraticSlippageFactor: Decimal.parse(terms.quadratic),
    funding: Decimal.zero,
  }));

/** Null out of auctions. */
const auctionPrices = fc.option(prices.map(Decimal.parse));

/** Small enough that slippage and risk can stay below a long position's value, and often do. */
const smallVolumes = fc
  .bigInt({ min: -1500n, max: 1500n })
  .filter((volume) => volume !== 0n)
  .map((volume) => Decimal.ofScaled(volume, 3));

describe('margins', () => {
  test('are never lower in the worst case than in the best', () => {
    fc.assert(
      fc.property(inputs, orders, (input, orders) => {
        const { bestCase, worstCase } = estimatePosition({ ...input, orders }).margin;
        for (const level of Object.keys(bestCase) as (keyof typeof bestCase)[]) {
          expect(BigInt(worstCase[level])).toBeGreaterThanOrEqual(BigInt(bestCase[level]));
          expect(BigInt(bestCase[level])).toBeGreaterThanOrEqual(0n);
        }
      }),
    );
  });

  test('scale with the size of position and orders where the quadratic slippage is zero', () => {
    const multiply = ({ volume, buys, sells }: Position, times: Decimal): Position => ({
      volume: volume.multiply(times),
      buys: buys.map((order) => ({ ...order, volume: order.volume.multiply(times) })),
      sells: sells.map((order) => ({ ...order, volume: order.volume.multiply(times) })),
    });
    const order = fc.record({
      volume: sizes.map((size) => Decimal.ofScaled(size, 3)),
      price: fc.option(prices.map(Decimal.parse)),
    });
    const positions = fc.record({
      volume: volumes.map((volume) => Decimal.ofScaled(volume, 3)),
      buys: fc.array(order, { maxLength: 3 }),
      sells: fc.array(order, { maxLength: 3 }),
    });
    fc.assert(
      fc.property(scenarios, positions, sizes, auctionPrices, (anyScenario, position, size, auctionPrice) => {
        const scenario = { ...anyScenario, quadraticSlippageFactor: Decimal.zero };
        const times = Decimal.ofScaled(size, 0);
        const scaled = maintenanceMargin(multiply(position, times), scenario, auctionPrice);
        expect(scaled.toString()).toBe(
          maintenanceMargin(position, scenario, auctionPrice).multiply(times).toString(),
        );
      }),
    );
  });

  test('grow faster than the size where it is not', () => {
    fc.assert(
      fc.property(scenarios, smallVolumes, (scenario, volume) => {
        const margin = (held: Decimal) =>
          maintenanceMargin({ volume: held, buys: [], sells: [] }, scenario, null);
        const twice = margin(volume).multiply(Decimal.parse('2'));
        const isQuadratic = scenario.quadraticSlippageFactor.sign > 0 && scenario.price.sign > 0;
        expect(margin(volume.add(volume)).compare(twice)).toBe(isQuadratic ? 1 : 0);
      }),
    );
  });
});

// With orders the last two of these do not hold, in the reference either: where the liquidation price is farther, one
// more order can trade on the way, which grows the position and brings its liquidation price back.
describe('liquidation prices without orders', () => {
  const prepared = fc
    .tuple(scenarios, smallVolumes)
    .filter(([scenario, volume]) => !exceedsValue(volume, scenario));

  test('are where the collateral equals the margin', () => {
    fc.assert(
      fc.property(prepared, collaterals, ([scenario, volume], text) => {
        const collateral = Decimal.parse(text);
        const price = priceOf(volume, collateral, scenario);
        if (price.sign === 0) return;
        const left = collateral.add(volume.multiply(price.subtract(scenario.price)));
        const needed = maintenanceMargin({ volume, buys: [], sells: [] }, { ...scenario, price }, null);
        const rounding = divisor(volume, scenario).abs().multiply(Decimal.parse('0.5e-16'));
        expect(left.subtract(needed).abs().compare(rounding)).not.toBe(1);
      }),
    );
  });

  test('never come nearer to the market with more collateral', () => {
    fc.assert(
      fc.property(
        prepared,
        collaterals,
        decimalText(0n, 10n ** 24n, 4),
        ([scenario, volume], less, extra) => {
          const before = priceOf(volume, Decimal.parse(less), scenario);
          const after = priceOf(volume, Decimal.parse(less).add(Decimal.parse(extra)), scenario);
          expect(after.compare(before) * volume.sign).not.toBe(1);
        },
      ),
    );
  });

  test('are never farther from the market in the worst case than in the best', () => {
    fc.assert(
      fc.property(prepared, collaterals, ([worst, volume], text) => {
        const best = { ...worst, linearSlippageFactor: Decimal.zero, quadraticSlippageFactor: Decimal.zero };
        const [worstPrice, bestPrice] = [worst, best].map((it) => priceOf(volume, Decimal.parse(text), it));
        expect((worstPrice as Decimal).compare(bestPrice as Decimal) * volume.sign).not.toBe(-1);
      }),
    );
  });

  function priceOf(volume: Decimal, collateral: Decimal, scenario: Scenario): Decimal {
    const { openVolumeOnly } = liquidationPrices({ volume, buys: [], sells: [] }, collateral, scenario);
    return Decimal.parse(openVolumeOnly);
  }

  function divisor(volume: Decimal, scenario: Scenario): Decimal {
    const riskFactor = volume.sign < 0 ? scenario.riskFactorShort : scenario.riskFactorLong;
    return slippage(volume, scenario).add(volume.abs().multiply(riskFactor)).subtract(volume);
  }

  function exceedsValue(volume: Decimal, scenario: Scenario): boolean {
    return volume.sign > 0 && divisor(volume, scenario).sign >= 0;
  }
});

describe('the way a number is written', () => {
  /** The same number, told differently. */
  const spellings = fc.constantFrom(
    (text: string) => text,
    (text: string) => (text.startsWith('-') ? text.replace('-', '-00') : `+00${text}`),
    (text: string) => (text.includes('.') ? `${text}000` : `${text}.`),
    (text: string) => `${text}e0`,
    (text: string) => `${Decimal.parse(text).shift(7)}E-7`,
    (text: string) => `${Decimal.parse(text).shift(-7)}e+7`,
  );

  test('changes no position estimate', () => {
    fc.assert(
      fc.property(inputs, orders, collaterals, spellings, (input, orders, collateralAvailable, spell) => {
        const { market, riskFactor, marketData } = input;
        const respelled = {
          ...input,
          collateralAvailable: spell(collateralAvailable),
          orders: orders.map((order) => ({
            ...order,
            price: order.price === null ? null : spell(order.price),
          })),
          riskFactor: { long: spell(riskFactor.long), short: spell(riskFactor.short) },
          marketData: {
            ...marketData,
            markPrice: spell(marketData.markPrice),
            indicativePrice: spell(marketData.indicativePrice),
          },
          market: {
            ...market,
            linearSlippageFactor: spell(market.linearSlippageFactor ?? '0'),
            quadraticSlippageFactor: spell(market.quadraticSlippageFactor ?? '0'),
            searchLevel: spell(market.searchLevel),
            initialMargin: spell(market.initialMargin),
            collateralRelease: spell(market.collateralRelease),
          },
        };
        expect(outcomeOf(respelled)).toEqual(outcomeOf({ ...input, orders, collateralAvailable }));
      }),
    );
  });

  test('changes nothing when it is the number of decimals that differs', () => {
    const places = fc.integer({ min: 0, max: 6 });
    fc.assert(
      fc.property(inputs, orders, collaterals, places, places, (base, orders, collateral, more, finer) => {
        const input = { ...base, orders, collateralAvailable: collateral };
        const shift = (text: string) => Decimal.parse(text).shift(more).toString();
        const { market, marketData, openVolume } = input;
        const finerInput = {
          ...input,
          market: {
            ...market,
            decimalPlaces: market.decimalPlaces + more,
            positionDecimalPlaces: market.positionDecimalPlaces + finer,
          },
          marketData: {
            ...marketData,
            markPrice: shift(marketData.markPrice),
            indicativePrice: shift(marketData.indicativePrice),
          },
          openVolume: openVolume * 10n ** BigInt(finer),
          orders: orders.map(({ side, remaining, price }) => ({
            side,
            remaining: remaining * 10n ** BigInt(finer),
            price: price === null ? null : shift(price),
          })),
        };
        expect(outcomeOf(finerInput)).toEqual(outcomeOf(input));
      }),
    );
  });

  /** The estimate, or why there is none: both must be the same for the same numbers. */
  function outcomeOf(input: PositionEstimateInput) {
    try {
      return estimatePosition(input);
    } catch (error) {
      if (error instanceof UndefinedLiquidationPriceError) return error.message;
      throw error;
    }
  }
});
