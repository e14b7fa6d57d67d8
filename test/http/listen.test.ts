import { on, once } from 'node:events';
import {
  Agent,
  request as httpRequest,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http';
import { connect, createServer } from 'node:net';
import { pino } from 'pino';
import { describe, expect, test } from 'vitest';
import { createClientAddresses } from '../../src/http/limits/client-address.ts';
import { startHttpServer } from '../../src/http/server/listen.ts';
import { listen } from '../../src/http/server/port.ts';
import { exchange, mount, parseAnswer, type Setup, serve } from './serve.ts';

const silent = {
  app: () => {},
  logger: pino({ level: 'silent' }),
  clients: createClientAddresses(null, pino({ level: 'silent' })),
  headersTimeoutMs: 1000,
  requestTimeoutMs: 1000,
  keepAliveTimeoutMs: 1000,
  maxConnections: 10,
  maxConnectionsPerClient: 10,
  corsOrigin: '*',
} as const;

/** Answers that take longer than what comes behind their requests. */
const slow: Setup['mount'] = (app) => {
  app.get('/slow/:n', (request, response) => void setTimeout(() => response.json(request.params.n), 300));
  app.all('/begun', (_request, response) => {
    response.write('begun');
    setTimeout(() => response.end('done'), 100);
  });
};

/** A request whose body comes in chunks. */
const CHUNKED = 'POST /slow/3 HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n';

/** A deadline beyond the limit of a test: one that waits for it fails. */
const NEVER_MS = 600_000;

describe('listening', () => {
  test('says where', async () => {
    const { url, get } = await serve();
    expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
    expect((await get('/health/live')).status).toBe(200);
  });

  test('a wildcard address is told as one that can be opened', async () => {
    const server = await startHttpServer({ ...silent, host: '0.0.0.0', port: 0 });
    expect(server.url).toMatch(/^http:\/\/127\.0\.0\.1:/);
    await server.close({ graceMs: 0, deadlineMs: 0 });
  });

  test('a port in use is named, with the variable to change', async () => {
    const { port } = await serve();
    await expect(startHttpServer({ ...silent, host: '127.0.0.1', port })).rejects.toMatchObject({
      name: 'ConfigError',
      message: `PORT is ${port}, which another program uses on 127.0.0.1; stop that one or set PORT to another.`,
    });
  });

  test('a foreign address is named', async () => {
    for (const host of ['192.0.2.1', 'nowhere.invalid']) {
      await expect(startHttpServer({ ...silent, host, port: 0 })).rejects.toMatchObject({
        name: 'ConfigError',
        message: `HOST is "${host}", which is no address of this machine.`,
      });
    }
  });

  test('so is one of a kind that the kernel does not have', async () => {
    const server = createServer();
    const error = Object.assign(new Error('listen EAFNOSUPPORT'), { code: 'EAFNOSUPPORT' });
    server.listen = () => {
      process.nextTick(() => server.emit('error', error));
      return server;
    };
    await expect(listen(server, { host: '::', port: 0 })).rejects.toMatchObject({
      name: 'ConfigError',
      message: 'HOST is "::", which is no address of this machine.',
    });
  });
});

describe('what is not an HTTP request', () => {
  test.each([
    ['garbage', 'hello\r\n\r\n', 400],
    ['TLS', '\x16\x03\x01\x02\x00\x01\x00\x01\xfc', 400],
    ['an unknown method', 'FETCH / HTTP/1.1\r\nHost: x\r\n\r\n', 400],
    ['a NUL in a header', 'GET / HTTP/1.1\r\nHost: x\r\nA: \0\r\n\r\n', 400],
    ['two lengths', 'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n', 400],
    [
      'a length and chunks',
      'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n',
      400,
    ],
    [
      'the same length twice',
      'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 1\r\n\r\n',
      400,
    ],
    ['a list of lengths', 'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1, 1\r\n\r\n', 400],
    ['a folded header', 'GET / HTTP/1.1\r\nHost: x\r\nA: b\r\n c\r\n\r\n', 400],
    ['a body that is encoded on its way', post('Host: x', 'Transfer-Encoding: gzip, chunked'), 400],
    ['chunks in HTTP/1.0', 'POST / HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n', 400],
    ['two hosts', post('Host: x', 'Host: y', 'Transfer-Encoding: chunked'), 400],
    ['the same host twice', post('Host: x', 'host: x', 'Transfer-Encoding: chunked'), 400],
    ['a host that is none', post('Host: x/y@z', 'Transfer-Encoding: chunked'), 400],
    ['a host of more than 255 characters', post(`Host: ${'x'.repeat(262)}`, 'Content-Length: 0'), 400],
    [
      'an address with as long a host',
      `GET http://${'x'.repeat(262)}/health HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`,
      400,
    ],
    [
      'an address with as long a host behind more slashes',
      `GET http:////${'x'.repeat(262)}/health HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`,
      400,
    ],
    ['a bad chunk', 'POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n', 400],
    ['a head of 17 KiB', `GET /${'x'.repeat(17_000)} HTTP/1.1\r\nHost: x\r\n\r\n`, 431],
    [
      'many long headers',
      `GET / HTTP/1.1\r\nHost: x\r\n${'A: xxxxxxxxxxxxxxxxxxx\r\n'.repeat(1000)}\r\n`,
      431,
    ],
    [
      '101 headers',
      `GET /health/live HTTP/1.1\r\nHost: x\r\nConnection: close\r\n${'A: x\r\n'.repeat(99)}\r\n`,
      431,
    ],
    ['no host', 'GET /health/live HTTP/1.1\r\nConnection: close\r\n\r\n', 400],
  ])('%s gets the error body', async (_, bytes, status) => {
    const { raw } = await serve();
    const answer = parseAnswer(await raw(bytes));
    expect(answer.status).toBe(status);
    expect(answer.headers.get('content-type')).toBe('application/json');
    expect(answer.headers.get('connection')).toBe('close');
    expect(answer.headers.get('access-control-allow-origin')).toBe('*');
    expect(answer.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
    expect(Number(answer.headers.get('content-length'))).toBe(answer.body.length);
    expect(JSON.parse(answer.body)).toEqual({ code: 3, message: expect.stringMatching(/\.$/), details: [] });
  });

  test('100 headers, any host, HTTP/1.0 without one and unknown expectations are fine', async () => {
    const { raw } = await serve();
    for (const bytes of [
      ...[
        '',
        'a.example',
        'a.example:80',
        '192.0.2.1:80',
        '[2001:db8::1]',
        '[2001:db8::1]:80',
        'a_b',
        `${'x'.repeat(255)}:65535`,
      ].map((host) => `GET /health HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`),
      'GET http://a.example/health HTTP/1.1\r\nHost: a.example\r\nConnection: close\r\n\r\n',
      `GET http://${'x'.repeat(255)}/health HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`,
      `GET /health/live HTTP/1.1\r\nHost: x\r\nConnection: close\r\n${'A: x\r\n'.repeat(98)}\r\n`,
      'GET /health/live HTTP/1.0\r\n\r\n',
      'GET /health/live HTTP/1.1\r\nHost: x\r\nConnection: close\r\nExpect: tea\r\n\r\n',
    ]) {
      expect(parseAnswer(await raw(bytes)).status).toBe(200);
    }
  });

  test('CONNECT gets 405', async () => {
    const { raw } = await serve();
    const answer = parseAnswer(await raw('CONNECT a.example:443 HTTP/1.1\r\nHost: a.example:443\r\n\r\n'));
    expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'GET, HEAD, POST, OPTIONS']);
    expect(JSON.parse(answer.body)).toMatchObject({ code: 12, message: expect.stringContaining('CONNECT') });
  });

  test.each([
    ['head', 'GET / HTTP/1.1\r\nHost: x\r\n'],
    ['body', 'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n\r\nab'],
  ])('a %s that never ends gets 408', async (_, bytes) => {
    const { raw, log } = await serve({ headersTimeoutMs: 150, requestTimeoutMs: 200 });
    const answer = parseAnswer(await raw(bytes));
    expect(answer.status).toBe(408);
    expect(JSON.parse(answer.body)).toMatchObject({ code: 3 });
    expect(log.find(({ msg }) => msg === 'broken request refused')).toMatchObject({ status: 408 });
  });

  test('that comes whole after its 408 is not worked on', async () => {
    const { port, log } = await serve({ mount, headersTimeoutMs: 150, requestTimeoutMs: 150 });
    const socket = connect(port, '127.0.0.1');
    await once(socket, 'data');
    socket.end('GET /small HTTP/1.1\r\nHost: x\r\n\r\n');
    await once(socket, 'close');
    expect(log.map(({ status }) => status)).toEqual([408]);
  });

  test.each([
    ['garbage', 'garbage\r\n\r\n', 400],
    ['garbage that goes on and on', 'garbage\r\n\r\n'.repeat(500), 400],
    ['a host of more than 255 characters', post(`Host: ${'x'.repeat(262)}`, 'Content-Length: 0'), 400],
    [
      'an address with as long a host',
      `GET http://${'x'.repeat(262)}/health HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`,
      400,
    ],
    [
      'an address with as long a host behind more slashes',
      `GET http:////${'x'.repeat(262)}/health HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`,
      400,
    ],
    ['a bad chunk', `${CHUNKED}zz\r\n`, 400],
    ['a head that never ends', 'GET /slow/3 HTTP/1.1\r\nHost: x\r\n', 408],
    ['a body that never ends', `${CHUNKED}5\r\nab`, 408],
    ['CONNECT', 'CONNECT a.example:443 HTTP/1.1\r\nHost: a.example:443\r\n\r\n', 405],
  ])('is answered after what was asked before it: %s', async (_, bytes, status) => {
    const { port } = await serve({ mount: slow, headersTimeoutMs: 150, requestTimeoutMs: 150 });
    const good = ['/slow/1', '/slow/2'].map((path) => `GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`);
    const answers = (await exchange(port, good.join('') + bytes)).split(/(?=HTTP\/1\.1 \d{3} )/);
    expect(answers.map((answer) => parseAnswer(answer).status)).toEqual([200, 200, status]);
    expect(answers.slice(0, 2).map((answer) => parseAnswer(answer).body)).toEqual(['"1"', '"2"']);
    expect(parseAnswer(answers[2] ?? '').headers.get('connection')).toBe('close');
  });

  test('never stands within an answer that is on its way, which comes to its end', async () => {
    const { port } = await serve({ mount: slow });
    const answer = await writeInto(port, 'GET /begun HTTP/1.1\r\nHost: x\r\n\r\n', 'garbage\r\n\r\n');
    expect(answer).toMatch(/begun.*done.*HTTP\/1\.1 400 /s);
  });

  test('ends the connection without a word where the answer to it is on its way', async () => {
    const app = (_request: unknown, response: ServerResponse) => void response.write('begun');
    const { url, close } = await startHttpServer({ ...silent, app, host: '127.0.0.1', port: 0 });
    const answer = await writeInto(Number(new URL(url).port), CHUNKED, 'zz\r\n');
    expect(answer).toMatch(/^HTTP\/1\.1 200 .*begun/s);
    expect(answer).not.toContain('HTTP/1.1 400');
    await close({ graceMs: 0, deadlineMs: 0 });
  });

  test('of one who has left with answers to come ends what is done for it', async () => {
    const { port, server } = await serve({ mount: slow });
    const asked = once(server, 'request');
    const socket = connect(port, '127.0.0.1');
    socket.end('GET /slow/1 HTTP/1.1\r\nHost: x\r\n\r\nGET /slow/2 HT');
    const [, response] = await asked;
    await once(response, 'close');
    expect(response.writableEnded).toBe(false);
  });
});

describe('closing', () => {
  const mount: Setup['mount'] = (app) => {
    app.get('/slow', (_request, response) => void setTimeout(() => response.json({ done: true }), 150));
    app.get('/begun', (_request, response) => {
      response.write('first ');
      setTimeout(() => response.end('last'), 150);
    });
    app.get('/never', (_request, response) => void response.write('x'));
  };

  test('finishes what was accepted and says that the connection ends', async () => {
    const { url, close, server } = await serve({ mount });
    const agent = new Agent({ keepAlive: true });
    const accepted = requests(server, 2);
    const answers = ['/slow', '/begun'].map((path) => ask(`${url}${path}`, agent));
    await accepted;
    expect(await close({ graceMs: 0, deadlineMs: NEVER_MS })).toBe(0);
    const [slow, begun] = await Promise.all(answers);
    expect(slow).toMatchObject({ status: 200, connection: 'close', body: '{"done":true}' });
    expect(begun).toMatchObject({ status: 200, body: 'first last' });
    agent.destroy();
  });

  test('accepts nothing more', async () => {
    const { close, get, port, server } = await serve({ mount });
    const accepted = requests(server, 1);
    const running = get('/slow');
    await accepted;
    const closed = close({ graceMs: 0, deadlineMs: NEVER_MS });
    // Whoever comes in the same moment is still let in.
    const refusal = () => exchange(port, 'GET / HTTP/1.1\r\n\r\n').catch(({ code }) => code);
    await expect.poll(refusal).toBe('ECONNREFUSED');
    expect((await running).status).toBe(200);
    expect(await closed).toBe(0);
  });

  test('does not wait for idle, silent or kept connections', async () => {
    const { close, url, port, server } = await serve({ mount });
    const agent = new Agent({ keepAlive: true });
    await ask(`${url}/health/live`, agent);
    const accepted = once(server, 'connection');
    const socket = connect(port, '127.0.0.1');
    socket.on('error', () => {});
    await accepted;
    expect(await close({ graceMs: 0, deadlineMs: NEVER_MS })).toBe(0);
    agent.destroy();
  });

  test('destroys what is left at the deadline', async () => {
    const { close, get } = await serve({ mount });
    const answer = await get('/never');
    const closed = close({ graceMs: 0, deadlineMs: 100 });
    expect(close({ graceMs: 0, deadlineMs: NEVER_MS })).toBe(closed);
    expect(await closed).toBe(1);
    await expect(answer.text()).rejects.toThrow();
  });

  test('also ends connections that became something else than HTTP', async () => {
    const { close, server, port } = await serve();
    server.on('upgrade', (_request, socket) => void socket.write('HTTP/1.1 101 Switching Protocols\r\n\r\n'));
    const upgraded = once(server, 'upgrade');
    const answered = exchange(
      port,
      'GET / HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n',
    );
    await upgraded;
    expect(await close({ graceMs: 0, deadlineMs: 100 })).toBe(1);
    expect(await answered).toContain('101');
  });
});

/** Sends a request, and bytes behind it once its answer has begun; gives all that comes back until the connection ends. */
async function writeInto(port: number, request: string, bytes: string): Promise<string> {
  const socket = connect(port, '127.0.0.1').setEncoding('latin1');
  socket.write(request);
  let answer = '';
  socket.on('data', (chunk) => {
    if (answer === '') socket.write(bytes);
    answer += chunk;
  });
  await once(socket, 'close');
  return answer;
}

/** A request with an empty body of chunks, after which its sender ends the connection. */
function post(...headers: readonly string[]): string {
  return ['POST / HTTP/1.1', ...headers, 'Connection: close', '', '0', '', ''].join('\r\n');
}

/** Resolves when so many requests have come. */
async function requests(server: Server, count: number): Promise<void> {
  for await (const _ of on(server, 'request')) {
    count -= 1;
    if (count === 0) return;
  }
}

function ask(url: string, agent: Agent) {
  return new Promise<{ status: number | undefined; connection: string | undefined; body: string }>(
    (resolve, reject) => {
      const onResponse = async (response: IncomingMessage) => {
        let body = '';
        for await (const chunk of response.setEncoding('utf8')) body += chunk;
        resolve({ status: response.statusCode, connection: response.headers.connection, body });
      };
      httpRequest(url, { agent }, (response) => void onResponse(response).catch(reject))
        .on('error', reject)
        .end();
    },
  );
}
