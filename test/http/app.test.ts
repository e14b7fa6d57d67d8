import { describe, expect, test } from 'vitest';
import { getRaw, mount, serve } from './serve.ts';

const PLAIN = { headers: { 'Accept-Encoding': 'identity' } };

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
    const answer = await get('/big?x=1%0a%22forged%22', PLAIN);
    const { length } = await answer.text();
    await get('/nothing');
    await expect.poll(() => log.length).toBe(2);
    expect(log[0]).toMatchObject({ method: 'GET', path: '/big?x=1%0a%22forged%22', status: 200 });
    expect(log[0]).not.toHaveProperty('aborted');
    expect(log[0]?.['ms']).toBeGreaterThanOrEqual(0);
    expect(log[0]?.['bytes']).toBe(length);
    expect(log[1]).toMatchObject({ path: '/nothing', status: 404 });
  });

  test('counts the bytes of each answer on a shared connection', async () => {
    const { raw, log, get } = await serve({ mount });
    const paths = ['/big', '/small', '/big', '/small'];
    const requests = paths.map((path, index) => {
      const connection = index === paths.length - 1 ? 'close' : 'keep-alive';
      return `GET ${path} HTTP/1.1\r\nHost: x\r\nConnection: ${connection}\r\n\r\n`;
    });
    await raw(requests.join(''));
    await expect.poll(() => log.length).toBe(4);
    const [big, small] = [await get('/big', PLAIN), await get('/small')].map((answer) =>
      answer.headers.get('content-length'),
    );
    expect(log.slice(0, 4).map((line) => String(line['bytes']))).toEqual([big, small, big, small]);
  });

  test('counts bytes as they are sent: compressed, and none for HEAD', async () => {
    const { port, log } = await serve({ mount });
    const { body } = await getRaw(port, '/big', { 'Accept-Encoding': 'gzip' });
    await getRaw(port, '/big', {}, 'HEAD');
    await expect.poll(() => log.length).toBe(2);
    expect(log.map((line) => line['bytes'])).toEqual([body.length, 0]);
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

describe('methods and paths', () => {
  test('HEAD answers as GET does, without the body', async () => {
    const { get } = await serve({ mount });
    const [whole, head] = [await get('/small'), await get('/small', { method: 'HEAD' })];
    expect(head.status).toBe(200);
    expect(await head.text()).toBe('');
    expect(head.headers.get('content-length')).toBe(whole.headers.get('content-length'));
    expect((await get('/big', { method: 'HEAD' })).headers.get('content-length')).toBeNull();
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
    '/health/',
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
    expect(headers['access-control-allow-methods']).toBe('GET, HEAD, POST, PUT, DELETE');
    expect(headers['access-control-allow-headers']).toBe('*, Authorization');
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
