import type { EstimateTerms } from '../data/queries/estimate-terms.ts';
import { EstimateInputError, EstimatePreconditionError } from '../domain/estimates/errors.ts';
import type { PositionTerms, Product } from '../domain/estimates/market-terms.ts';
import { GatewayError, invalidArgument, notFound } from '../errors.ts';
import type { GatewayContext } from './context.ts';

/** What both estimates need of a market. Throws NOT_FOUND saying what is not there, or FAILED_PRECONDITION. */
export async function findMarket({ estimateTerms }: GatewayContext, marketId: string) {
  const terms = await estimateTerms(marketId);
  if (terms === null) throw notFound('market', marketId);
  const { asset, ...rest } = terms;
  const { assetId, product } = terms.market;
  if (product === null || assetId === null) {
    const message = `Market ${JSON.stringify(marketId)} trades a product that this version does not know: nothing of it can be estimated.`;
    throw new GatewayError('FAILED_PRECONDITION', message);
  }
  if (asset === null)
    throw assetMissing(marketId, assetId, product.kind === 'spot' ? 'pays with' : 'settles in');
  return { ...rest, market: { ...terms.market, assetId, product }, asset };
}

type FoundMarket = Awaited<ReturnType<typeof findMarket>>;

/** What a position estimate needs of it. Throws NOT_FOUND saying what is not there, or FAILED_PRECONDITION for a market without positions. */
export function withPositions({ market, asset, riskFactor, marketData }: FoundMarket): PositionTerms {
  const margined = withMargin(market);
  if (riskFactor === null) throw notFound('risk factors', market.id, notYet('risk factors', market.id));
  if (marketData === null) throw notFound('market data', market.id, notYet('market data', market.id));
  return { market: margined, asset, riskFactor, marketData };
}

/** A market where positions have margin. Throws FAILED_PRECONDITION for others. */
function withMargin(
  market: EstimateTerms['market'] & { readonly product: Product },
): PositionTerms['market'] {
  const { id, product, searchLevel, initialMargin, collateralRelease } = market;
  const refuse = (reason: string) =>
    new GatewayError('FAILED_PRECONDITION', `Market ${JSON.stringify(id)} ${reason}`);
  if (product.kind === 'spot')
    throw refuse('is a spot market: it has no positions, and so no margin to estimate.');
  if (searchLevel === null || initialMargin === null || collateralRelease === null)
    throw refuse('has no scaling factors of its margin: the network sent none.');
  return { ...market, product, searchLevel, initialMargin, collateralRelease };
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
