import type { FeeDiscount } from '../data/generated/prisma/client.ts';
import type { FeeDiscountKind } from '../data/nouns/fee-discounts.ts';
import { readFeeDiscounts } from '../data/queries/fee-discounts.ts';
import { estimateFee, type FeeDiscounts, type Fees, type PartyDiscounts } from '../domain/estimates/fees.ts';
import { defineQueries } from './builder.ts';
import { defineObject } from './columns.ts';
import { answering, findMarket } from './estimate-market.ts';
import { from } from './sources.ts';

/** Fees as they are written: what there is none of is absent, and written null. */
type FeesShape = Omit<Fees, 'discounts'> & Partial<FeeDiscounts> & { readonly highVolumeMakerFee: null };

const TELLING = 'null unless a party is named';

const FeeEstimate = defineObject<FeesShape>(
  'FeeEstimate',
  "The fees of a trade, in the asset's smallest unit: of the settlement asset, or of the quote asset in a spot market. A party that is named pays less by its discounts.",
  {
    Integer: {
      makerFee: 'The fee for the maker of the trade.',
      infrastructureFee: 'The fee for the validators.',
      liquidityFee: 'The fee for the liquidity providers.',
    },
    'Integer | null': {
      makerFeeVolumeDiscount: `What the party is let off the maker fee for its volume; ${TELLING}.`,
      infrastructureFeeVolumeDiscount: `What the party is let off the infrastructure fee for its volume; ${TELLING}.`,
      liquidityFeeVolumeDiscount: `What the party is let off the liquidity fee for its volume; ${TELLING}.`,
      makerFeeReferrerDiscount: `What the party is let off the maker fee for its referral; ${TELLING}.`,
      infrastructureFeeReferrerDiscount: `What the party is let off the infrastructure fee for its referral; ${TELLING}.`,
      liquidityFeeReferrerDiscount: `What the party is let off the liquidity fee for its referral; ${TELLING}.`,
      treasuryFee: 'The fee for the treasury of the network, on top of the others; null before release 0.78.',
      buyBackFee: 'The fee for what the network buys back, on top of the others; null before release 0.78.',
      highVolumeMakerFee:
        'The fee for a maker of much volume: always null, as nobody knows beforehand whose orders a trade meets.',
    },
  },
);

defineQueries((t) => ({
  estimateFee: t.field({
    ...from({ kind: 'computed' }),
    type: FeeEstimate,
    nullable: true,
    description:
      'The fees of a trade in a market, as the release of its network charges them. Null if they cannot be estimated; an error then says why.',
    args: {
      marketId: t.arg.id({ required: true, description: 'The identifier of the market of the trade.' }),
      price: t.arg({
        type: 'Integer',
        required: true,
        description: 'The price of the trade, in market decimals; above zero and below 2^255.',
      }),
      size: t.arg({
        type: 'Uint64',
        required: true,
        description: 'The volume of the trade, in position decimals; above zero.',
      }),
      party: t.arg.id({
        description:
          'The public key of the party that trades, whose discounts are taken off. One that has none, or is not known, is let off nothing.',
      }),
    },
    async resolve(_, { marketId, price, size, party }, context) {
      const { market, asset } = await findMarket(context, marketId);
      const discounts =
        party === undefined || party === null
          ? null
          : partyDiscounts((await context.load(readFeeDiscounts, party)) ?? []);
      const { discounts: letOff, ...fees } = answering(() =>
        estimateFee({ market, asset, price, size, discounts }),
      );
      return { highVolumeMakerFee: null, ...fees, ...letOff };
    },
  }),
}));

function partyDiscounts(rows: readonly FeeDiscount[]): PartyDiscounts {
  const of = (kind: FeeDiscountKind) => rows.find((row) => row.kind === kind) ?? null;
  return { referral: of('REFERRAL'), volume: of('VOLUME') };
}
