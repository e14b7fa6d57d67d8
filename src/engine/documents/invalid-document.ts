import type { GraphQLError } from 'graphql';

/** A document that the schema does not allow, with all that is wrong with it. */
export class InvalidDocument extends Error {
  readonly errors: readonly GraphQLError[];

  constructor(errors: readonly GraphQLError[]) {
    super('the document is not valid');
    this.errors = errors;
  }
}
