import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { GraphQLError, GraphQLObjectType, GraphQLSchema, GraphQLString, parse } from 'graphql';
import { pino } from 'pino';
import { expect, test } from 'vitest';
import { PendingResult } from '../../src/engine/run/pending-result.ts';
import { ResultsOfEvents } from '../../src/engine/run/results-of-events.ts';
import { createOpenSource } from '../../src/engine/run/subscribe.ts';
import { GatewayError, unavailable } from '../../src/errors.ts';
import { NO_BLOCK } from '../../src/feed/events.ts';
import { schema } from '../../src/graphql/index.ts';
import { CountedQuota } from '../../src/http/limits/quota.ts';
import { ClientLeft } from '../../src/http/request-scope.ts';
import { ReadableIterator } from '../../src/readable.ts';
import { pump } from '../../src/streaming/pump.ts';
import { StreamCounts } from '../../src/streaming/stream-counts.ts';
import { limitSubscribe, Subscription } from '../../src/streaming/subscription.ts';

const document = parse('subscription { blocks { cursor } }');

/** Nothing is read here. */
const statements = { until: () => statements };

/** A stream of blocks that tells the same one for ever, and what was asked of it. */
function openSource() {
  const asked: string[] = [];
  const events: AsyncIterableIterator<object> = {
    async next() {
      asked.push('next');
      return { done: false, value: { kind: 'updates', block: NO_BLOCK, position: 1n, rows: [] } };
    },
    async return() {
      asked.push('return');
      return { done: true, value: undefined };
    },
    [Symbol.asyncIterator]: () => events,
  };
  return { asked, services: { statements, feed: { open: async () => iterable(events) } } as never };
}

/** As the feed gives streams: to be read, and for GraphQL an iterable. */
function iterable(events: AsyncIterator<object>) {
  return Object.assign(new ReadableIterator(events), { [Symbol.asyncIterator]: () => events });
}

async function subscribeTo(services: never, counters?: Parameters<typeof createOpenSource>[2]) {
  const openSource = createOpenSource(services, pino({ level: 'silent' }), counters);
  const streams = new CountedQuota('streams', { total: 1, perClient: 1 });
  const subscribe = limitSubscribe(
    openSource,
    () => streams.take('a client'),
    new StreamCounts().streams.sse,
  );
  return (await subscribe({ schema, document })) as Subscription;
}

test.each([
  ['cannot begin', async () => ({ errors: [new GraphQLError('not now')] })],
  [
    'fails to begin',
    async () => {
      throw new Error('broken');
    },
  ],
])('a subscription that %s gives its place back', async (_, open) => {
  const streams = new CountedQuota('streams', { total: 1, perClient: 1 });
  const subscribe = limitSubscribe(
    open as never,
    () => streams.take('a client'),
    new StreamCounts().streams.sse,
  );
  for (let n = 0; n < 3; n++) await subscribe({ schema, document }).catch(() => undefined);
  expect(() => streams.take('a client')).not.toThrow();
});

test('a subscription that is left lets go of its stream, and asks it no more', async () => {
  const { asked, services } = openSource();
  const messages = await subscribeTo(services);
  expect((await messages.next()).value?.data).toMatchObject({ blocks: { cursor: expect.any(String) } });
  await messages.return?.();
  expect((await messages.next()).done).toBe(true);
  expect(asked).toEqual(['next', 'return']);
});

test('one whose message cannot be made ends with an error, and lets go of its stream too', async () => {
  const { asked, services } = openSource();
  const counters = {
    serialisations: 0,
    get executions(): number {
      throw new Error('a secret');
    },
    set executions(_) {},
  };
  const messages = await subscribeTo(services, counters);
  const { value } = await messages.next();
  expect(value?.errors).toMatchObject([{ extensions: { code: 'INTERNAL' } }]);
  expect(JSON.stringify(value)).not.toContain('secret');
  expect((await messages.next()).done).toBe(true);
  expect(asked).toEqual(['next', 'return']);
});

test('one whose message cannot be made gives its place back at once, and once', async () => {
  let given = 0;
  const events = { next: async () => ({ done: false, value: {} }), return: async () => ({}) };
  const failure = {
    errors: [new GatewayError('UNAVAILABLE', 'Away.')],
    encode: () => Buffer.of(),
    stringify: () => '',
  };
  const subscription = new Subscription(
    {
      events: new ReadableIterator(events as never),
      resultOf: () => new PendingResult(Promise.reject(new Error('a secret'))),
      failureOf: () => failure,
    },
    () => {
      given += 1;
    },
    new StreamCounts().streams.sse,
  );
  expect((await subscription.next()).value).toBe(failure);
  expect(given).toBe(1);
  await subscription.return();
  await subscription.next();
  expect(given).toBe(1);
});

test('what one left, or could not be read, is made again for who comes to the same event later', async () => {
  const failures = [new ClientLeft(), unavailable()];
  let fail = () => {};
  const read = () => {
    const failure = failures.shift();
    if (failure === undefined) return 'all of it';
    return new Promise<string>((_, reject) => {
      fail = () => reject(failure);
    });
  };
  const events = { next: () => new Promise(() => {}), return: async () => ({}) };
  const value = { type: GraphQLString, subscribe: async () => iterable(events as never), resolve: read };
  const object = (name: string) => new GraphQLObjectType({ name, fields: { value } });
  const own = new GraphQLSchema({ query: object('Query'), subscription: object('Subscription') });
  const open = createOpenSource({ statements } as never, pino({ level: 'silent' }));
  const source = await open({ schema: own, document: parse('subscription { value }') });
  if (!('resultOf' in source)) throw new Error('cannot begin');
  const event = { kind: 'updates', rows: [] };
  const first = source.resultOf(event) as PendingResult<object>;
  const waiting = first.join();
  first.leave();
  fail();
  await expect(waiting).rejects.toThrow('The client has left.');
  const second = source.resultOf(event) as PendingResult<object>;
  expect(second).not.toBe(first);
  fail();
  await expect(second.join()).rejects.toThrow('The database cannot be reached');
  expect(source.resultOf(event)).toMatchObject({ data: { value: 'all of it' } });
});

test('a result that was peeked at is still the next one', async () => {
  const { asked, services } = openSource();
  const messages = await subscribeTo(services);
  const first = await messages.peek(60_000);
  expect(await messages.peek(60_000)).toBe(first);
  expect((await messages.next()).value).toBe(first);
  expect(asked).toEqual(['next']);
  expect((await messages.next()).value).not.toBe(first);
  await messages.return();
});

test('a peek waits no longer than it may, and loses nothing', async () => {
  let arrive = (_: object) => {};
  const services = {
    statements,
    feed: {
      open: async () =>
        iterable({
          next: () =>
            new Promise((resolve) => {
              arrive = (value) => resolve({ done: false, value });
            }),
        }),
    },
  } as never;
  const messages = await subscribeTo(services);
  expect(await messages.peek(1)).toBeNull();
  arrive({ kind: 'updates', block: NO_BLOCK, position: 1n, rows: [] });
  expect((await messages.next()).value?.data).toMatchObject({ blocks: { cursor: expect.any(String) } });
});

test('holds no result while it waits for the next one, also after a peek', async () => {
  setFlagsFromString('--expose-gc');
  const collect: () => void = runInNewContext('gc');
  let event: object | null = { kind: 'updates' };
  const events = {
    async next() {
      if (event === null) return new Promise(() => {});
      const value = event;
      event = null;
      return { done: false, value };
    },
  };
  const held: WeakRef<object>[] = [];
  const subscription = new Subscription(
    {
      events: new ReadableIterator(events as never),
      resultOf: (value) => {
        const result = { data: {}, encode: () => Buffer.of(), stringify: () => '' };
        held.push(new WeakRef(value), new WeakRef(result));
        return new PendingResult(Promise.resolve(result));
      },
      failureOf: () => ({ encode: () => Buffer.of(), stringify: () => '' }),
    },
    () => {},
    new StreamCounts().streams.sse,
  );
  await subscription.peek(60_000);
  void pump(subscription, { hasRoom: true, whenRoom() {}, write() {}, end() {} });
  await expect
    .poll(() => {
      collect();
      return held.map((reference) => reference.deref() === undefined);
    })
    .toEqual([true, true]);
});

test('what was made of an event that a slow reader has yet to read is let go when much more was made', () => {
  const results = new ResultsOfEvents<object>();
  const events = [{}, {}] as const;
  results.of(events[0]).set('key', {});
  results.count(10 * 2 ** 20);
  results.of(events[1]).set('key', {});
  results.count(10 * 2 ** 20);
  expect(events.map((event) => results.find(event)?.has('key'))).toEqual([true, true]);
  results.count(10 * 2 ** 20);
  results.count(10 * 2 ** 20);
  expect(events.map((event) => results.find(event)?.has('key'))).toEqual([undefined, undefined]);
});
