import type { VariablesOf } from 'gql.tada';
import { complaintAboutId, MAX_ID_LENGTH } from '../domain/ids.ts';
import { graphql } from './graphql.ts';
import { list, optional, required } from './params.ts';
import { route } from './route.ts';
import { int32, type ValueType } from './value-types.ts';

const operation = graphql(`
  query Search($text: String!, $kinds: [SearchKind!], $first: Int) {
    results: search(text: $text, kinds: $kinds, first: $first) { kind id: objectId matched value isExact }
  }
`);

type Kind = NonNullable<VariablesOf<typeof operation>['kinds']>[number];

const KINDS = Object.keys({
  BLOCK: true,
  EPOCH: true,
  PARTY: true,
  ASSET: true,
  MARKET: true,
  PROPOSAL: true,
  DEPOSIT: true,
} satisfies Readonly<Record<Kind, true>>) as readonly Kind[];

const kind: ValueType<Kind> = {
  accepts: `one of ${KINDS.join(', ')}`,
  schema: { type: 'string', enum: KINDS },
  read: (given) => KINDS.find((one) => one === given),
};

const searched: ValueType<string> = {
  accepts: `1 to ${MAX_ID_LENGTH} characters without a NUL`,
  schema: { type: 'string', minLength: 1, maxLength: MAX_ID_LENGTH },
  read: (given) => (complaintAboutId(given) === null ? given : undefined),
};

export const searchRoutes = [
  route({
    path: '/api/v2/search',
    summary:
      'What has a text that begins with another, and the block and the epoch of a number; exact ones first',
    parameters: {
      text: required(searched, 'What is searched for.'),
      kinds: list(kind, 'Only things of these kinds.'),
      first: optional(int32(1, 50), 'How many results at most; 10 unless said.'),
    },
    operation,
    variables: (given) => given,
    passes: 'data',
  }),
];
