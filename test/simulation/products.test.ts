import { beforeAll, describe, expect, test } from 'vitest';
import { accountTypes, depositStatuses, marketStates } from '../../src/domain/enumerations.ts';
import type { EventRow, KeptEvent } from '../../src/ingest/events.ts';
import { collect } from './simulated-events.ts';

const NEWER = { seed: 7, blocks: 1000, parties: 30, markets: 8, release: '0.79' } as const;

let events: Awaited<ReturnType<typeof collect>> = [];

beforeAll(async () => {
  events = await collect(NEWER);
});

test('a network of release 0.79 has each kind of market, and what belongs to it', () => {
  const markets = new Map(of('market').map((row) => [row.id, row]));
  const kinds = [...markets.values()].map(
    ({ product, cap }) => `${product}${cap === null ? '' : ' with a cap'}`,
  );
  expect(new Set(kinds)).toEqual(new Set(['FUTURE', 'PERPETUAL', 'SPOT', 'FUTURE with a cap']));
  for (const market of markets.values()) {
    const { product, settlementAssetId, baseAssetId, quoteAssetId, quoteName, funding, searchLevel } = market;
    const isSpot = product === 'SPOT';
    const [assets, others] = isSpot
      ? [
          [baseAssetId, quoteAssetId],
          [settlementAssetId, quoteName, searchLevel],
        ]
      : [
          [settlementAssetId, quoteName, searchLevel],
          [baseAssetId, quoteAssetId],
        ];
    expect(assets).not.toContain(null);
    expect(others.every((one) => one === null)).toBe(true);
    expect(funding !== null).toBe(product === 'PERPETUAL');
    expect([market.treasuryFee, market.buyBackFee]).toEqual(['0.0001', '0.0001']);
  }
});

test('its money is conserved, in every asset and at the end of every block', () => {
  const balances = new Map<string, bigint>();
  const totals = new Map<string, bigint>();
  const deposited = new Map<string, bigint>();
  const wrong: string[] = [];
  for (const { event, height } of events) {
    if (event.type === 'account') {
      const { owner, assetId, marketId, type, balance } = event.row;
      const key = [owner, assetId, marketId, type].join(' ');
      if (BigInt(balance) < 0n) wrong.push(`block ${height}: ${key} is below zero`);
      add(totals, assetId, BigInt(balance) - (balances.get(key) ?? 0n));
      balances.set(key, BigInt(balance));
    }
    if (event.type === 'deposit' && event.row.status === depositStatuses.numbers.STATUS_FINALIZED)
      add(deposited, event.row.assetId, BigInt(event.row.amount));
    if (event.type !== 'endBlock') continue;
    for (const [assetId, total] of totals)
      if (total !== (deposited.get(assetId) ?? 0n)) wrong.push(`block ${height}: ${total} of ${assetId}`);
  }
  expect(wrong).toEqual([]);
});

describe('a spot', () => {
  test('has no risk factors, margin, insurance or settlement, and nothing open', () => {
    const spots = idsOf('SPOT');
    expect(of('riskFactor').filter(({ marketId }) => spots.has(marketId))).toEqual([]);
    expect(of('marginLevel').filter(({ marketId }) => spots.has(marketId))).toEqual([]);
    const types = of('account').flatMap(({ marketId, type }) => (spots.has(marketId) ? [type] : []));
    expect(types.length).toBeGreaterThan(0);
    const { numbers } = accountTypes;
    for (const none of [
      numbers.ACCOUNT_TYPE_MARGIN,
      numbers.ACCOUNT_TYPE_INSURANCE,
      numbers.ACCOUNT_TYPE_SETTLEMENT,
      numbers.ACCOUNT_TYPE_HOLDING,
    ])
      expect(types).not.toContain(none);
    const data = of('marketData').filter(({ marketId }) => spots.has(marketId));
    expect(new Set(data.map(({ openInterest, productData }) => `${openInterest} ${productData}`))).toEqual(
      new Set(['0 null']),
    );
  });

  test('has orders hold what they may cost, of base and of quote, and gives back what is left of it', () => {
    const holding = of('account').filter(({ type }) => type === accountTypes.numbers.ACCOUNT_TYPE_HOLDING);
    expect(new Set(holding.map(({ marketId }) => marketId))).toEqual(new Set(['']));
    const assets = new Set(holding.flatMap(({ assetId, balance }) => (balance === '0' ? [] : [assetId])));
    const spots = of('market').filter(({ product }) => product === 'SPOT');
    expect(assets).toEqual(
      new Set(spots.flatMap(({ baseAssetId, quoteAssetId }) => [baseAssetId, quoteAssetId])),
    );
    expect(holding.some(({ balance }, index) => index > 0 && balance === '0')).toBe(true);
    const ids = idsOf('SPOT');
    const fees = of('account').filter(({ marketId, type, balance }) => {
      const isOfFees = type === accountTypes.numbers.ACCOUNT_TYPE_FEES_LIQUIDITY;
      return isOfFees && balance !== '0' && ids.has(marketId);
    });
    expect(fees.length).toBeGreaterThan(10);
  });
});

test('a perpetual tells its funding, which is the difference of the two averages, in periods', () => {
  const perpetuals = idsOf('PERPETUAL');
  const told = of('marketData').flatMap(({ marketId, productData }) =>
    perpetuals.has(marketId) && productData !== null ? [productData.perpetualData] : [],
  );
  expect(told.length).toBeGreaterThan(100);
  for (const { fundingPayment, internalTwap, externalTwap, fundingRate } of told) {
    expect(BigInt(fundingPayment ?? 'untold')).toBe(BigInt(internalTwap) - BigInt(externalTwap));
    expect(Math.sign(Number(fundingRate))).toBe(Math.sign(Number(fundingPayment)));
  }
  expect(Math.max(...told.map(({ seqNum }) => Number(seqNum)))).toBeGreaterThan(3);
  expect(told.some(({ fundingPayment }) => fundingPayment?.startsWith('-'))).toBe(true);
  expect(of('marketData').some(({ marketId, productData }) => !perpetuals.has(marketId) && productData)).toBe(
    false,
  );
});

test('no price of a capped future reaches its cap', () => {
  const caps = new Map(
    of('market').flatMap(({ id, cap }) => (cap === null ? [] : [[id, BigInt(cap.maxPrice)]])),
  );
  const prices = of('marketData').filter(({ marketId }) => caps.has(marketId));
  expect(prices.length).toBeGreaterThan(100);
  for (const { marketId, lastTradedPrice } of prices)
    expect(BigInt(lastTradedPrice)).toBeLessThan(caps.get(marketId) as bigint);
});

test('perpetuals and spots are closed by governance, futures settle', () => {
  const ends = of('market').filter(({ state }) =>
    [marketStates.numbers.STATE_CLOSED, marketStates.numbers.STATE_SETTLED].includes(state),
  );
  const said = new Set(ends.map(({ product, state }) => `${product} ${marketStates.nameOf(state)}`));
  expect(said).toEqual(new Set(['FUTURE STATE_SETTLED', 'PERPETUAL STATE_CLOSED', 'SPOT STATE_CLOSED']));
});

test('some parties say something of themselves', () => {
  const profiles = of('partyProfile');
  expect(profiles).toHaveLength(NEWER.parties / 3);
  expect(profiles[0]).toMatchObject({ alias: 'Foundation', metadata: [] });
  expect(profiles.some(({ metadata }) => metadata.length > 0)).toBe(true);
});

test('the same numbers are the same network, and another one in each release', async () => {
  const short = { ...NEWER, blocks: 60 };
  const first = await collect(short);
  expect(await collect(short)).toEqual(first);
  expect(events.slice(0, first.length)).toEqual(first);
  expect(await collect({ ...short, release: '0.71' })).not.toEqual(first);
});

function idsOf(product: string): ReadonlySet<string> {
  return new Set(of('market').flatMap((market) => (market.product === product ? [market.id] : [])));
}

function of<T extends KeptEvent['type']>(type: T): EventRow<T>[] {
  return events.flatMap(({ event }) =>
    event.type === type && 'row' in event ? [event.row as EventRow<T>] : [],
  );
}

function add(sums: Map<string, bigint>, key: string, amount: bigint): void {
  sums.set(key, (sums.get(key) ?? 0n) + amount);
}
