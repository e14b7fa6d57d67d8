import type { ResultOf } from 'gql.tada';
import { graphql, PAGE_ARGUMENTS, PAGE_VARIABLES, PageInfoFields } from './graphql.ts';
import { pageAnswer } from './mapped-answers.ts';
import { pageOf, pagination } from './pagination.ts';
import { optional } from './params.ts';
import { route } from './route.ts';
import { has, listOf, mayHave, object, text } from './shape.ts';
import { id } from './value-types.ts';

const PartyFields = graphql(`
  fragment PartyFields on Party { id profile { alias metadata { key value } } }
`);

type Party = ResultOf<typeof PartyFields>;

export const PartyMetadataShape = object<{ readonly key: string; readonly value: string }>(
  'PartyMetadata',
  'Something that a party says of itself.',
  {
    key: has('What it is about.', text, ({ key }) => key),
    value: has('What the party says.', text, ({ value }) => value),
  },
);

const PartyShape = object<Party>(
  'Party',
  'A participant in the network. Alias and metadata are absent where a party says nothing of itself, as before release 0.74.',
  {
    id: has('The public key of the party; `network` for the network itself.', text, (party) => party.id),
    alias: mayHave('The name that the party goes by.', text, ({ profile }) => profile?.alias ?? null),
    metadata: mayHave(
      'A list of whatever else the party says of itself.',
      listOf(PartyMetadataShape),
      ({ profile }) => profile?.metadata ?? null,
    ),
  },
);

export const partyRoutes = [
  route({
    path: '/api/v2/parties',
    summary: 'A list of parties',
    parameters: { partyId: optional(id, 'Only this party.'), ...pagination('parties') },
    operation: graphql(
      `query ListParties($ids: [ID!], ${PAGE_VARIABLES}) {
        parties(ids: $ids, ${PAGE_ARGUMENTS}) {
          edges { node { ...PartyFields } cursor }
          pageInfo { ...PageInfoFields }
        }
      }`,
      [PartyFields, PageInfoFields],
    ),
    variables: ({ partyId, ...given }) => ({
      ids: partyId === undefined ? undefined : [partyId],
      ...pageOf(given),
    }),
    ...pageAnswer('parties', 'Party', PartyShape),
  }),
];
