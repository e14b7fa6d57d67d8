import type { EstimateTerms } from '../data/queries/estimate-terms.ts';
import { EstimateInputError, EstimatePreconditionError } from '../domain/estimates/errors.ts';
import type { PositionTerms, Product } from '../domain/estimates/market-terms.ts';
import { GatewayError, invalidArgument, notFound } from '../errors.ts';
import type { GatewayContext } from './context.ts';

/** What both estimates need of a market. Throws NOT_FOUND saying what is not there, or FAILED_PRECONDITION. */
export async function findMarket({ estimateTerms }: GatewayContext, marketId: string): Promise<FoundMarket> {
  const terms = await estimateTerms(marketId);
  if (terms === null) throw notFound('market', marketId);
  const { market, asset, riskFactor, marketData } = terms;
  if (!isTraded(market)) {
    const message = `Market ${JSON.stringify(marketId)} trades a product that this version does not know: nothing of it can be estimated.`;
    throw new GatewayError('FAILED_PRECONDITION', message);
  }
  const { assetId, product } = market;
  if (asset === null)
    throw assetMissing(marketId, assetId, product.kind === 'spot' ? 'pays with' : 'settles in');
  return { market, asset, riskFactor, marketData };
}

interface FoundMarket extends Omit<EstimateTerms, 'market' | 'asset'> {
  readonly market: TradedMarket;
  readonly asset: NonNullable<EstimateTerms['asset']>;
}

type TradedMarket = EstimateTerms['market'] & { readonly assetId: string; readonly product: Product };

function isTraded(market: EstimateTerms['market']): market is TradedMarket {
  return market.product !== null && market.assetId !== null;
}

/** What a position estimate needs of it. Throws NOT_FOUND saying what is not there, or FAILED_PRECONDITION for a market without positions. */
export function withPositions({ market, asset, riskFactor, marketData }: FoundMarket): PositionTerms {
  const { id } = market;
  const refuse = (reason: string) =>
    new GatewayError('FAILED_PRECONDITION', `Market ${JSON.stringify(id)} ${reason}`);
  if (market.product.kind === 'spot')
    throw refuse('is a spot market: it has no positions, and so no margin to estimate.');
  if (!isMargined(market)) throw refuse('has no scaling factors of its margin: the network sent none.');
  if (riskFactor === null) throw notFound('risk factors', id, notYet('risk factors', id));
  if (marketData === null) throw notFound('market data', id, notYet('market data', id));
  return { market, asset, riskFactor, marketData };
}

function isMargined(market: TradedMarket): market is TradedMarket & PositionTerms['market'] {
  const { product, searchLevel, initialMargin, collateralRelease } = market;
  return (
    product.kind !== 'spot' && searchLevel !== null && initialMargin !== null && collateralRelease !== null
  );
}

function assetMissing(id: string, assetId: string, verb: string): GatewayError {
  const [market, asset] = [JSON.stringify(id), JSON.stringify(assetId)];
  const message = `Market ${market} ${verb} asset ${asset}, which the network has not announced.`;
  return notFound('asset', assetId, message);
}

function notYet(what: string, marketId: string): string {
  return `There are no ${what} of market ${JSON.stringify(marketId)} yet.`;
}

/** Runs an estimate; what the arguments bring about is the client's to know. */
export function answering<T>(estimate: () => T): T {
  try {
    return estimate();
  } catch (error) {
    if (error instanceof EstimateInputError) throw invalidArgument(error.field, error.message);
    if (error instanceof EstimatePreconditionError)
      throw new GatewayError('FAILED_PRECONDITION', error.message);
    throw error;
  }
}
