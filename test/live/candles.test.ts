import { expect, test } from 'vitest';
import { openSimulation } from '../../src/simulation/simulate.ts';
import { createTestDatabase } from '../support/database.ts';
import { forAllTests } from '../support/for-all-tests.ts';
import { startTestGateway } from '../support/gateway.ts';
import { openNdjson, openSse } from '../support/http-clients.ts';
import { chooseRandom } from '../support/seed.ts';
import { openDocumentedWebSocket, openGraphqlWs } from '../support/socket-clients.ts';
import { ask } from '../support/state.ts';
import type { StreamClient } from '../support/stream-client.ts';
import { openNetwork } from './live-network.ts';

const OPTIONS = { seed: 8, blocks: 150, parties: 30, markets: 3 };
const FIRST_BLOCKS = 40;
const PATH = '/api/v2/stream/candle/data';
const FIELDS = ['start', 'lastUpdate', 'high', 'low', 'open', 'close', 'volume', 'notional'];

type Candle = Readonly<Record<string, string>>;

const network = await openNetwork(OPTIONS);
const database = await forAllTests(createTestDatabase());
await network.write(database.url, FIRST_BLOCKS, 'max');
const [first] = await ask<{ id: string }>(
  database.url,
  'SELECT market_id AS id FROM trades ORDER BY created_position LIMIT 1',
);
const market = first?.id ?? '';
const candleId = `trades_candle_1_minute_${market}`;
const gateway = await forAllTests(startTestGateway(database.url));

const openers: readonly ((after: string | undefined) => Promise<StreamClient>)[] = [
  (after) => openNdjson(gateway.url, addressOf(after)),
  (after) => openDocumentedWebSocket(gateway.url, addressOf(after)),
  (after) => openSse(gateway.url, `${PATH}?candleId=${candleId}`, after),
];

function addressOf(after: string | undefined): string {
  return `${PATH}?candleId=${candleId}&cursors=true${after === undefined ? '' : `&after=${after}`}`;
}

/** The candle of a message on whatever transport, and which block the stream has come to with it, where it says so. */
async function nextOf(client: StreamClient) {
  const { id, data, cursor = id, ...message } = await client.next();
  const position = Buffer.from(cursor ?? '', 'base64url')
    .toString()
    .split('.')[2];
  const candle: Candle = (data ?? message).result.candle;
  return { candle, cursor: cursor as string | undefined, height: Number(BigInt(position ?? 0) >> 20n) };
}

/** The blocks that change the market's data or have trades in it, the last one among them. */
async function readChanging(): Promise<ReadonlySet<number>> {
  const changing = new Set<number>();
  let height = 0;
  for await (const { event } of openSimulation(OPTIONS).events(new AbortController().signal)) {
    if (event.type === 'beginBlock') height = event.height;
    const isOfMarket = event.type === 'marketData' || event.type === 'trade';
    if (isOfMarket && event.row.marketId === market) changing.add(height);
  }
  expect(changing).toContain(OPTIONS.blocks);
  return changing;
}

test('candles are told one by one, and fold to their list, over cuts and on any transport', async () => {
  const random = chooseRandom('candle streams');
  const changing = await readChanging();
  const folded = new Map<string, Candle>();
  let [after, height, cuts] = [undefined as string | undefined, FIRST_BLOCKS, 0];
  for (; height < OPTIONS.blocks; cuts += 1) {
    await using client = await random.pick(openers)(after);
    for (let left = random.between(1, 6); left > 0 && height < OPTIONS.blocks; left -= 1) {
      height = Math.min(height + random.pick([1, 1, 10]), OPTIONS.blocks);
      // A block that changes nothing of the market has no message.
      while (!changing.has(height)) height += 1;
      await network.write(database.url, height, 'max');
      for (let reached = 0; reached < height; ) {
        const told = await nextOf(client);
        expect(Object.keys(told.candle)).toEqual(FIELDS);
        folded.set(told.candle['start'] ?? '', told.candle);
        after = told.cursor ?? after;
        reached = told.height;
      }
    }
  }
  expect(cuts).toBeGreaterThan(3);
  const [first = ''] = folded.keys();
  const range = `fromTimestamp=${first}&toTimestamp=9000000000000000000&pagination.newestFirst=false`;
  const { body } = await gateway.rest(`/api/v2/candle?candleId=${candleId}&${range}`);
  const listed = body.candles.edges.map(({ node }: { readonly node: Candle }) => node);
  expect(listed.length).toBeGreaterThan(1);
  expect([...folded.values()]).toEqual(listed);
});

test('its cursors are those of the series in GraphQL', async () => {
  await using lines = await openNdjson(gateway.url, addressOf(undefined));
  const { candle, cursor } = await nextOf(lines);
  const query = `subscription($after: String) { marketSeries(marketId: "${market}", of: TRADE_PRICE, every: "PT1M", after: $after) {
    cursor buckets { ${FIELDS.join(' ')} } } }`;
  await using series = await openGraphqlWs(gateway.url, query, { after: cursor });
  const { data } = await series.next();
  expect(data.marketSeries).toEqual({ cursor, buckets: [candle] });
});

test('without a trade there is no candle, and how far the stream has come for those who ask', async () => {
  const address = `${PATH}?candleId=trades_candle_1_minute_none`;
  await using quiet = await openNdjson(gateway.url, address);
  await using told = await openNdjson(gateway.url, `${address}&progress=true`);
  expect(await told.next()).toEqual({
    reached: {
      block: { height: `${OPTIONS.blocks}`, timestamp: expect.stringMatching(/^\d+$/) },
      cursor: expect.stringMatching(/./),
    },
  });
  await expect(quiet.nextText(300)).rejects.toThrow();
});

test.each([
  ['candleId', 'candleId=trades_candle_block_m'],
  ['candleId', ''],
  ['after', 'candleId=trades_candle_1_hour_m&after=x'],
])('is refused for a bad %s (%s), whatever the transport', async (field, query) => {
  const body = { code: 3, details: [{ fieldViolations: [{ field }] }] };
  for (const open of [openNdjson, openSse])
    await expect(open(gateway.url, `${PATH}?${query}`)).rejects.toMatchObject({ status: 400, body });
  await using frames = await openDocumentedWebSocket(gateway.url, `${PATH}?${query}`);
  expect(await frames.next()).toMatchObject({ error: body });
  expect(await frames.ended).toMatchObject({ code: 1008 });
});
