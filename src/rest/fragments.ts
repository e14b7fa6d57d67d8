import { graphql } from './graphql.ts';

export const PageInfoFields = graphql(`
  fragment PageInfoFields on PageInfo { hasNextPage hasPreviousPage startCursor endCursor }
`);
