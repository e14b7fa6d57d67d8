import { existsSync, readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { Decimal } from '../../src/domain/decimals.ts';
import { fullyCollateralised } from '../../src/domain/estimates/fully-collateralised.ts';
import type { PositionTerms } from '../../src/domain/estimates/market-terms.ts';
import type { Position } from '../../src/domain/estimates/position.ts';
import { readWorstCase } from '../../src/domain/estimates/scenario.ts';
import { messageOf, numberOf, type RawMessage, readRawEvents, textOf } from '../support/raw-events.ts';

/*
 * What the network of release 0.79 itself required of positions below a full cap, as it recorded it. Its data node's
 * estimate says something else, and the gateway's must not. The network values a position at the mark price and keeps
 * the gains in the margin account, where an estimate goes by the price that it was entered at.
 */
const folder = fileURLToPath(new URL('../../../shared/data/network-0.79/', import.meta.url));
const recordings = existsSync(folder) ? readdirSync(folder).filter((file) => file.endsWith('.gz')) : [];

test('full caps are margined as the network margined them', ({ skip }) => {
  skip(recordings.length === 0, 'no ../shared/data/network-0.79');
  const levels = recordings.flatMap((file) => levelsOf(`${folder}${file}`));
  expect(levels.length).toBeGreaterThanOrEqual(146);
  for (const { told, ours } of levels) expect(ours).toContain(told);
});

/** The kinds of events that are looked into: their fields in the envelope. */
const TRADE = 107;
const MARGIN_LEVELS = 108;
const MARKET_DATA = 111;
const MARKET_CREATED = 116;
const MARKET_UPDATED = 125;
const POSITION_STATE = 145;

/** Terms that leave prices as they are; no other matter below a full cap. */
const terms: PositionTerms = {
  market: {
    product: { kind: 'future', cap: null },
    decimalPlaces: 0,
    positionDecimalPlaces: 0,
    linearSlippageFactor: '0',
    quadraticSlippageFactor: '0',
    searchLevel: '1.1',
    initialMargin: '1.2',
    collateralRelease: '1.4',
  },
  asset: { decimals: 0 },
  riskFactor: { long: '0.1', short: '0.1' },
  marketData: { markPrice: '0', indicativePrice: '0', auctionEnd: 0n, marketTradingMode: 1, funding: null },
};

interface RecordedLevels {
  /** The four levels. */
  readonly told: string;
  /** What they would be at the mark prices that were told before and after them. */
  readonly ours: readonly string[];
}

/** Of all positions below full caps in a recording. A mark price is told some time after margins were taken at it. */
function levelsOf(path: string): readonly RecordedLevels[] {
  const events = [...readRawEvents(path)];
  const scale = assetScale(events);
  const caps = new Map<string, RawMessage>();
  const marks = new Map<string, Decimal>();
  const positions = new Map<string, RawMessage>();
  const waiting: { readonly market: string; readonly tell: (mark: Decimal) => RecordedLevels }[] = [];
  const levels: RecordedLevels[] = [];
  for (const [kind, event] of events) {
    if (kind === MARKET_CREATED || kind === MARKET_UPDATED) rememberCap(caps, event);
    if (kind === POSITION_STATE) positions.set(`${textOf(event, 1)} ${textOf(event, 2)}`, event);
    if (kind === MARGIN_LEVELS) {
      const [party, market] = [textOf(event, 5), textOf(event, 6)];
      const cap = caps.get(market);
      if (cap === undefined) continue;
      const margin = marginOf(positions.get(`${party} ${market}`) ?? new Map(), cap, scale);
      const before = margin(marks.get(market) ?? Decimal.zero);
      const told = [1, 2, 3, 4].map((level) => textOf(event, level)).join(' ');
      waiting.push({ market, tell: (mark) => ({ told, ours: [before, margin(mark)] }) });
    }
    if (kind === MARKET_DATA) {
      const [market, mark] = [textOf(event, 12), Decimal.parse(textOf(event, 1))];
      marks.set(market, mark);
      const told = waiting.filter((one) => one.market === market).map(({ tell }) => tell(mark));
      levels.push(...told);
      waiting.splice(0, waiting.length, ...waiting.filter((one) => one.market !== market));
    }
  }
  return levels;
}

/** What a price in market decimals is multiplied with; a trade tells both prices, and an asset is in no recording. */
function assetScale(events: readonly (readonly [number, RawMessage])[]): Decimal {
  const trade = events.find(([kind]) => kind === TRADE)?.[1];
  if (trade === undefined) return Decimal.one;
  return Decimal.parse(textOf(trade, 16)).divide(Decimal.parse(textOf(trade, 3)));
}

/** Keeps markets that have a full cap. */
function rememberCap(caps: Map<string, RawMessage>, market: RawMessage): void {
  const future = messageOf(messageOf(messageOf(market, 2), 1), 100);
  if (numberOf(messageOf(future, 6), 3) === 1n) caps.set(textOf(market, 1), market);
}

/** The four levels of a position, whose orders the network tells as one of each side, at a given mark price. */
function marginOf(state: RawMessage, market: RawMessage, scale: Decimal): (mark: Decimal) => string {
  const cap = messageOf(messageOf(messageOf(messageOf(market, 2), 1), 100), 6);
  const places = Number(numberOf(market, 11));
  const orders = (size: number, price: number) => [
    {
      volume: Decimal.ofScaled(numberOf(state, size), places),
      price: Decimal.parse(textOf(state, price) || '0'),
    },
  ];
  const position: Position = {
    volume: Decimal.ofScaled(numberOf(state, 3), places),
    buys: orders(4, 6),
    sells: orders(5, 7),
  };
  const maxPrice = Decimal.parse(textOf(cap, 1)).multiply(scale).toString();
  return (mark) => {
    const entryPrice = mark.multiply(scale);
    const rule = fullyCollateralised(
      { terms, position, isolatedFactor: null },
      { maxPrice, fullyCollateralised: true },
      entryPrice,
    );
    const levels = rule.levels(rule.maintenance(readWorstCase(terms)).ceil());
    const { maintenanceMargin, searchLevel, initialMargin, collateralReleaseLevel } = levels;
    return [maintenanceMargin, searchLevel, initialMargin, collateralReleaseLevel].join(' ');
  };
}
