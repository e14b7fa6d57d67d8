// Asks a gateway for its deposits, typed by what was generated: node ask.mjs [address]
import createClient from 'openapi-fetch';

const [, , baseUrl] = process.argv;
if (baseUrl !== undefined) {
  /** @type {import('openapi-fetch').Client<import('./generated.js').paths>} */
  const client = createClient({ baseUrl });
  const { data, error } = await client.GET('/api/v2/deposits', {
    params: { query: { 'pagination.first': 1 } },
  });
  if (data === undefined) throw new Error(error.message);
  console.info(`TypeScript: ${data.deposits.edges.length} deposit`);
}
