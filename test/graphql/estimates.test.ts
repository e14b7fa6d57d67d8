import { describe, expect, test } from 'vitest';
import { applyFirstBlock, marketEvents, marketIdOf } from '../support/estimate-markets.ts';
import { POSITION } from '../support/estimate-operations.ts';
import { forAllTests } from '../support/for-all-tests.ts';
import { startOwnGateway } from '../support/gateway.ts';

const plain = marketIdOf('plain');

const events = marketEvents('plain', {
  assetDecimals: 0,
  marketDecimals: 0,
  positionDecimalPlaces: 0,
  markPrice: '100',
  riskFactorLong: '0.1',
  riskFactorShort: '0.2',
});
const gateway = await forAllTests(startOwnGateway((url) => applyFirstBlock(url, events)));

describe('open orders', () => {
  const limit = { side: 'SIDE_BUY', type: 'TYPE_LIMIT', remaining: '5', price: '90' };
  const ask = (orders: unknown) =>
    gateway.graphql(POSITION, { marketId: plain, openVolume: '10', collateralAvailable: '500', orders });

  test('change what the position needs and where it would be closed out', async () => {
    const { data } = await ask([limit]);
    // Margin: 100 * (10 + 5) * 0.1. Alone (500 - 1000) / (1 - 10); bought at 90, (400 - 1350) / (1.5 - 15).
    expect(data.estimatePosition.margin.worstCase.maintenanceMargin).toBe('150');
    expect(data.estimatePosition.liquidation.worstCase).toEqual({
      openVolumeOnly: '55.5555555555555556',
      includingBuyOrders: '70.3703703703703704',
      includingSellOrders: '55.5555555555555556',
    });
  });

  test('count as traded when they are market orders', async () => {
    const { data } = await ask([{ side: 'SIDE_SELL', type: 'TYPE_MARKET', remaining: '4' }]);
    expect(data.estimatePosition.margin.worstCase.maintenanceMargin).toBe('60');
  });

  test.each([
    [[limit, { ...limit, price: undefined }], 'orders[1].price is missing: a limit order has a price.'],
    [[{ ...limit, price: null }], 'orders[0].price is missing: a limit order has a price.'],
    [
      [{ ...limit, type: 'TYPE_MARKET' }],
      'orders[0].price is 90: a market order has no price, leave it out.',
    ],
    [[{ ...limit, price: '-1' }], 'orders[0].price: -1 is negative.'],
    [Array(501).fill(limit), 'orders takes at most 500 orders, not 501.'],
  ])('are refused by name: %#', async (orders, message) => {
    const { data, errors } = await ask(orders);
    expect(data).toEqual({ estimatePosition: null });
    expect(errors?.[0]).toMatchObject({ message, extensions: { code: 'INVALID_ARGUMENT' } });
    expect(errors?.[0]?.extensions.details?.[0]).toMatchObject({
      fieldViolations: [{ field: message.split(/[: ]/)[0] }],
    });
  });

  test('are taken up to 500', async () => {
    expect((await ask(Array(500).fill(limit))).errors).toBeUndefined();
  });

  test.each([
    [{ ...limit, remaining: '-1' }, '"orders[0].remaining"; Uint64 takes an integer from 0 to'],
    [{ ...limit, remaining: '18446744073709551616' }, '"orders[0].remaining"; Uint64 takes'],
    [{ ...limit, side: 'BUY' }, '"orders[0].side"'],
    [{ ...limit, price: 'dear' }, '"orders[0].price"; Decimal takes a decimal number'],
    [{ side: 'SIDE_BUY', type: 'TYPE_LIMIT', price: '1' }, 'Field "remaining" of required type'],
  ])('that are not as described are bad requests: %#', async (order, complaint) => {
    const { status, errors } = await ask([order]);
    expect([status, errors?.[0]?.extensions.code]).toEqual([400, 'INVALID_ARGUMENT']);
    expect(errors?.[0]?.message).toContain(complaint);
  });
});

describe('estimates', () => {
  test('stand side by side, and fail one by one', async () => {
    const { status, data, errors } = await gateway.graphql(`{
      good: estimatePosition(marketId: "${plain}", openVolume: "1") { liquidation { bestCase { openVolumeOnly } } }
      bad: estimateFee(marketId: "nowhere", price: "7", size: "1") { makerFee }
    }`);
    expect([status, data]).toEqual([200, { good: { liquidation: null }, bad: null }]);
    expect(errors).toMatchObject([
      {
        path: ['bad'],
        message: 'There is no market with id "nowhere".',
        extensions: { code: 'NOT_FOUND' },
      },
    ]);
  });

  test.each([
    'openVolume: 9223372036854775807',
    'openVolume: -9223372036854775808, collateralAvailable: 0.5',
    'openVolume: "+1", collateralAvailable: "1e399"',
  ])('take literals, exactly: %s', async (literals) => {
    const { errors } = await askWith(literals);
    expect(errors).toBeUndefined();
  });

  test.each([
    ['openVolume: 9223372036854775808', 'openVolume takes an integer from '],
    ['openVolume: "1.5"', 'openVolume takes an integer from '],
    ['openVolume: true', 'openVolume takes an integer from '],
    ['openVolume: 1, collateralAvailable: "1,5"', 'collateralAvailable takes a decimal number '],
    ['openVolume: 1, collateralAvailable: "1e400"', 'collateralAvailable takes a decimal number '],
    ['openVolume: 1, collateralAvailable: ""', 'collateralAvailable takes a decimal number '],
    ['collateralAvailable: "1"', 'argument "openVolume"'],
  ])('name the argument of a bad literal: %s', async (literals, complaint) => {
    const { status, errors } = await askWith(literals);
    expect([status, errors?.[0]?.extensions.code]).toEqual([400, 'INVALID_ARGUMENT']);
    expect(errors?.[0]?.message).toContain(complaint);
  });

  const askWith = (literals: string) =>
    gateway.graphql(
      `{ estimatePosition(marketId: "${plain}", ${literals}) { margin { worstCase { searchLevel } } } }`,
    );
});
