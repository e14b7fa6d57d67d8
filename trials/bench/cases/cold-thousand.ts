import { coldCase } from './cold.ts';

export const coldThousand = coldCase({
  name: 'cold-newest-1000',
  title: '1,000 deposits of all, newest first, cold',
  different: ({ deposits }) => deposits - 1_000,
  question: (number) => ({ first: 1_000, after: number + 1_000 }),
  rest: 0.9,
  graphql: 0.75,
  postgraphile: 1.7,
});
