import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import { GraphQLError } from 'graphql';
import { pino } from 'pino';
import { describe, expect, test } from 'vitest';
import { Engine } from '../../src/engine/engine.ts';
import type { SharedResult } from '../../src/engine/run/subscribe.ts';
import { createClientAddresses } from '../../src/http/limits/client-address.ts';
import { ReadableIterator } from '../../src/readable.ts';
import type { Begun } from '../../src/streaming/graphql-operation.ts';
import { Operations } from '../../src/streaming/graphql-operations.ts';
import { type Begin, SocketProtocol } from '../../src/streaming/socket-protocol.ts';
import { engineParts } from '../support/engine.ts';
import { MessageQueue } from '../support/message-queue.ts';

const logger = pino({ level: 'silent' });

/** A stream that a test feeds. */
function openSource() {
  const queue = new MessageQueue<SharedResult>();
  let isReturned = false;
  const results: AsyncIterableIterator<SharedResult> = {
    async next() {
      const value = await queue.next();
      return value === null ? { done: true, value: undefined } : { done: false, value };
    },
    async return() {
      isReturned = true;
      queue.end();
      return { done: true, value: undefined };
    },
    [Symbol.asyncIterator]: () => results,
  };
  const push = (data: Record<string, unknown>) => {
    const result = { data };
    queue.push({ ...result, encode: () => Buffer.from(JSON.stringify(result)), stringify: () => '' });
  };
  return { results: new ReadableIterator(results), push, isReturned: () => isReturned };
}

/** A connection without a socket: what it sends is there to be taken, and what it is closed with. */
function connect(begin: Begin) {
  const sent = new MessageQueue<string>();
  const closed: number[] = [];
  const idle = { times: 0 };
  const faults: unknown[] = [];
  const connection = new SocketProtocol(
    {
      hasRoom: true,
      whenRoom() {},
      send: (...parts) => sent.push(parts.join('')),
      answer: (text) => sent.push(text),
      close: (code) => void closed.push(code),
    },
    begin,
    {
      onIdle: () => {
        idle.times += 1;
      },
      onFault: (error) => void faults.push(error),
    },
  );
  const receive = (message: object) => connection.receive(JSON.stringify(message));
  receive({ type: 'connection_init' });
  const next = async () => JSON.parse((await sent.next()) ?? 'null');
  return { connection, receive, next, nextText: () => sent.next(), closed, idle, faults };
}

const subscribe = (id: string, query = '{ a }') => ({ id, type: 'subscribe', payload: { query } });

describe('a GraphQL connection', () => {
  test('stops an operation that is completed before it has begun', async () => {
    const source = openSource();
    let beginIt = (_: Begun) => {};
    const { receive, next, connection } = connect(
      () =>
        new Promise((resolve) => {
          beginIt = resolve;
        }),
    );
    await next();
    receive(subscribe('a'));
    receive({ id: 'a', type: 'complete' });
    beginIt({ kind: 'stream', results: source.results });
    await expect.poll(source.isReturned).toBe(true);
    await expect.poll(() => connection.isIdle).toBe(true);
  });

  test('keeps an operation that takes the id of one just completed', async () => {
    const sources = [openSource(), openSource()] as const;
    let begun = 0;
    const { receive, next } = connect(async () => {
      begun += 1;
      return { kind: 'stream', results: sources[begun === 1 ? 0 : 1].results };
    });
    await next();
    receive(subscribe('a'));
    sources[0].push({ n: 1 });
    expect(await next()).toEqual({ id: 'a', type: 'next', payload: { data: { n: 1 } } });
    receive({ id: 'a', type: 'complete' });
    receive(subscribe('a'));
    sources[1].push({ n: 2 });
    expect(await next()).toEqual({ id: 'a', type: 'next', payload: { data: { n: 2 } } });
    sources[1].push({ n: 3 });
    expect(await next()).toEqual({ id: 'a', type: 'next', payload: { data: { n: 3 } } });
    expect([sources[0].isReturned(), sources[1].isReturned()]).toEqual([true, false]);
  });

  test('ends every operation with itself', async () => {
    const sources = [openSource(), openSource()];
    const { receive, next, connection, idle } = connect(async ({ query }) => {
      return { kind: 'stream', results: (sources[Number(query)] as (typeof sources)[0]).results };
    });
    await next();
    for (const n of [0, 1]) receive(subscribe(`${n}`, `${n}`));
    for (const source of sources) source.push({});
    await next();
    await next();
    expect(idle.times).toBe(0);
    connection.end();
    for (const source of sources) await expect.poll(source.isReturned).toBe(true);
    await expect.poll(() => idle.times).toBeGreaterThan(0);
  });

  test('sends the JSON that a result brings along, around which only the id differs', async () => {
    const result = Object.defineProperty({ data: {} }, 'stringify', { value: () => '{"data":"ready"}' });
    const { receive, nextText } = connect(async () => ({ kind: 'result', result }));
    await nextText();
    receive(subscribe('a "quoted" id'));
    expect(await nextText()).toBe('{"id":"a \\"quoted\\" id","type":"next","payload":{"data":"ready"}}');
    expect(await nextText()).toBe('{"type":"complete","id":"a \\"quoted\\" id"}');
  });

  test.each([
    ['reading it', { documents: { read: thrower } }],
    ['admission', { admission: { admit: thrower } }],
    ['the context', { services: { statements: { until: thrower } } }],
  ])('tells what %s throws as the error of the operation, masked', async (_, broken) => {
    const fine = engineParts({ statements: { until: () => null } } as never);
    let engine = new Engine(fine);
    const operations = new Operations({
      ...{ protocol: 'websocket', waitForBlock: () => null, maxPerSocket: 10 },
      get engine() {
        return engine;
      },
      clients: createClientAddresses(null, logger),
      logger,
    });
    const request = new IncomingMessage(new Socket());
    const { receive, next, closed } = connect((payload, on) => operations.begin(payload, request, on));
    await next();
    engine = new Engine({ ...fine, ...(broken as object) });
    receive(subscribe('bad', '{ __typename }'));
    const told = await next();
    expect(told).toMatchObject({ id: 'bad', type: 'error', payload: [{ extensions: { code: 'INTERNAL' } }] });
    expect(JSON.stringify(told)).not.toContain('secret');
    engine = new Engine(fine);
    receive(subscribe('good', '{ __typename }'));
    expect(await next()).toEqual({ id: 'good', type: 'next', payload: { data: { __typename: 'Query' } } });
    expect(closed).toEqual([]);
  });

  test('closes with 4500 when a stream throws, which none should', async () => {
    const fault = new Error('a secret');
    const results = new ReadableIterator<SharedResult>({ next: () => Promise.reject(fault) });
    const { receive, next, closed, faults } = connect(async () => ({ kind: 'stream', results }));
    await next();
    receive(subscribe('a'));
    await expect.poll(() => closed).toEqual([4500]);
    expect(faults).toEqual([fault]);
  });

  test('lets go of a stream of which a result cannot be written, which none should be', async () => {
    const source = openSource();
    const { receive, next, closed } = connect(async () => ({ kind: 'stream', results: source.results }));
    await next();
    receive(subscribe('a'));
    source.push({ n: 1n });
    await expect.poll(() => closed).toEqual([4500]);
    expect(source.isReturned()).toBe(true);
  });

  test('tells the errors for which an operation cannot begin, and takes its id again', async () => {
    const { receive, next } = connect(async () => ({ kind: 'refused', errors: [new GraphQLError('No.')] }));
    await next();
    for (let round = 0; round < 2; round += 1) {
      receive(subscribe('a'));
      expect(await next()).toEqual({ id: 'a', type: 'error', payload: [{ message: 'No.' }] });
    }
  });
});

function thrower(): never {
  throw new Error('a secret');
}
