import { noun } from '../noun.ts';

export const feeDiscounts = noun({
  model: 'FeeDiscount',
  name: 'feeDiscounts',
  isListed: false,
  key: ['partyId', 'kind', 'epoch'],
  history: 'added',
});

/** What `FeeDiscount.kind` may be. */
export type FeeDiscountKind = 'REFERRAL' | 'VOLUME';
