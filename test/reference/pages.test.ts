import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { getRaw } from '../http/serve.ts';
import { createTestDatabase } from '../support/database.ts';
import { forAllTests } from '../support/for-all-tests.ts';
import { startOwnGateway, startTestGateway } from '../support/gateway.ts';

const gateway = await forAllTests(startOwnGateway());

const PAGES = ['/docs', '/docs/streams', '/docs/graphql', '/docs/scalars', '/docs/guides', '/docs/asking'];
const DOCUMENTS = [
  '/openapi.json',
  '/asyncapi.json',
  '/schema.graphql',
  '/docs/style.css',
  '/docs/search.js',
  '/docs/search.json',
  '/docs/asking.md',
  '/docs/screenshots/home-light.png',
  '/llms.txt',
];

describe.each([...PAGES, ...DOCUMENTS])('%s', (path) => {
  test('is there, whole and known by an ETag, for GET and HEAD alone', async () => {
    const url = `${gateway.url}${path}`;
    const response = await fetch(url);
    const text = await response.text();
    expect(response.status).toBe(200);
    expect(text).not.toBe('');
    const etag = response.headers.get('etag') ?? '';
    expect(response.headers.get('x-content-type-options')).toBe('nosniff');
    const stale = path === '/docs/style.css' ? '' : ', stale-while-revalidate=1';
    expect(response.headers.get('cache-control')).toBe(`public, max-age=0, s-maxage=1${stale}`);
    const again = await fetch(url, { headers: { 'If-None-Match': etag } });
    expect([again.status, await again.text()]).toEqual([304, '']);
    const head = await fetch(url, { method: 'HEAD' });
    expect([head.status, head.headers.get('etag'), await head.text()]).toEqual([200, etag, '']);
    const post = await fetch(url, { method: 'POST' });
    expect([post.status, post.headers.get('allow')]).toEqual([405, 'GET, HEAD, OPTIONS']);
    await post.text();
  });
});

test.each(['/openapi.json', '/docs/graphql'])('%s comes compressed', async (path) => {
  const port = Number(new URL(gateway.url).port);
  const plain = await getRaw(port, path, {});
  const packed = await getRaw(port, path, { 'Accept-Encoding': 'gzip' });
  expect(packed.headers['content-encoding']).toBe('gzip');
  expect(gunzipSync(packed.body).equals(plain.body)).toBe(true);
  expect(packed.headers['etag']).toBe(plain.headers['etag']);
});

describe('a page', () => {
  test.each(PAGES)(
    '%s may load nothing but what the gateway serves, and names nothing else',
    async (path) => {
      const response = await fetch(`${gateway.url}${path}`);
      const policy = response.headers.get('content-security-policy') ?? '';
      expect(policy.split('; ')).toContain("default-src 'none'");
      expect(policy).not.toMatch(/https?:|\*|unsafe-eval/);
      const html = await response.text();
      expect(html).not.toMatch(/(?:href|src)="(?:https?:)?\/\//);
      const links = [...html.matchAll(/(?:href|src)="(\/[^"#]*)"/g)].map(([, link]) => link as string);
      expect(links.length).toBeGreaterThan(3);
      for (const link of new Set(links)) {
        const { status } = await fetch(`${gateway.url}${link}`, { headers: { Accept: 'text/html' } });
        expect([link, status]).toEqual([link, 200]);
      }
    },
  );
});

test('the schema is that of the checkout', async () => {
  const sdl = await (await fetch(`${gateway.url}/schema.graphql`)).text();
  expect(sdl).toBe(readFileSync('schema.graphql', 'utf8'));
});

test('a gateway whose introspection is off tells no schema here either', async () => {
  await using database = await createTestDatabase();
  await using closed = await startTestGateway(database.url, { INTROSPECTION: 'off' });
  for (const path of ['/schema.graphql', '/docs/graphql', '/docs/scalars']) {
    const { status, body } = await closed.rest(path);
    expect([status, body.code]).toEqual([404, 5]);
  }
  expect((await closed.rest('/openapi.json')).status).toBe(200);
});
