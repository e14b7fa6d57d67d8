import type { Random } from '../../src/simulation/random.ts';

/** A request, however it is answered. */
export interface Input {
  readonly path: string;
  readonly init: RequestInit;
}

type MakeInput = (random: Random, nonce: string) => Input;

const JSON_TYPE = { 'content-type': 'application/json' };
const many = (count: number, make: (index: number) => string, between = ' ') =>
  Array.from({ length: count }, (_, index) => make(index)).join(between);

const post = (query: string, variables?: object): Input => ({
  path: '/graphql',
  init: { method: 'POST', headers: JSON_TYPE, body: JSON.stringify({ query, variables }) },
});

const get = (path: string, headers: Record<string, string> = {}): Input => ({ path, init: { headers } });

/**
 * Kinds of inputs, of random sizes, most of them refused. The nonce makes each another one to the gateway, so that nothing is
 * answered from what is kept.
 */
export const KINDS: Readonly<Record<string, MakeInput>> = {
  'a row': (_, nonce) => get(`/api/v2/deposit/${nonce}`),
  'a list by REST': (random, nonce) =>
    get(`/api/v2/accounts?pagination.first=${random.below(20) + 1}&x=${nonce}`),
  'a page': (random, nonce) =>
    post(`{ a${nonce}: accounts(first: ${random.below(50) + 1}) { edges { node { balance owner } } } }`),
  'unknown fields': (random, nonce) => post(`{ ${many(random.below(300) + 1, (n) => `f${nonce}${n}`)} }`),
  'unknown arguments': (random, nonce) =>
    post(`{ ${many(random.below(100) + 1, (n) => `x${n}: accounts(a${nonce}: 1) { totalCount }`)} }`),
  'conflicting aliases': (random, nonce) =>
    post(`{ ${many(random.below(90) + 2, (n) => `x${nonce}: deposits(first: ${n + 1}) { totalCount }`)} }`),
  fragments: (random, nonce) => {
    const count = random.below(60) + 1;
    return post(
      `{ ...F0 } ${many(count, (n) => `fragment F${n} on Query { a${nonce}: __typename ${n + 1 < count ? `...F${n + 1}` : ''} }`)}`,
    );
  },
  'deep selections': (random, nonce) => {
    const depth = random.below(80) + 1;
    return post(
      `{ a${nonce}: accounts { ${many(depth, () => 'edges { node { party { accounts {')} totalCount ${'}'.repeat(4 * depth)} } }`,
    );
  },
  'long strings': (random, nonce) =>
    post(`{ party(id: "${nonce}${'x'.repeat(random.below(20_000))}") { id } }`),
  'block strings': (random, nonce) =>
    post(`{ party(id: """${nonce}${'x \\n'.repeat(random.below(4_000))}""") { id } }`),
  directives: (random, nonce) =>
    post(`{ a${nonce}: __typename ${many(random.below(200) + 1, () => '@include(if: true)')} }`),
  'tokens beyond the limit': (_, nonce) => post(`{ ${many(2_000, (n) => `a${nonce}${n}`)} }`),
  'brackets that never close': (random, nonce) =>
    post(`{ a${nonce}: accounts(x: ${'['.repeat(random.below(30_000))}`),
  'large lists as variables': (random, nonce) =>
    post(`query Q${nonce}($i: [ID!]) { accounts(filter: { partyIds: $i }, first: 1) { totalCount } }`, {
      i: Array.from({ length: random.below(2_000) + 1 }, (_, n) => `${nonce}${n}`),
    }),
  'wrong enumeration values': (random, nonce) =>
    post(`query Q${nonce}($t: [AccountType!]) { accounts(filter: { accountTypes: $t }) { totalCount } }`, {
      t: Array.from({ length: random.below(4_000) + 1 }, (_, n) => `W${n}`),
    }),
  'deep variables': (random, nonce) => {
    let filter: unknown = nonce;
    for (let depth = random.below(200); depth >= 0; depth -= 1) filter = { assetId: filter };
    return post(`query Q${nonce}($f: AccountFilter) { accounts(filter: $f) { totalCount } }`, { f: filter });
  },
  introspection: (_, nonce) =>
    post(
      `{ a${nonce}: __schema { types { name fields { name description type { name kind ofType { name } } } } } }`,
    ),
  'ids of nodes': (random, nonce) =>
    post(`{ nodes(ids: [${many(random.below(300) + 1, (n) => `"${nonce}${n}"`)}]) { id } }`),
  'batches of ten': (random, nonce) => ({
    path: '/graphql',
    init: {
      method: 'POST',
      headers: JSON_TYPE,
      body: JSON.stringify(
        Array.from({ length: 10 }, (_, n) => ({
          query: `{ ${many(random.below(60) + 1, (m) => `f${nonce}${n}x${m}`)} }`,
        })),
      ),
    },
  }),
  'an unknown persisted query': (_, nonce) => ({
    path: '/graphql',
    init: {
      method: 'POST',
      headers: JSON_TYPE,
      body: JSON.stringify({
        extensions: { persistedQuery: { version: 1, sha256Hash: nonce.padStart(64, '0') } },
      }),
    },
  }),
  'GraphQL by GET': (random, nonce) =>
    get(`/graphql?query=${encodeURIComponent(`{ ${many(random.below(200) + 1, (n) => `f${nonce}${n}`)} }`)}`),
  'many parameters': (random, nonce) =>
    get(`/api/v2/deposits?${many(random.below(600) + 1, (n) => `p${nonce}${n}=1`, '&')}`),
  'percent-encoding': (random, nonce) =>
    get(`/api/v2/deposits?partyId=${nonce}${'%41'.repeat(random.below(3_000))}`),
  'a value that is none': (random, nonce) =>
    get(`/api/v2/rewards?fromEpoch=${nonce}${'9'.repeat(random.below(400))}x`),
  'a cursor that is none': (random, nonce) =>
    get(`/api/v2/deposits?pagination.first=1&pagination.after=${nonce}${'A'.repeat(random.below(2_000))}`),
  'long headers': (random, nonce) =>
    get(`/api/v2/deposit/${nonce}`, { cookie: 'x'.repeat(random.below(10_000)), accept: '*/*' }),
  'no such path': (random, nonce) => get(`/api/v2/${nonce}${'/x'.repeat(random.below(500))}`),
  'a wrong method': (_, nonce) => ({ path: `/api/v2/deposit/${nonce}`, init: { method: 'DELETE' } }),
  preflights: (_, nonce) => ({
    path: `/api/v2/deposit/${nonce}`,
    init: {
      method: 'OPTIONS',
      headers: { origin: 'https://x.example', 'access-control-request-method': 'GET' },
    },
  }),
  'no JSON': (random, nonce) => ({
    path: '/graphql',
    init: {
      method: 'POST',
      headers: JSON_TYPE,
      body: `{"query": ${nonce}${'['.repeat(random.below(30_000))}`,
    },
  }),
  'compressed answers': (random, nonce) => ({
    ...post(
      `{ a${nonce}: accounts(first: ${random.below(200) + 1}) { edges { node { balance owner type party { id } } } } }`,
    ),
  }),
};
