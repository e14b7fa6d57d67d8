import { createHash } from 'node:crypto';
import { Writer } from '../../src/data/writing/writer.ts';
import { canonicalDecimal, decimalOfDouble } from '../../src/domain/decimals.ts';
import {
  assetStatuses,
  auctionTriggers,
  type MarketTradingMode,
  marketStates,
  marketTradingModes,
} from '../../src/domain/enumerations.ts';
import { applySource } from '../../src/ingest/apply.ts';
import type { EventRow, NetworkEvent } from '../../src/ingest/events.ts';
import { PLAIN_FUTURE, sourceOf } from './events.ts';

/** What estimates look at of a market; the rest of it is made up. */
export interface MarketTerms {
  readonly assetDecimals: number;
  readonly marketDecimals: number;
  readonly positionDecimalPlaces: number;
  readonly markPrice?: string;
  readonly indicativePrice?: string;
  readonly auctionEnd?: string;
  readonly marketTradingMode?: MarketTradingMode;
  /** Null is what the network never told, like the quadratic one. */
  readonly linearSlippageFactor?: string | null;
  readonly quadraticSlippageFactor?: string | null;
  readonly riskFactorLong?: string;
  readonly riskFactorShort?: string;
  readonly searchLevel?: number;
  readonly initialMargin?: number;
  readonly collateralRelease?: number;
  readonly makerFee?: string;
  readonly infrastructureFee?: string;
  readonly liquidityFee?: string;
  /** What else is not as of a plain future. */
  readonly market?: Partial<EventRow<'market'>>;
}

type Part = 'asset' | 'market' | 'riskFactor' | 'marketData';

/** The id of a test's market: 64 hexadecimal digits, as the network's own have. */
export function marketIdOf(name: string): string {
  return idOf(`market ${name}`);
}

export function assetIdOf(name: string): string {
  return idOf(`asset ${name}`);
}

function idOf(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

/** The events that tell of a market, or of some parts of it only. */
export function marketEvents(
  name: string,
  terms: MarketTerms,
  parts: readonly Part[] = ['asset', 'market', 'riskFactor', 'marketData'],
): readonly NetworkEvent[] {
  const events = [
    assetOf(name, terms),
    marketOf(name, terms),
    riskFactorOf(name, terms),
    dataOf(name, terms),
  ];
  return events.filter(({ type }) => parts.some((part) => part === type));
}

/** Applies events to a database as the first block of a network. */
export async function applyFirstBlock(databaseUrl: string, events: readonly NetworkEvent[]): Promise<void> {
  await using writer = await Writer.open(databaseUrl);
  await applySource(
    sourceOf([
      { type: 'beginBlock', height: 1, timestamp: 1_000_000_000n, hash: 'hash-1' },
      ...events,
      { type: 'endBlock', height: 1 },
    ]),
    writer,
    { pace: 'max', signal: new AbortController().signal },
  );
}

function assetOf(name: string, { assetDecimals }: MarketTerms): NetworkEvent {
  return {
    type: 'asset',
    row: {
      id: assetIdOf(name),
      name,
      symbol: name,
      decimals: assetDecimals,
      quantum: '1',
      status: assetStatuses.numbers.STATUS_ENABLED,
      maxFaucetAmount: null,
      contractAddress: null,
      lifetimeLimit: null,
      withdrawThreshold: null,
      chainId: null,
    },
  };
}

function marketOf(name: string, terms: MarketTerms): NetworkEvent {
  const factor = (text = '0') => canonicalDecimal(text);
  const optionalFactor = (text: string | null | undefined) => (text === null ? null : factor(text));
  return {
    type: 'market',
    row: {
      id: marketIdOf(name),
      instrumentId: '',
      instrumentCode: name,
      instrumentName: name,
      tags: [],
      ...PLAIN_FUTURE,
      settlementAssetId: assetIdOf(name),
      quoteName: name,
      decimalPlaces: terms.marketDecimals,
      positionDecimalPlaces: terms.positionDecimalPlaces,
      makerFee: factor(terms.makerFee),
      infrastructureFee: factor(terms.infrastructureFee),
      liquidityFee: factor(terms.liquidityFee),
      searchLevel: decimalOfDouble(terms.searchLevel ?? 1),
      initialMargin: decimalOfDouble(terms.initialMargin ?? 1),
      collateralRelease: decimalOfDouble(terms.collateralRelease ?? 1),
      linearSlippageFactor: optionalFactor(terms.linearSlippageFactor),
      quadraticSlippageFactor: optionalFactor(terms.quadraticSlippageFactor),
      lpPriceRange: '0',
      state: marketStates.numbers.STATE_ACTIVE,
      tradingMode: marketTradingModes.numbers[terms.marketTradingMode ?? 'TRADING_MODE_CONTINUOUS'],
      proposedTimestamp: 0n,
      pendingTimestamp: 0n,
      openTimestamp: 0n,
      closeTimestamp: 0n,
      ...terms.market,
    },
  };
}

function riskFactorOf(
  name: string,
  { riskFactorLong = '0', riskFactorShort = '0' }: MarketTerms,
): NetworkEvent {
  return {
    type: 'riskFactor',
    row: { marketId: marketIdOf(name), long: riskFactorLong, short: riskFactorShort },
  };
}

function dataOf(name: string, terms: MarketTerms): NetworkEvent {
  return {
    type: 'marketData',
    row: {
      marketId: marketIdOf(name),
      markPrice: terms.markPrice ?? '0',
      lastTradedPrice: '0',
      midPrice: '0',
      staticMidPrice: '0',
      bestBidPrice: '0',
      bestBidVolume: '0',
      bestOfferPrice: '0',
      bestOfferVolume: '0',
      bestStaticBidPrice: '0',
      bestStaticBidVolume: '0',
      bestStaticOfferPrice: '0',
      bestStaticOfferVolume: '0',
      indicativePrice: terms.indicativePrice ?? '0',
      indicativeVolume: '0',
      openInterest: '0',
      marketValueProxy: '0',
      suppliedStake: '0',
      targetStake: '0',
      nextMarkToMarket: 0n,
      auctionStart: 0n,
      auctionEnd: BigInt(terms.auctionEnd ?? '0'),
      timestamp: 0n,
      marketState: marketStates.numbers.STATE_ACTIVE,
      marketTradingMode: marketTradingModes.numbers[terms.marketTradingMode ?? 'TRADING_MODE_CONTINUOUS'],
      trigger: auctionTriggers.numbers.AUCTION_TRIGGER_UNSPECIFIED,
      extensionTrigger: auctionTriggers.numbers.AUCTION_TRIGGER_UNSPECIFIED,
      priceMonitoringBounds: [],
      liquidityProviderFeeShare: [],
      marketGrowth: null,
      productData: null,
      liquidityProviderSla: null,
      nextNetworkCloseout: null,
      markPriceType: null,
      markPriceState: null,
      activeProtocolAutomatedPurchase: null,
    },
  };
}
