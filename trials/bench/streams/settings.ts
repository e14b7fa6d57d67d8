/** Many streams from one address, as behind a proxy. */
export const MANY_STREAMS = {
  MAX_CONNECTIONS: '20000',
  MAX_CONNECTIONS_PER_CLIENT: '20000',
  MAX_STREAMS: '20000',
  MAX_STREAMS_PER_CLIENT: '20000',
  MAX_SOCKETS: '20000',
  MAX_SOCKETS_PER_CLIENT: '20000',
} as const;

/** The accounts of a party, as a GraphQL subscription of Periscope. Its first message is a snapshot. */
export const ACCOUNTS_OF_PARTY = `subscription Accounts($party: ID!) {
  accounts(filter: { partyIds: [$party] }) {
    snapshot { accounts { owner balance asset type } lastPage }
    updates { accounts { owner balance asset type } }
  }
}`;

/** The same of the peer that is graphql-yoga's pub/sub, which has no snapshots. */
export const PUBSUB_ACCOUNTS_OF_PARTY = `subscription Accounts($party: ID!) {
  accounts(party: $party) { updates { accounts { owner balance asset type } } }
}`;
