import { DEPOSIT_FIELDS, DOCUMENTED_LISTS } from '../rest/documented-lists.ts';

/** A documented object: `text` for a string, `flag` for a boolean, `orNull` for an object that may be absent. */
type Shape =
  | 'text'
  | 'flag'
  | { readonly list: Shape }
  | { readonly orNull: Shape }
  | { readonly fields: Readonly<Record<string, Shape>> };

const object = (...names: readonly string[]): Shape =>
  fields(Object.fromEntries(names.map((name) => [name, 'text'])));
const fields = (all: Readonly<Record<string, Shape>>): Shape => ({ fields: all });

const MARKET_DATA =
  'market markPrice lastTradedPrice midPrice staticMidPrice bestBidPrice bestBidVolume bestOfferPrice bestOfferVolume bestStaticBidPrice bestStaticBidVolume bestStaticOfferPrice bestStaticOfferVolume indicativePrice indicativeVolume openInterest marketValueProxy suppliedStake targetStake nextMarkToMarket auctionStart auctionEnd timestamp marketState marketTradingMode trigger extensionTrigger';
const LEVEL = object(
  'marketId',
  'partyId',
  'asset',
  'initialMargin',
  'maintenanceMargin',
  'searchLevel',
  'collateralReleaseLevel',
  'timestamp',
);
const LIQUIDATION = object('includingBuyOrders', 'includingSellOrders', 'openVolumeOnly');
const PAGE_INFO = fields({
  hasNextPage: 'flag',
  hasPreviousPage: 'flag',
  startCursor: 'text',
  endCursor: 'text',
});

const lists = DOCUMENTED_LISTS.map(({ path, field, fields: names, isPaged }) => {
  const node = object(...Object.keys(names));
  const page = fields({ edges: { list: fields({ node, cursor: 'text' }) }, pageInfo: PAGE_INFO });
  return [path, fields({ [field]: isPaged ? page : { list: node } })] as const;
});

const SHAPES: Readonly<Record<string, Shape>> = {
  ...Object.fromEntries(lists),
  '/api/v2/deposit/:id': fields({ deposit: object(...Object.keys(DEPOSIT_FIELDS)) }),
  '/api/v2/market/data/:marketId/latest': fields({
    marketData: fields({
      ...Object.fromEntries(MARKET_DATA.split(' ').map((name) => [name, 'text' as const])),
      priceMonitoringBounds: {
        list: fields({
          minValidPrice: 'text',
          maxValidPrice: 'text',
          referencePrice: 'text',
          trigger: object('horizon', 'probability', 'auctionExtension'),
        }),
      },
      liquidityProviderFeeShare: {
        list: object('party', 'equityLikeShare', 'averageEntryValuation', 'averageScore'),
      },
    }),
  }),
  '/api/v2/estimate/position': fields({
    margin: fields({ bestCase: LEVEL, worstCase: LEVEL }),
    liquidation: { orNull: fields({ bestCase: LIQUIDATION, worstCase: LIQUIDATION }) },
  }),
  '/api/v2/estimate/fee': fields({ fee: object('infrastructureFee', 'liquidityFee', 'makerFee') }),
};

/** What differs from the documented shape; null for a path whose answer is a stream. */
export function findShapeFault(path: string, body: string): string | null {
  const shape = SHAPES[path];
  return shape === undefined ? null : differs(JSON.parse(body), shape, '');
}

function differs(value: unknown, shape: Shape, at: string): string | null {
  if (shape === 'text')
    return typeof value === 'string' ? null : `${at} is ${JSON.stringify(value)}, not text`;
  if (shape === 'flag')
    return typeof value === 'boolean' ? null : `${at} is ${JSON.stringify(value)}, not a boolean`;
  if ('orNull' in shape) return value === null ? null : differs(value, shape.orNull, at);
  if ('list' in shape) {
    if (!Array.isArray(value)) return `${at} is no list`;
    return firstOf(value.map((item, n) => differs(item, shape.list, `${at}[${n}]`)));
  }
  if (typeof value !== 'object' || value === null) return `${at} is ${JSON.stringify(value)}, not an object`;
  const wanted = Object.keys(shape.fields).sort().join();
  const found = Object.keys(value).sort().join();
  if (wanted !== found) return `${at} has ${found}, not ${wanted}`;
  return firstOf(
    Object.entries(shape.fields).map(([name, one]) =>
      differs((value as Record<string, unknown>)[name], one, `${at}.${name}`),
    ),
  );
}

function firstOf(faults: readonly (string | null)[]): string | null {
  return faults.find((fault) => fault !== null) ?? null;
}
