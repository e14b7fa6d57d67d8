import { parse, validate } from 'graphql';
import { expect, test } from 'vitest';
import { schema } from '../../src/graphql/index.ts';
import { EXAMPLES } from '../../src/graphql-http/graphiql-examples.ts';

test.each(EXAMPLES)('the example of GraphiQL is an operation of this schema: $name', ({ query }) => {
  expect(validate(schema, parse(query))).toEqual([]);
});
