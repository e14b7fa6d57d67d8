import { describe, expect, test } from 'vitest';
import { epochEvent, eventsOf, inOwnMarket, marketIdOf, partyIdOf } from '../support/estimate-events-0.79.ts';
import { applyFirstBlock } from '../support/estimate-markets.ts';
import { LEVELS_AND_PRICES } from '../support/estimate-operations.ts';
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
 * Release 0.79.0's estimates, of markets that come as the network sends them. What its estimates are wrong in is in
 * `test/domain/estimates-0.79.test.ts`; here what GraphQL has null for is empty text there.
 */

const MODES = `
  query (
    $marketId: ID!, $openVolume: Int64!, $orders: [OpenOrderInput!], $marginMode: MarginMode
    $averageEntryPrice: Decimal, $marginAccountBalance: Decimal, $generalAccountBalance: Decimal
    $orderMarginAccountBalance: Decimal, $marginFactor: Decimal
    $includeRequiredPositionMarginInAvailableCollateral: Boolean
    $scaleLiquidationPriceToMarketDecimals: Boolean
  ) {
    estimatePosition(
      marketId: $marketId, openVolume: $openVolume, orders: $orders, marginMode: $marginMode
      averageEntryPrice: $averageEntryPrice, marginAccountBalance: $marginAccountBalance
      generalAccountBalance: $generalAccountBalance, orderMarginAccountBalance: $orderMarginAccountBalance
      marginFactor: $marginFactor
      includeRequiredPositionMarginInAvailableCollateral: $includeRequiredPositionMarginInAvailableCollateral
      scaleLiquidationPriceToMarketDecimals: $scaleLiquidationPriceToMarketDecimals
    ) {
      margin { worstCase { ...AllLevels } bestCase { ...AllLevels } }
      collateralIncreaseEstimate { worstCase bestCase }
      liquidation { worstCase { ...Prices } bestCase { ...Prices } }
    }
  }
  fragment AllLevels on EstimatedMarginLevel { ...Levels orderMargin marginMode marginFactor }
  ${LEVELS_AND_PRICES}`;

const FEES = `
  query ($marketId: ID!, $price: Integer!, $size: Uint64!, $party: ID) {
    estimateFee(marketId: $marketId, price: $price, size: $size, party: $party) {
      makerFee infrastructureFee liquidityFee
      makerFeeVolumeDiscount infrastructureFeeVolumeDiscount liquidityFeeVolumeDiscount
      makerFeeReferrerDiscount infrastructureFeeReferrerDiscount liquidityFeeReferrerDiscount
      treasuryFee buyBackFee highVolumeMakerFee
    }
  }`;

const events = [...positionVectors079, ...feeVectors079].flatMap(eventsOf);
const gateway = await forAllTests(startOwnGateway((url) => applyFirstBlock(url, [epochEvent(), ...events])));

describe("release 0.79's estimates over GraphQL", () => {
  test('are here', ({ skip }) => {
    skip(!hasVectors079, 'no ../shared/data/estimates-0.79');
    expect(positionVectors079.length + feeVectors079.length).toBeGreaterThanOrEqual(368);
  });

  test.each(positionVectors079.filter(({ answer }) => answer !== undefined))(
    '$id ($group): a position',
    async (vector) => {
      const { data, errors } = await gateway.graphql(MODES, variablesOf(vector));
      expect(errors).toBeUndefined();
      expect(withEmptyText(data.estimatePosition)).toEqual(inOwnMarket(vector, networkAnswer(vector)));
    },
  );

  // What no request of GraphQL can say: an empty id, an order without a side.
  test.each(
    positionVectors079.filter(({ id, error }) => error !== undefined && !['P382', 'P395'].includes(id)),
  )('$id: a position that is refused', async (vector) => {
    const { data, errors } = await gateway.graphql(MODES, variablesOf(vector));
    expect(data?.estimatePosition ?? null).toBeNull();
    expect(errors).toHaveLength(1);
  });

  test.each(feeVectors079.filter(({ answer }) => answer !== undefined))(
    '$id ($group): a fee',
    async (vector) => {
      const { price, size, party } = vector.request;
      const variables = { marketId: marketIdOf(vector), price, size };
      const named = party === undefined ? {} : { party: partyIdOf(vector) };
      const { data, errors } = await gateway.graphql(FEES, { ...variables, ...named });
      expect(errors).toBeUndefined();
      expect(withEmptyText(data.estimateFee)).toEqual(vector.answer?.fee);
    },
  );

  test.each(feeVectors079.filter(({ error }) => error !== undefined))(
    '$id: a fee that is refused',
    async (vector) => {
      const { marketId, price, size = '' } = vector.request;
      const known = marketId.length === 64 ? marketIdOf(vector) : marketId;
      const { data, errors } = await gateway.graphql(FEES, { marketId: known, price, size });
      expect(data?.estimateFee ?? null).toBeNull();
      expect(errors?.length).toBeGreaterThan(0);
    },
  );
});

function variablesOf(vector: PositionVector079): Readonly<Record<string, unknown>> {
  const { orders = [], ...request } = vector.request;
  return {
    ...request,
    marketId: marketIdOf(vector),
    generalAccountBalance: request.generalAccountBalance || null,
    orders: orders.map(({ side, remaining, price, isMarketOrder }) => ({
      side,
      remaining,
      ...(isMarketOrder ? { type: 'TYPE_MARKET' } : { type: 'TYPE_LIMIT', price }),
    })),
  };
}

function withEmptyText(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value, (_, part) => part ?? ''));
}
