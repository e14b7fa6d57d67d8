import { request as httpRequest } from 'node:http';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { createSchema, createYoga } from 'graphql-yoga';
import { describe, expect, test } from 'vitest';
import { writeJson } from '../../src/http/json.ts';
import { onlyMethods } from '../../src/http/methods.ts';
import { type Setup, serve } from './serve.ts';

const BIG = { rows: Array.from({ length: 500 }, (_, index) => ({ index, text: `row ${index} <&>` })) };

const mount: NonNullable<Setup['mount']> = (app) => {
  app.all('/big', onlyMethods('GET'), (request, response) => writeJson(request, response, 200, BIG));
  app.all('/small', onlyMethods('GET'), (request, response) =>
    writeJson(request, response, 200, { a: ['<\u2028>'] }),
  );
  app.all('/echo', onlyMethods('GET', 'POST'), (request, response) => {
    writeJson(request, response, 200, { body: request.body?.toString() ?? null });
  });
};

describe('request ids', () => {
  test.each([
    'abc',
    '01HV-x_y.z:1',
    'A'.repeat(128),
    '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01',
  ])('are taken over when sane: %s', async (id) => {
    const { get, log } = await serve({ mount });
    const answer = await get('/small', { headers: { 'X-Request-Id': id } });
    expect(answer.headers.get('x-request-id')).toBe(id);
    await expect.poll(() => log.at(-1)).toMatchObject({ id });
  });

  test.each(['', 'a b', 'A'.repeat(129), '{"a":1}', 'a\tb', 'é'])('are made when not: %j', async (id) => {
    const { get } = await serve({ mount });
    const answer = await get('/small', { headers: { 'X-Request-Id': id } });
    expect(answer.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
  });
});

describe('the access log', () => {
  test('has one line for each request', async () => {
    const { get, log } = await serve({ mount });
    const answer = await get('/big?x=1%0a%22forged%22', { headers: { 'Accept-Encoding': 'identity' } });
    const { length } = await answer.text();
    await get('/nothing');
    await expect.poll(() => log.length).toBe(2);
    expect(log[0]).toMatchObject({ method: 'GET', path: '/big?x=1%0a%22forged%22', status: 200 });
    expect(log[0]).not.toHaveProperty('aborted');
    expect(log[0]?.['ms']).toBeGreaterThanOrEqual(0);
    // The head of the answer is part of the bytes.
    expect(log[0]?.['bytes']).toBeGreaterThan(length);
    expect(log[0]?.['bytes']).toBeLessThan(length + 1000);
    expect(log[1]).toMatchObject({ path: '/nothing', status: 404 });
    expect(log[1]?.['bytes']).toBeLessThan(1500);
  });

  test('tells when the client went away before the answer', async () => {
    const { get, log } = await serve({ mount: (app) => app.get('/never', () => {}) });
    await expect(get('/never', { signal: AbortSignal.timeout(50) })).rejects.toThrow();
    await expect.poll(() => log.at(-1)).toMatchObject({ path: '/never', aborted: true });
  });
});

describe('JSON answers', () => {
  test('are compact, and escape what could end a script', async () => {
    const { get } = await serve({ mount });
    const answer = await get('/small');
    expect(answer.headers.get('content-type')).toBe('application/json');
    expect(await answer.text()).toBe('{"a":["\\u003c\\u2028\\u003e"]}');
  });

  test.each(['/small?pretty', '/small?pretty=', '/small?a=b&pretty=false', '/small?pretty&x'])(
    'are indented by one space for %s',
    async (path) => {
      const { get } = await serve({ mount });
      expect(await (await get(path)).text()).toBe('{\n "a": [\n  "\\u003c\\u2028\\u003e"\n ]\n}');
    },
  );

  test('stay compact for other names', async () => {
    const { get } = await serve({ mount });
    expect(await (await get('/small?prettyish&apretty=1')).text()).toBe('{"a":["\\u003c\\u2028\\u003e"]}');
  });
});

describe('compression', () => {
  test.each([
    ['br', brotliDecompressSync],
    ['gzip', gunzipSync],
  ])('is by %s where the client takes it', async (encoding, decompress) => {
    const { port } = await serve({ mount });
    const { headers, body } = await getRaw(port, '/big', { 'Accept-Encoding': encoding });
    expect(headers['content-encoding']).toBe(encoding);
    expect(headers.vary).toBe('Accept-Encoding');
    expect(body.length).toBeLessThan(5000);
    expect(JSON.parse(decompress(body).toString())).toEqual(BIG);
  });

  test('leaves small answers and clients that want none alone, and still varies', async () => {
    const { port } = await serve({ mount });
    const small = await getRaw(port, '/small', { 'Accept-Encoding': 'gzip' });
    expect(small.headers['content-encoding']).toBeUndefined();
    const plain = await getRaw(port, '/big', {});
    expect(plain.headers['content-encoding']).toBeUndefined();
    expect(plain.headers.vary).toBe('Accept-Encoding');
    expect(JSON.parse(plain.body.toString())).toEqual(BIG);
  });

  test.each(['text/event-stream', 'application/x-ndjson', 'application/json'])(
    'delivers each write to a %s stream at once',
    async (type) => {
      let finish = () => {};
      const { get } = await serve({
        mount: (app) =>
          app.get('/stream', (_request, response) => {
            response.setHeader('Content-Type', type);
            response.write('first\n');
            finish = () => response.end('last\n');
          }),
      });
      const answer = await get('/stream', { headers: { 'Accept-Encoding': 'gzip' } });
      expect(answer.headers.get('content-encoding')).toBe('gzip');
      const reader = (answer.body as ReadableStream<Uint8Array>).getReader();
      expect(new TextDecoder().decode((await reader.read()).value)).toBe('first\n');
      finish();
      expect(new TextDecoder().decode((await reader.read()).value)).toBe('last\n');
      expect((await reader.read()).done).toBe(true);
    },
  );
});

describe('methods and paths', () => {
  test('HEAD answers as GET does, without the body', async () => {
    const { get } = await serve({ mount });
    const [whole, head] = [await get('/small'), await get('/small', { method: 'HEAD' })];
    expect(head.status).toBe(200);
    expect(await head.text()).toBe('');
    expect(head.headers.get('content-length')).toBe(whole.headers.get('content-length'));
    const missing = await get('/nothing', { method: 'HEAD' });
    expect([missing.status, await missing.text()]).toEqual([404, '']);
  });

  test.each(['POST', 'PUT', 'PATCH', 'DELETE', 'PROPFIND'])(
    '%s gets 405 and what is allowed',
    async (method) => {
      const { get } = await serve({ mount });
      const answer = await get('/small', { method });
      expect(answer.status).toBe(405);
      expect(answer.headers.get('allow')).toBe('GET, HEAD, OPTIONS');
      expect(await answer.json()).toEqual({
        code: 12,
        message: `"/small" takes GET, HEAD, OPTIONS, not ${method}.`,
        details: [],
      });
    },
  );

  test('OPTIONS says what is allowed', async () => {
    const { get } = await serve({ mount });
    const answer = await get('/echo', { method: 'OPTIONS' });
    expect([answer.status, answer.headers.get('allow')]).toEqual([204, 'GET, HEAD, POST, OPTIONS']);
  });

  test.each([
    '/',
    '/small/',
    '/SMALL',
    '/small/x',
    '//small',
    '/health',
    '/health/live/',
    '/%00',
    '/__proto__',
  ])('nothing is at %s', async (path) => {
    const { get } = await serve({ mount });
    const answer = await get(path);
    expect(answer.status).toBe(404);
    expect(await answer.json()).toEqual({ code: 5, message: `There is nothing at "${path}".`, details: [] });
  });

  test('a long path is cut in the message', async () => {
    const { get } = await serve();
    const { message } = await (await get(`/${'x'.repeat(5000)}`)).json();
    expect(message).toContain('(5001 characters)');
    expect(message.length).toBeLessThan(200);
  });
});

describe('CORS', () => {
  test('any page may read answers and errors with all headers, without credentials', async () => {
    const { get } = await serve({ mount });
    for (const path of ['/small', '/nothing']) {
      const { headers } = await get(path, { headers: { Origin: 'https://evil.example' } });
      expect(headers.get('access-control-allow-origin')).toBe('*');
      expect(headers.get('access-control-expose-headers')).toBe('*');
      expect(headers.get('access-control-allow-credentials')).toBeNull();
    }
  });

  test('a preflight request is answered on any path', async () => {
    const { port } = await serve({ mount });
    const { status, headers, body } = await getRaw(
      port,
      '/echo',
      { Origin: 'https://app.example', 'Access-Control-Request-Method': 'POST' },
      'OPTIONS',
    );
    expect([status, body.length]).toEqual([204, 0]);
    expect(headers['access-control-allow-methods']).toBe('GET, HEAD, POST');
    expect(headers['access-control-allow-headers']).toBe('*');
    expect(headers['access-control-max-age']).toBe('7200');
  });

  test('can be kept to some origins', async () => {
    const { get } = await serve({ mount, corsOrigin: ['https://app.example'] });
    const allowed = await get('/small', { headers: { Origin: 'https://app.example' } });
    expect(allowed.headers.get('access-control-allow-origin')).toBe('https://app.example');
    expect(allowed.headers.get('vary')).toContain('Origin');
    const other = await get('/small', { headers: { Origin: 'https://evil.example' } });
    expect(other.headers.get('access-control-allow-origin')).toBeNull();
    expect(other.headers.get('vary')).toContain('Origin');
  });
});

test('every answer has the security headers and does not name the software', async () => {
  const { get } = await serve({ mount });
  for (const path of ['/small', '/nothing', '/health/live']) {
    const { headers } = await get(path);
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('content-security-policy')).toBe("frame-ancestors 'none'");
    expect(headers.get('x-powered-by')).toBeNull();
  }
});

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
      expect(await answer.json()).toEqual({
        code: 3,
        message: 'The request body is larger than 1000 bytes.',
        details: [],
      });
    }
  });

  test('that never end get 413 in bounded time', async () => {
    const { port } = await serve({ mount, bodyLimit: 1000 });
    const start = performance.now();
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
    expect(performance.now() - start).toBeLessThan(3000);
    expect(sent).toBeGreaterThan(1000);
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

/** As a client that does not decompress sees it. */
async function getRaw(port: number, path: string, headers: Record<string, string>, method = 'GET') {
  return new Promise<{ status: number; headers: Record<string, unknown>; body: Buffer }>(
    (resolve, reject) => {
      httpRequest({ port, host: '127.0.0.1', path, headers, method }, async (response) => {
        const chunks: Buffer[] = [];
        for await (const chunk of response) chunks.push(chunk);
        resolve({ status: response.statusCode ?? 0, headers: response.headers, body: Buffer.concat(chunks) });
      })
        .on('error', reject)
        .end();
    },
  );
}
