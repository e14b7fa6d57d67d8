import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { marginModes, marketTradingModes } from '../../src/domain/enumerations.ts';
import { EstimateInputError, EstimatePreconditionError } from '../../src/domain/estimates/errors.ts';
import { estimateInMode, type ModeEstimateInput } from '../../src/domain/estimates/estimate-in-mode.ts';
import { estimatePosition } from '../../src/domain/estimates/estimate-position.ts';
import type { MarginedProduct, MarketTerms } from '../../src/domain/estimates/market-terms.ts';
import { fullyCollateralisedMargin, readQuestion } from '../support/network-margins.ts';

const modes = marginModes.numbers;
const trading = marketTradingModes.numbers;

// Every expected number in this file was worked out by hand, or comes from the rules of `../support/network-margins.ts`.

const future: MarginedProduct = { kind: 'future', cap: null };
const perpetual: MarginedProduct = { kind: 'perpetual', marginFundingFactor: '0.5' };
const capped = (fullyCollateralised: boolean): MarginedProduct => ({
  kind: 'future',
  cap: { maxPrice: '150', fullyCollateralised },
});

/** One unit long at 100 in a future, with round factors, entered at 90, with 50 in the margin account. */
function modeInput(changes: Changes = {}): ModeEstimateInput {
  const { product = future, market, marketData, ...rest } = changes;
  return {
    asset: { decimals: 0 },
    riskFactor: { long: '0.2', short: '0.3' },
    openVolume: 1n,
    marginMode: modes.MARGIN_MODE_CROSS_MARGIN,
    averageEntryPrice: '90',
    marginAccountBalance: '50',
    orderMarginAccountBalance: '0',
    generalAccountBalance: '0',
    marginFactor: '0.5',
    includeRequiredPositionMarginInAvailableCollateral: false,
    scaleLiquidationPriceToMarketDecimals: false,
    ...rest,
    market: {
      product,
      decimalPlaces: 0,
      positionDecimalPlaces: 0,
      linearSlippageFactor: '0.1',
      quadraticSlippageFactor: '0',
      searchLevel: '1.1',
      initialMargin: '1.2',
      collateralRelease: '1.4',
      ...market,
    },
    marketData: {
      markPrice: '100',
      indicativePrice: '0',
      auctionEnd: 0n,
      marketTradingMode: trading.TRADING_MODE_CONTINUOUS,
      funding: null,
      ...marketData,
    },
  };
}

type Changes = Omit<Partial<ModeEstimateInput>, 'market' | 'marketData'> & {
  readonly product?: MarginedProduct;
  readonly market?: Partial<MarketTerms>;
  readonly marketData?: Partial<ModeEstimateInput['marketData']>;
};

const isolatedMode = { marginMode: modes.MARGIN_MODE_ISOLATED_MARGIN };
const buy = (remaining: bigint, price: string | null) => ({ side: 'SIDE_BUY' as const, remaining, price });
const sell = (remaining: bigint, price: string | null) => ({ side: 'SIDE_SELL' as const, remaining, price });

/** Of the worst case. */
function worst(changes: Changes) {
  const { margin, collateralIncrease, liquidation } = estimateInMode(modeInput(changes));
  return {
    ...margin.worstCase,
    collateralIncrease: collateralIncrease.worstCase,
    liquidation: liquidation.worstCase,
  };
}

describe('in cross margin mode', () => {
  test('levels have more digits than prices may have', () => {
    const given = {
      openVolume: 0n,
      orders: [buy(1_000_000n, '9'.repeat(400))],
      marketData: { auctionEnd: 1n },
    };
    const { initialMargin, collateralIncrease } = worst(given);
    expect(initialMargin.length).toBeGreaterThan(400);
    expect(collateralIncrease).toBe(`${BigInt(initialMargin) - 50n}`);
  });

  test('all accounts cover the position, and there is no order margin', () => {
    const accounts = { orderMarginAccountBalance: '3', generalAccountBalance: '7' };
    expect(worst(accounts)).toEqual({
      maintenanceMargin: '30',
      searchLevel: '33',
      initialMargin: '36',
      collateralReleaseLevel: '42',
      marginMode: modes.MARGIN_MODE_CROSS_MARGIN,
      orderMargin: null,
      marginFactor: null,
      // 53 is above 42, and all above 36 would be released.
      collateralIncrease: '-17',
      // (60 - 100) / (0.3 - 1)
      liquidation: { openVolumeOnly: '57', includingBuyOrders: '57', includingSellOrders: '57' },
    });
  });

  test.each([
    ['35', '1'],
    ['35.4', '1'],
    ['35.5', '1'],
    ['35.6', '0'],
    ['42', '0'],
    ['43', '-7'],
    ['-5', '41'],
  ])('%s in the margin account lacks %s', (marginAccountBalance, lacking) => {
    expect(worst({ marginAccountBalance }).collateralIncrease).toBe(lacking);
  });

  test('collateral below the maintenance margin makes all prices the market price', () => {
    const orders = [buy(1n, '80'), sell(5n, '110')];
    const liquidation = { openVolumeOnly: '100', includingBuyOrders: '100', includingSellOrders: '100' };
    expect(worst({ marginAccountBalance: '149', orders })).toMatchObject({
      maintenanceMargin: '150',
      liquidation,
    });
  });

  test('orders that close the position leave a price of 0', () => {
    expect(worst({ orders: [sell(1n, '110')] }).liquidation.includingSellOrders).toBe('0');
  });

  test('the margin account alone covers the position where the mode is unspecified', () => {
    const accounts = { generalAccountBalance: null, orderMarginAccountBalance: '7' };
    const unspecified = worst({ ...accounts, marginMode: modes.MARGIN_MODE_UNSPECIFIED });
    expect(unspecified.liquidation.openVolumeOnly).toBe('71');
    expect(unspecified.marginMode).toBe(modes.MARGIN_MODE_CROSS_MARGIN);
    expect(unspecified).toMatchObject({ orderMargin: null, collateralIncrease: '-21' });
  });

  test('prices in market decimals are whole, too', () => {
    const terms = { asset: { decimals: 3 }, market: { decimalPlaces: 1 }, marketData: { markPrice: '1000' } };
    const asked = { ...terms, averageEntryPrice: '900', marginAccountBalance: '50001' };
    expect(worst(asked).liquidation.openVolumeOnly).toBe('71427');
    expect(worst({ ...asked, scaleLiquidationPriceToMarketDecimals: true }).liquidation.openVolumeOnly).toBe(
      '714',
    );
  });
});

describe('in an auction', () => {
  const marketData = {
    auctionEnd: 1n,
    marketTradingMode: trading.TRADING_MODE_MONITORING_AUCTION,
    indicativePrice: '95',
  };

  test.each([
    [[buy(2n, '90')], '68'],
    [[buy(1n, '90'), buy(1n, '110')], '70'],
    [[sell(2n, '90')], '57'],
  ])('orders are margined at their prices, or all at the indicative price: %#', (orders, margin) => {
    expect(worst({ marketData, orders }).maintenanceMargin).toBe(margin);
  });
});

describe('a perpetual', () => {
  const funding = (payment: string, rate = '0.001') => ({ marketData: { funding: { payment, rate } } });

  test.each([
    ['a long position that would pay', { openVolume: 2n, ...funding('10') }, '70'],
    ['a long position that would be paid', { openVolume: 2n, ...funding('-10') }, '60'],
    ['a short position that would pay', { openVolume: -2n, ...funding('-10') }, '90'],
    ['a position when the rate is zero', { openVolume: 2n, ...funding('10', '0') }, '60'],
    ['a position before there is a payment', { openVolume: 2n }, '60'],
    ['what market orders leave', { openVolume: 2n, orders: [sell(1n, null)], ...funding('10') }, '35'],
    ['no limit orders', { openVolume: 0n, orders: [buy(1n, '90')], ...funding('10') }, '20'],
  ])('margins the funding of %s', (_, changes, margin) => {
    expect(worst({ product: perpetual, ...changes }).maintenanceMargin).toBe(margin);
  });

  test('is closed out earlier by what the funding takes', () => {
    // (50 - 100 - 5) / (0.3 - 1)
    const { liquidation } = worst({ product: perpetual, ...funding('10') });
    expect(liquidation.openVolumeOnly).toBe('79');
  });
});

describe('in isolated margin mode', () => {
  test('the margin account alone covers the position, and nothing is searched for or released', () => {
    expect(worst({ ...isolatedMode, generalAccountBalance: null, orderMarginAccountBalance: '7' })).toEqual({
      maintenanceMargin: '30',
      searchLevel: '0',
      initialMargin: '36',
      collateralReleaseLevel: '0',
      ...isolatedMode,
      orderMargin: '0',
      marginFactor: '0.5',
      // Half of the 90 that it was entered at, less 57.
      collateralIncrease: '-12',
      liquidation: { openVolumeOnly: '71', includingBuyOrders: '71', includingSellOrders: '71' },
    });
  });

  test('what the position requires can stand for what the account has', () => {
    const included = { includeRequiredPositionMarginInAvailableCollateral: true };
    // (45 - 100) / (0.3 - 1)
    expect(worst({ ...isolatedMode, ...included }).liquidation.openVolumeOnly).toBe('79');
    expect(
      worst({ ...isolatedMode, ...included, marginAccountBalance: '0' }).liquidation.openVolumeOnly,
    ).toBe('79');
  });

  test('limit orders need order margin but no maintenance margin, the dearer side of them', () => {
    const orders = [buy(1n, '80'), buy(1n, '70'), sell(3n, '110')];
    expect(worst({ ...isolatedMode, orders })).toMatchObject({
      maintenanceMargin: '30',
      // Half of 2 * 110: the first of the sells closes the position.
      orderMargin: '110',
      collateralIncrease: '105',
    });
  });

  test('orders need margin for the price of an auction, where that is higher', () => {
    const marketData = { indicativePrice: '120' };
    expect(worst({ ...isolatedMode, marketData, orders: [buy(2n, '80')] }).orderMargin).toBe('120');
  });

  test('market orders belong to the position', () => {
    expect(worst({ ...isolatedMode, orders: [buy(1n, null)] })).toMatchObject({
      maintenanceMargin: '60',
      orderMargin: '0',
      // Half of 90 + 100, less 50.
      collateralIncrease: '45',
    });
  });

  describe('a limit order', () => {
    const pricesWith = (orders: ModeEstimateInput['orders'], changes: Changes = {}) => {
      const { liquidation } = worst({ ...isolatedMode, ...changes, orders });
      return [liquidation.includingBuyOrders, liquidation.includingSellOrders];
    };

    test('that adds to the position brings its margin along', () => {
      // At 80 the account has 30, and 40 more come: (70 - 2 * 80) / (0.6 - 2).
      expect(pricesWith([buy(1n, '80')])).toEqual(['64', '71']);
    });

    test('that closes a part takes its share along', () => {
      // At 110 two units have 120, half of which leaves: (60 - 110) / (0.3 - 1), as it was.
      expect(pricesWith([sell(1n, '110')], { openVolume: 2n, marginAccountBalance: '100' })).toEqual([
        '71',
        '71',
      ]);
    });

    test('that closes more than there is brings the margin of the rest alone', () => {
      // One unit short at 110 with 55: (55 + 110) / 1.4.
      expect(pricesWith([sell(2n, '110')])).toEqual(['71', '118']);
    });

    test('is one of several that each bring their margin', () => {
      // At 110 there are 60, 55 of another unit, and at 120 there are 60 more less 20: short 2 with 105 from nothing.
      const changes = { openVolume: -1n, marginAccountBalance: '100' };
      // (100 - 10 + 55 - 20 + 60 + 3 * 120) / (0.3 * 3 + 0.1 * 3 + 3)
      expect(pricesWith([sell(1n, '110'), sell(1n, '120')], changes)).toEqual(['143', '130']);
    });
  });
});

describe('a future below a cap', () => {
  test('is a future, but for orders at the cap', () => {
    expect(estimateInMode(modeInput({ product: capped(false), orders: [buy(1n, '149')] }))).toEqual(
      estimateInMode(modeInput({ orders: [buy(1n, '149')] })),
    );
    const atTheCap = () => estimateInMode(modeInput({ product: capped(false), orders: [buy(1n, '150')] }));
    expect(atTheCap).toThrow(
      new EstimateInputError('orders[0].price', "150 is not below the market's cap of 150."),
    );
  });
});

describe('a fully collateralised future', () => {
  const product = capped(true);

  test.each([
    ['a long position', { openVolume: 2n }, '180'],
    ['a short position', { openVolume: -2n }, '120'],
    ['a position of fractions', { openVolume: 15n, market: { positionDecimalPlaces: 1 } }, '135'],
    ['buys on top of a long position', { openVolume: 2n, orders: [buy(1n, '80')] }, '260'],
    ['sells on top of a short position', { openVolume: -2n, orders: [sell(1n, '110')] }, '160'],
    ['the dearer side', { openVolume: 0n, orders: [buy(1n, '80'), sell(1n, '60')] }, '90'],
    ['orders that would close the position, too', { openVolume: -2n, orders: [buy(1n, '80')] }, '200'],
    ['market orders at the market price', { openVolume: 2n, orders: [buy(1n, null)] }, '280'],
    ['what market orders leave', { openVolume: 3n, orders: [sell(1n, null)] }, '180'],
    ['what market orders turn round', { openVolume: 1n, orders: [sell(3n, null)] }, '100'],
  ])('margins all that can be lost: %s', (_, changes, margin) => {
    const level = { maintenanceMargin: margin, searchLevel: margin, initialMargin: margin };
    expect(worst({ product, ...changes })).toMatchObject({ ...level, collateralReleaseLevel: margin });
  });

  test('ends at 0 or at the cap, with the orders of each side traded', () => {
    const orders = [buy(3n, '80'), sell(2n, '110')];
    expect(worst({ product, openVolume: -1n, orders }).liquidation).toEqual({
      openVolumeOnly: '150',
      includingBuyOrders: '0',
      includingSellOrders: '150',
    });
    expect(worst({ product, openVolume: 1n, orders }).liquidation.includingSellOrders).toBe('150');
  });

  test('tells the cap in the decimals that are asked for', () => {
    const changes = { product, openVolume: -1n, asset: { decimals: 2 } };
    expect(worst(changes).liquidation.openVolumeOnly).toBe('15000');
    const scaled = { ...changes, scaleLiquidationPriceToMarketDecimals: true };
    expect(worst(scaled).liquidation.openVolumeOnly).toBe('150');
  });

  test('has its cap rounded once, however many decimals the market has more than its asset', () => {
    const below = {
      kind: 'future',
      cap: { maxPrice: '49999999999999999', fullyCollateralised: true },
    } as const;
    const { liquidation } = worst({ product: below, openVolume: -1n, market: { decimalPlaces: 17 } });
    expect(liquidation.openVolumeOnly).toBe('0');
  });

  test('has its limit orders margined apart in isolated mode', () => {
    expect(worst({ product, ...isolatedMode, orders: [buy(2n, '80')] })).toMatchObject({
      maintenanceMargin: '90',
      searchLevel: '0',
      initialMargin: '90',
      collateralReleaseLevel: '0',
      orderMargin: '80',
    });
  });

  test.each(['-1', '150.5'])('was entered at no price of %s, if at all', (averageEntryPrice) => {
    const complaint = 'it is not within 0 and the cap of 150.';
    expect(() => worst({ product, averageEntryPrice })).toThrow(
      new EstimateInputError('averageEntryPrice', complaint),
    );
    const estimate = (price: string) =>
      estimateInMode(
        modeInput({ product, openVolume: 0n, averageEntryPrice: price, orders: [buy(2n, '80')] }),
      );
    expect(estimate(averageEntryPrice)).toEqual(estimate('0'));
  });

  test('margins any position and orders as the lots that they are made of', () => {
    const orders = fc.array(
      fc.record({
        side: fc.constantFrom('SIDE_BUY' as const, 'SIDE_SELL' as const),
        remaining: fc.bigInt({ min: 0n, max: 1000n }),
        price: fc.option(fc.integer({ min: 0, max: 149 }).map(String)),
      }),
      { maxLength: 5 },
    );
    const asked = fc.record({
      orders,
      openVolume: fc.bigInt({ min: -1000n, max: 1000n }),
      averageEntryPrice: fc.integer({ min: 0, max: 150 }).map(String),
      marginMode: fc.constantFrom(...Object.values(modes)),
      decimals: fc.integer({ min: 0, max: 18 }),
      market: fc.record({
        decimalPlaces: fc.integer({ min: 0, max: 8 }),
        positionDecimalPlaces: fc.integer({ min: -6, max: 6 }),
      }),
    });
    fc.assert(
      fc.property(asked, ({ decimals, ...changes }) => {
        const input = modeInput({ product, asset: { decimals }, ...changes });
        const { maintenanceMargin } = estimateInMode(input).margin.bestCase;
        expect(maintenanceMargin).toBe(fullyCollateralisedMargin(readQuestion(input)).nearest());
      }),
    );
  });
});

describe('what release 0.71 could be asked', () => {
  const products = [perpetual, capped(false)];
  const funding = { payment: '10', rate: '0.001' };

  test.each(products)('is answered in cross mode for %j', (product) => {
    const input = modeInput({ product, openVolume: 2n, marketData: { funding }, orders: [buy(1n, '80')] });
    const { margin, liquidation } = estimateInMode({ ...input, marginAccountBalance: '90' });
    const { orderMargin: _, marginFactor: __, marginMode: ___, ...levels } = margin.worstCase;
    const asked = estimatePosition({ ...input, collateralAvailable: '90' });
    expect(asked.margin.worstCase).toEqual(levels);
    expect(asked.liquidation).toEqual(liquidation);
    expect(estimatePosition(input).liquidation).toBeNull();
    const scaled = { ...input, asset: { decimals: 2 }, scaleLiquidationPriceToMarketDecimals: true };
    expect(estimatePosition({ ...scaled, collateralAvailable: '9000' }).liquidation).toEqual(
      estimateInMode({ ...scaled, marginAccountBalance: '9000' }).liquidation,
    );
  });

  test('is refused for a full cap, which needs to know more', () => {
    const estimate = () => estimatePosition(modeInput({ product: capped(true) }));
    expect(estimate).toThrow(EstimatePreconditionError);
    expect(estimate).toThrow('averageEntryPrice');
  });
});

describe('what cannot be estimated', () => {
  const missing = {
    marginAccountBalance: null,
    orderMarginAccountBalance: null,
    generalAccountBalance: null,
    marginFactor: null,
    averageEntryPrice: null,
    orders: [buy(1n, '1.5')],
    market: { linearSlippageFactor: null },
  };

  test('is named by the first thing that is missing or wrong', () => {
    const { CROSS, ISOLATED } = {
      CROSS: modes.MARGIN_MODE_CROSS_MARGIN,
      ISOLATED: modes.MARGIN_MODE_ISOLATED_MARGIN,
    };
    let changes: Changes = missing;
    const complains = (about: string, mode = CROSS) =>
      expect(() => worst({ ...changes, marginMode: mode })).toThrow(about);
    complains('marginAccountBalance: it is missing. An empty account has "0".');
    changes = { ...changes, marginAccountBalance: '1' };
    complains('orderMarginAccountBalance: it is missing.');
    changes = { ...changes, orderMarginAccountBalance: '1' };
    complains('generalAccountBalance: it is missing.');
    complains('marginFactor: it is missing.', ISOLATED);
    changes = { ...changes, generalAccountBalance: '1', marginFactor: '1' };
    complains('orders[0].price: 1.5 is not a whole number.');
    changes = { ...changes, orders: [] };
    complains('linearSlippageFactor');
    changes = { ...changes, market: {}, product: { kind: 'perpetual', marginFundingFactor: null } };
    complains('averageEntryPrice: it is missing. Where there is no position, it is "0".');
    changes = { ...changes, averageEntryPrice: '1' };
    complains('marginFundingFactor');
  });

  test('is a margin mode that a newer release brings', () => {
    expect(() => worst({ marginMode: 3 })).toThrow(
      new EstimateInputError('marginMode', 'how MARGIN_MODE_3 margins a position is not known.'),
    );
  });
});
