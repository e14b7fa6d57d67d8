import { parse } from 'graphql';
import { describe, expect, test } from 'vitest';
import { openDatabase } from '../../src/data/servers/client.ts';
import type { Statements } from '../../src/data/servers/statements.ts';
import { Decimal } from '../../src/domain/decimals.ts';
import { jsonOf, resultOf } from '../../src/engine/run/json-result.ts';
import { NOBODY } from '../../src/http/request-scope.ts';
import { createTestDatabase } from '../support/database.ts';
import { createTestEngine } from '../support/engine.ts';
import { applyFirstBlock, marketEvents, marketIdOf } from '../support/estimate-markets.ts';
import { FEE, POSITION, POSITION_FRAGMENTS } from '../support/estimate-operations.ts';
import {
  estimateOf,
  feeVectors,
  hasVectors,
  type PositionVector,
  positionVectors,
  type RiskVector,
  riskVectors,
  type VectorOrder,
} from '../support/estimate-vectors.ts';
import { forAllTests } from '../support/for-all-tests.ts';
import { startTestGateway } from '../support/gateway.ts';

/** The functions' vectors have prices with places; in a market with this many decimals they are whole. */
const PLACES = 24;

const answered = positionVectors.filter(({ expected }) => expected.error === undefined);
const refused = positionVectors.filter(({ expected }) => expected.error !== undefined);

const database = await forAllTests(createTestDatabase());
await applyFirstBlock(database.url, [
  ...[...positionVectors, ...feeVectors].flatMap(({ id, inputs }) => marketEvents(id, inputs)),
  ...riskVectors.flatMap((vector) => marketEvents(vector.id, termsOf(vector))),
]);
const gateway = await forAllTests(startTestGateway(database.url));

describe('the reference vectors over GraphQL', () => {
  test('are all here', ({ skip }) => {
    skip(!hasVectors, 'no ../shared/data/estimate-vectors.json');
    const counts = [answered, refused, feeVectors, riskVectors].map(({ length }) => length);
    expect(counts).toEqual([55, 10, 25, 29]);
  });

  test.each(answered)('$id: position estimate', async (vector) => {
    const { data, errors } = await gateway.graphql(POSITION, variablesOf(vector));
    expect(errors).toBeUndefined();
    expect(data.estimatePosition).toEqual(estimateOf(vector));
  });

  // Undefined prices are the reference's 500; collateral that is no number is a request that cannot be run.
  test.each(refused.filter(({ id }) => id !== 'R-35'))('$id: refused', async (vector) => {
    const { status, errors } = await gateway.graphql(POSITION, variablesOf(vector));
    const [error] = errors ?? [];
    if (vector.expected.error === 'liquidation price not defined') {
      expect([status, error?.extensions.code]).toEqual([200, 'FAILED_PRECONDITION']);
      expect(error?.message).toMatch(
        /^The liquidation price openVolumeOnly is not defined in the (best|worst) case: /,
      );
    } else {
      expect([status, error?.extensions.code]).toEqual([400, 'INVALID_ARGUMENT']);
      const shown = JSON.stringify(vector.inputs.collateralAvailable);
      expect(error?.message).toContain(`Variable "$collateralAvailable" got invalid value ${shown}`);
    }
  });

  test.each(refused.filter(({ id }) => id === 'R-35'))('$id: a factor is missing', async (vector) => {
    const { status, data, errors } = await gateway.graphql(POSITION, variablesOf(vector));
    expect([status, data]).toEqual([200, { estimatePosition: null }]);
    expect(errors?.[0]?.extensions.code).toBe('FAILED_PRECONDITION');
    expect(errors?.[0]?.message).toContain('quadraticSlippageFactor');
    const market = await gateway.graphql(
      `{ market(id: "${marketIdOf(vector.id)}") { linearSlippageFactor quadraticSlippageFactor } }`,
    );
    expect(market.data.market).toEqual({ linearSlippageFactor: '0.1', quadraticSlippageFactor: null });
  });

  test.each(feeVectors)('$id: fee estimate', async ({ id, inputs: { price, size }, expected }) => {
    const { data, errors } = await gateway.graphql(FEE, { marketId: marketIdOf(id), price, size });
    if (expected.error === undefined) {
      expect(data.estimateFee).toEqual(expected.fee);
    } else {
      expect(errors?.[0]?.extensions.code).toBe('INVALID_ARGUMENT');
      const [field, given] = expected.error === 'invalid order size' ? ['size', size] : ['price', price];
      expect(errors?.[0]?.message).toMatch(new RegExp(`\\b${field}\\b.*\\b${given}\\b`));
    }
  });

  test.each(riskVectors)('$id: margin and liquidation, orders included', async (vector) => {
    const { inputs, expected } = vector;
    const { data, errors } = await gateway.graphql(POSITION, {
      marketId: marketIdOf(vector.id),
      openVolume: inputs.openVolume,
      orders: inputs.orders.map(orderOf).map((order) => ({ ...order, price: scaled(order.price) })),
      collateralAvailable: scaled(inputs.collateralAvailable),
    });
    if (expected.liquidationError !== undefined) {
      expect(errors?.[0]?.extensions.code).toBe('FAILED_PRECONDITION');
      expect(errors?.[0]?.message).toContain('includingSellOrders is not defined in the best case');
      return;
    }
    expect(errors).toBeUndefined();
    const { margin, liquidation } = data.estimatePosition;
    expect(unscaled(margin.worstCase.maintenanceMargin)).toBe(expected.maintenanceMargin);
    for (const [name, price] of Object.entries(expected.liquidation ?? {}))
      expect([name, unscaled(liquidation.worstCase[name])]).toEqual([name, price]);
  });

  test('are answered in one operation with one statement', async ({ skip }) => {
    skip(!hasVectors, 'no ../shared/data/estimate-vectors.json');
    await using counted = countStatements(database.url);
    const fees = feeVectors.filter(({ expected }) => expected.error === undefined);
    const positions = answered.map(
      (vector, index) => `position${index}: estimatePosition(${argumentsOf(vector)}) { ...Estimate }`,
    );
    const rest = fees.map(
      ({ id, inputs: { price, size } }, index) =>
        `fee${index}: estimateFee(marketId: "${marketIdOf(id)}", price: "${price}", size: "${size}") {
          makerFee infrastructureFee liquidityFee
        }`,
    );
    const document = parse(`{ ${[...positions, ...rest].join('\n')} } ${POSITION_FRAGMENTS}`);
    // No estimate asks the feed.
    const engine = createTestEngine({ ...counted, feed: null as never });
    const outcome = await engine.execute(engine.price(document, {}, 'rest'), NOBODY);
    const { data } = JSON.parse(jsonOf(resultOf(outcome)));
    expect(counted.sent).toHaveLength(1);
    for (const [index, vector] of answered.entries())
      expect([vector.id, data[`position${index}`]]).toEqual([vector.id, estimateOf(vector)]);
    for (const [index, { expected }] of fees.entries()) expect(data[`fee${index}`]).toEqual(expected.fee);
  });
});

function variablesOf({ id, inputs: { openVolume, collateralAvailable, orders } }: PositionVector) {
  return { marketId: marketIdOf(id), openVolume, collateralAvailable, orders: orders.map(orderOf) };
}

/** The same as literals. */
function argumentsOf(vector: PositionVector): string {
  const { orders, ...variables } = variablesOf(vector);
  const list = orders.map(({ side, type, remaining, price }) => {
    return `{ side: ${side}, type: ${type}, remaining: "${remaining}", price: ${JSON.stringify(price ?? null)} }`;
  });
  const given = Object.entries(variables).filter(([, value]) => value !== undefined);
  return [...given.map(([name, value]) => `${name}: ${JSON.stringify(value)}`), `orders: [${list}]`].join(
    ', ',
  );
}

function orderOf({ side, remaining, price, isMarketOrder }: VectorOrder) {
  return isMarketOrder
    ? { side, type: 'TYPE_MARKET', remaining, price: undefined }
    : { side, type: 'TYPE_LIMIT', remaining, price };
}

function termsOf({ inputs }: RiskVector) {
  return {
    ...inputs,
    assetDecimals: PLACES,
    marketDecimals: PLACES,
    positionDecimalPlaces: Math.round(Math.log10(Number(inputs.positionFactor))),
    markPrice: scaled(inputs.markPrice) ?? '0',
    auctionEnd: inputs.auction ? '1' : '0',
    marketTradingMode: 'TRADING_MODE_MONITORING_AUCTION',
  } as const;
}

function scaled(text: string | undefined): string | undefined {
  return text === undefined ? undefined : Decimal.parse(text).shift(PLACES).toString();
}

function unscaled(text: string): string {
  return Decimal.parse(text).shift(-PLACES).round(16).toString();
}

/** A database that notes every statement sent to it. */
function countStatements(url: string) {
  const { prisma, statements, counts, close } = openDatabase({ url, readOnly: true });
  const sent: string[] = [];
  const noting: Statements = {
    ...statements,
    until: () => noting,
    rows(statement) {
      sent.push(statement.text);
      return statements.rows(statement);
    },
  };
  return { prisma, statements: noting, counts, sent, [Symbol.asyncDispose]: close };
}
