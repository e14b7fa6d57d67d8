import { beforeAll, describe, expect, test } from 'vitest';
import type { Enumeration } from '../../src/domain/enumeration.ts';
import {
  accountTypes,
  assetStatuses,
  auctionTriggers,
  depositStatuses,
  marketStates,
  marketTradingModes,
  proposalChanges,
  proposalStates,
  tradeSides,
  voteValues,
} from '../../src/domain/enumerations.ts';
import { readFee } from '../../src/domain/trade-fees.ts';
import type { EventRow, KeptEvent } from '../../src/ingest/events.ts';
import { collect } from './simulated-events.ts';

const FINALIZED = depositStatuses.numbers.STATUS_FINALIZED;
const { numbers: triggers } = auctionTriggers;

const MODEST = { seed: 7, blocks: 700, parties: 20, markets: 6 };

let modest: Awaited<ReturnType<typeof collect>> = [];

beforeAll(async () => {
  modest = await collect(MODEST);
});

describe('money', () => {
  test('is conserved: in every block, balances add up to the deposits finalized so far', () => {
    const balances = new Map<string, bigint>();
    const totals = new Map<string, bigint>();
    const deposited = new Map<string, bigint>();
    const wrong: string[] = [];
    for (const { event, height } of modest) {
      if (event.type === 'account') {
        const key = accountKey(event.row);
        const balance = BigInt(event.row.balance);
        if (balance < 0n) wrong.push(`block ${height}: ${key} is below zero`);
        add(totals, event.row.assetId, balance - (balances.get(key) ?? 0n));
        balances.set(key, balance);
      }
      if (event.type === 'deposit' && event.row.status === FINALIZED) {
        add(deposited, event.row.assetId, BigInt(event.row.amount));
      }
      if (event.type !== 'endBlock') continue;
      for (const [assetId, total] of totals) {
        const expected = deposited.get(assetId) ?? 0n;
        if (total !== expected) wrong.push(`block ${height}: ${total} of ${assetId}, deposited ${expected}`);
      }
    }
    expect(wrong).toEqual([]);
    expect(deposited.size).toBe(5);
  });

  test('is now and then of enormous amount, and sometimes all gone', () => {
    const general = of('account').filter(({ type }) => type === accountTypes.numbers.ACCOUNT_TYPE_GENERAL);
    expect(general.some(({ balance }) => BigInt(balance) > 10n ** 30n)).toBe(true);
    const histories = groupBy(general, accountKey);
    expect(
      [...histories.values()].some((changes) => changes.slice(1).some(({ balance }) => balance === '0')),
    ).toBe(true);
  });

  test('changes an account more than once within a block', () => {
    const changes = new Map<string, number>();
    for (const { event, height } of modest) {
      if (event.type !== 'account') continue;
      const key = `${height} ${accountKey(event.row)}`;
      changes.set(key, (changes.get(key) ?? 0) + 1);
    }
    expect([...changes.values()].some((times) => times > 2)).toBe(true);
  });

  test('leaves nothing on margin, bond and settlement accounts of a settled market', () => {
    const settled = new Set(
      of('market').flatMap(({ id, state }) => (state === marketStates.numbers.STATE_SETTLED ? [id] : [])),
    );
    expect(settled.size).toBeGreaterThan(2);
    const emptied = /MARGIN$|BOND$|SETTLEMENT$|INSURANCE$|FEES_MAKER$/;
    const last = new Map(of('account').map((event) => [accountKey(event), event]));
    const left = [...last.values()].filter(({ marketId, type, balance }) => {
      const name = accountTypes.nameOf(type);
      return settled.has(marketId) && emptied.test(name) && !name.includes('REWARD') && balance !== '0';
    });
    expect(left).toEqual([]);
  });
});

describe('deposits', () => {
  test('begin open and end once, finalized with the time of crediting or cancelled, or stay open', () => {
    const histories = groupBy(of('deposit'), ({ id }) => id);
    const ends = new Set<string>();
    for (const [first, last, ...more] of histories.values()) {
      expect([first?.status, first?.creditedTimestamp, more.length]).toEqual([
        depositStatuses.numbers.STATUS_OPEN,
        0n,
        0,
      ]);
      ends.add(last ? depositStatuses.nameOf(last.status) : 'stays open');
      if (!last || !first) continue;
      expect({ ...last, status: first.status, creditedTimestamp: 0n }).toEqual(first);
      expect(last.creditedTimestamp > first.createdTimestamp).toBe(last.status === FINALIZED);
    }
    expect([...ends].sort()).toEqual(['STATUS_CANCELLED', 'STATUS_FINALIZED', 'stays open']);
  });
});

describe('markets', () => {
  test('learn their risk factors in a later block than they are announced in', () => {
    const announced = new Map<string, number>();
    for (const { event, height } of modest) {
      if (event.type === 'market' && !announced.has(event.row.id)) announced.set(event.row.id, height);
      if (event.type !== 'riskFactor') continue;
      expect(announced.get(event.row.marketId)).toBeLessThan(height);
      expect(Number(event.row.short)).toBeGreaterThan(0);
    }
    expect(of('riskFactor').length).toBeGreaterThan(4);
  });

  test('have two best prices and bounds, in no auction', () => {
    const active = of('marketData').filter(
      ({ marketState }) => marketState === marketStates.numbers.STATE_ACTIVE,
    );
    const wrong = active.filter((data) => {
      const booked = BigInt(data.bestBidPrice) < BigInt(data.bestOfferPrice);
      const staticallyBooked = 0n < BigInt(data.bestStaticBidPrice);
      const auction = data.auctionEnd !== 0n || data.trigger !== triggers.AUCTION_TRIGGER_UNSPECIFIED;
      return !booked || !staticallyBooked || auction || data.priceMonitoringBounds.length !== 2;
    });
    expect(wrong).toEqual([]);
    expect(new Set(active.map(({ lastTradedPrice }) => lastTradedPrice)).size).toBeGreaterThan(600);
  });

  test('say what their last trade was at, and trade within their price bounds', () => {
    const traded = new Map<string, { readonly price: string; readonly height: number }>();
    const wrong: unknown[] = [];
    for (const { event, height } of modest) {
      if (event.type === 'trade') traded.set(event.row.marketId, { price: event.row.price, height });
      if (event.type !== 'marketData') continue;
      const { marketId, lastTradedPrice, priceMonitoringBounds } = event.row;
      const last = traded.get(marketId);
      const isWithin = priceMonitoringBounds.every(
        ({ minValidPrice, maxValidPrice }) =>
          BigInt(minValidPrice) <= BigInt(lastTradedPrice) &&
          BigInt(lastTradedPrice) <= BigInt(maxValidPrice),
      );
      if (lastTradedPrice !== (last?.price ?? '0') || (last?.height === height && !isWithin))
        wrong.push(event);
    }
    expect(wrong).toEqual([]);
    expect(traded.size).toBeGreaterThan(5);
  });

  test('have trades of two parties, of which the one who took the order of the other pays fees', () => {
    const trades = of('trade');
    const wrong = trades.filter(({ buyer, seller, aggressor, buyerFee, sellerFee }) => {
      const isBuyer = aggressor === tradeSides.numbers.SIDE_BUY;
      const [paid, unpaid] = isBuyer ? [buyerFee, sellerFee] : [sellerFee, buyerFee];
      return buyer === seller || unpaid !== '' || BigInt(readFee(paid).makerFee) <= 0n;
    });
    expect(wrong).toEqual([]);
    const ids = trades.flatMap(({ id, buyOrder, sellOrder }) => [id, buyOrder, sellOrder]);
    expect(new Set(ids).size).toBe(3 * trades.length);
    expect(new Set(trades.map(({ aggressor }) => aggressor)).size).toBe(2);
    expect(trades.length).toBeGreaterThan(1000);
  });

  test('go into a price auction when the price would leave its bounds', () => {
    const auctions = of('marketData').filter(({ trigger }) => trigger === triggers.AUCTION_TRIGGER_PRICE);
    const starts = auctions.filter(({ auctionStart, timestamp }) => auctionStart === timestamp);
    expect(starts.length).toBeGreaterThan(2);
    for (const { indicativePrice, priceMonitoringBounds } of starts) {
      const broken = priceMonitoringBounds.filter(
        ({ minValidPrice, maxValidPrice }) =>
          BigInt(indicativePrice) < BigInt(minValidPrice) || BigInt(indicativePrice) > BigInt(maxValidPrice),
      );
      expect(broken.length).toBeGreaterThan(0);
    }
  });

  test('ask for margins that rise from level to level', () => {
    const margins = of('marginLevel');
    const wrong = margins.filter((margin) => {
      const { maintenanceMargin, searchLevel, initialMargin, collateralReleaseLevel } = margin;
      const levels = [maintenanceMargin, searchLevel, initialMargin, collateralReleaseLevel].map(BigInt);
      return levels.some((level, index) => level < (levels[index - 1] ?? 0n));
    });
    expect(wrong).toEqual([]);
    expect(margins.some(({ maintenanceMargin }) => BigInt(maintenanceMargin) > 10n ** 27n)).toBe(true);
  });
});

describe('rewards', () => {
  test('are paid to a whole hundred percent at the end of every epoch', () => {
    const payouts = groupBy(of('reward'), (reward) =>
      [reward.epoch, reward.rewardType, reward.assetId, reward.marketId].join(' '),
    );
    expect(new Set(of('reward').map(({ epoch }) => epoch)).size).toBe(MODEST.blocks / 10);
    for (const payout of payouts.values()) {
      const percent = payout.reduce((sum, { percentageOfTotal }) => sum + Number(percentageOfTotal), 0);
      expect(percent).toBeCloseTo(100, 3);
      expect(new Set(payout.map(({ partyId }) => partyId)).size).toBe(payout.length);
    }
  });

  test('have tiny and endless percentages, with and without a market', () => {
    const rewards = of('reward');
    const percentages = new Set(rewards.map(({ percentageOfTotal }) => percentageOfTotal));
    expect(percentages).toContain('0.00001');
    expect(percentages).toContain('33.3333333333333333');
    const types = new Set(
      rewards.map(({ rewardType, marketId }) => `${rewardType}${marketId ? ' of a market' : ''}`),
    );
    expect([...types].sort()).toEqual([
      'ACCOUNT_TYPE_FEES_INFRASTRUCTURE',
      'ACCOUNT_TYPE_GLOBAL_REWARD',
      'ACCOUNT_TYPE_REWARD_LP_RECEIVED_FEES of a market',
      'ACCOUNT_TYPE_REWARD_MAKER_PAID_FEES of a market',
      'ACCOUNT_TYPE_REWARD_MAKER_RECEIVED_FEES of a market',
      'ACCOUNT_TYPE_REWARD_MARKET_PROPOSERS of a market',
    ]);
  });
});

describe('governance', () => {
  test('gives a reason for every refusal and for nothing else', () => {
    for (const { state, reason, errorDetails } of of('proposal')) {
      const refused = /REJECTED|DECLINED|FAILED/.test(proposalStates.nameOf(state));
      expect([reason !== null, errorDetails !== null]).toEqual([refused, refused]);
    }
  });

  test('says of every proposal what it would change, and when: in whole seconds, and in their order', () => {
    for (const { terms, timestamp } of of('proposal')) {
      const { closingTimestamp, enactmentTimestamp, change } = terms ?? expect.fail();
      const times = [timestamp - (timestamp % 1_000_000_000n), BigInt(closingTimestamp)];
      if (change !== proposalChanges.numbers.CHANGE_NEW_FREEFORM) times.push(BigInt(enactmentTimestamp));
      expect(times.toSorted((a, b) => (a < b ? -1 : 1))).toEqual(times);
      expect(times.filter((time) => time % 1_000_000_000n !== 0n)).toEqual([]);
    }
    expect(new Set(of('proposal').map(({ terms }) => terms?.change)).size).toBeGreaterThan(3);
  });

  test('weighs votes when the proposal closes, and not before', () => {
    const closed = new Map<string, number>();
    for (const { event, height } of modest) {
      const closing =
        event.type === 'proposal' && /PASSED|DECLINED/.test(proposalStates.nameOf(event.row.state));
      if (closing && !closed.has(event.row.id)) closed.set(event.row.id, height);
    }
    let weighed = 0;
    for (const { event, height } of modest) {
      if (event.type !== 'vote' || event.row.totalGovernanceTokenWeight === '0') continue;
      expect(closed.get(event.row.proposalId)).toBe(height);
      weighed++;
    }
    expect(weighed).toBeGreaterThan(100);
    expect(of('vote').some(({ totalEquityLikeShareWeight }) => totalEquityLikeShareWeight !== '0')).toBe(
      true,
    );
  });

  test('sees parties change their minds', () => {
    const votes = groupBy(of('vote'), ({ proposalId, partyId }) => `${proposalId} ${partyId}`);
    expect([...votes.values()].some((cast) => new Set(cast.map(({ value }) => value)).size > 1)).toBe(true);
  });
});

test('every value of every enumeration occurs that a network of release 0.71 can send', () => {
  const seen = (enumeration: Enumeration, numbers: readonly number[]) =>
    [...new Set(numbers)].map((number) => enumeration.nameOf(number)).sort();
  const possible = ({ names, values }: Enumeration, ...never: string[]) =>
    names
      .filter((name) => values[name]?.[1] === '0.71' && !never.includes(name))
      .filter((name) => !/^(ACCOUNT_TYPE|STATUS|STATE|TRADING_MODE|VALUE)_UNSPECIFIED$/.test(name))
      .sort();
  const expectAll = (enumeration: Enumeration, numbers: readonly number[], ...never: string[]) =>
    expect(seen(enumeration, numbers)).toEqual(possible(enumeration, ...never));
  const data = of('marketData');
  // The network has not used these since its early releases.
  const [unused, batch] = ['STATE_CLOSED', 'TRADING_MODE_BATCH_AUCTION'];
  const neverTriggers = ['AUCTION_TRIGGER_BATCH', 'AUCTION_TRIGGER_LIQUIDITY'];

  expectAll(
    accountTypes,
    of('account').map(({ type }) => type),
  );
  expectAll(
    accountTypes,
    of('account').flatMap(({ type, balance }) => (balance === '0' ? [] : type)),
  );
  expectAll(
    assetStatuses,
    of('asset').map(({ status }) => status),
  );
  expectAll(
    depositStatuses,
    of('deposit').map(({ status }) => status),
  );
  expectAll(
    marketStates,
    of('market').map(({ state }) => state),
    unused,
  );
  expectAll(
    marketStates,
    data.map(({ marketState }) => marketState),
    unused,
  );
  expectAll(
    marketTradingModes,
    data.map(({ marketTradingMode }) => marketTradingMode),
    batch,
  );
  expectAll(
    auctionTriggers,
    data.map(({ trigger }) => trigger),
    ...neverTriggers,
  );
  expectAll(
    proposalStates,
    of('proposal').map(({ state }) => state),
  );
  expectAll(
    voteValues,
    of('vote').map(({ value }) => value),
  );
});

test('ids are 64 lower-case hexadecimal digits, or the network', () => {
  const ids = new Set(
    modest.flatMap(({ event }) => {
      if (event.type === 'account')
        return event.row.owner === 'network' ? [event.row.assetId] : [event.row.owner, event.row.assetId];
      return event.type === 'party' || event.type === 'deposit' || event.type === 'proposal'
        ? [event.row.id]
        : [];
    }),
  );
  expect(ids.size).toBeGreaterThan(100);
  for (const id of ids) expect(id).toMatch(/^[0-9a-f]{64}$/);
});

function of<T extends KeptEvent['type']>(type: T): EventRow<T>[] {
  return modest.flatMap(({ event }) =>
    event.type === type && 'row' in event ? [event.row as EventRow<T>] : [],
  );
}

function accountKey(event: EventRow<'account'>): string {
  return [event.owner, event.assetId, event.marketId, event.type].join(' ');
}

function groupBy<T>(list: readonly T[], keyOf: (item: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const item of list) {
    const group = groups.get(keyOf(item));
    if (group) group.push(item);
    else groups.set(keyOf(item), [item]);
  }
  return groups;
}

function add(sums: Map<string, bigint>, key: string, amount: bigint): void {
  sums.set(key, (sums.get(key) ?? 0n) + amount);
}
