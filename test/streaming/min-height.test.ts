import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type AccountNetwork, party, startAccountNetwork } from '../support/account-network.ts';
import { startTestGateway } from '../support/gateway.ts';
import { openGraphqlSocket } from '../support/socket-clients.ts';

const QUERY = '{ block { height } }';
const SUBSCRIPTION = 'subscription { blocks { block { height } } }';

const subscribe = (id: string, query: string) => ({ id, type: 'subscribe', payload: { query } });

async function greet(url: string, payload: unknown) {
  const socket = await openGraphqlSocket(url);
  socket.send({ type: 'connection_init', payload });
  return socket;
}

describe('a block that the greeting of a WebSocket asks for', () => {
  let network: AccountNetwork;
  let height = 0;
  const addBlock = async () => {
    height += 1;
    await network.block({ owner: party(1), balance: `${height}` });
  };

  beforeAll(async () => {
    network = await startAccountNetwork();
    await addBlock();
  });

  afterAll(() => network?.[Symbol.asyncDispose]());

  test.each([
    ['a text', String],
    ['a number', Number],
  ])('is waited for by each query and subscription, be it %s', async (_, write) => {
    await using gateway = await startTestGateway(network.url, { MIN_BLOCK_WAIT_MS: '60000' });
    await using socket = await greet(gateway.url, { minBlockHeight: write(height + 2) });
    expect(await socket.next()).toEqual({ type: 'connection_ack' });
    socket.send(subscribe('a', QUERY));
    socket.send(subscribe('b', SUBSCRIPTION));
    const next = socket.next();
    let isAnswered = false;
    void next.then(() => {
      isAnswered = true;
    });
    await addBlock();
    await sleep(200);
    expect(isAnswered).toBe(false);
    await addBlock();
    const messages = [await next, await socket.next(), await socket.next()];
    const of = (wanted: string) => messages.filter(({ id, type }) => id === wanted && type === 'next');
    const block = { height: `${height}` };
    expect(of('a').map(({ payload }) => payload.data)).toEqual([{ block }]);
    expect(of('b').map(({ payload }) => payload.data)).toEqual([{ blocks: { block } }]);
  });

  test('is the error of each operation for which it does not come in time, and the socket stays', async () => {
    await using gateway = await startTestGateway(network.url, { MIN_BLOCK_WAIT_MS: '20' });
    await using socket = await greet(gateway.url, { minBlockHeight: `${height + 1}` });
    await socket.next();
    for (const query of [QUERY, SUBSCRIPTION]) {
      socket.send(subscribe('a', query));
      expect(await socket.next()).toEqual({
        id: 'a',
        type: 'error',
        payload: [
          {
            message: `Block ${height + 1}, which minBlockHeight asks for, is not here yet; the newest is ${height}. Try again soon.`,
            extensions: {
              code: 'UNAVAILABLE',
              details: [{ '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay: '1s' }],
            },
          },
        ],
      });
    }
    await addBlock();
    await expect
      .poll(async () => {
        socket.send(subscribe('a', QUERY));
        const { type } = await socket.next();
        if (type === 'next') await socket.next();
        return type;
      })
      .toBe('next');
  });

  test.each([
    ['a word', 'two'],
    ['a number below 0', -1],
    ['a part of a number', 1.5],
    ['a number that JSON does not hold exactly', 2 ** 53],
    ['a text above 2^64', '18446744073709551616'],
    ['true', true],
    ['a list', ['1']],
    ['an object', {}],
  ])('is none where it is %s: closed with 4400', async (_, minBlockHeight) => {
    await using gateway = await startTestGateway(network.url);
    await using socket = await greet(gateway.url, { minBlockHeight });
    expect(await socket.ended).toEqual({ code: 4400, reason: 'minBlockHeight is no height of a block.' });
  });

  test.each([
    ['there is no payload', undefined],
    ['it has something else', { token: 'x' }],
    ['it is null', { minBlockHeight: null }],
    ['it is blank', { minBlockHeight: '' }],
  ])('is any where %s', async (_, payload) => {
    await using gateway = await startTestGateway(network.url, { MIN_BLOCK_WAIT_MS: '0' });
    await using socket = await greet(gateway.url, payload);
    await socket.next();
    socket.send(subscribe('a', QUERY));
    expect(await socket.next()).toMatchObject({ id: 'a', type: 'next' });
  });
});
