import fc from 'fast-check';
import { expect, test } from 'vitest';
import { party, startAccountNetwork } from '../support/account-network.ts';
import { forAllTests } from '../support/for-all-tests.ts';
import { startTestGateway } from '../support/gateway.ts';
import { openGraphqlSse, openNdjson } from '../support/http-clients.ts';
import { openGraphqlWs } from '../support/socket-clients.ts';
import { ask, WRITES_BLOCKS } from '../support/state.ts';

const network = await forAllTests(startAccountNetwork());
await network.block({ owner: party(1), balance: '1' });
// Nobody tells the feed of the blocks below, so that it is behind what a statement reads.
const gateway = await forAllTests(startTestGateway(network.url, { FEED_POLL_MS: '600000' }));

/** Ways to be told a height. */
const ways = {
  'a header of REST': async () => {
    const { headers } = await fetch(`${gateway.url}/api/v2/accounts`);
    return headers.get('X-Block-Height');
  },
  'a header of another path': async () => {
    const { headers } = await fetch(`${gateway.url}/api/v2/rewards`);
    return headers.get('X-Block-Height');
  },
  'GraphQL by POST': async () => heightIn(await post('{ block { height } }')),
  'GraphQL by POST, with rows': async () =>
    heightIn(await post('{ accounts(first: 1) { edges { node { balance } } } block { height } }')),
  'GraphQL by GET': async () =>
    heightIn(
      await (
        await fetch(`${gateway.url}/graphql?query=${encodeURIComponent('{ block { height } }')}`)
      ).json(),
    ),
  'GraphQL in a batch': async () => {
    const [, answer] = (await send([
      { query: '{ __typename }' },
      { query: '{ block { height } }' },
    ])) as Answer[];
    return answer && heightIn(answer);
  },
  'GraphQL over server-sent events': async () => {
    const query = 'subscription { accounts { block { height } } }';
    await using client = await openGraphqlSse(gateway.url, query);
    return (await client.next()).data.accounts.block.height as string;
  },
  'a stream of NDJSON': async () => {
    await using client = await openNdjson(gateway.url, '/api/v2/stream/accounts?cursors=true');
    return (await client.next()).block.height as string;
  },
  'GraphQL over WebSocket': async () => {
    await using client = await openGraphqlWs(gateway.url, '{ block { height } }');
    return heightIn(JSON.parse((await client.nextText()) ?? ''));
  },
  'a block by its height': async () => {
    return heightIn(await post(`{ block(height: "${await newest()}") { height } }`));
  },
} as const;

const newest = async () => {
  const [row] = await ask<{ height: string }>(network.url, 'SELECT max(height)::text AS height FROM blocks');
  return row?.height ?? '0';
};

/** A block that the feed is not told of. */
const addBlock = () =>
  ask(
    network.url,
    `${WRITES_BLOCKS};
     INSERT INTO blocks SELECT height + 1, hash, timestamp, last_position + (1 << 20) FROM blocks ORDER BY blocks.height DESC LIMIT 1`,
  );

test('no height that a client is told is below one that it was told before, on whatever transport', async () => {
  const step = fc.oneof(
    { weight: 2, arbitrary: fc.constantFrom(...(Object.keys(ways) as (keyof typeof ways)[])) },
    { weight: 1, arbitrary: fc.constant('a new block' as const) },
  );
  let told = 0n;
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 30 }), async (steps) => {
      for (const one of steps) {
        if (one === 'a new block') {
          await addBlock();
          continue;
        }
        const height = BigInt((await ways[one]()) ?? '-1');
        expect([one, height]).toEqual([one, height < told ? told : height]);
        told = height;
      }
    }),
    { numRuns: 25, endOnFailure: true },
  );
  expect(told).toBeGreaterThan(1n);
});

interface Answer {
  readonly data: { readonly block: { readonly height: string } | null };
}

function heightIn({ data }: Answer): string | undefined {
  return data.block?.height;
}

async function post(query: string): Promise<Answer> {
  return (await send({ query })) as Answer;
}

async function send(body: unknown): Promise<unknown> {
  const response = await fetch(`${gateway.url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  return response.json();
}
