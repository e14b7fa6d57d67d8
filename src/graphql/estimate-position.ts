import { marginModes } from '../domain/enumerations.ts';
import { estimateInMode, type ModeQuestion } from '../domain/estimates/estimate-in-mode.ts';
import { estimatePosition } from '../domain/estimates/estimate-position.ts';
import type { OpenOrder } from '../domain/estimates/position.ts';
import { invalidArgument } from '../errors.ts';
import { builder, defineQueries } from './builder.ts';
import { COST_OF, costs, lengthOf } from './costs.ts';
import { answering, findMarket, withPositions } from './estimate-market.ts';
import { describeEstimate, OpenOrderInput, PositionEstimate } from './position-estimate.ts';
import { from } from './sources.ts';

/** What one estimate may take into account: a bound on the work of one field. */
const MAX_ORDERS = 500;

/** The arguments that a position in a margin mode has. Where any but the last is given it is one. */
const modeArgs = builder.args((t) => ({
  marginMode: t.field({
    type: 'MarginMode',
    description:
      'The margin mode of the party in the market. Where it is unspecified, the levels are those of cross margin, and the margin account alone is weighed.',
  }),
  averageEntryPrice: t.field({
    type: 'Decimal',
    description:
      'The price at which the position was entered, on average, in market decimals; `"0"` if there is none. It counts in isolated margin mode and in fully collateralised markets. Required with a margin mode or a balance.',
  }),
  marginAccountBalance: t.field({
    type: 'Decimal',
    description:
      "The balance of the party's margin account in the market, in the settlement asset's smallest unit. Required with a margin mode.",
  }),
  orderMarginAccountBalance: t.field({
    type: 'Decimal',
    description:
      "The balance of the party's order margin account in the market, in the settlement asset's smallest unit. Required with a margin mode.",
  }),
  generalAccountBalance: t.field({
    type: 'Decimal',
    description:
      "The balance of the party's general account, in the settlement asset's smallest unit. Required in cross margin mode, in which alone it counts.",
  }),
  marginFactor: t.field({
    type: 'Decimal',
    description:
      'The part of the value of the position that is its margin. Required in isolated margin mode, in which alone it counts.',
  }),
  includeRequiredPositionMarginInAvailableCollateral: t.field({
    type: 'Boolean',
    description:
      'Whether the margin that the position requires is weighed in place of the balance of the margin account; false if it is not given. It counts in isolated margin mode.',
  }),
  scaleLiquidationPriceToMarketDecimals: t.field({
    type: 'Boolean',
    description:
      "Whether liquidation prices are in market decimals, and whole, instead of the settlement asset's smallest unit; false if it is not given. By itself it names no margin mode.",
  }),
}));

defineQueries((t) => ({
  estimatePosition: t.field({
    extensions: {
      ...costs({
        each: COST_OF.part,
        page: { rows: (argument) => lengthOf(argument('orders')), row: COST_OF.row },
      }).extensions,
      ...from({ kind: 'computed', check: checkQuestion }).extensions,
    },
    type: PositionEstimate,
    nullable: true,
    description:
      'The margin that a position would need in a market as it is now, and the prices at which it would be closed out. Null if it cannot be estimated; an error then says why. With a margin mode it is the estimate of the newest release of the network; without, that of release 0.71, which knows futures alone: other products are then estimated in cross margin mode.',
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
          "The collateral for the position, in the settlement asset's smallest unit. Without it there are no liquidation prices. Not to be given with a margin mode, which weighs balances.",
      }),
      ...modeArgs,
      orders: t.arg({
        type: [OpenOrderInput],
        description: `A list of the party's open orders in the market, at most ${MAX_ORDERS}.`,
      }),
    },
    async resolve(_, args, context) {
      checkQuestion(args);
      const { marketId, openVolume, collateralAvailable, orders: given, ...mode } = args;
      const orders = readOrders(given ?? []);
      const named = namedFirst(mode);
      const found = await findMarket(context, marketId);
      const asked = { openVolume, orders, ...withPositions(found) };
      if (named === null) {
        const { scaleLiquidationPriceToMarketDecimals } = mode;
        const estimate = answering(() =>
          estimatePosition({ collateralAvailable, scaleLiquidationPriceToMarketDecimals, ...asked }),
        );
        return describeEstimate(estimate, found.market);
      }
      const estimate = answering(() => estimateInMode({ ...asked, ...readMode(mode) }));
      return describeEstimate(estimate, found.market);
    },
  }),
}));

/** Throws INVALID_ARGUMENT for arguments that cannot be given together, or for orders that are none. */
function checkQuestion({
  marketId: _,
  openVolume: __,
  collateralAvailable,
  orders,
  ...mode
}: QuestionArgs): void {
  readOrders(orders ?? []);
  const named = namedFirst(mode);
  if (named !== null) refuseCollateral(collateralAvailable, named);
}

interface QuestionArgs extends ModeArgs {
  readonly marketId: unknown;
  readonly openVolume: unknown;
  readonly collateralAvailable?: unknown;
  readonly orders?: readonly (typeof OpenOrderInput.$inferInput)[] | null | undefined;
}

/** As GraphQL gives them: null as well as undefined is not given. */
type ModeArgs = { readonly [Name in keyof ModeQuestion]?: ModeQuestion[Name] | null | undefined };

function readMode(mode: ModeArgs): ModeQuestion {
  return {
    marginMode: mode.marginMode ?? marginModes.numbers.MARGIN_MODE_UNSPECIFIED,
    averageEntryPrice: mode.averageEntryPrice ?? null,
    marginAccountBalance: mode.marginAccountBalance ?? null,
    orderMarginAccountBalance: mode.orderMarginAccountBalance ?? null,
    generalAccountBalance: mode.generalAccountBalance ?? null,
    marginFactor: mode.marginFactor ?? null,
    includeRequiredPositionMarginInAvailableCollateral:
      mode.includeRequiredPositionMarginInAvailableCollateral ?? false,
    scaleLiquidationPriceToMarketDecimals: mode.scaleLiquidationPriceToMarketDecimals ?? false,
  };
}

/** The first argument of a margin mode that is given; null where none is. The decimals of prices are asked of release 0.73, too, which has no modes. */
function namedFirst({ scaleLiquidationPriceToMarketDecimals: _, ...mode }: ModeArgs): string | null {
  const given = Object.entries(mode).find(([, value]) => value !== undefined && value !== null);
  return given?.[0] ?? null;
}

/** What was one amount is several balances now: together they would say two things. */
function refuseCollateral(collateralAvailable: unknown, named: string): void {
  if (collateralAvailable === undefined || collateralAvailable === null) return;
  const reason = `it cannot be given together with ${named}: in a margin mode the balances of accounts are weighed`;
  throw invalidArgument('collateralAvailable', `collateralAvailable: ${reason}.`);
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
