import { DEMO } from '../../src/demo.ts';
import type { Example, Message } from '../../src/reference/examples.ts';
import type { TestGateway } from '../support/gateway.ts';
import { openNdjson } from '../support/http-clients.ts';
import type { SimulatedDatabase } from '../support/simulated.ts';

/** A request for a documented path, good or bad, that is worth showing. */
interface Asked {
  readonly path: string;
  readonly request: string;
}

/** What is asked of the network of the demo, for every documented path: something that is there, and what is refused. */
export async function findRequests({ rest, graphql }: TestGateway): Promise<readonly Asked[]> {
  const { data } = await graphql(
    '{ markets(first: 1, newestFirst: false) { edges { node { id } } } rewards(first: 1) { edges { node { partyId } } } }',
  );
  const market = data.markets.edges[0].node.id;
  const party = data.rewards.edges[0].node.partyId;
  const [deposit] = (await rest('/api/v2/deposits?pagination.newestFirst=false')).body.deposits.edges;
  const [vote] = (await rest('/votes')).body.votes;
  const oldest = 'pagination.first=2&pagination.newestFirst=false';
  return [
    { path: '/api/v2/deposits', request: `/api/v2/deposits?${oldest}` },
    { path: '/api/v2/deposits', request: '/api/v2/deposits?dateRange.startTimestamp=2026-01-01' },
    { path: '/api/v2/deposit/:id', request: `/api/v2/deposit/${deposit.node.id}` },
    { path: '/api/v2/deposit/:id', request: '/api/v2/deposit/a%00b' },
    { path: '/api/v2/deposit/:id', request: '/api/v2/deposit/none' },
    {
      path: '/api/v2/accounts',
      request: `/api/v2/accounts?filter.partyIds=${party}&filter.accountTypes=ACCOUNT_TYPE_GENERAL,ACCOUNT_TYPE_MARGIN&${oldest}`,
    },
    { path: '/api/v2/accounts', request: '/api/v2/accounts?pagination.first=ten' },
    { path: '/api/v2/rewards', request: `/api/v2/rewards?partyId=${party}&fromEpoch=1&${oldest}` },
    { path: '/api/v2/rewards', request: '/api/v2/rewards?toEpoch=-1' },
    { path: '/api/v2/market/data/:marketId/latest', request: `/api/v2/market/data/${market}/latest` },
    {
      path: '/api/v2/market/data/:marketId/latest',
      request: '/api/v2/market/data/a%00b/latest',
    },
    { path: '/api/v2/market/data/:marketId/latest', request: '/api/v2/market/data/none/latest' },
    {
      path: '/api/v2/estimate/position',
      request: `/api/v2/estimate/position?marketId=${market}&openVolume=100&collateralAvailable=1000000000`,
    },
    { path: '/api/v2/estimate/position', request: `/api/v2/estimate/position?marketId=${market}` },
    { path: '/api/v2/estimate/position', request: '/api/v2/estimate/position?marketId=none&openVolume=1' },
    {
      path: '/api/v2/estimate/fee',
      request: `/api/v2/estimate/fee?marketId=${market}&price=2000000&size=100`,
    },
    { path: '/api/v2/estimate/fee', request: `/api/v2/estimate/fee?marketId=${market}&price=0.5&size=1` },
    { path: '/api/v2/estimate/fee', request: '/api/v2/estimate/fee?marketId=none&price=1&size=1' },
    { path: '/votes', request: `/votes?proposal=${vote.proposalId}&party=${vote.partyId}` },
    { path: '/votes', request: '/votes?party=a&party=b' },
    { path: '/api/v2/assets', request: `/api/v2/assets?${oldest}` },
    { path: '/api/v2/assets', request: '/api/v2/assets?pagination.last=0' },
    { path: '/api/v2/trades', request: `/api/v2/trades?marketIds=${market}&${oldest}` },
    { path: '/api/v2/trades', request: '/api/v2/trades?dateRange.endTimestamp=1767225600' },
    { path: '/api/v2/asset/:assetId', request: `/api/v2/asset/${deposit.node.asset}` },
    { path: '/api/v2/asset/:assetId', request: '/api/v2/asset/a%00b' },
    { path: '/api/v2/asset/:assetId', request: '/api/v2/asset/none' },
    { path: '/api/v2/markets', request: '/api/v2/markets?includeSettled=false&pagination.first=1' },
    { path: '/api/v2/markets', request: '/api/v2/markets?includeSettled=perhaps' },
    { path: '/api/v2/market/:marketId', request: `/api/v2/market/${market}` },
    { path: '/api/v2/market/:marketId', request: '/api/v2/market/a%00b' },
    { path: '/api/v2/market/:marketId', request: '/api/v2/market/none' },
    { path: '/api/v2/markets/data', request: '/api/v2/markets/data' },
    { path: '/api/v2/markets/data', request: '/api/v2/markets/data?asOf=-1' },
    { path: '/api/v2/market/data/:marketId', request: `/api/v2/market/data/${market}` },
    { path: '/api/v2/market/data/:marketId', request: `/api/v2/market/data/${market}?startTimestamp=now` },
    {
      path: '/api/v2/balance/changes',
      request: `/api/v2/balance/changes?filter.partyIds=${party}&${oldest}`,
    },
    { path: '/api/v2/balance/changes', request: '/api/v2/balance/changes?dateRange.endTimestamp=today' },
    {
      path: '/api/v2/changes',
      request: `/api/v2/changes?nouns=accounts,deposits&filter.partyIds=${party}&pagination.first=2`,
    },
    { path: '/api/v2/changes', request: '/api/v2/changes?nouns=orders' },
    {
      path: '/api/v2/candle',
      request: `/api/v2/candle?candleId=trades_candle_1_minute_${market}&pagination.first=2`,
    },
    { path: '/api/v2/candle', request: '/api/v2/candle?candleId=trades_candle_1_hour_none' },
    { path: '/api/v2/candle', request: `/api/v2/candle?candleId=trades_candle_block_${market}` },
    { path: '/api/v2/candle/intervals', request: `/api/v2/candle/intervals?marketId=${market}` },
    { path: '/api/v2/candle/intervals', request: '/api/v2/candle/intervals?marketId=none' },
    { path: '/api/v2/candle/intervals', request: '/api/v2/candle/intervals' },
    { path: '/api/v2/search', request: '/api/v2/search?text=tusd' },
    { path: '/api/v2/search', request: '/api/v2/search?text=1&kinds=ORDER' },
    { path: '/api/v2/rewards/summaries', request: `/api/v2/rewards/summaries?partyId=${party}` },
    { path: '/api/v2/rewards/summaries', request: '/api/v2/rewards/summaries?partyId=a%00b' },
    {
      path: '/api/v2/rewards/epoch/summaries',
      request: '/api/v2/rewards/epoch/summaries?filter.fromEpoch=0&pagination.first=1',
    },
    {
      path: '/api/v2/rewards/epoch/summaries',
      request: '/api/v2/rewards/epoch/summaries?filter.toEpoch=now',
    },
    { path: '/api/v2/parties', request: `/api/v2/parties?partyId=${party}` },
    { path: '/api/v2/parties', request: '/api/v2/parties?pagination.first=ten' },
  ];
}

/** Asks, and tells what came. */
export async function recordAnswers(gateway: TestGateway, asked: readonly Asked[]): Promise<Example[]> {
  const answers: Example[] = [];
  for (const { path, request } of asked) {
    const { status, body } = await gateway.rest(request);
    answers.push({ path, request, status, answer: body });
  }
  return answers;
}

const STREAM = '/api/v2/stream/accounts';
const TRADES = '/api/v2/stream/trades';
const CHANGES = '/api/v2/stream/changes';
const CANDLES = '/api/v2/stream/candle/data';

/** A message of each sort but the last: the snapshot, and what a later block changes. */
export async function recordMessages(gateway: TestGateway, database: SimulatedDatabase): Promise<Message[]> {
  const { body } = await gateway.rest('/api/v2/accounts?filter.accountTypes=ACCOUNT_TYPE_INSURANCE');
  const balances: readonly { marketId: string; balance: string }[] = body.accounts.edges.map(
    ({ node }: { node: unknown }) => node,
  );
  // The pool that is nearly empty: the network empties it in the blocks that follow.
  const [{ marketId: market } = { marketId: '' }] = balances
    .filter(({ balance }) => balance !== '0')
    .sort((one, other) => one.balance.length - other.balance.length);
  const trader = await findTrader(gateway);
  const candle = await recordCandle(gateway);
  const requests = [
    `${STREAM}?type=ACCOUNT_TYPE_INSURANCE&marketId=${market}&cursors=true`,
    `${TRADES}?partyIds=${trader}&cursors=true`,
    `${CHANGES}?nouns=riskFactors,accounts&filter.marketIds=${market}&cursors=true`,
  ];
  const streams = await Promise.all(requests.map((request) => openNdjson(gateway.url, request)));
  const read = (name: 'snapshot' | 'updates') =>
    Promise.all(
      streams.map(async (stream, place) => {
        const request = requests[place] as string;
        return { path: request.replace(/\?.*/, ''), request, name, message: await stream.next() };
      }),
    );
  try {
    const snapshots = await read('snapshot');
    await database.advanceTo(DEMO.blocks + 20);
    const updates = await read('updates');
    const both = snapshots.flatMap((snapshot, place) => [snapshot, updates[place] as Message]);
    return [...both, candle];
  } finally {
    for (const stream of streams) await stream[Symbol.asyncDispose]();
  }
}

/** The first message alone: which blocks later ones are about depends on how fast they are read. */
async function recordCandle({ url, graphql }: TestGateway): Promise<Message> {
  const { data } = await graphql('{ trades(first: 1) { nodes { marketId } } }');
  const request = `${CANDLES}?candleId=trades_candle_1_minute_${data.trades.nodes[0].marketId}&cursors=true`;
  await using stream = await openNdjson(url, request);
  return { path: CANDLES, request, name: 'candle', message: await stream.next() };
}

/** Who traded least, so that the snapshot is short, and more than once, so that it goes on. */
async function findTrader({ rest }: TestGateway): Promise<string> {
  const { edges } = (await rest('/api/v2/trades')).body.trades;
  const counts = new Map<string, number>();
  for (const { node } of edges)
    for (const party of [node.buyer, node.seller]) counts.set(party, (counts.get(party) ?? 0) + 1);
  const [trader] = [...counts].filter(([, count]) => count > 1).sort(([, one], [, other]) => one - other);
  return trader?.[0] ?? '';
}
