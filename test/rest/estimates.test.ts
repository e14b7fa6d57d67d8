import { describe, expect, test } from 'vitest';
import { applyFirstBlock, assetIdOf, marketEvents, marketIdOf } from '../support/estimate-markets.ts';
import {
  estimateOf,
  type FeeVector,
  feeVectors,
  hasVectors,
  type PositionVector,
  positionVectors,
} from '../support/estimate-vectors.ts';
import { forAllTests } from '../support/for-all-tests.ts';
import { startOwnGateway } from '../support/gateway.ts';

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
  makerFee: '0.004',
  infrastructureFee: '0.001',
  liquidityFee: '0.3',
};

const restVectors = positionVectors.filter(({ via }) => via === 'rest');
const answered = restVectors.filter(({ expected }) => expected.error === undefined);
const refused = restVectors.filter(({ expected }) => expected.error !== undefined);

const events = [
  ...[...restVectors, ...feeVectors].flatMap(({ id, inputs }) => marketEvents(id, inputs)),
  ...marketEvents('plain', terms),
  ...marketEvents('no linear factor', { ...terms, linearSlippageFactor: null }),
  ...marketEvents('no quadratic factor', { ...terms, quadraticSlippageFactor: null }),
  ...marketEvents('neither factor', {
    ...terms,
    linearSlippageFactor: null,
    quadraticSlippageFactor: null,
  }),
  ...marketEvents('factors of 0', { ...terms, linearSlippageFactor: '0', quadraticSlippageFactor: '0' }),
  ...marketEvents('no risk factors', terms, ['asset', 'market', 'marketData']),
  ...marketEvents('no market data', terms, ['asset', 'market', 'riskFactor']),
  ...marketEvents('no asset', terms, ['market', 'riskFactor', 'marketData']),
];
const gateway = await forAllTests(startOwnGateway((url) => applyFirstBlock(url, events)));

describe('the reference vectors over REST', () => {
  test('are all here', ({ skip }) => {
    skip(!hasVectors, 'no ../shared/data/estimate-vectors.json');
    expect([answered.length, refused.length, feeVectors.length]).toEqual([34, 10, 25]);
  });

  test.each(answered)('$id: position estimate', async (vector) => {
    const answer = await askPosition(vector);
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual(estimateOf(vector));
  });

  // The reference answers an undefined price with 500 and code 2; we say that the question has no answer. What it
  // says of collateral it cannot read, it says in other words.
  test.each(refused.filter(({ id }) => id !== 'R-35'))('$id: refused', async (vector) => {
    const { status, body } = await askPosition(vector);
    expect(status).toBe(400);
    if (vector.expected.error === 'liquidation price not defined') {
      expect(body.code).toBe(9);
      expect(body.message).toMatch(
        /^The liquidation price openVolumeOnly is not defined in the (best|worst) case: /,
      );
    } else {
      expect(body.code).toBe(3);
      const shown = JSON.stringify(vector.inputs.collateralAvailable);
      expect(body.message).toContain(`Parameter collateralAvailable is ${shown}`);
    }
  });

  // The reference answers a factor that it was never told with 500.
  test.each(refused.filter(({ id }) => id === 'R-35'))('$id: a factor is missing', async (vector) => {
    const { status, body } = await askPosition(vector);
    expect([status, body]).toEqual([400, untold('quadraticSlippageFactor')]);
  });

  test.each(feeVectors)('$id: fee estimate', async (vector) => {
    const { status, body } = await askFee(vector);
    if (vector.expected.error === undefined) {
      expect([status, body]).toEqual([200, vector.expected]);
    } else {
      const field = vector.expected.error === 'invalid order size' ? 'size' : 'price';
      expect([status, body.code]).toEqual([400, 3]);
      expect(body.message).toContain(`Parameter ${field} is ${JSON.stringify(vector.inputs[field])}`);
      expect(body.details[0].fieldViolations[0].field).toBe(field);
    }
  });
});

describe('an estimate over REST', () => {
  const position = (query: string) => gateway.rest(`/api/v2/estimate/position?${query}`);
  const fee = (query: string) => gateway.rest(`/api/v2/estimate/fee?${query}`);
  const plain = marketIdOf('plain');

  test('has its fields in the documented order', async () => {
    const { text } = await position(`marketId=${plain}&openVolume=10&collateralAvailable=5000`);
    // P = 1000000, V = 1: worst 1000000 * (0.1 + 0.01 + 0.1), best 1000000 * 0.1;
    // liquidation (5000 - 1000000) / (0.21 - 1) and / (0.1 - 1).
    const rest = `"partyId":"","marketId":"${plain}","asset":"${assetIdOf('plain')}","timestamp":"0"`;
    expect(text).toBe(
      `{"margin":{"worstCase":{"maintenanceMargin":"210000","searchLevel":"231000","initialMargin":"252000","collateralReleaseLevel":"294000",${rest}},` +
        `"bestCase":{"maintenanceMargin":"100000","searchLevel":"110000","initialMargin":"120000","collateralReleaseLevel":"140000",${rest}}},` +
        '"liquidation":{"worstCase":{"openVolumeOnly":"1259493.6708860759493671","includingBuyOrders":"1259493.6708860759493671","includingSellOrders":"1259493.6708860759493671"},' +
        '"bestCase":{"openVolumeOnly":"1105555.5555555555555556","includingBuyOrders":"1105555.5555555555555556","includingSellOrders":"1105555.5555555555555556"}}}',
    );
    expect((await fee(`marketId=${plain}&price=1000&size=10`)).text).toBe(
      '{"fee":{"makerFee":"4000","infrastructureFee":"1000","liquidityFee":"300000"}}',
    );
  });

  test('names the block that it is of', async () => {
    const { headers } = await position(`marketId=${plain}&openVolume=1`);
    expect(headers.get('x-block-height')).toBe('1');
  });

  test.each(['', '&collateralAvailable='])(
    'has no liquidation without collateral (%j)',
    async (collateral) => {
      const { text } = await position(`marketId=${plain}&openVolume=10${collateral}`);
      expect(text).toMatch(/,"liquidation":null\}$/);
    },
  );

  test('takes no collateral at all for collateral', async () => {
    const { body } = await position(`marketId=${plain}&openVolume=0&collateralAvailable=0`);
    expect(body.liquidation.worstCase.openVolumeOnly).toBe('0');
  });

  test("takes an id in upper case and answers with the market's own", async () => {
    const { status, body } = await position(`market_id=${plain.toUpperCase()}&open_volume=%2B10`);
    expect([status, body.margin.bestCase.marketId]).toEqual([200, plain]);
  });

  test.each([
    ['position', 'openVolume=1', 'marketId'],
    ['position', `marketId=${plain}`, 'openVolume'],
    ['fee', 'price=1&size=1', 'marketId'],
    ['fee', `marketId=${plain}&size=1`, 'price'],
    ['fee', `marketId=${plain}&price=1`, 'size'],
  ])('of a %s with %s alone says that %s is missing', async (kind, query, field) => {
    const { status, body } = await gateway.rest(`/api/v2/estimate/${kind}?${query}`);
    expect([status, body.code]).toEqual([400, 3]);
    expect(body.message).toMatch(new RegExp(`^Parameter ${field} is missing; `));
  });

  test.each([
    ['position', 'unknown', 'market', `There is no market with id "${marketIdOf('unknown')}".`],
    ['fee', 'unknown', 'market', `There is no market with id "${marketIdOf('unknown')}".`],
    [
      'position',
      'no risk factors',
      'risk factors',
      `There are no risk factors of market "${marketIdOf('no risk factors')}" yet.`,
    ],
    [
      'position',
      'no market data',
      'market data',
      `There are no market data of market "${marketIdOf('no market data')}" yet.`,
    ],
    [
      'position',
      'no asset',
      'asset',
      `Market "${marketIdOf('no asset')}" settles in asset "${assetIdOf('no asset')}", which the network has not announced.`,
    ],
    [
      'fee',
      'no asset',
      'asset',
      `Market "${marketIdOf('no asset')}" settles in asset "${assetIdOf('no asset')}", which the network has not announced.`,
    ],
  ])('of a %s in market %j says what is not there: %s', async (kind, name, noun, message) => {
    const query = kind === 'fee' ? 'price=1&size=1' : 'openVolume=1';
    const { status, body } = await gateway.rest(
      `/api/v2/estimate/${kind}?marketId=${marketIdOf(name)}&${query}`,
    );
    expect([status, body.code, body.message]).toEqual([404, 5, message]);
    expect(body.details[0].resourceType).toBe(noun);
  });

  test.each([
    ['no linear factor', 'linearSlippageFactor'],
    ['no quadratic factor', 'quadraticSlippageFactor'],
    ['neither factor', 'linearSlippageFactor'],
  ])('of a position in a market with %s names %s, whatever the position', async (name, factor) => {
    for (const openVolume of ['10', '-10', '0']) {
      for (const more of ['', '&collateralAvailable=1']) {
        const { status, body } = await position(
          `marketId=${marketIdOf(name)}&openVolume=${openVolume}${more}`,
        );
        expect([status, body]).toEqual([400, untold(factor)]);
      }
    }
  });

  test('takes a factor of 0 for what it is: the worst case is the best', async () => {
    const { status, body } = await position(`marketId=${marketIdOf('factors of 0')}&openVolume=10`);
    expect([status, body.margin.worstCase.maintenanceMargin]).toEqual([200, '100000']);
    expect(body.margin.worstCase).toEqual(body.margin.bestCase);
  });

  test('of a fee needs neither risk factors, nor market data, nor slippage factors', async () => {
    for (const name of ['no risk factors', 'no market data', 'neither factor'])
      expect((await fee(`marketId=${marketIdOf(name)}&price=1000&size=10`)).status).toBe(200);
  });
});

/** The error body of a factor that the network never told. */
function untold(factor: string) {
  const message = `The network has not told the market's ${factor}, so that there is no worst case to tell.`;
  return { code: 9, message, details: [] };
}

function askPosition({ id, inputs: { openVolume, collateralAvailable } }: PositionVector) {
  const query = new URLSearchParams({ marketId: marketIdOf(id), openVolume });
  if (collateralAvailable !== undefined) query.set('collateralAvailable', collateralAvailable);
  return gateway.rest(`/api/v2/estimate/position?${query}`);
}

function askFee({ id, inputs: { price, size } }: FeeVector) {
  return gateway.rest(
    `/api/v2/estimate/fee?${new URLSearchParams({ marketId: marketIdOf(id), price, size })}`,
  );
}
