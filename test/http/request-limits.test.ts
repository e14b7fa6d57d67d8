import { request as httpRequest } from 'node:http';
import { connect } from 'node:net';
import { createSchema, createYoga } from 'graphql-yoga';
import { describe, expect, test } from 'vitest';
import { mount, parseAnswer, serve } from './serve.ts';

describe('request bodies', () => {
  test('arrive whole up to the limit, in whatever way they are sent', async () => {
    const { get } = await serve({ mount, bodyLimit: 1000 });
    const body = 'x'.repeat(1000);
    expect(await (await get('/echo', { method: 'POST', body })).json()).toEqual({ body });
    expect(await (await get('/echo', { method: 'POST', ...streamed(body, 100) })).json()).toEqual({ body });
    expect(await (await get('/echo')).json()).toEqual({ body: null });
  });

  test('beyond the limit get 413, also when their length is not told', async () => {
    const { get } = await serve({ mount, bodyLimit: 1000 });
    for (const init of [
      { body: 'x'.repeat(1001) },
      streamed('x'.repeat(1001), 1001),
      streamed('x'.repeat(2e6), 65536),
    ]) {
      const answer = await get('/echo', { method: 'POST', ...init });
      expect(answer.status).toBe(413);
      expect(answer.headers.get('connection')).toBe('close');
      expect(await answer.json()).toEqual({
        code: 3,
        message: 'The request body is larger than 1000 bytes.',
        details: [],
      });
    }
  });

  test('in more than a thousand chunks of a few bytes get 413, and in larger ones none', async () => {
    const { raw, get } = await serve({ mount, bodyLimit: 1e6 });
    const head = 'POST /echo HTTP/1.1\r\nHost: x\r\nConnection: close\r\nTransfer-Encoding: chunked\r\n\r\n';
    const ask = async (chunk: string, times: number) =>
      parseAnswer(await raw(`${head}${chunk.repeat(times)}0\r\n\r\n`));
    expect(JSON.parse((await ask('1\r\nx\r\n', 1000)).body).body).toBe('x'.repeat(1000));
    const { body } = JSON.parse((await ask(`80\r\n${'abcd'.repeat(32)}\r\n`, 2000)).body);
    expect([body.length, body.replaceAll('abcd', '')]).toEqual([256_000, '']);
    const refused = await ask('1\r\nx\r\n', 1001);
    expect([refused.status, refused.headers.get('connection')]).toEqual([413, 'close']);
    expect(JSON.parse(refused.body)).toEqual({
      code: 3,
      message: 'The request body comes in more than 1000 chunks of a few bytes each.',
      details: [],
    });
    expect((await get('/small')).status).toBe(200);
  });

  test('that never end get 413 in bounded time', async () => {
    const { port } = await serve({ mount, bodyLimit: 1000 });
    let sent = 0;
    const status = await new Promise<number>((resolve, reject) => {
      const request = httpRequest({ port, host: '127.0.0.1', method: 'POST', path: '/echo' });
      const timer = setInterval(() => {
        sent += 10_000;
        request.write('x'.repeat(10_000));
      }, 10);
      request.on('response', (response) => {
        clearInterval(timer);
        request.destroy();
        resolve(response.statusCode ?? 0);
      });
      request.on('error', (error) => {
        clearInterval(timer);
        reject(error);
      });
    });
    expect(status).toBe(413);
    expect(sent).toBeGreaterThan(1000);
  });

  test('whose sender goes away in the middle end with it', async () => {
    const { port, log, get } = await serve({ mount });
    const socket = connect(port, '127.0.0.1');
    socket.write('POST /echo HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\nabc');
    setTimeout(() => socket.destroy(), 50);
    await expect.poll(() => log.at(-1)).toMatchObject({ path: '/echo', aborted: true });
    expect((await get('/small')).status).toBe(200);
    expect(log.some(({ msg }) => msg === 'request failed')).toBe(false);
  });

  test('that are compressed get 415', async () => {
    const { get } = await serve({ mount });
    const answer = await get('/echo', { method: 'POST', body: 'x', headers: { 'Content-Encoding': 'gzip' } });
    expect([answer.status, (await answer.json()).code]).toEqual([415, 3]);
  });

  test('reach GraphQL Yoga, which reads requests by itself', async () => {
    const schema = createSchema({ typeDefs: 'type Query { a: Int }', resolvers: { Query: { a: () => 1 } } });
    const yoga = createYoga({ schema, logging: false, cors: false });
    const { get } = await serve({ mount: (app) => app.use('/graphql', yoga), bodyLimit: 1000 });
    const headers = { 'Content-Type': 'application/json' };
    const query = JSON.stringify({ query: '{ a }' });
    const ask = async (init: RequestInit) =>
      (await get('/graphql', { method: 'POST', headers, ...init })).json();
    expect(await ask({ body: query })).toEqual({ data: { a: 1 } });
    expect(await ask(streamed(query, 3))).toEqual({ data: { a: 1 } });
    expect(await ask({ body: ' '.repeat(1001) })).toMatchObject({ code: 3 });
    expect((await get('/graphql', { method: 'POST', headers, body: '' })).status).toBe(400);
    expect((await get('/graphql', { method: 'POST', headers, ...streamed('', 1) })).status).toBe(400);
    expect(await (await get('/graphql?query={a}')).json()).toEqual({ data: { a: 1 } });
  });
});

function streamed(text: string, chunk: number) {
  const bytes = new TextEncoder().encode(text);
  const parts = Array.from({ length: Math.ceil(bytes.length / chunk) }, (_, index) =>
    bytes.subarray(index * chunk, (index + 1) * chunk),
  );
  const body = new ReadableStream({
    pull(controller) {
      const part = parts.shift();
      if (part === undefined) controller.close();
      else controller.enqueue(part);
    },
  });
  return { body, duplex: 'half' } as RequestInit;
}
