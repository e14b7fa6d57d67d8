import type { CacheTag } from '../../cache/cache-tags.ts';
import type { Funding, Product } from '../../domain/estimates/market-terms.ts';
import type { Market, MarketData } from '../generated/prisma/client.ts';
import { dependsOnNoun, dependsOnRows } from '../noun-tags.ts';
import { assets } from '../nouns/assets.ts';
import { marketData, type ProductData } from '../nouns/market-data.ts';
import { type MarketObjects, markets } from '../nouns/markets.ts';
import { riskFactors } from '../nouns/risk-factors.ts';
import type { Statements } from '../servers/statements.ts';
import { sql } from '../sql.ts';
import { statementOf } from '../templates.ts';

/** What estimates in a market are made from, all of one moment; null is what the network has not sent yet. */
export interface EstimateTerms {
  readonly market: Pick<
    Market,
    | 'id'
    | 'decimalPlaces'
    | 'positionDecimalPlaces'
    | 'makerFee'
    | 'infrastructureFee'
    | 'liquidityFee'
    | 'searchLevel'
    | 'initialMargin'
    | 'collateralRelease'
    | 'linearSlippageFactor'
    | 'quadraticSlippageFactor'
    | 'treasuryFee'
    | 'buyBackFee'
  > & {
    /** Null of a product that is not known. */
    readonly product: Product | null;
    /** What the market settles in, or pays with, if it settles in nothing; null of a product that is not known. */
    readonly assetId: string | null;
  };
  readonly asset: { readonly decimals: number } | null;
  readonly riskFactor: { readonly long: string; readonly short: string } | null;
  readonly marketData: Prices | null;
}

type Prices = Pick<MarketData, 'markPrice' | 'indicativePrice' | 'auctionEnd' | 'marketTradingMode'> & {
  readonly funding: Funding | null;
};

/** Reads the terms of many markets in one statement, by the market's id; unknown markets are not in the answer. */
export async function readEstimateTerms(
  statements: Statements,
  marketIds: readonly string[],
): Promise<ReadonlyMap<string, EstimateTerms>> {
  const rows = await statements.rows<Row>(
    statementOf(
      sql`
    SELECT
      m.id,
      coalesce(m.settlement_asset_id, m.quote_asset_id) AS "assetId",
      m.product,
      m.cap,
      m.funding,
      m.treasury_fee AS "treasuryFee",
      m.buy_back_fee AS "buyBackFee",
      m.decimal_places AS "decimalPlaces",
      m.position_decimal_places AS "positionDecimalPlaces",
      m.maker_fee AS "makerFee",
      m.infrastructure_fee AS "infrastructureFee",
      m.liquidity_fee AS "liquidityFee",
      m.search_level AS "searchLevel",
      m.initial_margin AS "initialMargin",
      m.collateral_release AS "collateralRelease",
      m.linear_slippage_factor AS "linearSlippageFactor",
      m.quadratic_slippage_factor AS "quadraticSlippageFactor",
      a.decimals,
      r.long,
      r.short,
      d.mark_price AS "markPrice",
      d.indicative_price AS "indicativePrice",
      d.auction_end AS "auctionEnd",
      d.market_trading_mode AS "marketTradingMode",
      d.product_data AS "productData"
    FROM markets AS m
    LEFT JOIN assets AS a ON a.id = coalesce(m.settlement_asset_id, m.quote_asset_id)
    LEFT JOIN risk_factors AS r ON r.market_id = m.id
    LEFT JOIN market_data AS d ON d.market_id = m.id
    WHERE m.id = ANY (${[...marketIds]}::text[])`,
      dependsOnTerms(marketIds),
    ),
  );
  return new Map(rows.map((row) => [row.id, toTerms(row)]));
}

/** What the terms of markets depend on: any asset, since which one is known only when the market is read. */
export function dependsOnTerms(marketIds: readonly string[]): readonly CacheTag[] {
  return [
    ...dependsOnRows(markets, 'id', marketIds),
    ...dependsOnRows(riskFactors, 'marketId', marketIds),
    ...dependsOnRows(marketData, 'marketId', marketIds),
    ...dependsOnNoun(assets),
  ];
}

/** The columns of a table that has no row for the market are all null. */
type Row = Omit<EstimateTerms['market'], 'product'> &
  ProductRow &
  Optional<{ decimals: number; long: string; short: string } & Omit<Prices, 'funding'>> & {
    readonly productData: ProductData | null;
  };
type ProductRow = Pick<Market, 'product'> & Pick<MarketObjects, 'cap' | 'funding'>;
type Optional<T> = { readonly [Key in keyof T]: T[Key] | null };

function toTerms(row: Row): EstimateTerms {
  const { decimals, long, short, markPrice, indicativePrice, auctionEnd, marketTradingMode, ...rest } = row;
  const { product, cap, funding, productData, ...market } = rest;
  const hasPrices =
    markPrice !== null && indicativePrice !== null && auctionEnd !== null && marketTradingMode !== null;
  return {
    market: { ...market, product: productOf({ product, cap, funding }) },
    asset: decimals === null ? null : { decimals },
    riskFactor: long === null || short === null ? null : { long, short },
    marketData: hasPrices
      ? { markPrice, indicativePrice, auctionEnd, marketTradingMode, funding: fundingOf(productData) }
      : null,
  };
}

function fundingOf(data: ProductData | null): Funding | null {
  if (data === null) return null;
  const { fundingPayment, fundingRate } = data.perpetualData;
  return { payment: fundingPayment, rate: fundingRate };
}

function productOf({ product, cap, funding }: ProductRow): Product | null {
  switch (product) {
    case 'FUTURE':
      return { kind: 'future', cap };
    case 'PERPETUAL':
      return { kind: 'perpetual', marginFundingFactor: funding?.marginFundingFactor ?? null };
    case 'SPOT':
      return { kind: 'spot' };
    default:
      return null;
  }
}
