import { readFileSync } from 'node:fs';
import { PassThrough, Readable } from 'node:stream';
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import {
  accountTypes,
  assetStatuses,
  auctionTriggers,
  depositStatuses,
  marketStates,
  marketTradingModes,
  tradeSides,
  tradeTypes,
  voteValues,
} from '../../src/domain/enumerations.ts';
import { readBlocks } from '../../src/ingest/blocks.ts';
import type { KeptEvent } from '../../src/ingest/events.ts';
import { IngestError } from '../../src/ingest/events.ts';
import { openNdjson } from '../../src/ingest/ndjson.ts';
import { createTestDatabase } from '../support/database.ts';
import { collect, createFolder } from '../support/events.ts';
import { runProgram } from '../support/program.ts';
import { BLOCK, chunksOf, DEPOSIT, NETWORK, never, readBytes, readInput, readLines } from './ndjson-lines.ts';

test('a block has what stands between its line and the next block line, or the end', async () => {
  const { items, error } = await readLines([
    NETWORK,
    BLOCK,
    { type: 'party', data: { id: 'alice' } },
    { type: 'party', data: { id: 'bob' } },
    { type: 'block', data: { height: 2, timestamp: '1678443431000000000' } },
  ]);
  expect(error).toBeNull();
  expect(items).toEqual([
    {
      height: 1,
      timestamp: 1678443430000000000n,
      hash: 'ab',
      firstIndex: 0,
      lastIndex: 3,
      events: [
        { index: 1, event: { type: 'party', row: { id: 'alice' } } },
        { index: 2, event: { type: 'party', row: { id: 'bob' } } },
      ],
      skipped: [],
      passedOver: [],
      unknownFields: [],
    },
    {
      height: 2,
      timestamp: 1678443431000000000n,
      hash: '',
      firstIndex: 0,
      lastIndex: 1,
      events: [],
      skipped: [],
      passedOver: [],
      unknownFields: [],
    },
  ]);
});

describe('takes the documented objects as they are', () => {
  test.each<[string, object, object]>([
    [
      'deposit',
      DEPOSIT,
      {
        id: 'd1',
        partyId: 'alice',
        assetId: 'usd',
        amount: '100000000000000000000000000',
        status: depositStatuses.numbers.STATUS_FINALIZED,
        txHash: '0x12',
        createdTimestamp: 1678444070985185748n,
        creditedTimestamp: 1678444072804752915n,
      },
    ],
    [
      'account',
      { owner: 'alice', marketId: '', asset: 'usd', balance: '7', type: 'ACCOUNT_TYPE_GENERAL' },
      {
        owner: 'alice',
        marketId: '',
        assetId: 'usd',
        balance: '7',
        type: accountTypes.numbers.ACCOUNT_TYPE_GENERAL,
      },
    ],
    [
      'trade',
      {
        ...{ id: 't1', marketId: 'm', price: '5', size: '18446744073709551615', buyer: 'alice', seller: '*' },
        ...{
          aggressor: 'SIDE_SELL',
          buyOrder: 'b',
          sellOrder: '',
          timestamp: '1678443430000000000',
          type: 'TYPE_DEFAULT',
        },
        buyerFee: { makerFee: '0' },
        sellerFee: { makerFee: '1', infrastructureFee: '0', liquidityFee: '2', treasuryFee: '3' },
        ...{ buyerAuctionBatch: '0', sellerAuctionBatch: '7', assetPrice: '' },
      },
      {
        ...{
          id: 't1',
          marketId: 'm',
          price: '5',
          size: '18446744073709551615',
          buyer: 'alice',
          seller: 'network',
        },
        aggressor: tradeSides.numbers.SIDE_SELL,
        ...{ buyOrder: 'b', sellOrder: '', type: tradeTypes.numbers.TYPE_DEFAULT },
        ...{ buyerFee: '', sellerFee: '1,,2,,,,,,,3', buyerAuctionBatch: '0', sellerAuctionBatch: '7' },
        assetPrice: null,
      },
    ],
    [
      'reward',
      {
        assetId: 'usd',
        marketId: '',
        partyId: 'alice',
        epoch: '62',
        amount: '5',
        percentageOfTotal: '1e-05',
        receivedAt: '9',
        rewardType: 'ACCOUNT_TYPE_GLOBAL_REWARD',
      },
      {
        assetId: 'usd',
        marketId: '',
        partyId: 'alice',
        epoch: 62n,
        amount: '5',
        percentageOfTotal: '1e-05',
        receivedAt: 9n,
        rewardType: 'ACCOUNT_TYPE_GLOBAL_REWARD',
        lockedUntilEpoch: null,
        quantumAmount: null,
        gameId: null,
      },
    ],
    [
      'vote',
      {
        partyId: 'alice',
        proposalId: 'p1',
        timestamp: '9',
        value: 'VALUE_YES',
        totalGovernanceTokenBalance: '10',
        totalGovernanceTokenWeight: '0.5',
        totalEquityLikeShareWeight: '',
      },
      {
        partyId: 'alice',
        proposalId: 'p1',
        timestamp: 9n,
        value: voteValues.numbers.VALUE_YES,
        totalGovernanceTokenBalance: '10',
        totalGovernanceTokenWeight: '0.5',
        totalEquityLikeShareWeight: '0',
        elsPerMarket: null,
      },
    ],
    [
      'marginLevel',
      {
        marketId: 'm1',
        partyId: 'alice',
        asset: 'usd',
        initialMargin: '3',
        maintenanceMargin: '1',
        searchLevel: '2',
        collateralReleaseLevel: '4',
        timestamp: '9',
      },
      {
        marketId: 'm1',
        partyId: 'alice',
        assetId: 'usd',
        initialMargin: '3',
        maintenanceMargin: '1',
        searchLevel: '2',
        collateralReleaseLevel: '4',
        timestamp: 9n,
        orderMargin: null,
        marginMode: null,
        marginFactor: null,
      },
    ],
  ])('%s', async (type, data, row) => {
    expect(await readRow(type, data)).toEqual(row);
  });

  test('marketData', async () => {
    const bounds = { minValidPrice: '1', maxValidPrice: '9', referencePrice: '4.5' };
    const trigger = { horizon: '60', probability: '0.95', auctionExtension: '120' };
    const row = await readRow('marketData', {
      market: 'm1',
      markPrice: '100',
      lastTradedPrice: '',
      bestBidVolume: '18446744073709551615',
      nextMarkToMarket: '7',
      marketState: 'STATE_SUSPENDED',
      marketTradingMode: 'TRADING_MODE_MONITORING_AUCTION',
      trigger: 'AUCTION_TRIGGER_PRICE',
      extensionTrigger: 'AUCTION_TRIGGER_UNSPECIFIED',
      priceMonitoringBounds: [
        { ...bounds, trigger },
        { ...bounds, trigger: null },
      ],
      liquidityProviderFeeShare: [
        { party: 'alice', equityLikeShare: '1', averageEntryValuation: '2', averageScore: '3' },
      ],
    });
    expect(row).toMatchObject({
      marketId: 'm1',
      markPrice: '100',
      lastTradedPrice: '0',
      bestBidVolume: '18446744073709551615',
      nextMarkToMarket: 7n,
      marketState: marketStates.numbers.STATE_SUSPENDED,
      marketTradingMode: marketTradingModes.numbers.TRADING_MODE_MONITORING_AUCTION,
      trigger: auctionTriggers.numbers.AUCTION_TRIGGER_PRICE,
      extensionTrigger: auctionTriggers.numbers.AUCTION_TRIGGER_UNSPECIFIED,
      priceMonitoringBounds: [
        { ...bounds, trigger },
        { ...bounds, trigger: null },
      ],
      liquidityProviderFeeShare: [{ party: 'alice', averageScore: '3' }],
    });
  });
});

test('what the estimates need of a market, its asset and its risk can be loaded', async () => {
  expect(await readRow('asset', { id: 'usd', decimals: 5 })).toMatchObject({
    decimals: 5,
    quantum: '1',
    status: assetStatuses.numbers.STATUS_ENABLED,
    contractAddress: null,
  });
  expect(
    await readRow('market', {
      id: 'm1',
      settlementAssetId: 'usd',
      decimalPlaces: '5',
      positionDecimalPlaces: -2,
      makerFee: '0.0040',
      linearSlippageFactor: '1e-3',
    }),
  ).toMatchObject({
    decimalPlaces: 5,
    positionDecimalPlaces: -2,
    makerFee: '0.004',
    linearSlippageFactor: '0.001',
    quadraticSlippageFactor: null,
    state: marketStates.numbers.STATE_ACTIVE,
  });
  expect(
    await readRow('riskFactor', { marketId: 'm1', short: '0.05529953589167391', long: 1 }),
  ).toMatchObject({ short: '0.0552995358916739', long: '1' });
});

test('a slippage factor that is left out is none, and 0 is one', async () => {
  const market = { id: 'm1', settlementAssetId: 'usd', decimalPlaces: 0, positionDecimalPlaces: 0 };
  for (const given of [{}, { linearSlippageFactor: null }, { linearSlippageFactor: '' }])
    expect(await readRow('market', { ...market, ...given })).toMatchObject({
      linearSlippageFactor: null,
      quadraticSlippageFactor: null,
    });
  for (const quadraticSlippageFactor of ['0', 0, '0.00'])
    expect(await readRow('market', { ...market, quadraticSlippageFactor })).toMatchObject({
      linearSlippageFactor: null,
      quadraticSlippageFactor: '0',
    });
});

test('a number has 400 digits at most, a whole one too', async () => {
  const [longest, tooLong] = ['9'.repeat(400), '9'.repeat(401)];
  expect(await readRow('deposit', { ...DEPOSIT, amount: `-${longest}` })).toMatchObject({
    amount: `-${longest}`,
  });
  const { error } = await readLines([
    NETWORK,
    BLOCK,
    { type: 'deposit', data: { ...DEPOSIT, amount: tooLong } },
  ]);
  expect(String(error)).toContain('has more than 400 digits');
});

describe('a value of an enumeration', () => {
  const statusOf = async (status: unknown) =>
    readLines([NETWORK, BLOCK, { type: 'deposit', data: { ...DEPOSIT, status } }]);

  test.each([
    ['its name', 'STATUS_CANCELLED', 2],
    ['the prefix and its number, where that has a name', 'STATUS_2', 2],
    ['the prefix and a number that has none', 'STATUS_99', 99],
    ['the prefix and the largest number that there can be', 'STATUS_2147483647', 2147483647],
  ])('can be written as %s: %s', async (_, written, status) => {
    expect(await readRow('deposit', { ...DEPOSIT, status: written })).toMatchObject({ status });
  });

  test.each([
    2,
    '2',
    'STATUS_',
    'STATUS_02',
    'STATUS_-1',
    'STATUS_2147483648',
    'STATUS_1e3',
    'STATUS_NEW',
    'STATE_ACTIVE',
    'status_open',
    null,
  ])('is refused as %j', async (written) => {
    const { error } = await statusOf(written);
    expect(error).toBeInstanceOf(IngestError);
    expect(error).toMatchObject({ message: expect.stringContaining('status') });
  });
});

test('ids have the form that the network gives them', async () => {
  const upper = 'AB'.repeat(32);
  const account = { owner: '*', marketId: '!', asset: upper, balance: '1', type: 'ACCOUNT_TYPE_INSURANCE' };
  expect(await readRow('account', account)).toMatchObject({
    owner: 'network',
    marketId: '',
    assetId: upper.toLowerCase(),
  });
});

test('a time that is left out is the time of the block', async () => {
  const { createdTimestamp: _, creditedTimestamp: __, txHash: ___, ...deposit } = DEPOSIT;
  expect(await readRow('deposit', deposit)).toMatchObject({
    createdTimestamp: 1678443430000000000n,
    creditedTimestamp: 0n,
    txHash: '',
  });
});

test('gzip, blank lines, Windows line ends and a missing last line end change nothing', async () => {
  const lines = [NETWORK, BLOCK, { type: 'deposit', data: DEPOSIT }].map((line) => JSON.stringify(line));
  const expected = await readBytes(`${lines.join('\n')}\n`);
  expect(expected.items).toHaveLength(1);
  expect(await readBytes(lines.join('\n'))).toEqual(expected);
  expect(await readBytes(`\n${lines.join('\r\n \r\n\r\n')}\r\n`)).toEqual(expected);
  const packed = gzipSync(lines.join('\n'));
  await using folder = await createFolder();
  for (const bytes of [lines.join('\n'), packed]) {
    expect(await readInput(openNdjson(await folder.write(bytes)))).toEqual(expected);
  }
  expect(await readInput(openNdjson('-', Readable.from(chunksOf(packed, 1))))).toEqual(expected);
});

test('standard input gives each block as soon as the next one begins', async () => {
  const input = new PassThrough();
  input.write(`${JSON.stringify(NETWORK)}\n${JSON.stringify(BLOCK)}\n`);
  const source = await openNdjson('-', input);
  expect(source).toMatchObject({ name: 'standard input', chainId: 'my-network' });
  const blocks = readBlocks(source, never());
  const first = blocks.next();
  input.write(
    `${JSON.stringify({ type: 'block', data: { height: '2', timestamp: '1678443431000000000' } })}\n`,
  );
  expect((await first).value).toMatchObject({ height: 1 });
  input.end();
  expect((await blocks.next()).value).toMatchObject({ height: 2 });
  expect((await blocks.next()).done).toBe(true);
  expect(source.progress()).toMatchObject({ total: null, unit: 'bytes' });
});

test('an abort ends the waiting for the first line of standard input', async () => {
  const stop = new AbortController();
  const opening = openNdjson('-', new PassThrough(), stop.signal);
  setTimeout(() => stop.abort(), 20);
  await expect(opening).rejects.toMatchObject({ name: 'AbortError' });
});

test('an abort ends the waiting for standard input with the reason given', async () => {
  const input = new PassThrough();
  input.write(`${JSON.stringify(NETWORK)}\n${JSON.stringify(BLOCK)}\n`);
  const source = await openNdjson('-', input);
  const abort = new AbortController();
  const reading = collect(readBlocks(source, abort.signal));
  setImmediate(() => abort.abort(new Error('enough')));
  expect(await reading).toEqual({ items: [], error: new Error('enough') });
  expect(input.destroyed).toBe(true);
});

/** The row of the event that a line of a type becomes. */
async function readRow(type: string, data: unknown): Promise<KeptEvent['row'] | undefined> {
  const { items, error } = await readLines([NETWORK, BLOCK, { type, data }]);
  expect(error).toBeNull();
  const event = items[0]?.events[0]?.event;
  expect(event?.type).toBe(type);
  return event?.row;
}

test('a load tells how many events it had: its lines but those of the network and the blocks', async () => {
  await using folder = await createFolder();
  await using database = await createTestDatabase();
  const path = await folder.write(shownLines());
  const { code, stderr } = await runProgram(['ingest', 'ndjson', path], { DATABASE_URL: database.url });
  expect(stderr).toContain(
    `Applied 2 blocks with 12 events of ${path}; the database is at block 2 of my-network.\n`,
  );
  expect(code).toBe(0);
});

/** The lines of JSON that docs/feeding.md shows. */
function shownLines(): string {
  const lines = readFileSync('docs/feeding.md', 'utf8').split('\n');
  const first = lines.findIndex((line) => line.startsWith('{"type":"network"'));
  return lines.slice(first, lines.indexOf('```', first)).join('\n');
}
