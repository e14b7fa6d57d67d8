import { existsSync, readFileSync } from 'node:fs';
import type { PositionEstimate } from '../../src/domain/estimates/estimate-position.ts';
import type { Fees } from '../../src/domain/estimates/fees.ts';
import type { LiquidationPrices } from '../../src/domain/estimates/liquidation.ts';
import { assetIdOf, type MarketTerms, marketIdOf } from './estimate-markets.ts';

const file = new URL('../../../shared/data/estimate-vectors.json', import.meta.url);

/** Whether the reference vectors are there. They lie beside the project, not in it. */
export const hasVectors = existsSync(file);
if (!hasVectors) console.warn('Not there: ../shared/data/estimate-vectors.json. Its tests are skipped.');

const vectors: readonly Vector[] = hasVectors ? JSON.parse(readFileSync(file, 'utf8')).vectors : [];

/** `rest` ones can be asked over REST; `grpc-orders` ones have open orders. */
export const positionVectors = vectors.filter((vector) => vector.op === 'estimate-position');
export const feeVectors = vectors.filter((vector) => vector.op === 'estimate-fee');
/** Vectors of the bare functions: one scenario, prices in the asset's own units. */
export const riskVectors = vectors.filter((vector) => vector.op === 'risk-function');

const scaledExactly = {
  maintenanceMargin: '1',
  searchLevel: '1',
  initialMargin: '1',
  collateralReleaseLevel: '1',
};

/**
 * What our estimate of a vector is. It differs from the reference in one: market decimals above asset decimals make
 * the reference's price factor 0, where we scale exactly.
 */
export function estimateOf({ id, expected }: PositionVector) {
  const levels = (scenario: 'worstCase' | 'bestCase') => ({
    ...(id === 'R-33' ? scaledExactly : expected.margin[scenario]),
    partyId: '',
    marketId: marketIdOf(id),
    asset: assetIdOf(id),
    timestamp: '0',
  });
  return {
    margin: { worstCase: levels('worstCase'), bestCase: levels('bestCase') },
    liquidation: expected.liquidation,
  };
}

type Vector = PositionVector | FeeVector | RiskVector;

export interface PositionVector {
  readonly id: string;
  readonly op: 'estimate-position';
  readonly group: string;
  readonly via: 'rest' | 'grpc-orders';
  readonly inputs: Required<Omit<MarketTerms, 'makerFee' | 'infrastructureFee' | 'liquidityFee'>> & {
    readonly openVolume: string;
    readonly orders: readonly VectorOrder[];
    readonly collateralAvailable?: string;
  };
  readonly expected: PositionEstimate & { readonly error?: string };
}

export interface FeeVector {
  readonly id: string;
  readonly op: 'estimate-fee';
  readonly inputs: MarketTerms & { readonly price: string; readonly size: string };
  readonly expected: { readonly fee: Fees; readonly error?: string };
}

export interface RiskVector {
  readonly id: string;
  readonly op: 'risk-function';
  readonly inputs: {
    readonly markPrice: string;
    readonly positionFactor: string;
    readonly openVolume: string;
    readonly orders: readonly VectorOrder[];
    readonly linearSlippageFactor: string;
    readonly quadraticSlippageFactor: string;
    readonly riskFactorLong: string;
    readonly riskFactorShort: string;
    readonly auction: boolean;
    readonly collateralAvailable?: string;
  };
  readonly expected: {
    readonly maintenanceMargin: string;
    readonly liquidation?: LiquidationPrices;
    readonly liquidationError?: string;
  };
}

export interface VectorOrder {
  readonly side: 'SIDE_BUY' | 'SIDE_SELL';
  readonly remaining: string;
  readonly price: string;
  readonly isMarketOrder: boolean;
}
