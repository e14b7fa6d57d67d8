import { Kind, validate } from 'graphql';
import { expect, test } from 'vitest';
import { schema } from '../../src/graphql/index.ts';
import { furtherRoutes, routes, streamRoutes } from '../../src/rest/index.ts';

/** Every path of the documented interface that answers at once, with its parameters. */
const DOCUMENTED: Readonly<Record<string, readonly string[]>> = {
  '/api/v2/deposits': ['partyId', 'dateRange.startTimestamp', 'dateRange.endTimestamp', ...pagination()],
  '/api/v2/deposit/:id': ['id'],
  '/api/v2/accounts': [
    'filter.assetId',
    'filter.partyIds',
    'filter.marketIds',
    'filter.accountTypes',
    'includeDerivedParties',
    ...pagination(),
  ],
  '/api/v2/rewards': [
    ...[
      'partyId',
      'assetId',
      'fromEpoch',
      'toEpoch',
      'marketId',
      'gameId',
      'teamId',
      'includeDerivedParties',
    ],
    ...pagination(),
  ],
  '/api/v2/market/data/:marketId/latest': ['marketId'],
  '/api/v2/estimate/position': [
    ...['marketId', 'openVolume', 'collateralAvailable'],
    // Since release 0.74.
    ...['marginMode', 'averageEntryPrice', 'marginFactor', 'orders'],
    ...['marginAccountBalance', 'orderMarginAccountBalance', 'generalAccountBalance'],
    'includeRequiredPositionMarginInAvailableCollateral',
    'scaleLiquidationPriceToMarketDecimals',
  ],
  '/api/v2/estimate/fee': ['marketId', 'price', 'size', 'party'],
  '/votes': ['proposal', 'party'],
};

/** What we take besides, on each of them. */
const ADDED = ['asOf', 'asOfTime'];

/** Others of the reference's paths that are served beside them, and one of ours. */
/** The lists that have no pages. */
const WHOLE = ['/votes', '/api/v2/markets/data', '/api/v2/rewards/summaries'];

function exportsOf(path: string, names: readonly string[]): readonly string[] {
  return names.includes('pagination.first') || WHOLE.includes(path) ? ['format', 'units'] : [];
}

const FURTHER: Readonly<Record<string, readonly string[]>> = {
  '/api/v2/assets': ['assetId', ...pagination()],
  '/api/v2/asset/:assetId': ['assetId'],
  '/api/v2/markets': ['includeSettled', ...pagination()],
  '/api/v2/market/:marketId': ['marketId'],
  '/api/v2/markets/data': [],
  '/api/v2/parties': ['partyId', ...pagination()],
  '/api/v2/trades': [
    ...['marketIds', 'orderIds', 'partyIds'],
    ...['dateRange.startTimestamp', 'dateRange.endTimestamp', ...pagination()],
  ],
  '/api/v2/market/data/:marketId': ['marketId', 'startTimestamp', 'endTimestamp', ...pagination()],
  '/api/v2/balance/changes': [
    ...['filter.assetId', 'filter.partyIds', 'filter.marketIds', 'filter.accountTypes'],
    ...['dateRange.startTimestamp', 'dateRange.endTimestamp', ...pagination()],
  ],
  '/api/v2/changes': [
    ...['nouns', 'filter.partyIds', 'filter.marketIds', 'filter.assetIds', ...pagination()],
  ],
  '/api/v2/rewards/summaries': ['partyId', 'assetId', 'includeDerivedParties'],
  '/api/v2/candle': ['candleId', 'fromTimestamp', 'toTimestamp', ...pagination()],
  '/api/v2/candle/intervals': ['marketId'],
  '/api/v2/search': ['text', 'kinds', 'first'],
  '/api/v2/rewards/epoch/summaries': [
    ...['filter.assetIds', 'filter.marketIds', 'filter.fromEpoch', 'filter.toEpoch', ...pagination()],
  ],
};

/** Every documented stream and ours of several nouns, with its parameters and those that all streams take. */
const DOCUMENTED_STREAMS: Readonly<Record<string, readonly string[]>> = {
  '/api/v2/stream/accounts': [
    ...[
      'marketId',
      'partyId',
      'asset',
      'assetId',
      'type',
      'includeDerivedParties',
      'after',
      'cursors',
      'progress',
    ],
  ],
  '/api/v2/stream/trades': ['marketIds', 'partyIds', 'after', 'cursors', 'progress'],
  '/api/v2/stream/candle/data': ['candleId', 'after', 'cursors', 'progress'],
  '/api/v2/stream/changes': [
    ...['nouns', 'filter.partyIds', 'filter.marketIds', 'filter.assetIds'],
    ...['after', 'cursors', 'progress'],
  ],
};

test.each([
  ['path', routes, { ...DOCUMENTED, ...FURTHER }, ADDED],
  ['further path', furtherRoutes, FURTHER, ADDED],
  ['stream', streamRoutes, DOCUMENTED_STREAMS, []],
] as const)(
  'every documented %s has a route, with the documented parameters, and there is no other',
  (_, all, documented, added) => {
    const found = Object.fromEntries(
      all.map(({ path, parameters }) => [path, Object.keys(parameters).sort()]),
    );
    const wanted = Object.entries(documented).map(([path, names]) => [
      path,
      [...names, ...added, ...exportsOf(path, names)].sort(),
    ]);
    expect(found).toEqual(Object.fromEntries(wanted));
  },
);

test.each([...routes, ...streamRoutes].map((route) => [route.path, route] as const))(
  '%s is one valid operation',
  (_, route) => {
    expect(validate(schema, route.operation)).toEqual([]);
    const operations = route.operation.definitions.filter(({ kind }) => kind === Kind.OPERATION_DEFINITION);
    expect(operations).toHaveLength(1);
    expect(route.summary).not.toBe('');
    for (const { description } of Object.values(route.parameters)) expect(description).toMatch(/^[A-Z].*\.$/);
  },
);

function pagination(): readonly string[] {
  return ['first', 'after', 'last', 'before', 'newestFirst'].map((name) => `pagination.${name}`);
}
