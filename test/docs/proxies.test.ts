import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, get, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { configOptions } from '../../src/config.ts';
import {
  type ConfigureServers,
  configureAuthentication,
  NGINX,
  PASSWORD,
  startNginx,
} from '../live/nginx.ts';
import { findProgram, type RunningProxy, startProxy } from '../live/proxy.ts';
import { party, startAccountNetwork } from '../support/account-network.ts';
import { startTestGateway } from '../support/gateway.ts';
import { openGraphqlSse, openNdjson, openSse } from '../support/http-clients.ts';
import { HANG_MS } from '../support/limits.ts';
import { within } from '../support/message-queue.ts';
import { openDocumentedWebSocket, openGraphqlWs } from '../support/socket-clients.ts';
import { settled } from '../support/statements.ts';

const PATH = '/api/v2/stream/accounts';
const SUBSCRIPTION =
  'subscription { accounts { snapshot { accounts { balance } } updates { accounts { balance } } } }';
const HAPROXY = findProgram('haproxy');
const CACHE_FILE = 'deploy/nginx-cache.conf';

/** How long each of them waits for who is quiet. */
const QUIET = /(?<=^\s*)(?<what>(?:timeout (?:client|server|tunnel)|proxy_read_timeout) +)(?<seconds>\d+)s/gm;

/** What a test changes of a file, beside where it listens and whom it passes requests on to. */
type Changes = readonly (readonly [string | RegExp, string])[];

interface Deployed {
  readonly file: string;
  readonly program: string | undefined;
  readonly start: (gateway: string, changes?: Changes) => Promise<RunningProxy>;
}

const nginx: Deployed = {
  file: 'deploy/nginx.conf',
  program: NGINX,
  start: (gateway, changes = []) =>
    startNginx(
      gateway,
      configureNginx(nginx.file, () => changes),
    ),
};

function configureNginx(file: string, changes: (folder: string) => Changes = () => []): ConfigureServers {
  return (port, gateway, folder) =>
    change(file, [
      ['listen 80;', `listen 127.0.0.1:${port};`],
      ['server 127.0.0.1:3008;', `server ${new URL(gateway).host};`],
      ...changes(folder),
    ]);
}

const haproxy: Deployed = {
  file: 'deploy/haproxy.cfg',
  program: HAPROXY,
  start: (gateway, changes = []) =>
    startProxy({
      path: HAPROXY,
      args: (_folder, file) => ['-db', '-f', file],
      configure: (port) =>
        change(haproxy.file, [
          ['bind :80', `bind 127.0.0.1:${port}`],
          ['server first 127.0.0.1:3008', `server first ${new URL(gateway).host}`],
          ...changes,
        ]),
    }),
};

const both = [nginx, haproxy];

for (const { file, program } of both)
  if (program === undefined) console.warn(`The tests of ${file} are skipped: its program is not here`);

describe.each(both)('$file', ({ file, program, start }) => {
  test.skipIf(program === undefined)('passes answers and each message of every transport on', async () => {
    await using network = await startAccountNetwork();
    await network.block({ owner: party(1), balance: '1' });
    // No heartbeat and no limit finds out that a client has gone: the proxy says so.
    const settings = { TRUSTED_PROXIES: 'loopback', STREAM_HEARTBEAT_MS: '600000' };
    await using gateway = await startTestGateway(network.url, settings);
    await using proxy = await start(gateway.url, [[QUIET, '$<what>600s']]);
    const list = await fetch(`${proxy.url}/api/v2/accounts`);
    expect(await list.json()).toMatchObject({ accounts: { edges: [{ node: { balance: '1' } }] } });
    const tag = { 'If-None-Match': list.headers.get('etag') ?? '' };
    expect((await fetch(`${proxy.url}/api/v2/accounts`, { headers: tag })).status).toBe(304);

    const streams = [
      await openNdjson(proxy.url, PATH),
      await openSse(proxy.url, PATH),
      await openGraphqlSse(proxy.url, SUBSCRIPTION),
      await openDocumentedWebSocket(proxy.url, PATH),
      await openGraphqlWs(proxy.url, SUBSCRIPTION),
    ];
    // Each block is written when the one before has come through: one that is held back is never followed by another.
    for (let balance = 1; balance <= 5; balance++) {
      if (balance > 1) await network.block({ owner: party(1), balance: `${balance}` });
      for (const stream of streams) expect(await stream.nextText()).toContain(`"balance":"${balance}"`);
    }
    for (const stream of streams) stream.close();
    await expect.poll(() => gateway.openStreams).toBe(0);
  });

  test.skipIf(program === undefined)('names each client to the gateway, which counts it apart', async () => {
    await using network = await startAccountNetwork();
    await network.block({ owner: party(1), balance: '1' });
    const settings = { TRUSTED_PROXIES: '127.0.0.1', MAX_STREAMS_PER_CLIENT: '1' };
    await using gateway = await startTestGateway(network.url, settings);
    await using proxy = await start(gateway.url);
    const first = await openFrom('127.0.0.2', proxy.url);
    const second = await openFrom('127.0.0.3', proxy.url);
    const again = await openFrom('127.0.0.2', proxy.url);
    // What a client says of itself is not believed.
    const forged = await openFrom('127.0.0.2', proxy.url, { 'X-Forwarded-For': '192.0.2.1' });
    const opened = [first, second, again, forged];
    expect(opened.map(({ statusCode }) => statusCode)).toEqual([200, 200, 429, 429]);
    for (const response of opened) response.destroy();
  });

  test.skipIf(program === undefined)('keeps a quiet stream for as long as heartbeats come', async () => {
    await using network = await startAccountNetwork();
    await network.block({ owner: party(1), balance: '1' });
    await using gateway = await startTestGateway(network.url, { STREAM_HEARTBEAT_MS: '250' });
    await using proxy = await start(gateway.url, [[QUIET, '$<what>2s']]);
    const streams = [await openNdjson(proxy.url, PATH), await openDocumentedWebSocket(proxy.url, PATH)];
    for (const stream of streams) await stream.nextText();
    await sleep(5_000);
    await network.block({ owner: party(1), balance: '2' });
    for (const stream of streams) expect(await stream.nextText()).toContain('"balance":"2"');
    for (const stream of streams) stream.close();
  });

  test('waits longer than heartbeats come, and lets connections go before the gateway does', () => {
    const text = readFileSync(file, 'utf8');
    const secondsOf = (pattern: RegExp) =>
      [...text.matchAll(pattern)].map(({ groups }) => Number(groups?.['seconds']) * 1000);
    const waits = secondsOf(QUIET);
    expect(waits.length).toBeGreaterThan(0);
    expect(Math.min(...waits)).toBeGreaterThan(2 * Number(configOptions.streams.heartbeatMs.default));
    const kept = secondsOf(/^\s*(?:keepalive_timeout|default-server pool-purge-delay) +(?<seconds>\d+)s/gm);
    expect(kept.length).toBe(1);
    expect(Math.max(...kept)).toBeLessThan(Number(configOptions.http.keepAliveTimeoutMs.default));
  });
});

/** Less than nginx had on its disk before it read on, and more than the sockets hold for a reader that takes it. */
const READ = 12 * 2 ** 20;

test.skipIf(NGINX === undefined).each([
  [nginx.file, configureNginx(nginx.file)],
  [CACHE_FILE, configureNginx(CACHE_FILE, (folder) => [['/var/cache/nginx-periscope', `${folder}/cache`]])],
  ['SECURITY.md', configureAuthentication],
] as const)('nginx as %s has it takes more of an export when its client has', async (_, configured) => {
  // Where it took nothing until a whole file had gone out, the gateway took the client for one that does not read.
  await using gateway = await serveLargeExport();
  await using proxy = await startNginx(gateway.url, configured);
  const url = `${proxy.url}/api/v2/accounts?format=csv`;
  const [response] = (await once(get(url, { headers: PASSWORD }), 'response')) as [IncomingMessage];
  response.pause().on('error', () => {}); // It is cut off when the test ends.
  const before = await settled(gateway.made);
  let read = 0;
  response.on('data', (chunk: Buffer) => {
    read += chunk.length;
    if (read >= READ) response.pause();
  });
  response.resume();
  await expect.poll(() => read).toBeGreaterThanOrEqual(READ);
  await expect.poll(gateway.made).toBeGreaterThan(before);
  response.destroy();
});

/** A gateway with an export that has no end, which counts the pieces that are taken of it. */
async function serveLargeExport(): Promise<AsyncDisposable & { url: string; made: () => number }> {
  let made = 0;
  const piece = Buffer.alloc(2 ** 18, '1,2,3\n');
  const server = createServer((request, response) => {
    if (request.url === '/health/live') return response.end();
    response.writeHead(200, { 'Content-Type': 'text/csv; charset=utf-8' });
    const pieces = function* () {
      for (; ; made++) yield piece;
    };
    return Readable.from(pieces()).pipe(response);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    made: () => made,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

/** Root alone may take nginx's port and its folder. */
const CHECKS_NGINX = NGINX !== undefined && process.getuid?.() === 0;
if (!CHECKS_NGINX)
  console.warn('What nginx says of its files as they stand is skipped: it is not here, or nobody is root');

test.skipIf(!CHECKS_NGINX).each([nginx.file, CACHE_FILE])('nginx takes %s as it stands', (file) => {
  const folder = mkdtempSync(join(tmpdir(), 'periscope-nginx-'));
  const [, cache = ''] = /^proxy_cache_path (\S+)/m.exec(readFileSync(file, 'utf8')) ?? [];
  const hadCache = existsSync(cache);
  try {
    const main = join(folder, 'nginx.conf');
    writeFileSync(main, `pid ${folder}/pid;\nevents {}\nhttp {\n  include ${resolve(file)};\n}\n`);
    const { status, stderr } = spawnSync(NGINX as string, ['-t', '-p', folder, '-c', main, '-e', 'stderr'], {
      encoding: 'utf8',
      timeout: HANG_MS,
    });
    expect([status, stderr]).toEqual([0, expect.stringContaining('test is successful')]);
  } finally {
    rmSync(folder, { recursive: true, force: true });
    if (cache !== '' && !hadCache) rmSync(cache, { recursive: true, force: true });
  }
});

/** A file as it stands, but for what a test has to change. */
function change(file: string, changes: Changes): string {
  return changes.reduce(
    (text, [what, by]) => {
      expect(text).toMatch(what);
      return text.replace(what, by);
    },
    readFileSync(file, 'utf8'),
  );
}

/** Asks for a stream from another address of this machine. */
function openFrom(
  localAddress: string,
  url: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<IncomingMessage> {
  const opening = new Promise<IncomingMessage>((resolve, reject) => {
    get(`${url}${PATH}`, { agent: false, localAddress, headers: { ...headers } }, (response) => {
      response.on('error', () => {}); // It is cut off when the test ends.
      response.once('data', () => resolve(response));
    }).on('error', reject);
  });
  return within(opening, `opening ${url} from ${localAddress}`);
}
