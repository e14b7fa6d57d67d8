import { coldCase } from './cold.ts';

/** The first page of each party's deposits, each party once. */
export const coldParty = coldCase({
  name: 'cold-party-20',
  title: '20 deposits of a party, cold',
  different: ({ parties }) => parties,
  question: (party) => ({ first: 20, party }),
  rest: 0.7,
  graphql: 0.5,
  postgraphile: 2,
});
