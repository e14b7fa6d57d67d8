import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { applyFirstBlock, marketEvents, marketIdOf } from '../support/estimate-markets.ts';
import { FEE, POSITION } from '../support/estimate-operations.ts';
import { forAllTests } from '../support/for-all-tests.ts';
import { type GraphqlAnswer, startOwnGateway } from '../support/gateway.ts';
import { anyText } from '../support/texts.ts';

const plain = marketIdOf('plain');
const RUNS = { numRuns: 40 };

const terms = { assetDecimals: 3, marketDecimals: 1, positionDecimalPlaces: 0, markPrice: '100' };
const gateway = await forAllTests(
  startOwnGateway((url) => applyFirstBlock(url, marketEvents('plain', terms))),
);

/** Texts near and far from numbers. */
const numberLike = fc.oneof(
  fc.constantFrom(
    '',
    '+',
    '-',
    '.',
    '0x10',
    '1e3',
    '1_000',
    '1,5',
    ' 1',
    '1 ',
    '٣',
    '--1',
    'NaN',
    '1n',
    '1e',
  ),
  anyText(),
  fc.stringMatching(/^[+-]?\d{0,90}$/),
  fc.stringMatching(/^[+-]?\d{0,30}\.?\d{0,30}([eE][+-]?\d{1,2})?$/),
  fc
    .tuple(fc.constantFrom(31n, 63n, 64n, 255n), fc.bigInt(-2n, 2n))
    .map(([bits, by]) => `${2n ** bits + by}`),
);

describe('a parameter that anything is given for', () => {
  test.each([
    [
      'position',
      { marketId: plain },
      'openVolume',
      isWholeWithin(/^[+-]?\d+$/, -(2n ** 63n), 2n ** 63n - 1n),
    ],
    ['position', { marketId: plain, openVolume: '1' }, 'collateralAvailable', isDecimalOrNothing],
    ['position', { openVolume: '1' }, 'marketId', (text: string) => text !== '' && !text.includes('\0')],
    ['fee', { marketId: plain, size: '1' }, 'price', isWholeWithin(/^[+-]?\d+$/, 1n, 2n ** 255n - 1n)],
    ['fee', { marketId: plain, price: '1' }, 'size', isWholeWithin(/^\d+$/, 1n, 2n ** 64n - 1n)],
  ])('is taken, or named with its value: %s with %o and %s', async (kind, given, name, accepts) => {
    const property = fc.asyncProperty(numberLike, async (text) => {
      const query = new URLSearchParams({ ...given, [name]: text });
      const { status, body } = await gateway.rest(`/api/v2/estimate/${kind}?${query}`);
      expect([text, status]).toEqual([text, statusOf(name, text, accepts)]);
      if (status === 200) return;
      if (status === 404) {
        expect(body.message).toBe(`There is no market with id ${JSON.stringify(text)}.`);
        return;
      }
      const start = JSON.stringify([...text].slice(0, 20).join('')).slice(0, -1);
      // A value that cannot be read is shown as it was sent, escaped; a blank one is none.
      const message = text.includes('\0')
        ? `Parameter "${name}" is written `
        : `Parameter ${name} is ${text === '' ? 'missing; it takes ' : start}`;
      expect([body.code, body.message.slice(0, message.length)]).toEqual([3, message]);
      expect(body.details[0].fieldViolations[0].field).toBe(name);
    });
    await fc.assert(property, RUNS);
  });

  test.each(['1e400', '-1e-401', `1${'0'.repeat(400)}`, '1e2147483647', '1e-99999999999999999999'])(
    'is refused above 400 digits: %s',
    async (text) => {
      const query = new URLSearchParams({ marketId: plain, openVolume: '1', collateralAvailable: text });
      const { status, body } = await gateway.rest(`/api/v2/estimate/position?${query}`);
      expect([status, body.code]).toEqual([400, 3]);
      expect(body.message).toMatch(/^Parameter collateralAvailable is .*at most 400 digits/);
    },
  );
});

describe('a variable that anything is given for', () => {
  test.each([
    [POSITION, { marketId: plain }, 'openVolume'],
    [POSITION, { marketId: plain, openVolume: '1' }, 'collateralAvailable'],
    [POSITION, { marketId: plain, openVolume: '1' }, 'orders'],
    [POSITION, { openVolume: '1' }, 'marketId'],
    [FEE, { marketId: plain, size: '1' }, 'price'],
    [FEE, { marketId: plain, price: '1' }, 'size'],
  ])('is taken, or named: %#', async (operation, given, name) => {
    const property = fc.asyncProperty(fc.oneof(numberLike, fc.jsonValue()), async (value) => {
      expectTakenOrNamed(name, await gateway.graphql(operation, { ...given, [name]: value }));
    });
    await fc.assert(property, RUNS);
  });

  test('is an order: taken, or named', async () => {
    const any = fc.oneof(numberLike, fc.jsonValue());
    const order = fc.record({
      side: fc.oneof({ weight: 5, arbitrary: fc.constantFrom('SIDE_BUY', 'SIDE_SELL') }, any),
      type: fc.oneof({ weight: 5, arbitrary: fc.constantFrom('TYPE_LIMIT', 'TYPE_MARKET') }, any),
      remaining: fc.oneof({ weight: 5, arbitrary: fc.constantFrom('0', '7', '18446744073709551615') }, any),
      price: fc.oneof({ weight: 5, arbitrary: fc.constantFrom('10', '0', null) }, any),
    });
    const property = fc.asyncProperty(fc.array(order, { maxLength: 4 }), async (orders) => {
      const variables = { marketId: plain, openVolume: '1', collateralAvailable: '1', orders };
      expectTakenOrNamed('orders', await gateway.graphql(POSITION, variables));
    });
    await fc.assert(property, RUNS);
  });
});

/** Bad requests are 400 and name the variable; arguments that no estimate can be made from are named by resolvers. */
function expectTakenOrNamed(name: string, { status, data, errors }: GraphqlAnswer) {
  if (errors === undefined) {
    expect([status, Object.values(data)]).toEqual([200, [expect.any(Object)]]);
    return;
  }
  const [{ message, extensions } = { message: '', extensions: { code: '' } }] = errors;
  expect(status).toBe(data === undefined ? 400 : 200);
  if (extensions.code === 'NOT_FOUND') return expect(name).toBe('marketId');
  if (extensions.code === 'FAILED_PRECONDITION')
    return expect(message).toContain('the orders close the position');
  expect(extensions.code).toBe('INVALID_ARGUMENT');
  expect(message).toMatch(new RegExp(`^(Variable "\\$${name}" |${name}\\b|variables holds a NUL character)`));
}

/** Any text is an id, though of no market here. */
function statusOf(name: string, text: string, accepts: (text: string) => boolean): number {
  if (!accepts(text)) return 400;
  return name === 'marketId' ? 404 : 200;
}

function isWholeWithin(syntax: RegExp, min: bigint, max: bigint) {
  return (text: string): boolean => {
    if (!syntax.test(text)) return false;
    const magnitude = BigInt(text.replace(/^[+-]/, ''));
    const value = text.startsWith('-') ? -magnitude : magnitude;
    return value >= min && value <= max;
  };
}

/** As the reference's grammar has it; nothing that is given here has more than 400 digits. */
function isDecimalOrNothing(text: string): boolean {
  return (
    text === '' ||
    (/^[+-]?[\d.]+([eE][+-]?\d+)?$/.test(text) && /^[^.]*\d|\.\d/.test(text) && text.split('.').length < 3)
  );
}
