// @ts-check

/**
 * What a newcomer may ask first: each with a name, as documents that stand for themselves. Tests ask all of them.
 *
 * @type {readonly { readonly name: string, readonly query: string, readonly variables?: object }[]}
 */
export const EXAMPLES = [
  {
    name: 'Markets and their prices',
    query: `# Read-only. Run it: Ctrl-Enter.
query Markets {
  block { height timestamp }
  markets(first: 5) {
    nodes {
      id
      instrumentName
      state
      decimalPlaces
      marketData { markPrice bestBidPrice bestOfferPrice }
    }
  }
}
`,
  },
  {
    name: 'Candles of the newest market',
    query: `query Candles($every: String!) {
  markets(first: 1) {
    nodes { instrumentName candles(every: $every, first: 10) { nodes { start open high low close volume } } }
  }
}
`,
    variables: { every: 'PT1M' },
  },
  {
    name: 'The newest deposits, with their assets',
    query: `query Deposits($first: Int!) {
  deposits(first: $first) {
    totalCount
    nodes { id amount status party { id } assetNode { symbol decimals } }
    pageInfo { hasNextPage endCursor }
  }
}
`,
    variables: { first: 5 },
  },
  {
    name: 'Rewards, summed by asset',
    query: `query Rewards {
  rewards(first: 0) { totalCount sums(by: [ASSET], first: 10) { amount count key { asset { symbol decimals } } } }
}
`,
  },
  {
    name: 'Proposals and their tallies',
    query: `query Proposals {
  proposals(first: 5) {
    nodes { id state terms { change closingTimestamp } tally { majority requiredMajority yes { votes } no { votes } } }
  }
}
`,
  },
  {
    name: 'The network as of an earlier block',
    query: `query Past($height: Uint64!) {
  asOf(height: $height) { block { height timestamp } deposits(first: 3) { totalCount nodes { amount status } } }
}
`,
    variables: { height: '10' },
  },
  {
    name: 'Live: every block',
    query: `subscription Blocks {
  blocks { block { height timestamp } }
}
`,
  },
  {
    name: 'Live: every change of a balance',
    query: `subscription Balances {
  accounts {
    block { height }
    snapshot { accounts { owner type balance } lastPage }
    updates { accounts { owner type balance } }
  }
}
`,
  },
];
