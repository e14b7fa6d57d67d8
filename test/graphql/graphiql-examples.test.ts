import { parse, validate } from 'graphql';
import { expect, test } from 'vitest';
import { EXAMPLES } from '../../graphiql/examples.mjs';
import { schema } from '../../src/graphql/index.ts';

test.each(EXAMPLES)('the example of GraphiQL is an operation of this schema: $name', ({ query }) => {
  expect(validate(schema, parse(query))).toEqual([]);
});
