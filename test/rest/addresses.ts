import type { Tables } from '../graphql/simulated-lists.ts';

const CHANGED =
  'parties,assets,markets,riskFactors,marketData,accounts,deposits,trades,rewards,proposals,votes,marginLevels,partyProfiles';

/** Questions to each path, of what there is at the end. */
export function addressesOf(tables: Tables): Readonly<Record<string, readonly string[]>> {
  const some = (table: string, column: string) =>
    [...new Set((tables[table] ?? []).map((row) => row[column] ?? ''))].filter((value) => value !== '');
  const markets = some('markets', 'id');
  const times = some('blocks', 'timestamp');
  const deposits = '/api/v2/deposits?pagination.first=5';
  const estimate = (market: string) => `/api/v2/estimate/position?marketId=${market}&openVolume=7`;
  return {
    '/api/v2/deposits': [
      ...['/api/v2/deposits', deposits, '/api/v2/deposits?pagination.last=3'],
      ...some('deposits', 'party_id').map((party) => `${deposits}&partyId=${party}`),
      ...times.map((time) => `${deposits}&dateRange.startTimestamp=${time}&pagination.newestFirst=false`),
    ],
    '/api/v2/deposit/:id': some('deposits', 'id').map((id) => `/api/v2/deposit/${id}`),
    '/api/v2/accounts': [
      '/api/v2/accounts?pretty',
      '/api/v2/accounts?pagination.first=7',
      ...some('accounts', 'owner').map((owner) => `/api/v2/accounts?filter.partyIds=${owner}`),
      ...some('accounts', 'type').map((type) => `/api/v2/accounts?filter.accountTypes=${type}`),
    ],
    '/api/v2/rewards': [
      '/api/v2/rewards?pagination.first=9',
      ...some('rewards', 'party_id').map((party) => `/api/v2/rewards?partyId=${party}&pagination.first=4`),
      ...some('rewards', 'epoch').map((epoch) => `/api/v2/rewards?fromEpoch=${epoch}&pagination.first=4`),
    ],
    '/api/v2/market/data/:marketId/latest': markets.map((id) => `/api/v2/market/data/${id}/latest`),
    '/api/v2/estimate/position': markets.flatMap((id) => [
      estimate(id),
      `${estimate(id)}&collateralAvailable=1000000`,
    ]),
    '/api/v2/estimate/fee': markets.flatMap((id) =>
      [
        '',
        ...some('accounts', 'owner')
          .slice(0, 3)
          .map((party) => `&party=${party}`),
      ].map((more) => `/api/v2/estimate/fee?marketId=${id}&price=1000&size=20${more}`),
    ),
    '/api/v2/assets': ['/api/v2/assets', '/api/v2/assets?pagination.first=1&pagination.newestFirst=false'],
    '/api/v2/asset/:assetId': some('assets', 'id').map((id) => `/api/v2/asset/${id}`),
    '/api/v2/markets': ['/api/v2/markets', '/api/v2/markets?includeSettled=false&pagination.first=2'],
    '/api/v2/market/:marketId': markets.map((id) => `/api/v2/market/${id}`),
    '/api/v2/markets/data': ['/api/v2/markets/data'],
    '/api/v2/market/data/:marketId': markets.flatMap((id) =>
      [
        '',
        '?pagination.first=3',
        ...times.slice(0, 20).map((time) => `?startTimestamp=${time}&pagination.last=4`),
      ].map((query) => `/api/v2/market/data/${id}${query}`),
    ),
    '/api/v2/balance/changes': [
      '/api/v2/balance/changes?pagination.first=20',
      ...some('accounts', 'owner').map((party) => `/api/v2/balance/changes?filter.partyIds=${party}`),
      ...times.map((time) => `/api/v2/balance/changes?dateRange.startTimestamp=${time}&pagination.last=9`),
    ],
    '/api/v2/changes': [
      // The largest page of all there is costs no more than may be asked for.
      ...[
        `/api/v2/changes?nouns=${CHANGED}&pagination.first=700`,
        '/api/v2/changes?nouns=marketData,markets',
      ],
      ...[1, 40, 300].map((first) => `/api/v2/changes?nouns=${CHANGED}&pagination.first=${first}`),
      ...some('accounts', 'owner').map((party) => `/api/v2/changes?nouns=accounts&filter.partyIds=${party}`),
    ],
    '/api/v2/trades': [
      '/api/v2/trades?pagination.first=9',
      ...some('accounts', 'owner').map((party) => `/api/v2/trades?partyIds=${party}&pagination.last=5`),
      ...some('trades', 'buy_order')
        .slice(0, 5)
        .map((order) => `/api/v2/trades?orderIds=${order}`),
      ...times.map((time) => `/api/v2/trades?dateRange.endTimestamp=${time}&pagination.first=4`),
    ],
    '/api/v2/candle': markets.flatMap((id) => {
      const address = `/api/v2/candle?candleId=trades_candle_1_minute_${id}`;
      return [
        ...[address, `${address}&pagination.last=2`, `${address}&pagination.first=3`],
        ...times.map((time) => `${address}&toTimestamp=${time}&pagination.first=3`),
      ];
    }),
    '/api/v2/candle/intervals': markets.map((id) => `/api/v2/candle/intervals?marketId=${id}`),
    '/api/v2/search': [
      ...[...some('assets', 'symbol'), ...some('markets', 'id'), ...some('deposits', 'id')].map(
        (text) => `/api/v2/search?text=${encodeURIComponent(text.slice(0, 9))}&first=4`,
      ),
      ...some('blocks', 'height').map((height) => `/api/v2/search?text=${height}&kinds=BLOCK`),
    ],
    '/api/v2/rewards/summaries': [
      '/api/v2/rewards/summaries',
      ...some('rewards', 'party_id').map((party) => `/api/v2/rewards/summaries?partyId=${party}`),
      ...some('rewards', 'asset_id').map((asset) => `/api/v2/rewards/summaries?assetId=${asset}`),
    ],
    '/api/v2/rewards/epoch/summaries': [
      '/api/v2/rewards/epoch/summaries?pagination.first=3',
      ...some('rewards', 'asset_id').map(
        (asset) => `/api/v2/rewards/epoch/summaries?filter.assetIds=${asset}`,
      ),
      ...some('rewards', 'epoch').map(
        (epoch) => `/api/v2/rewards/epoch/summaries?filter.fromEpoch=${epoch}&pagination.last=2`,
      ),
    ],
    '/api/v2/parties': [
      '/api/v2/parties?pagination.first=6',
      ...some('accounts', 'owner').map((party) => `/api/v2/parties?partyId=${party}`),
    ],
    '/votes': ['/votes', ...some('votes', 'party_id').map((party) => `/votes?party=${party}`)],
  };
}

/** An address with another parameter. */
export function addParameter(address: string, parameter: string): string {
  return `${address}${address.includes('?') ? '&' : '?'}${parameter}`;
}
