import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { SECURITY_HEADERS } from '../../src/http/write/common-head.ts';
import type { Gateway } from '../../src/server.ts';
import { createDisposableDatabase } from '../support/database.ts';
import { startOwnGateway, startTestGateway } from '../support/gateway.ts';

const BROWSER = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';
const PLOTS = readdirSync('dist/page/plots').map((name) => `/page/plots/${name}`);
const FILES = ['/page/main.js', ...PLOTS, '/page/icon.svg'];

const ask = (gateway: Gateway, path: string, headers: Record<string, string> = {}, method = 'GET') =>
  fetch(`${gateway.url}${path}`, { method, headers });

test('/ is a page for browsers, and names the interfaces to everybody else', async () => {
  await using gateway = await startOwnGateway();
  const page = await ask(gateway, '/', { accept: BROWSER });
  expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
  const html = await page.text();
  expect(html).toContain('"/page/main.js"');
  expect(html).toMatch(/<style>:root \{/);

  const links = await ask(gateway, '/');
  expect([links.status, links.headers.get('content-type')]).toEqual([200, 'application/json']);
  const { paths, ...others } = (await links.json()) as { paths: string[] } & Record<string, string>;
  expect(paths).toContain('/api/v2/market/data/{marketId}/latest');
  expect(paths).toContain('/api/v2/stream/accounts');
  for (const path of Object.values(others))
    expect([path, (await ask(gateway, path, { accept: BROWSER })).status]).toEqual([path, 200]);
  for (const answer of [page, links]) expect(answer.headers.get('vary')).toContain('Accept');
});

test('a gateway that takes the operations of a list alone has no page, which would ask others', async () => {
  const path = join(mkdtempSync(join(tmpdir(), 'periscope-home-')), 'list.json');
  onTestFinished(() => rmSync(dirname(path), { recursive: true }));
  writeFileSync(path, JSON.stringify({ listed: '{ block { height } }' }));
  await using database = await createDisposableDatabase();
  await using gateway = await startTestGateway(database.url, { OPERATION_LIST: path });
  const links = await ask(gateway, '/', { accept: BROWSER });
  expect([links.status, links.headers.get('content-type')]).toEqual([200, 'application/json']);
  for (const place of ['/page/main.js', '/market/any'])
    expect([place, (await ask(gateway, place, { accept: BROWSER })).status]).toEqual([place, 404]);
});

test('the page may run its own scripts and reach its own gateway, and nothing else', async () => {
  await using gateway = await startOwnGateway();
  const { headers } = await ask(gateway, '/', { accept: BROWSER });
  const policy = headers.get('content-security-policy')?.split('; ');
  expect(policy).toContain("default-src 'none'");
  expect(policy).toContain("script-src 'self'");
  expect(policy).toContain("connect-src 'self'");
  expect(policy?.filter((one) => /^style-src 'sha256-[\w+/]{43}='$/.test(one))).toHaveLength(1);
  expect(policy).toContain("frame-ancestors 'none'");
  expect(policy?.join()).not.toMatch(/unsafe|\*|https?:/);
  for (const path of ['/', ...FILES]) {
    const answer = await ask(gateway, path, { accept: BROWSER });
    for (const [name, value] of Object.entries(SECURITY_HEADERS).filter(
      ([one]) => !one.startsWith('Content-'),
    ))
      expect([path, name, answer.headers.get(name)]).toEqual([path, name, value]);
  }
});

test.each(['/', ...FILES])('%s is sent compressed, known by its ETag, and to HEAD', async (path) => {
  await using gateway = await startOwnGateway();
  const accept = BROWSER;
  const whole = await ask(gateway, path, { accept, 'accept-encoding': 'identity' });
  const body = await whole.text();
  for (const encoding of ['br', 'gzip']) {
    const answer = await ask(gateway, path, { accept, 'accept-encoding': encoding });
    expect(answer.headers.get('content-encoding')).toBe(body.length < 1024 ? null : encoding);
    expect(answer.headers.get('vary')).toContain('Accept-Encoding');
    expect(await answer.text()).toBe(body);
    expect(answer.headers.get('etag')).toBe(whole.headers.get('etag'));
  }
  const etag = whole.headers.get('etag') ?? '';
  const again = await ask(gateway, path, { accept, 'if-none-match': etag });
  expect([again.status, await again.text()]).toEqual([304, '']);
  expect(again.headers.get('content-type')).toBe(whole.headers.get('content-type'));
  const head = await ask(gateway, path, { accept }, 'HEAD');
  expect([head.status, head.headers.get('etag'), await head.text()]).toEqual([200, etag, '']);
  const post = await ask(gateway, path, { accept }, 'POST');
  expect([post.status, post.headers.get('allow')]).toEqual([405, 'GET, HEAD, OPTIONS']);
});

test('the page names the plots of its own build, and those of another are not there', async () => {
  await using gateway = await startOwnGateway();
  const main = await (await ask(gateway, '/page/main.js')).text();
  const named = [...main.matchAll(/\.\/plots\/\w+\.js/g)].map(([path]) => path.replace('.', '/page'));
  expect(new Set(named)).toEqual(new Set(PLOTS));
  const { status } = await ask(gateway, '/page/plots/0123456789abcdef.js');
  expect([PLOTS.length, status]).toEqual([1, 404]);
});

test('nothing else of the folder is served', async () => {
  await using gateway = await startOwnGateway();
  for (const path of [
    '/page',
    '/page/',
    '/page/index.html',
    '/page/style.css',
    '/page/main.tsx',
    '/page/..%2fcli.js',
    '/index.html',
  ])
    expect([path, (await ask(gateway, path)).status]).toEqual([path, 404]);
});
