import { setTimeout as sleep } from 'node:timers/promises';
import { ApolloClient, ApolloLink, gql, InMemoryCache, Observable } from '@apollo/client';
import { expect, test } from 'vitest';
import { followInto } from '../src/adapters/apollo.ts';
import { accounts, type Environment, system } from '../src/index.ts';

const QUERY = gql('query Shown { accounts { nodes { id balance } } }');

interface Shown {
  readonly accounts: { readonly nodes: readonly { readonly balance: string }[] };
}

const row = (balance: string, id = 'a') => ({ id, balance });

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
  const refuse = () => {
    const errors = [{ message: 'No.', extensions: { code: 'INVALID_ARGUMENT' } }];
    return writer.write(new TextEncoder().encode(`data: ${JSON.stringify({ errors })}\n\n`));
  };
  return { environment, say, refuse };
}

/** A client whose requests a test answers, one by one, each with these rows. */
function openClient() {
  const answers: ((...rows: readonly object[]) => void)[] = [];
  const link = new ApolloLink(
    () =>
      new Observable((observer) => {
        answers.push((...rows) => {
          const nodes = rows.map((one) => ({ __typename: 'Account', ...one }));
          observer.next({ data: { accounts: { __typename: 'Accounts', nodes } } });
          observer.complete();
        });
      }),
  );
  const cache = new InMemoryCache();
  const client = new ApolloClient({ link, cache });
  let shown: readonly string[] = [];
  const watched = client.watchQuery<Shown>({ query: QUERY }).subscribe(({ data }) => {
    shown = ((data as Shown | undefined)?.accounts.nodes ?? []).map(({ balance }) => balance);
  });
  const close = () => {
    watched.unsubscribe();
    client.stop();
  };
  return { client, cache, answers, shown: () => shown, close };
}

/** Follows accounts into the cache of such a client, whose first request is answered with these rows, if there are any, before it begins. */
function openFollowing(...answered: readonly object[]) {
  const { environment, say, refuse } = openStream();
  const { client, close, ...opened } = openClient();
  if (answered.length > 0) opened.answers.shift()?.(...answered);
  const options = { url: 'http://one', fields: { accounts: 'id balance' }, environment, refetch: ['Shown'] };
  const followed = followInto(client, accounts, options);
  const end = () => {
    followed.close();
    close();
  };
  return { ...opened, client, say, refuse, followed, ready: followed.ready, [Symbol.dispose]: end };
}

test('an answer as of before a block does not stay over what the block told', async () => {
  using following = openFollowing(row('1'));
  const { cache, answers, shown, say } = following;
  await say('1', { snapshot: { accounts: [row('1')], lastPage: true } });
  // What the first snapshot has may be newer than the query's answer.
  await expect.poll(() => answers.length).toBe(1);
  await say('2', { updates: { accounts: [row('2')] } });
  await expect.poll(() => cache.extract()['Account:a']).toMatchObject(row('2'));
  answers.shift()?.(row('1'));
  await sleep(50);
  expect([cache.extract()['Account:a'], shown()]).toMatchObject([row('2'), ['2']]);
});

test('a query in flight when following begins is asked again, as its answer may be of a block before', async () => {
  using following = openFollowing();
  const { cache, answers, shown, say, ready } = following;
  await say('5', { snapshot: { accounts: [row('2'), row('7', 'b')], lastPage: true } });
  await ready;
  expect(answers.length, 'Apollo has one request for both').toBe(1);
  answers.shift()?.(row('1'));
  await expect.poll(() => answers.length).toBe(1);
  expect(cache.extract()['Account:a']).toMatchObject(row('2'));
  answers.shift()?.(row('2'), row('7', 'b'));
  await expect.poll(shown).toEqual(['2', '7']);
  await sleep(50);
  expect(answers.length, 'and no more').toBe(0);
});

test('a row that is new while queries are asked again has them asked once more', async () => {
  using following = openFollowing(row('1'));
  const { cache, answers, shown, say } = following;
  await say('1', { snapshot: { accounts: [row('1')], lastPage: true } });
  await expect.poll(() => answers.length).toBe(1);
  await say('2', { updates: { accounts: [row('8', 'b')] } });
  await say('3', { updates: { accounts: [row('9', 'c')] } });
  await expect.poll(() => cache.extract()['Account:c']).toMatchObject(row('9', 'c'));
  expect(answers.length, 'one round at a time').toBe(1);
  answers.shift()?.(row('1'));
  await expect.poll(() => answers.length).toBe(1);
  answers.shift()?.(row('1'), row('8', 'b'), row('9', 'c'));
  await expect.poll(shown).toEqual(['1', '8', '9']);
  await sleep(50);
  expect(answers.length, 'and no more').toBe(0);
});

test('a block that comes while a query is in flight stays over its answer, without asking again', async () => {
  using following = openFollowing(row('1'));
  const { client, cache, answers, shown, say } = following;
  await say('1', { snapshot: { accounts: [row('1')], lastPage: true } });
  await expect.poll(() => answers.length).toBe(1);
  answers.shift()?.(row('1'));
  await sleep(50);
  void client.refetchQueries({ include: ['Shown'] });
  expect(answers.length).toBe(1);
  await say('2', { updates: { accounts: [row('2')] } });
  await expect.poll(() => cache.extract()['Account:a']).toMatchObject(row('2'));
  answers.shift()?.(row('1'));
  await sleep(50);
  expect([answers.length, cache.extract()['Account:a'], shown()]).toMatchObject([0, row('2'), ['2']]);
});

test.each(['a query', 'a page'])('%s that is not named is not let overwrite a block either', async (kind) => {
  using following = openFollowing(row('1'));
  const { cache, client, answers, say, ready } = following;
  await say('1', { snapshot: { accounts: [row('1')], lastPage: true } });
  await ready;
  await expect.poll(() => answers.length).toBe(1);
  answers.shift()?.(row('1'));
  await sleep(50);
  const other = client.watchQuery({ query: gql('query Other { accounts { nodes { id balance } } }') });
  const watched = other.subscribe(() => {});
  void (kind === 'a page' ? other.fetchMore({}) : other.refetch());
  await expect.poll(() => answers.length).toBe(1);
  for (const balance of ['2', '3']) await say(balance, { updates: { accounts: [row(balance)] } });
  await expect.poll(() => cache.extract()['Account:a']).toMatchObject(row('3'));
  answers.shift()?.(row('1'));
  await sleep(50);
  expect([answers.length, cache.extract()['Account:a']]).toMatchObject([0, row('3')]);
  watched.unsubscribe();
});

/** Has another query watched, which is in flight from now on. */
function ask(client: ApolloClient, name: string) {
  const query = gql(`query ${name} { accounts { nodes { id balance } } }`);
  return client.watchQuery({ query, fetchPolicy: 'network-only' }).subscribe(() => {});
}

test.each(['close', 'refuse'] as const)('what was told is not written again after %s', async (how) => {
  using following = openFollowing(row('1'));
  const { cache, client, answers, say, refuse, followed } = following;
  await say('1', { snapshot: { accounts: [row('1')], lastPage: true } });
  await expect.poll(() => answers.length).toBe(1);
  answers.shift()?.(row('1'));
  await sleep(50);
  const watched = [ask(client, 'Other'), ask(client, 'Left')];
  await say('2', { updates: { accounts: [row('2')] } });
  await expect.poll(() => cache.extract()['Account:a']).toMatchObject(row('2'));
  if (how === 'refuse') {
    await refuse();
    await expect(followed.done).rejects.toThrow('No.');
  } else followed.close();
  watched.pop()?.unsubscribe();
  expect([...client.getObservableQueries()].map(({ queryName }) => queryName)).toEqual(['Shown', 'Other']);
  answers.shift()?.(row('3'));
  await sleep(50);
  expect(cache.extract()['Account:a']).toMatchObject(row('3'));
  watched.pop()?.unsubscribe();
});

test('after the end an emptied cache stays empty', async () => {
  using following = openFollowing(row('1'));
  const { cache, client, answers, say, followed } = following;
  await say('1', { snapshot: { accounts: [row('1')], lastPage: true } });
  await expect.poll(() => answers.length).toBe(1);
  followed.close();
  await client.clearStore();
  await sleep(50);
  expect(cache.extract()).not.toHaveProperty('Account:a');
});

test('where there is always a query in flight, each answer is overwritten by no more than was told since', async () => {
  using following = openFollowing(row('1'));
  const { cache, client, answers, say } = following;
  await say('1', { snapshot: { accounts: [row('1'), row('1', 'b')], lastPage: true } });
  await expect.poll(() => answers.length).toBe(1);
  answers.shift()?.(row('1'), row('1', 'b'));
  await sleep(50);
  const tell = async (height: string, id: string) => {
    await say(height, { updates: { accounts: [row(height, id)] } });
    await expect.poll(() => cache.extract()[`Account:${id}`]).toMatchObject(row(height, id));
  };
  const watched = [ask(client, 'First')];
  await tell('2', 'a');
  watched.push(ask(client, 'Second'));
  await tell('3', 'b');
  answers.shift()?.(row('1'), row('1', 'b'));
  await sleep(50);
  expect(cache.extract()).toMatchObject({ 'Account:a': row('2'), 'Account:b': row('3', 'b') });
  // As of a block that is still to be told.
  answers.shift()?.(row('4'), row('1', 'b'));
  await sleep(50);
  expect(cache.extract()).toMatchObject({ 'Account:a': row('4'), 'Account:b': row('3', 'b') });
  for (const one of watched) one.unsubscribe();
});
