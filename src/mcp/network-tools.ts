import { graphql } from '../rest/graphql.ts';
import { count, text, tool } from './tool.ts';

/** Tools that ask about the network as a whole. */
export const networkTools = [
  tool({
    name: 'network_status',
    title: 'Where the network stands',
    description:
      'The newest block (its time is in nanoseconds since 1970 UTC), the current epoch, and how many markets, parties, assets and proposals there are.',
    arguments: {},
    operation: graphql(`
      query ToolNetworkStatus {
        block { height timestamp hash }
        currentEpoch { seq startTimestamp endTimestamp }
        assets(first: 50) { totalCount nodes { id symbol name decimals status } }
        markets(first: 0) { totalCount }
        parties(first: 0) { totalCount }
        proposals(first: 0) { totalCount }
      }
    `),
  }),
  tool({
    name: 'search',
    title: 'Search',
    description:
      'Finds parties, assets, markets, proposals and deposits by how their identifiers, symbols, codes, names and references begin, and blocks and epochs by their numbers. Begin here where an identifier is not known: other tools take the objectId of what is found.',
    arguments: {
      text: text('What the text begins with, or a number.'),
      first: { ...count(50, 'results'), default: 10 },
    },
    required: ['text'],
    operation: graphql(`
      query ToolSearch($text: String!, $first: Int) {
        block { height timestamp }
        search(text: $text, first: $first) {
          kind objectId matched value isExact
          market { instrumentName state }
          asset { symbol decimals }
          proposal { state }
          deposit { amount status }
        }
      }
    `),
  }),
];
