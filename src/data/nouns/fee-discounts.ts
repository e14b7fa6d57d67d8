import { noun } from '../noun.ts';

export const feeDiscounts = noun({
  model: 'FeeDiscount',
  name: 'feeDiscounts',
  key: ['partyId', 'kind', 'slot'],
});

/** What `FeeDiscount.kind` may be. */
export type FeeDiscountKind = 'REFERRAL' | 'VOLUME';
