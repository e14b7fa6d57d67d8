import { coldCase } from './cold.ts';

/** Pages of the list of all, newest first, each after another deposit. */
export const coldNewest = coldCase({
  name: 'cold-newest-20',
  title: '20 deposits of all, newest first, cold',
  different: ({ deposits }) => deposits - 20,
  question: (number) => ({ first: 20, after: number + 20 }),
  rest: 0.7,
  graphql: 0.5,
  postgraphile: 2,
});
