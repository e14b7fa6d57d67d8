import { bench, describe } from 'vitest';
import { marketTradingModes } from '../../src/domain/enumerations.ts';
import {
  estimatePosition,
  type PositionEstimateInput,
} from '../../src/domain/estimates/estimate-position.ts';
import { estimateFee } from '../../src/domain/estimates/fees.ts';

// Run with `npx vitest bench trials`; the column hz is estimates per second on one core.

const market = {
  product: { kind: 'future', cap: null } as const,
  decimalPlaces: 5,
  positionDecimalPlaces: 5,
  linearSlippageFactor: '0.1',
  quadraticSlippageFactor: '0.1',
  searchLevel: '1.1',
  initialMargin: '1.2',
  collateralRelease: '1.4',
  makerFee: '0.004',
  infrastructureFee: '0.001',
  liquidityFee: '0.3',
  treasuryFee: null,
  buyBackFee: null,
};
const asset = { decimals: 18 };

const position: PositionEstimateInput = {
  market,
  asset,
  riskFactor: { long: '0.0526284506210587', short: '0.0552995358916739' },
  marketData: {
    markPrice: '97600000',
    indicativePrice: '0',
    auctionEnd: 0n,
    marketTradingMode: marketTradingModes.numbers.TRADING_MODE_CONTINUOUS,
    funding: null,
  },
  openVolume: 100000n,
};
const collateralAvailable = '250000000000000000000';
const orders = Array.from({ length: 10 }, (_, index) => ({
  side: index % 2 ? ('SIDE_BUY' as const) : ('SIDE_SELL' as const),
  remaining: 1000n * BigInt(index + 1),
  price: index === 0 ? null : String(97600000 + (index % 2 ? -100000 : 100000) * index),
}));

describe('estimates per second', () => {
  bench('a position, margins only', () => {
    estimatePosition(position);
  });
  bench('a position with collateral', () => {
    estimatePosition({ ...position, collateralAvailable });
  });
  bench('a position with collateral and ten orders', () => {
    estimatePosition({ ...position, collateralAvailable, orders });
  });
  bench('a fee', () => {
    estimateFee({ market, asset, price: '90000000', size: 100000n, discounts: null });
  });
});
