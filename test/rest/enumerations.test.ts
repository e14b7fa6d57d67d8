import { describe, expect, test } from 'vitest';
import { MAX_ENUMERATION_NUMBER } from '../../src/domain/enumeration.ts';
import { accountTypes } from '../../src/domain/enumerations.ts';
import { party, startAccountNetwork } from '../support/account-network.ts';
import { forAllTests } from '../support/for-all-tests.ts';
import { startTestGateway } from '../support/gateway.ts';
import { openGraphqlSse, openNdjson, openSse } from '../support/http-clients.ts';
import { openDocumentedWebSocket, openGraphqlWs } from '../support/socket-clients.ts';

const TYPES = [accountTypes.numbers.ACCOUNT_TYPE_GENERAL, 99, 2, MAX_ENUMERATION_NUMBER, 0];
const NAMES = [
  'ACCOUNT_TYPE_GENERAL',
  'ACCOUNT_TYPE_99',
  'ACCOUNT_TYPE_SETTLEMENT',
  'ACCOUNT_TYPE_2147483647',
  'ACCOUNT_TYPE_UNSPECIFIED',
];
const PATH = '/api/v2/stream/accounts';
const FIELDS = 'snapshot { accounts { owner type } } updates { accounts { owner type } }';

interface Account {
  readonly owner: string;
  readonly type: string;
}

/** The accounts of the documented shape of a message, and of GraphQL's. */
const documented = ({ result: { snapshot, updates } }: Message): readonly Account[] =>
  (snapshot ?? updates).accounts;
const subscribed = ({ data: { accounts } }: Message): readonly Account[] =>
  (accounts.snapshot ?? accounts.updates).accounts;
// biome-ignore lint/suspicious/noExplicitAny: a test says of each message what it must be.
type Message = any;

const network = await forAllTests(startAccountNetwork());
await network.block(...TYPES.map((type, n) => ({ owner: party(n), balance: '1', type })));
const gateway = await forAllTests(startTestGateway(network.url));

describe('a number without a name is told by the prefix and the number', () => {
  const all = NAMES.map((type, n) => ({ owner: party(n), type }));

  test('over REST and GraphQL', async () => {
    const { body } = await gateway.rest('/api/v2/accounts?pagination.newestFirst=false');
    expect(accountsOf(body)).toEqual(all);
    const { data } = await gateway.graphql(
      '{ accounts(newestFirst: false) { edges { node { owner type } } } }',
    );
    expect(accountsOf(data)).toEqual(all);
  });

  test.each([
    ['lines', documented, () => openNdjson(gateway.url, PATH)],
    ['a WebSocket', documented, () => openDocumentedWebSocket(gateway.url, PATH)],
    [
      'GraphQL over SSE',
      subscribed,
      () => openGraphqlSse(gateway.url, `subscription { accounts { ${FIELDS} } }`),
    ],
    ['graphql-ws', subscribed, () => openGraphqlWs(gateway.url, `subscription { accounts { ${FIELDS} } }`)],
  ])('in streams as %s', async (_, accounts, open) => {
    await using stream = await open();
    const told = accounts(await stream.next()).map(({ owner, type }) => ({ owner, type }));
    expect(told).toEqual(all);
  });
});

/** How a type is asked for over REST: each gives the accounts of these types. */
const ASKED: readonly (readonly [written: string, types: readonly string[]])[] = [
  ['ACCOUNT_TYPE_99', ['ACCOUNT_TYPE_99']],
  ['ACCOUNT_TYPE_2147483647', ['ACCOUNT_TYPE_2147483647']],
  ['ACCOUNT_TYPE_2', ['ACCOUNT_TYPE_SETTLEMENT']],
  [
    'ACCOUNT_TYPE_99,ACCOUNT_TYPE_2,4',
    ['ACCOUNT_TYPE_GENERAL', 'ACCOUNT_TYPE_99', 'ACCOUNT_TYPE_SETTLEMENT'],
  ],
  ['ACCOUNT_TYPE_UNSPECIFIED', ['ACCOUNT_TYPE_UNSPECIFIED']],
  ['ACCOUNT_TYPE_98', []],
];

describe('is asked for by that', () => {
  test.each(ASKED)('over REST: %s', async (written, types) => {
    const path = `/api/v2/accounts?pagination.newestFirst=false&filter.accountTypes=${written}`;
    expect(typesOf((await gateway.rest(path)).body)).toEqual(types);
  });

  test.each(ASKED.filter(([written]) => !/,|^\d/.test(written)))(
    'in GraphQL, bare, as a string, and in a variable: %s',
    async (written, types) => {
      const ask = (filter: string) =>
        `accounts(newestFirst: false, filter: { accountTypes: ${filter} }) { totalCount edges { node { type } } }`;
      const answers = [
        await gateway.graphql(`{ ${ask(`[${written}]`)} }`),
        await gateway.graphql(`{ ${ask(`"${written}"`)} }`),
        await gateway.graphql(`query ($types: [AccountType!]) { ${ask('$types')} }`, { types: [written] }),
        await gateway.graphql(`query ($type: AccountType!) { ${ask('[$type]')} }`, { type: written }),
        await gateway.graphql(`query ($type: AccountType! = ${written}) { ${ask('[$type]')} }`),
      ];
      for (const { data, errors } of answers) {
        expect(errors).toBeUndefined();
        expect([typesOf(data), data.accounts.totalCount]).toEqual([types, types.length]);
      }
    },
  );

  test.each([
    ['lines', documented, () => openNdjson(gateway.url, `${PATH}?type=ACCOUNT_TYPE_99`)],
    [
      'server-sent events',
      ({ data }: Message) => documented(data),
      () => openSse(gateway.url, `${PATH}?type=ACCOUNT_TYPE_99`),
    ],
    ['a WebSocket', documented, () => openDocumentedWebSocket(gateway.url, `${PATH}?type=ACCOUNT_TYPE_99`)],
    [
      'GraphQL over SSE, bare',
      subscribed,
      () =>
        openGraphqlSse(
          gateway.url,
          `subscription { accounts(filter: { accountTypes: [ACCOUNT_TYPE_99] }) { ${FIELDS} } }`,
        ),
    ],
    [
      'graphql-ws, in a variable',
      subscribed,
      () =>
        openGraphqlWs(
          gateway.url,
          `subscription ($types: [AccountType!]) { accounts(filter: { accountTypes: $types }) { ${FIELDS} } }`,
          { types: ['ACCOUNT_TYPE_99'] },
        ),
    ],
  ])('in streams as %s, which go on with changes of such accounts alone', async (_, accounts, open) => {
    await using stream = await open();
    const first = accounts(await stream.next());
    expect(first.map(({ type }) => type)).toEqual(['ACCOUNT_TYPE_99']);
    await network.block(...TYPES.map((type, n) => ({ owner: party(n), balance: '2', type })));
    const changed = accounts(await stream.next());
    expect(changed.map(({ owner, type }) => ({ owner, type }))).toEqual([
      { owner: party(1), type: 'ACCOUNT_TYPE_99' },
    ]);
  });
});

describe('what no enumeration has is refused', () => {
  test.each(['99', '-1', 'ACCOUNT_TYPE_2147483648', 'ACCOUNT_TYPE_099', 'ACCOUNT_TYPE_NEW', 'STATUS_OPEN'])(
    'over REST: %s',
    async (written) => {
      const { status, body } = await gateway.rest(`/api/v2/accounts?filter.accountTypes=${written}`);
      expect([status, body.message]).toEqual([400, expect.stringContaining(written)]);
    },
  );

  test.each([
    '99',
    '4',
    '"4"',
    'ACCOUNT_TYPE_2147483648',
    '"ACCOUNT_TYPE_099"',
    'ACCOUNT_TYPE_NEW',
    'STATUS_OPEN',
    'true',
  ])('in GraphQL: %s', async (written) => {
    const { errors } = await gateway.graphql(
      `{ accounts(filter: { accountTypes: [${written}] }) { totalCount } }`,
    );
    expect(errors?.[0]?.extensions.code).toBe('INVALID_ARGUMENT');
    expect(errors?.[0]?.message).toContain(
      'accountTypes takes the name of a value, or `ACCOUNT_TYPE_` and its number',
    );
    expect(errors?.[0]).toMatchObject({ locations: [{ line: 1, column: 37 }] });
  });
});

function accountsOf({ accounts }: Message): readonly Account[] {
  return accounts.edges.map(({ node: { owner, type } }: { node: Account }) => ({ owner, type }));
}

function typesOf(page: Message): readonly string[] {
  return accountsOf(page).map(({ type }) => type);
}
