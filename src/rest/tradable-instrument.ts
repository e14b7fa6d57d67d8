import type { Market, PartOf } from './market-fields.ts';
import { MarginCalculator, riskModelMembers } from './market-risk.ts';
import { CompositePrice } from './market-settings.ts';
import { flag, has, hasOrNull, listOf, mayHave, object, scalar, scalarOrEmpty, text } from './shape.ts';

/** What a market trades. */

const Cap = object<PartOf<'cap'>>('FutureCap', 'The cap of a future: no price passes it.', {
  maxPrice: has('The highest price, in market decimals.', scalar('Integer'), (cap) => cap.maxPrice),
  binarySettlement: has(
    'Whether the market settles at 0 or at the highest price, and at nothing between.',
    flag,
    (cap) => cap.binarySettlement,
  ),
  fullyCollateralised: has(
    'Whether the margin of a position is all that it can lose.',
    flag,
    (cap) => cap.fullyCollateralised,
  ),
});

const settlementAsset = has<Market, string>(
  'The identifier of the asset that the market settles in.',
  text,
  (market) => market.settlementAsset ?? '',
);

const quoteName = has<Market, string>(
  'The name of the unit in which prices are quoted. May be empty.',
  text,
  (market) => market.quoteName ?? '',
);

const Future = object<Market>('Future', `A future. ${dataSourcesAreNotKept()}`, {
  settlementAsset,
  quoteName,
  cap: mayHave('The cap; absent if there is none.', Cap, ({ cap }) => cap),
});

const Spot = object<Market>('Spot', 'A spot: one asset is exchanged for another.', {
  baseAsset: has(
    'The identifier of the asset that is bought and sold.',
    text,
    (market) => market.baseAsset ?? '',
  ),
  quoteAsset: has(
    'The identifier of the asset that is paid with.',
    text,
    (market) => market.quoteAsset ?? '',
  ),
});

type Perpetual = Market & { readonly funding: PartOf<'funding'> };

const PerpetualShape = object<Perpetual>('Perpetual', `A perpetual. ${dataSourcesAreNotKept()}`, {
  settlementAsset,
  quoteName,
  marginFundingFactor: has(
    'The share of the expected funding payment that margins cover, from 0 to 1; empty if the network told none.',
    scalarOrEmpty('Decimal'),
    ({ funding }) => funding.marginFundingFactor,
  ),
  interestRate: has(
    'The interest of a year, as a share of the price.',
    scalar('Decimal'),
    ({ funding }) => funding.interestRate,
  ),
  clampLowerBound: has(
    'The least that the interest adds to the rate of a year, as a share of the price.',
    scalar('Decimal'),
    ({ funding }) => funding.clampLowerBound,
  ),
  clampUpperBound: has(
    'The most that the interest adds to the rate of a year, as a share of the price.',
    scalar('Decimal'),
    ({ funding }) => funding.clampUpperBound,
  ),
  fundingRateScalingFactor: mayHave(
    'What the funding rate is multiplied by; absent if the network gave none.',
    scalar('Decimal'),
    ({ funding }) => funding.fundingRateScalingFactor,
  ),
  fundingRateLowerBound: mayHave(
    'The least funding rate of a period, as a share of the price; absent if there is none.',
    scalar('Decimal'),
    ({ funding }) => funding.fundingRateLowerBound,
  ),
  fundingRateUpperBound: mayHave(
    'The largest funding rate of a period, as a share of the price; absent if there is none.',
    scalar('Decimal'),
    ({ funding }) => funding.fundingRateUpperBound,
  ),
  internalCompositePriceConfiguration: mayHave(
    'How the price is made that the funding is computed from; absent if it is the mark price.',
    CompositePrice,
    (market) => market.internalCompositePrice,
  ),
});

function dataSourcesAreNotKept(): string {
  return 'The sources of its data, and what binds them to it, are not kept, and so are not here.';
}

const Metadata = object<Market>('InstrumentMetadata', 'What else is said of an instrument.', {
  tags: has('A list of the tags of the instrument.', listOf(text), ({ tags }) => tags),
});

const Instrument = object<Market>(
  'Instrument',
  'What a market trades: one product, or none of these where a newer release brings another.',
  {
    id: has('The identifier of the instrument. May be empty.', text, (market) => market.instrumentId),
    code: has('The code of the instrument.', text, (market) => market.instrumentCode),
    name: has('The name of the instrument.', text, (market) => market.instrumentName),
    metadata: has('What else is said of the instrument.', Metadata, (market) => market),
    future: mayHave('Absent unless it is a future.', Future, (market) =>
      market.product === 'FUTURE' ? market : null,
    ),
    spot: mayHave('Absent unless it is a spot.', Spot, (market) =>
      market.product === 'SPOT' ? market : null,
    ),
    perpetual: mayHave('Absent unless it is a perpetual.', PerpetualShape, ({ funding, ...market }) =>
      funding === null ? null : { ...market, funding },
    ),
  },
);

export const TradableInstrument = object<Market>(
  'TradableInstrument',
  'What a market trades, and what its risk is.',
  {
    instrument: has('What the market trades.', Instrument, (market) => market),
    marginCalculator: hasOrNull(
      'How margins are computed; null where there are none, as in a spot market.',
      MarginCalculator,
      (market) => (market.searchLevel === null ? null : market),
    ),
    ...riskModelMembers,
  },
);
