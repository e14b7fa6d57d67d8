import { setTimeout as sleep } from 'node:timers/promises';
import { ApolloClient, ApolloLink, gql, InMemoryCache, Observable } from '@apollo/client';
import { expect, test } from 'vitest';
import { followInto } from '../src/adapters/apollo.ts';
import { accounts, type Environment, system } from '../src/index.ts';

const QUERY = gql('query Shown { accounts { nodes { id balance } } }');

interface Shown {
  readonly accounts: { readonly nodes: readonly { readonly balance: string }[] };
}

const row = (balance: string) => ({ id: 'a', balance });

/** What the gateway streams, as a test says it. */
function openStream() {
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
  const writer = writable.getWriter();
  const fetch = async () => new Response(readable, { headers: { 'Content-Type': 'text/event-stream' } });
  const environment: Environment = { ...system, WebSocket: null, fetch };
  const say = (height: string, rows: object) => {
    const told = { data: { accounts: { block: { height, timestamp: height }, cursor: height, ...rows } } };
    return writer.write(new TextEncoder().encode(`data: ${JSON.stringify(told)}\n\n`));
  };
  return { environment, say };
}

test('an answer as of before a block does not stay over what the block told', async () => {
  const { environment, say } = openStream();
  const answers: (() => void)[] = [];
  const data = { accounts: { __typename: 'Accounts', nodes: [{ __typename: 'Account', ...row('1') }] } };
  const link = new ApolloLink(
    () =>
      new Observable((observer) => {
        answers.push(() => {
          observer.next({ data });
          observer.complete();
        });
      }),
  );
  const cache = new InMemoryCache();
  const client = new ApolloClient({ link, cache });
  const shown: (string | undefined)[] = [];
  const watched = client.watchQuery<Shown>({ query: QUERY }).subscribe(({ data }) => {
    shown.push((data as Shown | undefined)?.accounts.nodes[0]?.balance);
  });
  answers.shift()?.();
  const options = { url: 'http://one', fields: { accounts: 'id balance' }, environment, refetch: ['Shown'] };
  const followed = followInto(client, accounts, options);
  await say('1', { snapshot: { accounts: [row('1')], lastPage: true } });
  // What the first snapshot has may be newer than the query's answer.
  await expect.poll(() => answers.length).toBe(1);
  await say('2', { updates: { accounts: [row('2')] } });
  await expect.poll(() => cache.extract()['Account:a']).toMatchObject(row('2'));
  answers.shift()?.();
  await sleep(50);
  expect([cache.extract()['Account:a'], shown.at(-1)]).toMatchObject([row('2'), '2']);
  followed.close();
  watched.unsubscribe();
  client.stop();
});
