import { PassThrough, Readable } from 'node:stream';
import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { accountTypes, depositStatuses, voteValues } from '../../src/domain/enumerations.ts';
import { readBlocks } from '../../src/ingest/blocks.ts';
import { IngestError, type KeptEvent } from '../../src/ingest/events.ts';
import { MAX_LINE_SIZE } from '../../src/ingest/lines.ts';
import { openNdjson } from '../../src/ingest/ndjson.ts';
import { collect, createFolder } from '../support/events.ts';

let folder: Awaited<ReturnType<typeof createFolder>>;
beforeAll(async () => {
  folder = await createFolder();
});
afterAll(() => folder[Symbol.asyncDispose]());

const NETWORK = { type: 'network', data: { chainId: 'my-network' } };
const BLOCK = { type: 'block', data: { height: '1', timestamp: '1678443430000000000', hash: 'ab' } };

const DEPOSIT = {
  id: 'd1',
  partyId: 'alice',
  asset: 'usd',
  amount: '100000000000000000000000000',
  status: 'STATUS_FINALIZED',
  txHash: '0x12',
  createdTimestamp: '1678444070985185748',
  creditedTimestamp: '1678444072804752915',
};

test('a block has what stands between its line and the next block line, or the end', async () => {
  const { items, error } = await read([
    NETWORK,
    BLOCK,
    { type: 'party', data: { id: 'alice' } },
    { type: 'party', data: { id: 'bob' } },
    { type: 'block', data: { height: 2, timestamp: 5 } },
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
        { index: 1, event: { type: 'party', id: 'alice' } },
        { index: 2, event: { type: 'party', id: 'bob' } },
      ],
    },
    { height: 2, timestamp: 5n, hash: '', firstIndex: 0, lastIndex: 1, events: [] },
  ]);
});

describe('takes the documented objects as they are', () => {
  test.each<[string, object, object]>([
    [
      'deposit',
      DEPOSIT,
      {
        type: 'deposit',
        id: 'd1',
        partyId: 'alice',
        assetId: 'usd',
        amount: '100000000000000000000000000',
        status: 'STATUS_FINALIZED',
        txHash: '0x12',
        createdTimestamp: 1678444070985185748n,
        creditedTimestamp: 1678444072804752915n,
      },
    ],
    [
      'account',
      { owner: 'alice', marketId: '', asset: 'usd', balance: '7', type: 'ACCOUNT_TYPE_GENERAL' },
      {
        type: 'account',
        owner: 'alice',
        marketId: '',
        assetId: 'usd',
        balance: '7',
        accountType: 'ACCOUNT_TYPE_GENERAL',
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
        type: 'reward',
        assetId: 'usd',
        marketId: '',
        partyId: 'alice',
        epoch: 62n,
        amount: '5',
        percentageOfTotal: '1e-05',
        receivedAt: 9n,
        rewardType: 'ACCOUNT_TYPE_GLOBAL_REWARD',
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
        type: 'vote',
        partyId: 'alice',
        proposalId: 'p1',
        timestamp: 9n,
        value: 'VALUE_YES',
        totalGovernanceTokenBalance: '10',
        totalGovernanceTokenWeight: '0.5',
        totalEquityLikeShareWeight: '0',
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
        type: 'marginLevels',
        marketId: 'm1',
        partyId: 'alice',
        assetId: 'usd',
        initialMargin: '3',
        maintenanceMargin: '1',
        searchLevel: '2',
        collateralReleaseLevel: '4',
        timestamp: 9n,
      },
    ],
  ])('%s', async (type, data, event) => {
    expect(await readEvent(type, data)).toEqual(event);
  });

  test('marketData', async () => {
    const bounds = { minValidPrice: '1', maxValidPrice: '9', referencePrice: '4.5' };
    const trigger = { horizon: '60', probability: '0.95', auctionExtension: '120' };
    const event = await readEvent('marketData', {
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
    expect(event).toMatchObject({
      type: 'marketData',
      marketId: 'm1',
      markPrice: '100',
      lastTradedPrice: '0',
      bestBidVolume: '18446744073709551615',
      nextMarkToMarket: 7n,
      marketState: 'STATE_SUSPENDED',
      trigger: 'AUCTION_TRIGGER_PRICE',
      priceMonitoringBounds: [
        { ...bounds, trigger },
        { ...bounds, trigger: null },
      ],
      liquidityProviderFeeShare: [{ party: 'alice', averageScore: '3' }],
    });
  });
});

test('what the estimates need of a market, its asset and its risk can be loaded', async () => {
  expect(await readEvent('asset', { id: 'usd', decimals: 5 })).toMatchObject({
    decimals: 5,
    quantum: '1',
    status: 'STATUS_ENABLED',
    contractAddress: null,
  });
  expect(
    await readEvent('market', {
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
    state: 'STATE_ACTIVE',
  });
  expect(
    await readEvent('riskFactor', { marketId: 'm1', short: '0.05529953589167391', long: 1 }),
  ).toMatchObject({ short: '0.0552995358916739', long: '1' });
});

test('ids have the form that the network gives them', async () => {
  const upper = 'AB'.repeat(32);
  const account = { owner: '*', marketId: '!', asset: upper, balance: '1', type: 'ACCOUNT_TYPE_INSURANCE' };
  expect(await readEvent('account', account)).toMatchObject({
    owner: 'network',
    marketId: '',
    assetId: upper.toLowerCase(),
  });
});

test('a time that is left out is the time of the block', async () => {
  const { createdTimestamp: _, creditedTimestamp: __, txHash: ___, ...deposit } = DEPOSIT;
  expect(await readEvent('deposit', deposit)).toMatchObject({
    createdTimestamp: 1678443430000000000n,
    creditedTimestamp: 0n,
    txHash: '',
  });
});

test('reads back any deposit, account and vote, however the bytes are cut', async () => {
  const text = fc.string({ unit: 'grapheme' }).filter((value) => !value.includes('\0'));
  const ids = fc.stringMatching(/^[a-z0-9-]{1,40}$/);
  const amounts = fc.bigInt({ min: -(10n ** 78n), max: 10n ** 78n }).map(String);
  const times = fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n });
  const events: fc.Arbitrary<KeptEvent> = fc.oneof(
    fc.record({
      type: fc.constant('deposit' as const),
      id: ids,
      partyId: ids,
      assetId: ids,
      amount: amounts,
      status: fc.constantFrom(...namesOf(depositStatuses)),
      txHash: text,
      createdTimestamp: times,
      creditedTimestamp: times,
    }),
    fc.record({
      type: fc.constant('account' as const),
      owner: ids,
      assetId: ids,
      marketId: fc.oneof(fc.constant(''), ids),
      accountType: fc.constantFrom(...namesOf(accountTypes)),
      balance: amounts,
    }),
    fc.record({
      type: fc.constant('vote' as const),
      proposalId: ids,
      partyId: ids,
      value: fc.constantFrom(...namesOf(voteValues)),
      timestamp: times,
      totalGovernanceTokenBalance: amounts,
      totalGovernanceTokenWeight: amounts,
      totalEquityLikeShareWeight: amounts,
    }),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(events), fc.integer({ min: 1, max: 500 }), async (written, size) => {
      const lines = [NETWORK, BLOCK, ...written.map(toLine)];
      const bytes = Buffer.from(lines.map((line) => JSON.stringify(line)).join('\n'));
      const { items, error } = await readInput(openNdjson('-', Readable.from(chunksOf(bytes, size))));
      expect(error).toBeNull();
      expect(items.flatMap((block) => block.events.map(({ event }) => event))).toEqual(written);
    }),
    { numRuns: 60 },
  );
});

test('gzip, blank lines, Windows line ends and a missing last line end change nothing', async () => {
  const lines = [NETWORK, BLOCK, { type: 'deposit', data: DEPOSIT }].map((line) => JSON.stringify(line));
  const expected = await readText(`${lines.join('\n')}\n`);
  expect(expected.items).toHaveLength(1);
  expect(await readText(lines.join('\n'))).toEqual(expected);
  expect(await readText(`\n${lines.join('\r\n \r\n\r\n')}\r\n`)).toEqual(expected);
  const packed = gzipSync(lines.join('\n'));
  expect(await readInput(openNdjson(await folder.write(packed)))).toEqual(expected);
  expect(await readInput(openNdjson('-', Readable.from(chunksOf(packed, 1))))).toEqual(expected);
});

const badLines: [name: string, line: string, complaint: string][] = [
  ['no JSON', '{"type": "party", ', 'line 3: the line is not JSON: '],
  ['no object', '[1]', 'line 3: the line is not an object'],
  ['no type', '{"data": {}}', 'line 3: the line is not an object {"type": …, "data": …}'],
  [
    'a third field',
    '{"type": "party", "data": {"id": "a"}, "more": 1}',
    'no field "more" beside type and data',
  ],
  [
    'an unknown type',
    '{"type": "trade", "data": {}}',
    'line 3: there is no type "trade"; there are network, block',
  ],
  ['a second network', JSON.stringify(NETWORK), 'line 3: the network stands in the first line only'],
  ['data that is no object', '{"type": "party", "data": "a"}', 'line 3: party must be an object, not "a"'],
  [
    'a prototype',
    '{"type": "party", "data": {"id": "a", "__proto__": {}}}',
    'party has no field "__proto__"',
  ],
  ['a huge list', `{"type": "party", "data": ${'['.repeat(50_000)}${']'.repeat(50_000)}}`, 'not a list'],
  ['an unknown field', depositLine({ colour: 'red' }), 'deposit has no field "colour"; it has id, partyId'],
  ['a missing field', depositLine({ amount: undefined }), 'line 3: deposit.amount is missing'],
  ['a bad amount', depositLine({ amount: '1.5' }), 'deposit.amount "1.5" is not a whole number'],
  ['a bad status', depositLine({ status: 'OPEN' }), 'deposit.status "OPEN" is none of STATUS_UNSPECIFIED'],
  [
    'an inherited name as status',
    depositLine({ status: 'toString' }),
    'deposit.status "toString" is none of',
  ],
  ['a status by number', depositLine({ status: 1 }), 'deposit.status must be text, not 1'],
  ['a null id', depositLine({ id: null }), 'deposit.id must be text, not null'],
  ['an empty id', depositLine({ id: '' }), 'deposit.id "" must not be empty'],
  ['a long id', depositLine({ id: 'x'.repeat(257) }), 'has more than 256 characters'],
  ['a fraction as a JSON number', depositLine({ amount: 1.5 }), 'deposit.amount 1.5 may have lost digits'],
  [
    'a big JSON number',
    depositLine({ amount: 2 ** 53 }),
    'deposit.amount 9007199254740992 may have lost digits',
  ],
  [
    'an amount that is a list',
    depositLine({ amount: [1] }),
    'deposit.amount must be a number as text, not a list',
  ],
  ['a time beyond 64 bits', depositLine({ createdTimestamp: '9223372036854775808' }), 'does not fit 64 bits'],
  [
    'a time that is a date',
    depositLine({ createdTimestamp: '2023-03-10' }),
    '"2023-03-10" is not a whole number',
  ],
  ['half a surrogate pair', depositLine({ txHash: '\ud800' }), 'deposit.txHash'],
  ['a zero character', depositLine({ txHash: 'a\0' }), 'holds the character U+0000'],
  [
    'a negative epoch',
    '{"type": "reward", "data": {"assetId": "a", "partyId": "p", "epoch": "-1"}}',
    'epoch "-1"',
  ],
  [
    'too many decimals',
    '{"type": "asset", "data": {"id": "a", "decimals": 256}}',
    'decimals "256" is not within',
  ],
  ['a nested fault', marketDataLine([{}]), 'marketData.priceMonitoringBounds[0].minValidPrice is missing'],
  [
    'a block without a height',
    '{"type": "block", "data": {"timestamp": "1"}}',
    'line 3: block.height is missing',
  ],
  [
    'a block that is missing',
    '{"type": "block", "data": {"height": "3", "timestamp": "1"}}',
    'line 3: block 3 follows',
  ],
];

test.each(badLines)(
  '%s is an error that names the line, the field and the value',
  async (_, line, complaint) => {
    const lines = [
      JSON.stringify(NETWORK),
      JSON.stringify(BLOCK),
      line,
      JSON.stringify({ type: 'x', data: 1 }),
    ];
    const { error } = await readText(lines.join('\n'));
    expect(error).toBeInstanceOf(IngestError);
    expect((error as IngestError).message).toContain(complaint);
  },
);

test('a bad line leaves the whole blocks before it', async () => {
  const { items, error } = await read([
    NETWORK,
    BLOCK,
    { type: 'block', data: { height: '2', timestamp: '6' } },
    { type: 'party', data: { id: 'a' } },
    { type: 'party', data: { id: 5 } },
  ]);
  expect(items.map(({ height }) => height)).toEqual([1]);
  expect((error as IngestError).message).toMatch(/line 5: party.id must be text, not 5$/);
});

test.each([
  ['nothing', '', 'line 1: the input is empty'],
  ['blank lines', '\n\n \n', 'line 1: the input is empty'],
  [
    'another first line',
    JSON.stringify(BLOCK),
    'line 1: the first line must have type "network", not "block"',
  ],
  ['a network without a chain', '{"type":"network","data":{}}', 'line 1: network.chainId is missing'],
  ['a recording', Buffer.from('000000f30000000000000000', 'hex'), 'line 1: the line is not'],
  [
    'an event before the first block',
    `${JSON.stringify(NETWORK)}\n{"type":"party","data":{"id":"a"}}`,
    'line 2: a party stands before the first block',
  ],
])('%s is an error', async (_, input, complaint) => {
  const { items, error } = await readText(input);
  expect(items).toEqual([]);
  expect(error).toBeInstanceOf(IngestError);
  expect((error as IngestError).message).toContain(complaint);
});

test('a line that is too long is refused before it is held', async () => {
  let sent = 0;
  async function* endless() {
    yield `${JSON.stringify(NETWORK)}\n`;
    while (true) {
      sent += 65536;
      yield 'x'.repeat(65536);
    }
  }
  const { error } = await readInput(openNdjson('-', Readable.from(toBuffers(endless()))));
  expect((error as IngestError).message).toContain(`line 2: the line has more than ${MAX_LINE_SIZE} bytes`);
  expect(sent).toBeLessThan(4 * MAX_LINE_SIZE);
});

test('bytes that are no UTF-8 are an error that names the line', async () => {
  const { error } = await readText(
    Buffer.concat([Buffer.from(`${JSON.stringify(NETWORK)}\n`), Buffer.of(0xff, 0x0a)]),
  );
  expect((error as IngestError).message).toContain('line 2: the line is not valid UTF-8');
});

test('standard input gives each block as soon as the next one begins', async () => {
  const input = new PassThrough();
  input.write(`${JSON.stringify(NETWORK)}\n${JSON.stringify(BLOCK)}\n`);
  const source = await openNdjson('-', input);
  expect(source).toMatchObject({ name: 'standard input', chainId: 'my-network' });
  const blocks = readBlocks(source, never());
  const first = blocks.next();
  input.write(`${JSON.stringify({ type: 'block', data: { height: '2', timestamp: '6' } })}\n`);
  expect((await first).value).toMatchObject({ height: 1 });
  input.end();
  expect((await blocks.next()).value).toMatchObject({ height: 2 });
  expect((await blocks.next()).done).toBe(true);
  expect(source.progress()).toMatchObject({ total: null, unit: 'bytes' });
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

function depositLine(changes: object): string {
  return JSON.stringify({ type: 'deposit', data: { ...DEPOSIT, ...changes } });
}

function marketDataLine(priceMonitoringBounds: unknown): string {
  return JSON.stringify({ type: 'marketData', data: { market: 'm', markPrice: '1', priceMonitoringBounds } });
}

/** An event as the line that it is documented to be. */
function toLine({ type, ...event }: KeptEvent) {
  const renamed: Record<string, string> = { assetId: 'asset', accountType: 'type' };
  const data = Object.entries(event).map(([key, value]) => [
    renamed[key] ?? key,
    typeof value === 'bigint' ? String(value) : value,
  ]);
  return { type, data: Object.fromEntries(data) };
}

function namesOf<Name extends string>(names: Record<Name, number>): Name[] {
  return Object.keys(names) as Name[];
}

async function readEvent(type: string, data: unknown): Promise<KeptEvent | undefined> {
  const { items, error } = await read([NETWORK, BLOCK, { type, data }]);
  expect(error).toBeNull();
  return items[0]?.events[0]?.event;
}

function read(lines: readonly object[]) {
  return readText(lines.map((line) => JSON.stringify(line)).join('\n'));
}

async function readText(text: string | Uint8Array) {
  return readInput(openNdjson(await folder.write(text)));
}

async function readInput(opened: ReturnType<typeof openNdjson>) {
  try {
    return await collect(readBlocks(await opened, never()));
  } catch (error) {
    return { items: [], error };
  }
}

function* chunksOf(bytes: Uint8Array, size: number): Generator<Uint8Array, void> {
  for (let start = 0; start < bytes.length; start += size) yield bytes.subarray(start, start + size);
}

async function* toBuffers(texts: AsyncIterable<string>): AsyncGenerator<Buffer, void> {
  for await (const text of texts) yield Buffer.from(text);
}

function never(): AbortSignal {
  return new AbortController().signal;
}
