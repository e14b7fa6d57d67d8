import type { FeeDiscountKind as Kind } from '../data/nouns/fee-discounts.ts';
import { readFeeDiscounts } from '../data/queries/fee-discounts.ts';
import { builder, defineQueries } from './builder.ts';
import { exposeColumns } from './columns.ts';
import { COST_OF, costs } from './costs.ts';
import { from } from './sources.ts';

/** The rows have them as text, so they are texts here. */
const kinds: Readonly<Record<string, { readonly description: string }>> = {
  REFERRAL: { description: 'For the referral that the party came by.' },
  VOLUME: {
    description:
      'The discount for the volume that the party trades. It applies after the discount for its referral.',
  },
} satisfies Readonly<Record<Kind, unknown>>;

const FeeDiscountKind = builder.enumType('FeeDiscountKind', {
  description: 'The reason for a discount on fees.',
  values: kinds,
});

const FeeDiscount = builder.prismaObject('FeeDiscount', {
  description: 'The parts of its fees that a party is let off in the epoch that goes on.',
  ...costs({ each: COST_OF.object }),
  fields: (t) => ({
    kind: t.expose('kind', { type: FeeDiscountKind, description: 'What it is for.' }),
    ...exposeColumns(t, {
      Uint64: { epoch: 'The epoch at whose end it was found: the one before that which goes on.' },
      Decimal: {
        maker: 'The part of the maker fee, 0 to 1.',
        infrastructure: 'The part of the infrastructure fee, 0 to 1.',
        liquidity: 'The part of the liquidity fee, 0 to 1.',
      },
    }),
  }),
});

defineQueries((t) => ({
  feeDiscounts: t.field({
    ...from({ kind: 'computed' }),
    type: [FeeDiscount],
    description:
      'A list of what a party is let off its fees, one of each kind at most; empty if it is let off none, and before release 0.78 of the network.',
    args: { partyId: t.arg.id({ required: true, description: 'The public key of the party.' }) },
    resolve: async (_, { partyId }, { load }) => (await load(readFeeDiscounts, partyId)) ?? [],
  }),
}));
