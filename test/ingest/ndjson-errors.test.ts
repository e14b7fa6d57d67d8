import { Readable } from 'node:stream';
import { expect, test } from 'vitest';
import { IngestError } from '../../src/ingest/events.ts';
import { MAX_LINE_SIZE } from '../../src/ingest/lines.ts';
import { openNdjson } from '../../src/ingest/ndjson.ts';
import { BLOCK, DEPOSIT, NETWORK, readBytes, readInput, readLines } from './ndjson-lines.ts';

const TRADE =
  '"id": "t", "marketId": "m", "price": "1", "size": "4", "buyer": "a", "seller": "b", "aggressor": "SIDE_BUY", "type": "TYPE_DEFAULT"';

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
    '{"type": "order", "data": {}}',
    'line 3: there is no type "order"; there are network, block',
  ],
  [
    'a trade at another time than its block',
    `{"type": "trade", "data": {${TRADE}, "timestamp": "1678443430000000001"}}`,
    'line 3: trade.timestamp "1678443430000000001" is not the time of the block, 1678443430000000000',
  ],
  [
    'a size below zero',
    `{"type": "trade", "data": {${TRADE.replace('"4"', '"-1"')}}}`,
    'line 3: trade.size "-1" does not fit 64 bits without a sign',
  ],
  ['a second network', JSON.stringify(NETWORK), 'line 3: the network stands in the first line only'],
  ['data that is no object', '{"type": "party", "data": "a"}', 'line 3: party must be an object, not "a"'],
  [
    'a prototype',
    '{"type": "party", "data": {"id": "a", "__proto__": {}}}',
    'party has no field "__proto__"',
  ],
  ['a huge list', `{"type": "party", "data": ${'['.repeat(50_000)}${']'.repeat(50_000)}}`, 'not a list'],
  [
    'objects within objects',
    `{"type": "party", "data": {"id": ${nest('{"a":', '1', '}')}}}`,
    'party.id must be text, not an object',
  ],
  [
    'lists as an item',
    marketDataLine('LISTS').replace('"LISTS"', nest('[', '', ']')),
    'marketData.priceMonitoringBounds[0] must be an object, not a list',
  ],
  [
    'objects as an object',
    marketDataLine('OBJECTS').replace('"OBJECTS"', `[${nest('{"trigger":', '1', '}')}]`),
    'marketData.priceMonitoringBounds[0].minValidPrice is missing',
  ],
  [
    'lists without an end',
    `{"type": "party", "data": ${'['.repeat(10_000)}`,
    'line 3: the line is not JSON: ',
  ],
  ['a line of lists', nest('[', '', ']'), 'line 3: the line is not an object'],
  [
    'a type that a terminal would obey',
    '{"type": "\\u001b[31mtrade", "data": {}}',
    'no type "\\u001b[31mtrade"',
  ],
  ['a broken line that a terminal would obey', '{"type": \u001b[31m}', 'the line is not JSON: '],
  [
    'half a surrogate pair in an id',
    '{"type": "party", "data": {"id": "\\udc00"}}',
    'party.id "\\udc00" holds half of a surrogate pair',
  ],
  ['an unknown field', depositLine({ colour: 'red' }), 'deposit has no field "colour"; it has id, partyId'],
  ['a missing field', depositLine({ amount: undefined }), 'line 3: deposit.amount is missing'],
  ['a bad amount', depositLine({ amount: '1.5' }), 'deposit.amount "1.5" is not a whole number'],
  [
    'a fraction of a token',
    '{"type": "vote", "data": {"partyId": "a", "proposalId": "b", "value": "VALUE_YES", "totalGovernanceTokenBalance": "10.5"}}',
    'vote.totalGovernanceTokenBalance "10.5" is not a whole number',
  ],
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
    'line 3: deposit.createdTimestamp "2023-03-10" is a date: 1678406400000000000 was probably meant',
  ],
  [
    'a block time in milliseconds',
    blockLine('1678443430000'),
    'line 3: block.timestamp "1678443430000" looks like milliseconds: 1678443430000000000 was probably meant; times are nanoseconds since 1970',
  ],
  [
    'a block time in seconds, as a number',
    blockLine(1678443430),
    'block.timestamp "1678443430" looks like seconds: 1678443430000000000 was probably meant',
  ],
  [
    'a block time in seconds with a fraction',
    blockLine(1678443430.25),
    'block.timestamp "1678443430.25" looks like seconds: 1678443430250000000 was probably meant',
  ],
  [
    'a block time in microseconds',
    blockLine('1678443430000000'),
    'looks like microseconds: 1678443430000000000 was probably meant',
  ],
  [
    'a block time that is a date',
    blockLine('2023-03-10T10:17:10Z'),
    'is a date: 1678443430000000000 was probably meant',
  ],
  [
    'a block time of no unit',
    blockLine('20230310101710'),
    'block.timestamp "20230310101710" is before 2001-09-09; times are nanoseconds since 1970',
  ],
  [
    'a time within a market in seconds',
    marketLine({ closeTimestamp: '1678443430' }),
    'line 3: market.closeTimestamp "1678443430" looks like seconds: 1678443430000000000 was',
  ],
  [
    'a time of market data in milliseconds',
    '{"type":"marketData","data":{"market":"m","markPrice":"1","auctionEnd":1678443430000}}',
    'marketData.auctionEnd "1678443430000" looks like milliseconds',
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
  ['a block that is missing', blockLine('1678443431000000000', '3'), 'line 3: block 3 follows'],
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
    const { error } = await readBytes(lines.join('\n'));
    expect(error).toBeInstanceOf(IngestError);
    expect((error as IngestError).message).toContain(complaint);
    expect((error as IngestError).message).not.toMatch(/\p{Cc}/u);
  },
);

test.each([
  ['type', `{"type": "${'t'.repeat(500_000)}", "data": {}}`],
  ['field', `{"type": "party", "data": {"${'f'.repeat(500_000)}": 1}}`],
  ['third field', `{"type": "party", "data": {}, "${'f'.repeat(500_000)}": 1}`],
])('a long %s is shown by its beginning', async (_, line) => {
  const { error } = await readBytes([JSON.stringify(NETWORK), JSON.stringify(BLOCK), line].join('\n'));
  expect((error as IngestError).message).toContain('…');
  expect((error as IngestError).message.length).toBeLessThan(500);
});

test('a bad line leaves the whole blocks before it', async () => {
  const { items, error } = await readLines([
    NETWORK,
    BLOCK,
    { type: 'block', data: { height: '2', timestamp: '1678443431000000000' } },
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
    'line 2: a line of type party stands before the first block',
  ],
])('%s is an error', async (_, input, complaint) => {
  const { items, error } = await readBytes(input);
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
  const { error } = await readBytes(
    Buffer.concat([Buffer.from(`${JSON.stringify(NETWORK)}\n`), Buffer.of(0xff, 0x0a)]),
  );
  expect((error as IngestError).message).toContain('line 2: the line is not valid UTF-8');
});

/** Ten thousand deep. */
function nest(open: string, inner: string, close: string): string {
  return open.repeat(10_000) + inner + close.repeat(10_000);
}

function depositLine(changes: object): string {
  return JSON.stringify({ type: 'deposit', data: { ...DEPOSIT, ...changes } });
}

function blockLine(timestamp: string | number, height = '2'): string {
  return JSON.stringify({ type: 'block', data: { height, timestamp } });
}

function marketLine(changes: object): string {
  const market = { id: 'm', settlementAssetId: 'usd', decimalPlaces: 0, positionDecimalPlaces: 0 };
  return JSON.stringify({ type: 'market', data: { ...market, ...changes } });
}

function marketDataLine(priceMonitoringBounds: unknown): string {
  return JSON.stringify({ type: 'marketData', data: { market: 'm', markPrice: '1', priceMonitoringBounds } });
}

async function* toBuffers(texts: AsyncIterable<string>): AsyncGenerator<Buffer, void> {
  for await (const text of texts) yield Buffer.from(text);
}
