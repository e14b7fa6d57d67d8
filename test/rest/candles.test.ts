import { expect, test } from 'vitest';
import { forAllTests } from '../support/for-all-tests.ts';
import { startTestGateway } from '../support/gateway.ts';
import { createSimulatedDatabase } from '../support/simulated.ts';

const simulated = await forAllTests(
  createSimulatedDatabase({ seed: 8, blocks: 160, parties: 30, markets: 3 }),
);
const gateway = await forAllTests(startTestGateway(simulated.url));
const { data } = await gateway.graphql('{ trades(newestFirst: false, first: 1) { nodes { marketId } } }');
const market: string = data.trades.nodes[0].marketId;

const FIELDS = 'start lastUpdate high low open close volume notional';

/** The widths in GraphQL's words, by the reference's. */
const WIDTHS: Readonly<Record<string, string>> = {
  '1 minute': 'PT1M',
  '5 minutes': 'PT5M',
  '15 minutes': 'PT15M',
  '30 minutes': 'PT30M',
  '1 hour': 'PT1H',
  '4 hours': 'PT4H',
  '6 hours': 'PT6H',
  '8 hours': 'PT8H',
  '12 hours': 'PT12H',
  '1 day': 'P1D',
  '7 days': 'P1W',
};

test('each id of a market gives the candles of its width, in pages, as GraphQL does', async () => {
  const { body } = await gateway.rest(`/api/v2/candle/intervals?marketId=${market}`);
  expect(body.intervalToCandleId.map(({ interval }: { readonly interval: string }) => interval)).toEqual(
    Object.keys(WIDTHS),
  );
  for (const { interval, candleId } of body.intervalToCandleId) {
    expect(candleId).toBe(`trades_candle_${interval.replace(' ', '_')}_${market}`);
    const { candles } = (await gateway.rest(`/api/v2/candle?candleId=${candleId}&pagination.first=2`)).body;
    const asked = `candles(every: "${WIDTHS[interval]}", first: 2) {
      edges { node { ${FIELDS} } cursor } pageInfo { hasNextPage hasPreviousPage startCursor endCursor } }`;
    expect({ candles }).toEqual(
      (await gateway.graphql(`{ market(id: "${market}") { ${asked} } }`)).data.market,
    );
    expect(Object.keys(candles.edges[0].node)).toEqual(FIELDS.split(' '));
  }
});

test('all of them come as CSV and as lines of JSON', async () => {
  const address = `/api/v2/candle?candleId=trades_candle_1_minute_${market}`;
  const { candles } = (await gateway.rest(`${address}&pagination.first=5000`)).body;
  const nodes: readonly Readonly<Record<string, string>>[] = candles.edges.map(
    ({ node }: { readonly node: object }) => node,
  );
  expect(nodes.length).toBeGreaterThan(2);
  const textOf = async (format: string) => (await fetch(`${gateway.url}${address}&format=${format}`)).text();
  const csv = await textOf('csv');
  const names = FIELDS.split(' ');
  const lines = nodes.map((node) => names.map((name) => `"${node[name]}"`).join(','));
  expect(csv).toBe([names.map((name) => `"${name}"`).join(','), ...lines, ''].join('\r\n'));
  expect(await textOf('ndjson')).toBe(nodes.map((node) => `${JSON.stringify(node)}\n`).join(''));
});

test('a market that is not known has no candles, and no ids of any', async () => {
  const { body } = await gateway.rest('/api/v2/candle?candleId=trades_candle_1_hour_none');
  expect([body.candles.edges, body.candles.pageInfo.hasNextPage]).toEqual([[], false]);
  expect((await gateway.rest('/api/v2/candle/intervals?marketId=none')).status).toBe(404);
});

test('a range is of the begins of candles, and may go on behind the last trade', async () => {
  const address = `/api/v2/candle?candleId=trades_candle_1_minute_${market}`;
  const all = (await gateway.rest(address)).body.candles.edges;
  const [newest, second] = all.map(({ node }: { readonly node: { readonly start: string } }) => node.start);
  const startsOf = async (query: string) =>
    (await gateway.rest(`${address}&${query}`)).body.candles.edges.map(
      ({ node }: { readonly node: { readonly start: string } }) => node.start,
    );
  expect(await startsOf(`fromTimestamp=${second}`)).toEqual([newest, second]);
  expect(await startsOf(`fromTimestamp=${second}&toTimestamp=${newest}`)).toEqual([second]);
  expect(await startsOf(`fromTimestamp=${BigInt(newest) + 1n}`)).toEqual([]);
});

test.each([
  ['', 400, 'Parameter candleId is missing; it takes an id that /api/v2/candle/intervals gives'],
  ['candleId=trades_candle_block_MARKET', 400, 'it takes an id that /api/v2/candle/intervals gives'],
  ['candleId=trades_candle_1_hour_', 400, 'it takes an id that /api/v2/candle/intervals gives'],
  [
    'candleId=trades_candle_1_hour_MARKET&fromTimestamp=1767225600',
    400,
    'Parameter fromTimestamp is "1767225600"',
  ],
  [
    'candleId=trades_candle_1_hour_MARKET&fromTimestamp=-3',
    400,
    'Parameter fromTimestamp takes nanoseconds since 1970, not -3.',
  ],
  [
    'candleId=trades_candle_1_hour_MARKET&fromTimestamp=1767225600000000001&toTimestamp=1767225600000000000',
    400,
    'Parameter toTimestamp takes a time that is not before fromTimestamp (1767225600000000001), not 1767225600000000000.',
  ],
])('%s is refused', async (query, wanted, message) => {
  const { status, body } = await gateway.rest(`/api/v2/candle?${query.replace('MARKET', market)}`);
  expect([status, body.message]).toEqual([wanted, expect.stringContaining(message)]);
});
