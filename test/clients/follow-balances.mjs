// Follows the balances of accounts, and goes on after its last cursor when the connection or the gateway is gone for a
// while: nothing is missed and nothing comes twice.
//
//   node test/clients/follow-balances.mjs http://127.0.0.1:3008
import { createClient } from 'graphql-ws';
import { WebSocket } from 'ws';

const [gateway = 'http://127.0.0.1:3008'] = process.argv.slice(2);
const url = `${gateway.replace('http', 'ws')}/graphql`;

const query = `subscription ($after: String) {
  accounts(after: $after) {
    block { height }
    cursor
    snapshot { accounts { owner asset type balance } lastPage }
    updates { accounts { owner asset type balance } }
  }
}`;

// We come back ourselves, with the cursor: by itself the client would ask for the same as before.
const client = createClient({ url, webSocketImpl: WebSocket, retryAttempts: 0 });

// A program that must not begin anew would keep the cursor where it keeps what it has made of the messages.
let after = null;
while (true) {
  try {
    for await (const { data, errors } of client.iterate({ query, variables: { after } })) {
      if (errors) {
        if (errors[0].extensions?.code === 'OUT_OF_RANGE') after = null; // Too old: begin with a snapshot again.
        throw new Error(errors[0].message);
      }
      const { block, cursor, snapshot, updates } = data.accounts;
      for (const { owner, balance } of (snapshot ?? updates).accounts)
        console.log(`${block.height} ${snapshot ? 'has' : 'sets'} ${owner} ${balance}`);
      // Only when the message is dealt with: what comes after it is asked for next time.
      after = cursor;
    }
  } catch (error) {
    console.error(`again in a second: ${error.reason ?? error.message ?? error}`);
  }
  await new Promise((resolve) => setTimeout(resolve, 1000));
}
