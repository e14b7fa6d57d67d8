import { object, required } from '../json-objects.ts';
import { parties } from '../json-values.ts';
import { partyId } from '../values.ts';
import type { IngestNoun } from './noun.ts';

export const party: IngestNoun<'party', 'party'> = {
  events: { party: 7 },
  fromMessage: ({ id }) => ({ id: partyId('id', id) }),
  fromJson: object({ id: required(parties) }),
};
