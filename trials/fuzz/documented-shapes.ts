import { DEPOSIT_FIELDS, DOCUMENTED_LISTS } from '../../test/rest/documented-lists.ts';

/** A documented object: `text` for a string, `flag` for a boolean, `orNull` for an object that may be absent. */
type Shape =
  | 'text'
  | 'flag'
  | { readonly list: Shape }
  | { readonly orNull: Shape }
  /** The members of `more` are there where there is something to say. */
  | { readonly fields: Readonly<Record<string, Shape>>; readonly more?: Readonly<Record<string, Shape>> };

const object = (...names: readonly string[]): Shape =>
  fields(Object.fromEntries(names.map((name) => [name, 'text'])));
const fields = (all: Readonly<Record<string, Shape>>, more: Readonly<Record<string, Shape>> = {}): Shape => ({
  fields: all,
  more,
});
const texts = (...names: readonly string[]): Readonly<Record<string, Shape>> =>
  Object.fromEntries(names.map((name) => [name, 'text']));

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
const PRICE_STATE = fields({ priceSources: { list: object('priceSource', 'price', 'lastUpdated') } });
const LIQUIDATION = object('includingBuyOrders', 'includingSellOrders', 'openVolumeOnly');
const PAGE_INFO = fields({
  hasNextPage: 'flag',
  hasPreviousPage: 'flag',
  startCursor: 'text',
  endCursor: 'text',
});

/** What newer releases added to the rows of a list. */
const ADDED: Readonly<Record<string, Readonly<Record<string, Shape>>>> = {
  '/api/v2/rewards': texts('lockedUntilEpoch', 'quantumAmount', 'gameId'),
  '/votes': { elsPerMarket: { list: object('marketId', 'els') } },
};

const lists = DOCUMENTED_LISTS.map(({ path, field, fields: names, isPaged }) => {
  const node = fields(texts(...Object.keys(names)), ADDED[path]);
  return [path, fields({ [field]: isPaged ? pageOf(node) : { list: node } })] as const;
});

function pageOf(node: Shape): Shape {
  return fields({ edges: { list: fields({ node, cursor: 'text' }) }, pageInfo: PAGE_INFO });
}

const ASSET = fields({
  ...texts('id', 'status'),
  details: fields(texts('name', 'symbol', 'decimals', 'quantum'), {
    builtinAsset: object('maxFaucetAmountMint'),
    erc20: fields(texts('contractAddress', 'lifetimeLimit', 'withdrawThreshold'), texts('chainId')),
  }),
});

const MARKET_DATA_SHAPE = fields(
  {
    ...texts(...MARKET_DATA.split(' ')),
    priceMonitoringBounds: {
      list: fields(
        {
          ...texts('minValidPrice', 'maxValidPrice', 'referencePrice'),
          trigger: { orNull: object('horizon', 'probability', 'auctionExtension') },
        },
        { active: 'flag' },
      ),
    },
    liquidityProviderFeeShare: {
      list: fields(
        texts('party', 'equityLikeShare', 'averageEntryValuation', 'averageScore'),
        texts('virtualStake'),
      ),
    },
  },
  {
    ...texts('marketGrowth', 'nextNetworkCloseout', 'markPriceType'),
    productData: fields({
      perpetualData: fields(texts('fundingPayment', 'fundingRate', 'internalTwap', 'externalTwap'), {
        ...texts('seqNum', 'startTime', 'internalCompositePrice', 'nextInternalCompositePriceCalc'),
        ...texts('internalCompositePriceType', 'underlyingIndexPrice'),
        internalCompositePriceState: PRICE_STATE,
      }),
    }),
    liquidityProviderSla: {
      list: fields({
        ...texts('party', 'currentEpochFractionOfTimeOnBook', 'lastEpochFractionOfTimeOnBook'),
        ...texts('lastEpochFeePenalty', 'lastEpochBondPenalty', 'requiredLiquidity'),
        ...texts('notionalVolumeBuys', 'notionalVolumeSells'),
        hysteresisPeriodFeePenalties: { list: 'text' },
      }),
    },
    markPriceState: PRICE_STATE,
    activeProtocolAutomatedPurchase: fields(texts('id'), texts('orderId')),
  },
);

/** Of the reference's further paths, those whose answers have no numbers. */
const FURTHER: Readonly<Record<string, Shape>> = {
  '/api/v2/assets': fields({ assets: pageOf(ASSET) }),
  '/api/v2/asset/:assetId': fields({ asset: ASSET }),
  '/api/v2/parties': fields({
    parties: pageOf(fields(texts('id'), { ...texts('alias'), metadata: { list: object('key', 'value') } })),
  }),
  '/api/v2/markets/data': fields({ marketsData: { list: MARKET_DATA_SHAPE } }),
};

const SHAPES: Readonly<Record<string, Shape>> = {
  ...Object.fromEntries(lists),
  ...FURTHER,
  '/api/v2/deposit/:id': fields({ deposit: object(...Object.keys(DEPOSIT_FIELDS)) }),
  '/api/v2/market/data/:marketId/latest': fields({
    marketData: MARKET_DATA_SHAPE,
  }),
  '/api/v2/estimate/position': fields({
    margin: fields({ bestCase: LEVEL, worstCase: LEVEL }),
    liquidation: { orNull: fields({ bestCase: LIQUIDATION, worstCase: LIQUIDATION }) },
  }),
  '/api/v2/estimate/fee': fields({ fee: object('infrastructureFee', 'liquidityFee', 'makerFee') }),
};

/** What differs from the documented shape; null for a path whose answer is a stream, or has numbers. */
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
  const { more = {} } = shape;
  const added = Object.entries(more).filter(([name]) => name in value);
  const all = { ...shape.fields, ...Object.fromEntries(added) };
  const wanted = Object.keys(all).sort().join();
  const found = Object.keys(value).sort().join();
  if (wanted !== found) return `${at} has ${found}, not ${wanted}`;
  return firstOf(
    Object.entries(all).map(([name, one]) =>
      differs((value as Record<string, unknown>)[name], one, `${at}.${name}`),
    ),
  );
}

function firstOf(faults: readonly (string | null)[]): string | null {
  return faults.find((fault) => fault !== null) ?? null;
}
