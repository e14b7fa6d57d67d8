import { listOf, object, otherwise, required, text } from '../json-objects.ts';
import { parties } from '../json-values.ts';
import { partyId } from '../values.ts';
import type { IngestNoun } from './noun.ts';

export const partyProfile: IngestNoun<'partyProfile', 'partyProfileUpdated'> = {
  events: { partyProfileUpdated: 86 },
  fromMessage: ({ updatedProfile: profile }) => ({
    partyId: partyId('partyId', profile?.partyId ?? ''),
    alias: profile?.alias ?? '',
    metadata: profile?.metadata.map(({ key, value }) => ({ key, value })) ?? [],
  }),
  fromJson: object({
    partyId: required(parties),
    alias: otherwise('', text),
    metadata: otherwise([], listOf(object({ key: required(text), value: otherwise('', text) }))),
  }),
};
