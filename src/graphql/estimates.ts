import type { EstimateTerms } from '../data/estimate-terms.ts';
import { EstimateInputError, EstimatePreconditionError } from '../domain/estimates/errors.ts';
import { estimatePosition } from '../domain/estimates/estimate-position.ts';
import { estimateFee, type Fees } from '../domain/estimates/fees.ts';
import type { Product } from '../domain/estimates/market-terms.ts';
import type { OpenOrder } from '../domain/estimates/position.ts';
import { GatewayError, invalidArgument, notFound } from '../errors.ts';
import { builder } from './builder.ts';
import type { GatewayContext } from './context.ts';
import { describeEstimate, OpenOrderInput, PositionEstimate } from './position-estimate.ts';
import { from } from './sources.ts';

/** What one estimate may take into account: a bound on the work of one field. */
const MAX_ORDERS = 500;

const FeeEstimate = builder.objectRef<Fees>('FeeEstimate').implement({
  description: "The fees of a trade, in the settlement asset's smallest unit.",
  fields: (t) => ({
    makerFee: t.expose('makerFee', { type: 'Integer', description: 'The fee for the maker of the trade.' }),
    infrastructureFee: t.expose('infrastructureFee', {
      type: 'Integer',
      description: 'The fee for the validators.',
    }),
    liquidityFee: t.expose('liquidityFee', {
      type: 'Integer',
      description: 'The fee for the liquidity providers.',
    }),
  }),
});

builder.queryFields((t) => ({
  estimatePosition: t.field({
    ...from({ kind: 'computed' }),
    type: PositionEstimate,
    nullable: true,
    description:
      'The margin that a position would need in a market as it is now, and the prices at which it would be closed out. Null if it cannot be estimated; an error then says why.',
    args: {
      marketId: t.arg.id({ required: true, description: 'The identifier of the market of the position.' }),
      openVolume: t.arg({
        type: 'Int64',
        required: true,
        description: 'The volume of the position, in position decimals; negative for a short position.',
      }),
      collateralAvailable: t.arg({
        type: 'Decimal',
        description:
          "The collateral for the position, in the settlement asset's smallest unit. Without it there are no liquidation prices.",
      }),
      orders: t.arg({
        type: [OpenOrderInput],
        description: `A list of the party's open orders in the market, at most ${MAX_ORDERS}.`,
      }),
    },
    async resolve(_, { marketId, openVolume, collateralAvailable, ...args }, context) {
      const orders = readOrders(args.orders ?? []);
      const { market, asset, riskFactor, marketData } = await findTerms(context, marketId);
      const margined = withMargin(market);
      if (riskFactor === null) throw notFound('risk factors', market.id, notYet('risk factors', market.id));
      if (marketData === null) throw notFound('market data', market.id, notYet('market data', market.id));
      const estimate = answering(() =>
        estimatePosition({
          market: margined,
          asset,
          riskFactor,
          marketData,
          openVolume,
          collateralAvailable,
          orders,
        }),
      );
      return describeEstimate(estimate, market);
    },
  }),
  estimateFee: t.field({
    ...from({ kind: 'computed' }),
    type: FeeEstimate,
    nullable: true,
    description: 'The fees of a trade in a market. Null if they cannot be estimated; an error then says why.',
    args: {
      marketId: t.arg.id({ required: true, description: 'The identifier of the market of the trade.' }),
      price: t.arg({
        type: 'Integer',
        required: true,
        description: 'The price of the trade, in market decimals; above zero and below 2^255.',
      }),
      size: t.arg({
        type: 'Uint64',
        required: true,
        description: 'The volume of the trade, in position decimals; above zero.',
      }),
    },
    async resolve(_, { marketId, price, size }, context) {
      const { market, asset } = await findTerms(context, marketId);
      return answering(() => estimateFee({ market, asset, price, size, discounts: null }));
    },
  }),
}));

/** What both estimates need. Throws NOT_FOUND saying what is not there. */
async function findTerms({ estimateTerms }: GatewayContext, marketId: string) {
  const terms = await estimateTerms(marketId);
  if (terms === null) throw notFound('market', marketId);
  const { asset, ...rest } = terms;
  const { assetId, product } = terms.market;
  if (product === null || assetId === null) {
    const message = `Market ${JSON.stringify(marketId)} trades a product that this version does not know: nothing of it can be estimated.`;
    throw new GatewayError('FAILED_PRECONDITION', message);
  }
  if (asset === null)
    throw assetMissing(marketId, assetId, product?.kind === 'spot' ? 'pays with' : 'settles in');
  return { ...rest, market: { ...terms.market, assetId, product }, asset };
}

function assetMissing(id: string, assetId: string, verb: string): GatewayError {
  const [market, asset] = [JSON.stringify(id), JSON.stringify(assetId)];
  const message = `Market ${market} ${verb} asset ${asset}, which the network has not announced.`;
  return notFound('asset', assetId, message);
}

/** A market where positions have margin. Throws FAILED_PRECONDITION for others. */
function withMargin<Terms extends EstimateTerms['market'] & { readonly product: Product }>(market: Terms) {
  const { id, product, searchLevel, initialMargin, collateralRelease } = market;
  const refuse = (reason: string) =>
    new GatewayError('FAILED_PRECONDITION', `Market ${JSON.stringify(id)} ${reason}`);
  if (product.kind === 'spot')
    throw refuse('is a spot market: it has no positions, and so no margin to estimate.');
  if (searchLevel === null || initialMargin === null || collateralRelease === null)
    throw refuse('has no scaling factors of its margin: the network sent none.');
  return { ...market, product, searchLevel, initialMargin, collateralRelease };
}

function notYet(what: string, marketId: string): string {
  return `There are no ${what} of market ${JSON.stringify(marketId)} yet.`;
}

function readOrders(orders: readonly (typeof OpenOrderInput.$inferInput)[]): readonly OpenOrder[] {
  if (orders.length > MAX_ORDERS) {
    throw invalidArgument('orders', `orders takes at most ${MAX_ORDERS} orders, not ${orders.length}.`);
  }
  return orders.map(({ side, type, remaining, price: given }, index) => {
    const price = given ?? null;
    const field = `orders[${index}].price`;
    if (type === 'TYPE_LIMIT' && price === null)
      throw invalidArgument(field, `${field} is missing: a limit order has a price.`);
    if (type === 'TYPE_MARKET' && price !== null)
      throw invalidArgument(field, `${field} is ${price}: a market order has no price, leave it out.`);
    return { side, remaining, price };
  });
}

/** Runs an estimate; what the arguments bring about is the client's to know. */
function answering<T>(estimate: () => T): T {
  try {
    return estimate();
  } catch (error) {
    if (error instanceof EstimateInputError) throw invalidArgument(error.field, error.message);
    if (error instanceof EstimatePreconditionError)
      throw new GatewayError('FAILED_PRECONDITION', error.message);
    throw error;
  }
}
