import { expect, test } from 'vitest';
import { limitsOf } from '../plots/margin-limits.ts';

const CURVE = {
  points: [
    { openVolume: '-20', initialMargin: '900', maintenanceMargin: '800', liquidation: '150000' },
    { openVolume: '-10', initialMargin: '450', maintenanceMargin: '400', liquidation: '900000' },
    { openVolume: '0', initialMargin: '0', maintenanceMargin: '0', liquidation: null },
    { openVolume: '10', initialMargin: '440', maintenanceMargin: '390', liquidation: null },
    { openVolume: '20', initialMargin: '880', maintenanceMargin: '790', liquidation: '20000' },
  ],
  collateral: '500',
  unit: { symbol: 'tUSD', decimals: 2 },
  volumeDecimals: 1,
  markPrice: '100000',
  highestPrice: null,
  isFullyCollateralised: false,
} as const;

test('says what a curve covers, and where there is no liquidation price or none is drawn', () => {
  expect(limitsOf(CURVE)).toEqual([
    'Estimated are 5 open volumes from −2 to 2 contracts, each with all of the market’s slippage.',
    'The collateral of 5 tUSD covers the initial margin of those from −1 to 1.',
    'A volume of zero is no position: it has no liquidation price.',
    'No price above zero closes out long positions from 1 to 1: they have none either.',
    'Liquidation prices of more than 3 times the mark price are not drawn, but can be read.',
  ]);
});

test('tells long positions that are closed out at once from those that no price closes out', () => {
  const points = CURVE.points.map((point) => ({ ...point, liquidation: null }));
  expect(limitsOf({ ...CURVE, points }).slice(3)).toEqual([
    'No price above zero closes out short positions from −1 to −1: they have none either.',
    'At no price is the maintenance margin covered of short positions from −2 to −2: they are closed out at once.',
    'No price above zero closes out long positions from 1 to 1: they have none either.',
    'At no price is the maintenance margin covered of long positions from 2 to 2: they are closed out at once.',
  ]);
  expect(limitsOf({ ...CURVE, points, isFullyCollateralised: true }).slice(3)).toEqual([
    'No price above zero closes out short positions from −2 to −1: they have none either.',
    'No price above zero closes out long positions from 1 to 2: they have none either.',
  ]);
});

test('says that all or none is covered, and that a capped future has a highest price', () => {
  const cover = (collateral: string) => limitsOf({ ...CURVE, collateral })[1];
  expect(cover('900')).toBe('The collateral of 9 tUSD covers the initial margin of all of them.');
  expect(cover('439')).toBe('The collateral of 4.39 tUSD covers the initial margin of none of them.');
  expect(limitsOf({ ...CURVE, highestPrice: '200000' }).at(-1)).toBe(
    'No price of this market passes 2,000 tUSD, so one above that closes nothing out.',
  );
});
