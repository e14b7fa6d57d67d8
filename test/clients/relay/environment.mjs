import relay from 'relay-runtime';

/** What asks a gateway, and where its answers are kept. */
export function createEnvironment(gateway) {
  return new relay.Environment({
    network: relay.Network.create(async ({ text }, variables) => {
      const response = await fetch(`${gateway}/graphql`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify({ query: text, variables }),
      });
      return response.json();
    }),
    store: new relay.Store(new relay.RecordSource()),
    // The documented ids name an object among those of its type alone: an asset, a market and a proposal can share one.
    getDataID: ({ nodeId }) => nodeId,
  });
}
