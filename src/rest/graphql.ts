import { initGraphQLTada } from 'gql.tada';
import type { EnumerationName } from '../domain/enumerations.ts';
import type { introspection } from './schema.generated.d.ts';

/** Parses an operation and gives it the types of its answer and its variables, after `schema.graphql`. */
export const graphql = initGraphQLTada<{
  introspection: introspection;
  disableMasking: true;
  scalars: {
    ID: string;
    Timestamp: string;
    Int64: string;
    Uint64: string;
    Integer: string;
    Decimal: string;
  } & Readonly<Record<EnumerationName, string>>;
}>();

export const PageInfoFields = graphql(`
  fragment PageInfoFields on PageInfo { hasNextPage hasPreviousPage startCursor endCursor }
`);

/** What an operation takes for a page of a list (`pageOf`), and how it hands that on to the list. */
export const PAGE_VARIABLES =
  '$first: Int, $after: String, $last: Int, $before: String, $newestFirst: Boolean';
export const PAGE_ARGUMENTS =
  'first: $first, after: $after, last: $last, before: $before, newestFirst: $newestFirst';
