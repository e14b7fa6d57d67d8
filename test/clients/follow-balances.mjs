// Follows the balances of accounts through whatever happens to connections and gateways: nothing is missed and nothing comes twice.
//
//   node test/clients/follow-balances.mjs http://127.0.0.1:3008
import { accounts, follow } from '@periscope/client';

const [url = 'http://127.0.0.1:3008'] = process.argv.slice(2);

// A program that must not begin anew keeps `cursor` where it keeps what it has made of the rows, and hands it in as `after`.
for await (const { kind, block, rows } of follow(accounts, { url, fields: { accounts: 'id owner balance' } }))
  for (const { owner, balance } of rows.accounts ?? [])
    console.log(`${block.height} ${kind === 'snapshot' ? 'has' : 'sets'} ${owner} ${balance}`);
