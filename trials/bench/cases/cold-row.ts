import { coldCase } from './cold.ts';

export const coldRow = coldCase({
  name: 'cold-row',
  title: 'one deposit, cold',
  different: ({ deposits }) => deposits,
  question: (deposit) => ({ deposit }),
  rest: 0.6,
  graphql: 0.4,
});
