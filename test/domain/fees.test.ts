import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { EstimateInputError, UntoldFactorError } from '../../src/domain/estimates/errors.ts';
import { estimateFee, type FeeEstimateInput } from '../../src/domain/estimates/fees.ts';

describe('a fee estimate', () => {
  const input = (changes: Partial<FeeEstimateInput> = {}): FeeEstimateInput => ({
    market: {
      decimalPlaces: 2,
      positionDecimalPlaces: 1,
      makerFee: '0.0002',
      infrastructureFee: '0.00025',
      liquidityFee: '0.001',
      treasuryFee: null,
      buyBackFee: null,
    },
    asset: { decimals: 3 },
    price: '1000',
    size: 20n,
    discounts: null,
    ...changes,
  });

  test('rounds each fee to the nearest whole number, halves up', () => {
    expect(estimateFee(input())).toEqual({ makerFee: '4', infrastructureFee: '5', liquidityFee: '20' });
    expect(estimateFee(input({ size: 50n }))).toEqual({
      makerFee: '10',
      infrastructureFee: '13',
      liquidityFee: '50',
    });
    expect(estimateFee(input({ size: 49n }))).toEqual({
      makerFee: '10',
      infrastructureFee: '12',
      liquidityFee: '49',
    });
  });

  test('cuts the price to whole units of the asset where the market has more decimals', () => {
    const { market } = input();
    const changes = {
      market: { ...market, positionDecimalPlaces: 0, makerFee: '1' },
      asset: { decimals: 0 },
    };
    expect(estimateFee(input({ ...changes, price: '199', size: 100n })).makerFee).toBe('100');
    expect(estimateFee(input({ ...changes, price: '99', size: 100n })).makerFee).toBe('0');
  });

  test('rounds the value of the trade to 16 places before the fees are taken', () => {
    const market = { ...input().market, decimalPlaces: 0, positionDecimalPlaces: 17, makerFee: '1e17' };
    expect(estimateFee(input({ market, asset: { decimals: 0 }, price: '1', size: 5n })).makerFee).toBe('10');
  });

  test('does not wrap where a value exceeds 256 bits', () => {
    const changes = { price: `1${'0'.repeat(76)}`, size: 10n ** 18n };
    expect(estimateFee(input(changes)).liquidityFee).toBe(`1${'0'.repeat(91)}`);
  });

  test.each([
    ['price', '"1.5" is not a whole number.', { price: '1.5' }],
    ['price', '"" is not a whole number.', { price: '' }],
    ['price', '0 is not above 0.', { price: '0' }],
    ['price', '-5 is not above 0.', { price: '-5' }],
    ['price', `${2n ** 255n} is not below 2^255.`, { price: String(2n ** 255n) }],
    ['size', '0 is not above 0.', { size: 0n }],
    ['size', '-1 is not above 0.', { size: -1n }],
  ])('names %s: %s', (field, complaint, changes) => {
    expect(() => estimateFee(input(changes))).toThrow(new EstimateInputError(field, complaint));
  });

  test('agrees with whole-number arithmetic', () => {
    const terms = fc.record({
      price: fc.bigInt({ min: 1n, max: 2n ** 255n - 1n }),
      size: fc.bigInt({ min: 1n, max: 2n ** 64n - 1n }),
      // Fifteen digits at most, so that the factor is the same number as a double.
      factor: fc.bigInt({ min: 0n, max: 10n ** 15n - 1n }),
      marketDecimals: fc.integer({ min: 0, max: 10 }),
      assetDecimals: fc.integer({ min: 0, max: 18 }),
      positionDecimals: fc.integer({ min: -6, max: 6 }),
    });
    fc.assert(
      fc.property(terms, ({ price, size, factor, marketDecimals, assetDecimals, positionDecimals }) => {
        const fee = `${factor}e-15`;
        const { makerFee, infrastructureFee, liquidityFee } = estimateFee({
          market: {
            decimalPlaces: marketDecimals,
            positionDecimalPlaces: positionDecimals,
            makerFee: fee,
            infrastructureFee: fee,
            liquidityFee: fee,
            treasuryFee: null,
            buyBackFee: null,
          },
          asset: { decimals: assetDecimals },
          price: price.toString(),
          size,
          discounts: null,
        });
        const assetPrice = (price * 10n ** BigInt(assetDecimals)) / 10n ** BigInt(marketDecimals);
        const divisor = 10n ** BigInt(15 + positionDecimals + 6);
        const exact = assetPrice * size * factor * 10n ** 6n;
        const nearest = (2n * exact + divisor) / (2n * divisor);
        expect([makerFee, infrastructureFee, liquidityFee]).toEqual(Array(3).fill(nearest.toString()));
      }),
    );
  });
});

describe('a fee estimate where treasury and buy-back are paid, from release 0.78 on', () => {
  const factors = {
    decimalPlaces: 0,
    positionDecimalPlaces: 0,
    makerFee: '0.001',
    infrastructureFee: '0.0011',
    liquidityFee: '0',
    treasuryFee: '0.0001',
    buyBackFee: '0.002',
  };
  const input = (changes: Partial<FeeEstimateInput> = {}): FeeEstimateInput => ({
    market: factors,
    asset: { decimals: 0 },
    price: '1000',
    size: 1n,
    discounts: null,
    ...changes,
  });

  test('is the next whole number up, and has both on top', () => {
    expect(estimateFee(input())).toEqual({
      makerFee: '1',
      infrastructureFee: '2',
      liquidityFee: '0',
      treasuryFee: '1',
      buyBackFee: '2',
    });
  });

  test('cuts the price to whole units of the asset before it is multiplied', () => {
    const market = { ...factors, decimalPlaces: 2, makerFee: '1' };
    expect(estimateFee(input({ market, price: '199', size: 100n })).makerFee).toBe('100');
  });

  test('takes the referral off first, then the volume off what is left, each cut to whole units', () => {
    const discounts = {
      referral: { maker: '0.1', infrastructure: '0.5', liquidity: '0' },
      volume: { maker: '0.1', infrastructure: '1', liquidity: '1' },
    };
    expect(estimateFee(input({ price: '19000', discounts }))).toEqual({
      // 19 less 1.9, less 1.8
      makerFee: '17',
      // 21 less 10.5, less 11
      infrastructureFee: '0',
      liquidityFee: '0',
      treasuryFee: '2',
      buyBackFee: '38',
      discounts: {
        makerFeeReferrerDiscount: '1',
        makerFeeVolumeDiscount: '1',
        infrastructureFeeReferrerDiscount: '10',
        infrastructureFeeVolumeDiscount: '11',
        liquidityFeeReferrerDiscount: '0',
        liquidityFeeVolumeDiscount: '0',
      },
    });
  });

  test('tells discounts of nothing to a party that has none', () => {
    const fees = estimateFee(input({ discounts: { referral: null, volume: null } }));
    expect(fees.makerFee).toBe('1');
    expect(new Set(Object.values(fees.discounts ?? {}))).toEqual(new Set(['0']));
  });

  test.each(['treasuryFee', 'buyBackFee'])('is not told while the %s is not', (factor) => {
    const estimate = () => estimateFee(input({ market: { ...factors, [factor]: null } }));
    expect(estimate).toThrow(new UntoldFactorError(factor, 'not all that a trade pays is known'));
  });

  test('has no discounts where neither is told, which is an older release', () => {
    const older = { ...factors, treasuryFee: null, buyBackFee: null };
    expect(estimateFee(input({ market: older }))).toEqual({
      makerFee: '1',
      infrastructureFee: '1',
      liquidityFee: '0',
    });
    const discounts = { referral: null, volume: null };
    expect(() => estimateFee(input({ market: older, discounts }))).toThrow(UntoldFactorError);
  });
});
