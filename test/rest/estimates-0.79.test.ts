import { describe, expect, test } from 'vitest';
import { epochEvent, eventsOf, inOwnMarket, marketIdOf, partyIdOf } from '../support/estimate-events-0.79.ts';
import {
  applyFirstBlock,
  assetIdOf,
  marketIdOf as idOfMarket,
  marketEvents,
} from '../support/estimate-markets.ts';
import {
  feeVectors079,
  hasVectors079,
  type PositionVector079,
  positionVectors079,
} from '../support/estimates-0.79.ts';
import { forAllTests } from '../support/for-all-tests.ts';
import { startOwnGateway } from '../support/gateway.ts';
import { networkAnswer } from '../support/network-answers.ts';

/*
 * What can be asked over REST since release 0.74 of the network, and what a client of 0.71 is answered in markets that
 * release knew nothing of. Orders cannot be written into an address, so their vectors are GraphQL's.
 */

const terms = {
  assetDecimals: 5,
  marketDecimals: 2,
  positionDecimalPlaces: 1,
  markPrice: '1000',
  linearSlippageFactor: '0.1',
  quadraticSlippageFactor: '0.01',
  riskFactorLong: '0.1',
  riskFactorShort: '0.2',
  searchLevel: 1.1,
  initialMargin: 1.2,
  collateralRelease: 1.4,
  makerFee: '0.0004',
  infrastructureFee: '0.001',
  liquidityFee: '0.3',
};

const funding = {
  marginFundingFactor: '0.5',
  interestRate: '0',
  clampLowerBound: '0',
  clampUpperBound: '0',
  fundingRateScalingFactor: null,
  fundingRateLowerBound: null,
  fundingRateUpperBound: null,
};
const SPOT = {
  product: 'SPOT',
  settlementAssetId: null,
  baseAssetId: 'base',
  quoteAssetId: assetIdOf('spot'),
  searchLevel: null,
  initialMargin: null,
  collateralRelease: null,
};
const cap = { maxPrice: '1500', binarySettlement: false, fullyCollateralised: false };

const withoutOrders = positionVectors079.filter(({ request }) => request.orders === undefined);

const events = [
  ...marketEvents('future', terms),
  ...marketEvents('perpetual', { ...terms, market: { product: 'PERPETUAL', funding } }),
  ...marketEvents('capped', { ...terms, market: { cap } }),
  ...marketEvents('full cap', { ...terms, market: { cap: { ...cap, fullyCollateralised: true } } }),
  ...marketEvents('spot', { ...terms, market: SPOT }, ['asset', 'market', 'marketData']),
  ...marketEvents('treasury', { ...terms, market: { treasuryFee: '0.0001', buyBackFee: '0' } }),
  ...marketEvents('half told', { ...terms, market: { treasuryFee: '0.0001' } }),
  ...[...withoutOrders, ...feeVectors079].flatMap(eventsOf),
];
const gateway = await forAllTests(startOwnGateway((url) => applyFirstBlock(url, [epochEvent(), ...events])));

describe("release 0.79's estimates over REST", () => {
  test('are here', ({ skip }) => {
    skip(!hasVectors079, 'no ../shared/data/estimates-0.79');
    expect(withoutOrders.length).toBeGreaterThanOrEqual(80);
  });

  test.each(withoutOrders.filter(({ answer }) => answer !== undefined))(
    '$id ($group): a position',
    async (vector) => {
      const { status, body } = await askPosition(vector);
      expect([status, body]).toEqual([200, inOwnMarket(vector, networkAnswer(vector))]);
    },
  );

  test.each(withoutOrders.filter(({ error, id }) => error !== undefined && id !== 'P382'))(
    '$id: a position that is refused',
    async (vector) => {
      const { status, body } = await askPosition(vector);
      expect(status).toBe(['P400', 'P401'].includes(vector.id) ? 404 : 400);
      expect([3, 5, 9]).toContain(body.code);
    },
  );

  test.each(feeVectors079.filter(({ answer }) => answer !== undefined))(
    '$id ($group): a fee',
    async (vector) => {
      const { price = '', size = '', party } = vector.request;
      const query = new URLSearchParams({ marketId: marketIdOf(vector), price, size });
      if (party !== undefined) query.set('party', partyIdOf(vector));
      const { status, body } = await gateway.rest(`/api/v2/estimate/fee?${query}`);
      const fee = Object.entries(vector.answer?.fee ?? {});
      // Without a party, what there is none of is left out.
      const told = party === undefined ? fee.filter(([, amount]) => amount !== '') : fee;
      expect([status, body]).toEqual([200, { fee: Object.fromEntries(told) }]);
    },
  );

  function askPosition(vector: PositionVector079) {
    const { orders: _, ...request } = vector.request;
    const query = new URLSearchParams();
    for (const [name, value] of Object.entries(request)) query.set(name, String(value));
    query.set('marketId', marketIdOf(vector));
    return gateway.rest(`/api/v2/estimate/position?${query}`);
  }
});

describe('a request of a newer release', () => {
  const ask = (query: string) =>
    gateway.rest(`/api/v2/estimate/position?marketId=${idOfMarket('future')}&openVolume=10&${query}`);
  const accounts = 'averageEntryPrice=900&marginAccountBalance=300000&orderMarginAccountBalance=0';

  test('has members of its own, empty where there is nothing', async () => {
    const { text } = await ask(
      `${accounts}&marginMode=MARGIN_MODE_CROSS_MARGIN&generalAccountBalance=0&scaleLiquidationPriceToMarketDecimals=true`,
    );
    expect(text).toContain(
      '"timestamp":"0","orderMargin":"","marginMode":"MARGIN_MODE_CROSS_MARGIN","marginFactor":""},',
    );
    // (300000 - 1000000) / (0.21 - 1), in market decimals.
    expect(text).toContain(
      '"collateralIncreaseEstimate":{"worstCase":"-48000","bestCase":"-180000"},"liquidation":{"worstCase":{"openVolumeOnly":"886",',
    );
  });

  test('is taken in snake_case, and with the number of a mode', async () => {
    const { status, body } = await ask(
      'average_entry_price=900&margin_account_balance=300000&order_margin_account_balance=0&margin_mode=2&margin_factor=0.5&include_required_position_margin_in_available_collateral=true',
    );
    expect(status).toBe(200);
    expect(body.margin.worstCase).toMatchObject({
      searchLevel: '0',
      orderMargin: '0',
      marginMode: 'MARGIN_MODE_ISOLATED_MARGIN',
      marginFactor: '0.5',
    });
    expect(body.collateralIncreaseEstimate).toEqual({ worstCase: '150000', bestCase: '150000' });
  });

  test.each([
    ['marginMode=MARGIN_MODE_CROSS_MARGIN', 'marginAccountBalance', 'it is missing.'],
    [`${accounts}&marginMode=1`, 'generalAccountBalance', 'it is missing.'],
    [`${accounts}&marginMode=2`, 'marginFactor', 'it is missing.'],
    ['marginAccountBalance=1&orderMarginAccountBalance=0', 'averageEntryPrice', 'it is missing.'],
    [
      `${accounts}&marginMode=MARGIN_MODE_3`,
      'marginMode',
      'how MARGIN_MODE_3 margins a position is not known.',
    ],
    [`${accounts}&collateralAvailable=1`, 'collateralAvailable', 'together with averageEntryPrice'],
  ])('%s names %s: %s', async (query, field, complaint) => {
    const { status, body } = await ask(query);
    expect([status, body.code]).toEqual([400, 3]);
    expect(body.message).toContain(`${field}: `);
    expect(body.message).toContain(complaint);
    expect(body.details[0].fieldViolations[0].field).toBe(field);
  });

  test('asks for the decimals of prices without naming a mode, as release 0.73 does', async () => {
    const { body, text } = await ask('collateralAvailable=300000');
    expect(body.liquidation.worstCase.openVolumeOnly).toBe('886075.9493670886075949');
    const unscaled = await ask('collateralAvailable=300000&scaleLiquidationPriceToMarketDecimals=false');
    expect([unscaled.status, unscaled.text]).toEqual([200, text]);
    const scaled = await ask('collateralAvailable=300000&scaleLiquidationPriceToMarketDecimals=true');
    const prices = (price: string) => ({
      ...{ openVolumeOnly: price, includingBuyOrders: price, includingSellOrders: price },
    });
    expect([scaled.status, scaled.body]).toEqual([
      200,
      { margin: body.margin, liquidation: { worstCase: prices('886'), bestCase: prices('778') } },
    ]);
  });

  test.each(['orders=x', 'orders.price=1', 'orders[0].side=SIDE_BUY', 'orders.is_market_order=true'])(
    'cannot have orders in its address: %s',
    async (query) => {
      const { status, headers, body } = await ask(query);
      expect([status, body.code]).toEqual([400, 3]);
      expect(body.details[0].fieldViolations[0].field).toBe('orders');
      expect(headers.get('x-ignored-parameters')).toBeNull();
    },
  );
});

describe('a request of release 0.71', () => {
  const position = (market: string, query: string) =>
    gateway.rest(`/api/v2/estimate/position?marketId=${idOfMarket(market)}&${query}`);
  const fee = (market: string) =>
    gateway.rest(`/api/v2/estimate/fee?marketId=${idOfMarket(market)}&price=1000&size=1`);

  test('is answered for a perpetual and a capped future in its own shape, as cross margin', async () => {
    const future = await position('future', 'openVolume=10&collateralAvailable=300000');
    const capped = await position('capped', 'openVolume=10&collateralAvailable=300000');
    expect(Object.keys(capped.body)).toEqual(['margin', 'liquidation']);
    expect(capped.body.margin.worstCase).toEqual({
      ...future.body.margin.worstCase,
      marketId: idOfMarket('capped'),
      asset: capped.body.margin.worstCase.asset,
    });
    expect(future.body.liquidation.worstCase.openVolumeOnly).toBe('886075.9493670886075949');
    expect(capped.body.liquidation.worstCase.openVolumeOnly).toBe('886076');
    const perpetual = await position('perpetual', 'openVolume=10');
    expect([perpetual.status, perpetual.body.liquidation]).toEqual([200, null]);
  });

  test.each([
    ['full cap', 'averageEntryPrice, which is missing'],
    [
      'spot',
      `Market "${idOfMarket('spot')}" is a spot market: it has no positions, and so no margin to estimate.`,
    ],
  ])('is refused for a %s, with the reason', async (market, reason) => {
    const { status, body } = await position(market, 'openVolume=10&collateralAvailable=300000');
    expect([status, body.code]).toEqual([400, 9]);
    expect(body.message).toContain(reason);
  });

  test('has no other fees than 0.71 unless the network charges them', async () => {
    // 100000 * 0.0004 and so on, halves away from zero; with the newer fees the next whole number up.
    expect((await fee('future')).text).toBe(
      '{"fee":{"makerFee":"40","infrastructureFee":"100","liquidityFee":"30000"}}',
    );
    expect((await fee('treasury')).text).toBe(
      '{"fee":{"makerFee":"40","infrastructureFee":"100","liquidityFee":"30000","treasuryFee":"10","buyBackFee":"0"}}',
    );
    expect((await fee('spot')).body.fee.makerFee).toBe('40');
    const { status, body } = await fee('half told');
    expect([status, body.code]).toEqual([400, 9]);
    expect(body.message).toContain("the market's buyBackFee");
  });

  test('names a party in vain where its network has no such fees', async () => {
    const { status, body } = await gateway.rest(
      `/api/v2/estimate/fee?marketId=${idOfMarket('future')}&price=1000&size=1&party=alice`,
    );
    expect([status, body.code]).toEqual([400, 9]);
    expect(body.message).toContain("the market's treasuryFee");
  });
});
