import { readFileSync } from 'node:fs';
import { createServer, request as send } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { NGINX, startNginx } from '../../test/live/nginx.ts';
import { party, startAccountNetwork } from '../../test/support/account-network.ts';
import { startTestGateway } from '../../test/support/gateway.ts';
import { openNdjson, openSse } from '../../test/support/http-clients.ts';
import { openDocumentedWebSocket, openGraphqlWs } from '../../test/support/socket-clients.ts';

if (NGINX === undefined) console.warn('trials/replicas/cache.test.ts is skipped: there is no nginx here');

const QUERY = `/graphql?query=${encodeURIComponent('{ block { height } accounts { edges { node { balance } } } }')}`;
const PATHS = ['/api/v2/accounts', QUERY];
const CLIENTS = 20;
const STREAM = '/api/v2/stream/accounts?cursors=true';

test.skipIf(NGINX === undefined)(
  'nginx with a cache passes one of equal requests on each second',
  async () => {
    await using network = await startAccountNetwork();
    await network.block({ owner: party(1), balance: '1' });
    await using gateway = await startTestGateway(network.url, { RATE_LIMIT: '1000000' });
    await using counted = await count(gateway.url);
    await using nginx = await startNginx(counted.url, configure);
    const table: string[] = [];
    let height = 1;
    for (const path of PATHS) {
      const begun = performance.now();
      const before = counted.of(path);
      let asked = 0;
      while (performance.now() - begun < 3000) {
        const seen = height;
        const answers = await Promise.all(
          Array.from({ length: CLIENTS }, () => fetch(`${nginx.url}${path}`)),
        );
        asked += CLIENTS;
        for (const answer of answers) {
          expect(answer.status).toBe(200);
          const text = await answer.text();
          const named = Number(answer.headers.get('x-block-height') ?? /"height":"(\d+)"/.exec(text)?.[1]);
          const told = /"balance":"(\d+)"/.exec(text)?.[1];
          if (told !== undefined) expect(Number(told)).toBeGreaterThanOrEqual(named);
          expect(named).toBeLessThanOrEqual(seen);
        }
        if (asked % (10 * CLIENTS) === 0) await network.block({ owner: party(1), balance: `${++height}` });
      }
      const passed = counted.of(path) - before;
      const seconds = (performance.now() - begun) / 1000;
      table.push(
        `${path.slice(0, 20).padEnd(20)} ${asked} requests, ${passed} passed on: ${(passed / seconds).toFixed(1)} a second, ${(passed / height).toFixed(1)} a block`,
      );
      // One a second, and one for what is not at hand yet.
      expect(passed).toBeLessThanOrEqual(Math.ceil(seconds) + 2);
    }
    console.info(table.join('\n'));

    // A cache keeps apart who asks for a block.
    await fetch(`${nginx.url}/api/v2/accounts`);
    await network.block({ owner: party(1), balance: `${++height}` });
    const newer = await fetch(`${nginx.url}/api/v2/accounts`, {
      headers: { 'X-Min-Block-Height': `${height}` },
    });
    expect(newer.headers.get('x-block-height')).toBe(`${height}`);
    expect(await newer.text()).toContain(`"balance":"${height}"`);
    // After two seconds everybody has it: for the second of them what is at hand may be given.
    await sleep(2200);
    expect((await fetch(`${nginx.url}/api/v2/accounts`)).headers.get('x-block-height')).toBe(`${height}`);
    // A list of any length is kept under no parameter, and what is kept says nothing of its first client's limit.
    for (const path of ['/votes', '/votes?junk=1', '/api/v2/accounts']) {
      const direct = await fetch(`${gateway.url}${path}`);
      const { headers } = await fetch(`${nginx.url}${path}`);
      expect(direct.headers.has('ratelimit-limit')).toBe(true);
      const isKept = !path.startsWith('/votes');
      expect([headers.has('x-cache-status'), headers.has('ratelimit-limit')]).toEqual([isKept, !isKept]);
    }
    // What is not a success is not kept.
    for (let times = 0; times < 2; times++)
      expect(
        (await fetch(`${nginx.url}/api/v2/accounts?pagination.first=x`)).headers.get('x-cache-status'),
      ).toBe('MISS');

    const streams = [
      await openNdjson(nginx.url, STREAM),
      await openSse(nginx.url, STREAM),
      await openDocumentedWebSocket(nginx.url, STREAM),
      await openGraphqlWs(nginx.url, 'subscription { accounts { block { height } } }'),
    ];
    for (const stream of streams) expect(await stream.nextText()).toContain(`"height":"${height}"`);
    await network.block({ owner: party(1), balance: `${++height}` });
    for (const stream of streams) expect(await stream.nextText()).toContain(`"height":"${height}"`);
    for (const stream of streams) stream.close();
  },
);

test.skipIf(NGINX === undefined)('nginx with a cache keeps no export', async () => {
  await using network = await startAccountNetwork();
  await network.block({ owner: party(1), balance: '1' });
  await using gateway = await startTestGateway(network.url);
  await using nginx = await startNginx(gateway.url, configure);
  for (const format of ['csv', '%63sv', 'spreadsheet', 'ndjson', 'csv'])
    expect((await fetch(`${nginx.url}/api/v2/accounts?format=${format}`)).headers.get('x-cache-status')).toBe(
      'MISS',
    );
});

test.skipIf(NGINX === undefined).each([
  ['with a cache', configure],
  ['without', configurePlain],
] as const)('nginx %s has no more of an export on its disk than its client reads', async (_, configured) => {
  let made = 0;
  const piece = Buffer.alloc(2 ** 20, '1,2,3\n');
  const pieces = Readable.from(
    (function* () {
      for (; made < 256; made++) yield piece;
    })(),
  );
  const large = createServer((_, response) => {
    response.writeHead(200, { 'Content-Type': 'text/csv; charset=utf-8', 'Cache-Control': 's-maxage=1' });
    pieces.pipe(response).on('error', () => undefined);
  });
  await new Promise<void>((resolve) => large.listen(0, '127.0.0.1', resolve));
  await using other = await startNginx(
    `http://127.0.0.1:${(large.address() as AddressInfo).port}`,
    configured,
  );
  await fetch(`${other.url}/api/v2/accounts?format=csv`);
  for (let before = -1; before !== made; await sleep(500)) before = made;
  expect(made).toBeLessThan(64);
  large.closeAllConnections();
  large.close();
});

test('a stream goes on by its cursor at another gateway', async () => {
  await using network = await startAccountNetwork();
  await network.block({ owner: party(1), balance: '1' });
  await using one = await startTestGateway(network.url);
  await using other = await startTestGateway(network.url);
  const first = await openNdjson(one.url, STREAM);
  const { cursor } = await first.next();
  first.close();
  await network.block({ owner: party(1), balance: '2' });
  const second = await openNdjson(other.url, `${STREAM}&after=${cursor}`);
  expect(await second.next()).toMatchObject({
    block: { height: '2' },
    result: { updates: { accounts: [{ balance: '2' }] } },
  });
  second.close();
});

/** Passes everything on to a gateway, and counts the requests by their address. */
async function count(gateway: string): Promise<AsyncDisposable & { url: string; of(path: string): number }> {
  const counts = new Map<string, number>();
  const target = new URL(gateway);
  const server = createServer((request, response) => {
    const url = request.url ?? '';
    counts.set(url, (counts.get(url) ?? 0) + 1);
    const { method, headers } = request;
    const passed = send(
      { host: target.hostname, port: target.port, path: url, method, headers },
      (answer) => {
        response.writeHead(answer.statusCode ?? 0, answer.rawHeaders);
        answer.pipe(response);
        response.flushHeaders();
      },
    );
    passed.on('error', () => response.destroy());
    response.on('close', () => passed.destroy());
    request.pipe(passed);
  });
  server.on('upgrade', (request, socket, head) => {
    const passed = send({
      host: target.hostname,
      port: target.port,
      path: request.url,
      headers: request.headers,
    });
    passed.on('upgrade', (answer, other, rest) => {
      const lines = answer.rawHeaders.map((text, index) => (index % 2 === 0 ? `${text}: ` : `${text}\r\n`));
      socket.write(`HTTP/1.1 101 Switching Protocols\r\n${lines.join('')}\r\n`);
      socket.write(rest);
      other.write(head);
      other.pipe(socket).pipe(other);
      for (const [end, far] of [
        [socket, other],
        [other, socket],
      ] as const) {
        // biome-ignore format: pairs
        end.on('error', () => far.destroy());
        end.on('close', () => far.destroy());
      }
    });
    passed.on('error', () => socket.destroy());
    passed.end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    of: (path) => counts.get(path) ?? 0,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
    },
  };
}

/** The file of deploy/ as it stands, but for where it keeps, listens and passes on. */
function configure(port: number, gateway: string, folder: string): string {
  const file = 'deploy/nginx-cache.conf';
  return change(file, port, gateway, [['/var/cache/nginx-periscope', `${folder}/cache`]]);
}

function configurePlain(port: number, gateway: string): string {
  return change('deploy/nginx.conf', port, gateway, []);
}

type Changes = readonly (readonly [string, string])[];

function change(file: string, port: number, gateway: string, others: Changes): string {
  const changes: Changes = [
    ...others,
    ['listen 80;', `listen 127.0.0.1:${port};`],
    ['server 127.0.0.1:3008;', `server ${new URL(gateway).host};`],
  ];
  return changes.reduce(
    (text, [what, by]) => {
      expect(text).toContain(what);
      return text.replace(what, by);
    },
    readFileSync(file, 'utf8'),
  );
}
