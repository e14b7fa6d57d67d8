import { noun } from '../noun.ts';

/** What parties say of themselves: apart from their rows, which never change, so that answers need not depend on those. */
export const partyProfiles = noun({
  model: 'PartyProfile',
  name: 'partyProfiles',
  isListed: false,
  key: ['partyId'],
  history: 'rows',
  party: 'partyId',
});

/** What `PartyProfile.metadata` holds. */
export interface PartyMetadata {
  readonly key: string;
  readonly value: string;
}
