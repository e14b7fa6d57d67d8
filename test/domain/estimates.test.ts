import { describe, expect, test } from 'vitest';
import { marketTradingModes } from '../../src/domain/enumerations.ts';
import {
  EstimateInputError,
  UndefinedLiquidationPriceError,
  UntoldFactorError,
} from '../../src/domain/estimates/errors.ts';
import {
  estimatePosition,
  type PositionEstimateInput,
} from '../../src/domain/estimates/estimate-position.ts';

const modes = marketTradingModes.numbers;

// Every expected number in this file was worked out by hand from the formulas.

/** One unit long at 100, with round factors. */
function positionInput(changes: Changes = {}): PositionEstimateInput {
  const { market, marketData, riskFactor, ...rest } = changes;
  return {
    asset: { decimals: 0 },
    openVolume: 1n,
    ...rest,
    market: {
      product: { kind: 'future', cap: null },
      decimalPlaces: 0,
      positionDecimalPlaces: 0,
      linearSlippageFactor: '0.1',
      quadraticSlippageFactor: '0',
      searchLevel: '1.1',
      initialMargin: '1.2',
      collateralRelease: '1.4',
      ...market,
    },
    riskFactor: { long: '0.2', short: '0.3', ...riskFactor },
    marketData: {
      markPrice: '100',
      indicativePrice: '90',
      auctionEnd: 0n,
      marketTradingMode: modes.TRADING_MODE_CONTINUOUS,
      funding: null,
      ...marketData,
    },
  };
}

type Changes = Omit<Partial<PositionEstimateInput>, 'market' | 'marketData' | 'riskFactor'> & {
  readonly market?: Partial<PositionEstimateInput['market']>;
  readonly marketData?: Partial<PositionEstimateInput['marketData']>;
  readonly riskFactor?: Partial<PositionEstimateInput['riskFactor']>;
};

const none = { maintenanceMargin: '0', searchLevel: '0', initialMargin: '0', collateralReleaseLevel: '0' };

function worstMargin(changes: Changes): string {
  return estimatePosition(positionInput(changes)).margin.worstCase.maintenanceMargin;
}

describe('a position estimate', () => {
  test('gives the levels and prices of a long position', () => {
    expect(estimatePosition(positionInput({ collateralAvailable: '50' }))).toEqual({
      margin: {
        bestCase: {
          maintenanceMargin: '20',
          searchLevel: '22',
          initialMargin: '24',
          collateralReleaseLevel: '28',
        },
        worstCase: {
          maintenanceMargin: '30',
          searchLevel: '33',
          initialMargin: '36',
          collateralReleaseLevel: '42',
        },
      },
      liquidation: {
        bestCase: { openVolumeOnly: '62.5', includingBuyOrders: '62.5', includingSellOrders: '62.5' },
        worstCase: {
          openVolumeOnly: '71.4285714285714286',
          includingBuyOrders: '71.4285714285714286',
          includingSellOrders: '71.4285714285714286',
        },
      },
    });
  });

  test('gives the prices of a short position above the market', () => {
    const estimate = estimatePosition(positionInput({ openVolume: -1n, collateralAvailable: '82' }));
    expect(estimate.margin.worstCase.maintenanceMargin).toBe('40');
    expect(estimate.liquidation?.bestCase.openVolumeOnly).toBe('140');
    expect(estimate.liquidation?.worstCase.openVolumeOnly).toBe('130');
  });

  test('needs nothing for no position', () => {
    const zero = { openVolumeOnly: '0', includingBuyOrders: '0', includingSellOrders: '0' };
    expect(estimatePosition(positionInput({ openVolume: 0n, collateralAvailable: '7' }))).toEqual({
      margin: { bestCase: none, worstCase: none },
      liquidation: { bestCase: zero, worstCase: zero },
    });
  });

  test.each([undefined, null])(
    'has no liquidation prices when the collateral is %s',
    (collateralAvailable) => {
      expect(estimatePosition(positionInput({ collateralAvailable })).liquidation).toBeNull();
    },
  );

  test.each([
    ['0', '125'],
    ['-20', '150'],
    ['100', '0'],
    ['1000', '0'],
    ['0.5', '124.375'],
  ])('takes a collateral of %s', (collateralAvailable, price) => {
    const { liquidation } = estimatePosition(positionInput({ collateralAvailable }));
    expect(liquidation?.bestCase.openVolumeOnly).toBe(price);
  });

  test('rounds each level from the unrounded margin', () => {
    const estimate = estimatePosition(
      positionInput({ market: { positionDecimalPlaces: 2, searchLevel: '1.7' } }),
    );
    expect(estimate.margin.worstCase).toMatchObject({ maintenanceMargin: '0', searchLevel: '1' });
  });

  test('scales prices down exactly where the market has more decimals than the asset', () => {
    const changes = { openVolume: 100n, market: { decimalPlaces: 2 }, marketData: { markPrice: '12345' } };
    expect(worstMargin(changes)).toBe('3704');
    const { liquidation } = estimatePosition(positionInput({ ...changes, collateralAvailable: '2345' }));
    expect(liquidation?.bestCase.openVolumeOnly).toBe('125');
  });

  test('takes sizes beyond 64 bits and prices beyond 256 bits exactly', () => {
    const changes = { openVolume: 10n ** 40n, marketData: { markPrice: `1${'0'.repeat(100)}` } };
    expect(worstMargin(changes)).toBe(`3${'0'.repeat(139)}`);
  });

  test.each([
    ['TRADING_MODE_CONTINUOUS', 0n, '30'],
    ['TRADING_MODE_NO_TRADING', 0n, '30'],
    ['TRADING_MODE_OPENING_AUCTION', 0n, '30'],
    ['TRADING_MODE_OPENING_AUCTION', 1n, '27'],
    ['TRADING_MODE_MONITORING_AUCTION', 1n, '30'],
  ] as const)('takes the price of %s with its auction ending at %s', (mode, auctionEnd, margin) => {
    expect(worstMargin({ marketData: { marketTradingMode: modes[mode], auctionEnd } })).toBe(margin);
  });
});

describe('orders in a position estimate', () => {
  const buy = (remaining: bigint, price: string | null) => ({ side: 'SIDE_BUY' as const, remaining, price });
  const sell = (remaining: bigint, price: string | null) => ({
    side: 'SIDE_SELL' as const,
    remaining,
    price,
  });

  test('margins limit orders without slippage, at the mark price', () => {
    expect(worstMargin({ orders: [buy(2n, '90')] })).toBe('70');
    expect(worstMargin({ orders: [sell(3n, '110')] })).toBe('90');
  });

  test('margins limit orders at their own price in an auction', () => {
    const marketData = { auctionEnd: 1n, marketTradingMode: modes.TRADING_MODE_MONITORING_AUCTION };
    expect(worstMargin({ marketData, orders: [buy(2n, '90')] })).toBe('66');
  });

  test('rounds what the orders of an auction are worth to 16 places', () => {
    const marketData = { auctionEnd: 1n, marketTradingMode: modes.TRADING_MODE_MONITORING_AUCTION };
    const orders = [buy(1n, '0.00000000000000005')];
    expect(worstMargin({ openVolume: 0n, marketData, orders, riskFactor: { long: '1e17' } })).toBe('10');
  });

  test('margins no buys that only close a short position', () => {
    const changes = { openVolume: -1n, riskFactor: { long: '0.9' } };
    expect(worstMargin({ ...changes, orders: [buy(1n, '90')] })).toBe('40');
    expect(worstMargin({ ...changes, orders: [buy(2n, '90')] })).toBe('180');
  });

  test('margins market orders as traded', () => {
    expect(worstMargin({ orders: [buy(2n, null)] })).toBe('90');
    expect(worstMargin({ orders: [sell(3n, null)] })).toBe('80');
  });

  test('moves the liquidation price by the orders that trade before it is reached', () => {
    const orders = [buy(1n, '50'), buy(1n, '80'), sell(2n, '110')];
    const { liquidation } = estimatePosition(positionInput({ collateralAvailable: '50', orders }));
    // Bought 1 at 80: (30 - 2 * 80) / (0.4 - 2). The buy at 50 comes too late. Sold 2 at 110: (60 + 110) / 1.3.
    expect(liquidation?.bestCase).toEqual({
      openVolumeOnly: '62.5',
      includingBuyOrders: '81.25',
      includingSellOrders: '130.7692307692307692',
    });
  });

  test('lets an order trade that is reached together with the liquidation price', () => {
    // So, with orders, more collateral can bring the price nearer: the position has grown on the way.
    const orders = [buy(1n, '62.5')];
    const priceWith = (collateralAvailable: string) =>
      estimatePosition(positionInput({ collateralAvailable, orders })).liquidation?.bestCase
        .includingBuyOrders;
    expect(priceWith('49.9')).toBe('62.625');
    expect(priceWith('50')).toBe('70.3125');
  });

  test('takes orders in the order of their price, however they are listed', () => {
    const orders = [
      buy(1n, '70'),
      sell(1n, '105.5'),
      buy(2n, '95'),
      sell(5n, null),
      buy(1n, null),
      buy(1n, '90'),
    ];
    const estimate = (listed: typeof orders) =>
      estimatePosition(positionInput({ collateralAvailable: '40', openVolume: 2n, orders: listed }));
    expect(estimate([...orders].reverse())).toEqual(estimate(orders));
  });
});

describe('what cannot be estimated', () => {
  test.each(['linearSlippageFactor', 'quadraticSlippageFactor'])('is a market without its %s', (factor) => {
    const estimate = (value: string | null) => () =>
      estimatePosition(positionInput({ market: { [factor]: value } }));
    expect(estimate(null)).toThrow(new UntoldFactorError(factor, 'there is no worst case to tell'));
    expect(estimate(null)).toThrow(expect.objectContaining({ factor }));
    expect(estimate('0')).not.toThrow();
  });

  test.each([
    ['bestCase', 'openVolumeOnly', { riskFactor: { long: '1' } }],
    ['worstCase', 'openVolumeOnly', { riskFactor: { long: '0.9' } }],
    ['bestCase', 'includingSellOrders', { orders: [{ side: 'SIDE_SELL', remaining: 1n, price: '110' }] }],
    [
      'bestCase',
      'includingBuyOrders',
      { openVolume: -1n, orders: [{ side: 'SIDE_BUY', remaining: 1n, price: null }] },
    ],
  ] as const)('says that the %s has no price %s', (scenario, price, changes) => {
    const estimate = () => estimatePosition(positionInput({ ...changes, collateralAvailable: '50' }));
    expect(estimate).toThrow(UndefinedLiquidationPriceError);
    expect(estimate).toThrow(expect.objectContaining({ scenario, price }));
    expect(estimate).toThrow(
      `The liquidation price ${price} is not defined in the ${scenario === 'bestCase' ? 'best' : 'worst'} case: `,
    );
  });

  test.each([
    ['collateralAvailable', '"hello" is not a decimal number.', { collateralAvailable: 'hello' }],
    ['collateralAvailable', '"" is not a decimal number.', { collateralAvailable: '' }],
    ['collateralAvailable', '"1e400" has more than 400 digits.', { collateralAvailable: '1e400' }],
    ['orders[1].price', '"1,5" is not a decimal number.', { orders: [order(1n, '1'), order(1n, '1,5')] }],
    ['orders[0].price', '-1 is negative.', { orders: [order(1n, '-1')] }],
    ['orders[0].remaining', '-1 is negative.', { orders: [order(-1n, '1')] }],
  ] as const)('names %s: %s', (field, complaint, changes) => {
    const estimate = () => estimatePosition(positionInput(changes));
    expect(estimate).toThrow(new EstimateInputError(field, complaint));
    expect(estimate).toThrow(expect.objectContaining({ field, message: `${field}: ${complaint}` }));
  });

  function order(remaining: bigint, price: string) {
    return { side: 'SIDE_BUY' as const, remaining, price };
  }
});
