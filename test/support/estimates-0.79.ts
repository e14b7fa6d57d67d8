import { existsSync, readFileSync } from 'node:fs';
import { decimalOfDouble, roundDecimal } from '../../src/domain/decimals.ts';
import { marginModes, marketTradingModes } from '../../src/domain/enumerations.ts';
import type { ModeEstimateInput } from '../../src/domain/estimates/estimate-in-mode.ts';
import type { FeeEstimateInput } from '../../src/domain/estimates/fees.ts';
import type { MarginedProduct, MarketPrices } from '../../src/domain/estimates/market-terms.ts';

/*
 * Estimates that release 0.79.0 of the network computed by its own code. They lie beside the project, not in it. The
 * market, its data, risk factors and asset are protobuf JSON, from which the terms of an estimate are read here as
 * ingest keeps them.
 */
const folder = new URL('../../../shared/data/estimates-0.79/', import.meta.url);

/** Whether the vectors are there. */
export const hasVectors079 = existsSync(folder);
if (!hasVectors079) console.warn('Not there: ../shared/data/estimates-0.79. Its tests are skipped.');

export const positionVectors079: readonly PositionVector079[] = read('position-estimates-0.79.json');
export const feeVectors079: readonly FeeVector079[] = read('fee-estimates-0.79.json');

/** The terms and arguments of a vector; `riskFactor` and `marketData` where it has them. A spot market has no such terms. */
export function positionInputOf(vector: PositionVector079): ModeEstimateInput {
  const { request, riskFactor, marketData } = vector;
  const product = productOf(vector.market.tradableInstrument.instrument);
  if (product === null) throw new Error(`${vector.id} is of a spot market`);
  return {
    market: { ...marketOf(vector.market), product },
    asset: assetOf(vector.asset),
    riskFactor: {
      long: roundDecimal(riskFactor?.long ?? '0', 16),
      short: roundDecimal(riskFactor?.short ?? '0', 16),
    },
    marketData: pricesOf(marketData ?? {}),
    openVolume: BigInt(request.openVolume),
    orders: (request.orders ?? []).map(({ side, remaining, price, isMarketOrder }) => ({
      side: side ?? 'SIDE_BUY',
      remaining: BigInt(remaining),
      price: isMarketOrder ? null : price,
    })),
    marginMode: marginModes.numbers[request.marginMode ?? 'MARGIN_MODE_UNSPECIFIED'],
    averageEntryPrice: request.averageEntryPrice ?? null,
    marginAccountBalance: request.marginAccountBalance ?? null,
    generalAccountBalance: request.generalAccountBalance ?? null,
    orderMarginAccountBalance: request.orderMarginAccountBalance ?? null,
    marginFactor: request.marginFactor ?? null,
    includeRequiredPositionMarginInAvailableCollateral:
      request.includeRequiredPositionMarginInAvailableCollateral ?? false,
    scaleLiquidationPriceToMarketDecimals: request.scaleLiquidationPriceToMarketDecimals ?? false,
  };
}

/** Throws where price or size are no numbers: what a request cannot say is refused before. */
export function feeInputOf({ market, asset, request, discounts }: FeeVector079): FeeEstimateInput {
  const { makerFee, infrastructureFee, liquidityFee, treasuryFee, buyBackFee } = market.fees.factors;
  return {
    market: {
      ...marketOf(market),
      makerFee,
      infrastructureFee,
      liquidityFee,
      treasuryFee: treasuryFee ?? null,
      buyBackFee: buyBackFee ?? null,
    },
    asset: assetOf(asset),
    price: request.price ?? '',
    size: BigInt(request.size ?? '0'),
    discounts:
      request.party === undefined
        ? null
        : {
            referral: discounts?.referralSetStatsOfPreviousEpoch ?? null,
            volume: discounts?.volumeDiscountStatsOfPreviousEpoch ?? null,
          },
  };
}

function marketOf(market: Market079): Omit<ModeEstimateInput['market'], 'product'> {
  const { marginCalculator } = market.tradableInstrument;
  const {
    searchLevel = 0,
    initialMargin = 0,
    collateralRelease = 0,
  } = marginCalculator?.scalingFactors ?? {};
  return {
    decimalPlaces: Number(market.decimalPlaces ?? '0'),
    positionDecimalPlaces: Number(market.positionDecimalPlaces ?? '0'),
    linearSlippageFactor: market.linearSlippageFactor ?? null,
    quadraticSlippageFactor: market.quadraticSlippageFactor ?? null,
    searchLevel: decimalOfDouble(searchLevel),
    initialMargin: decimalOfDouble(initialMargin),
    collateralRelease: decimalOfDouble(collateralRelease),
  };
}

/** Null for a spot. */
function productOf({
  perpetual,
  future,
}: Market079['tradableInstrument']['instrument']): MarginedProduct | null {
  if (perpetual !== undefined)
    return { kind: 'perpetual', marginFundingFactor: perpetual.marginFundingFactor || null };
  if (future === undefined) return null;
  const { maxPrice, fullyCollateralised = false } = future.cap ?? {};
  return { kind: 'future', cap: maxPrice === undefined ? null : { maxPrice, fullyCollateralised } };
}

function pricesOf(data: Partial<MarketData079>): MarketPrices {
  const funding = data.productData?.perpetualData;
  return {
    markPrice: data.markPrice ?? '0',
    indicativePrice: data.indicativePrice ?? '0',
    auctionEnd: BigInt(data.auctionEnd ?? '0'),
    marketTradingMode: marketTradingModes.numbers[data.marketTradingMode ?? 'TRADING_MODE_CONTINUOUS'],
    funding: funding ? { payment: funding.fundingPayment || null, rate: funding.fundingRate || null } : null,
  };
}

function assetOf(asset: Asset079): { readonly decimals: number } {
  return { decimals: Number(asset.details.decimals ?? '0') };
}

function read<Vector>(file: string): readonly Vector[] {
  return hasVectors079 ? JSON.parse(readFileSync(new URL(file, folder), 'utf8')) : [];
}

export interface PositionVector079 {
  readonly id: string;
  readonly group: string;
  readonly market: Market079;
  readonly marketData?: MarketData079;
  readonly riskFactor?: { readonly long: string; readonly short: string };
  readonly asset: Asset079;
  /** The messages of the network's events, in base64. */
  readonly eventBytes: EventBytes079;
  readonly request: {
    readonly marketId: string;
    readonly openVolume: string;
    readonly orders?: readonly {
      readonly side?: 'SIDE_BUY' | 'SIDE_SELL';
      readonly remaining: string;
      readonly price: string;
      readonly isMarketOrder?: boolean;
    }[];
    readonly marginMode?: keyof typeof marginModes.numbers;
    readonly averageEntryPrice?: string;
    readonly marginAccountBalance?: string;
    readonly generalAccountBalance?: string;
    readonly orderMarginAccountBalance?: string;
    readonly marginFactor?: string;
    readonly includeRequiredPositionMarginInAvailableCollateral?: boolean;
    readonly scaleLiquidationPriceToMarketDecimals?: boolean;
  };
  readonly answer?: PositionAnswer079;
  readonly error?: Error079;
}

export interface PositionAnswer079 {
  readonly margin: Cases<Readonly<Record<string, string>>>;
  readonly collateralIncreaseEstimate: Cases<string>;
  readonly liquidation: Cases<Readonly<Record<string, string>>>;
}

interface Cases<Value> {
  readonly worstCase: Value;
  readonly bestCase: Value;
}

type EventBytes079 = Readonly<Partial<Record<'asset' | 'market' | 'marketData' | 'riskFactor', string>>>;

export interface FeeVector079 {
  readonly id: string;
  readonly group: string;
  readonly eventBytes: EventBytes079;
  readonly market: Market079;
  readonly asset: Asset079;
  readonly request: {
    readonly marketId: string;
    readonly price?: string;
    readonly size?: string;
    readonly party?: string;
  };
  readonly discounts?: {
    readonly referralSetStatsOfPreviousEpoch: Discounts079 | null;
    readonly volumeDiscountStatsOfPreviousEpoch: Discounts079 | null;
  };
  readonly answer?: { readonly fee: Readonly<Record<string, string>> };
  readonly error?: Error079;
}

interface Error079 {
  readonly code: number;
  readonly message: string;
  readonly details: readonly { readonly message: string; readonly inner: string }[];
}

interface Discounts079 {
  readonly maker: string;
  readonly infrastructure: string;
  readonly liquidity: string;
}

interface Market079 {
  readonly tradableInstrument: {
    readonly instrument: {
      readonly future?: {
        readonly cap?: { readonly maxPrice: string; readonly fullyCollateralised?: boolean };
      };
      readonly perpetual?: { readonly marginFundingFactor?: string };
    };
    readonly marginCalculator?: {
      readonly scalingFactors: Readonly<
        Partial<Record<'searchLevel' | 'initialMargin' | 'collateralRelease', number>>
      >;
    };
  };
  readonly decimalPlaces?: string;
  readonly positionDecimalPlaces?: string;
  readonly linearSlippageFactor?: string;
  readonly quadraticSlippageFactor?: string;
  readonly fees: {
    readonly factors: {
      readonly makerFee: string;
      readonly infrastructureFee: string;
      readonly liquidityFee: string;
      readonly treasuryFee?: string;
      readonly buyBackFee?: string;
    };
  };
}

interface MarketData079 {
  readonly markPrice: string;
  readonly indicativePrice: string;
  readonly auctionEnd?: string;
  readonly marketTradingMode: keyof typeof marketTradingModes.numbers;
  readonly productData?: {
    readonly perpetualData: { readonly fundingPayment?: string; readonly fundingRate?: string };
  };
}

interface Asset079 {
  readonly id: string;
  readonly details: { readonly decimals?: string };
}
