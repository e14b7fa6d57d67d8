import { readdirSync, readFileSync } from 'node:fs';
import { request } from 'node:http';
import MiniSearch from 'minisearch';
import { describe, expect, test, vi } from 'vitest';
import { SEARCH_OPTIONS } from '../../guides/search-options.mjs';
import { AnswerWriter } from '../../src/http/write/answer-writer.ts';
import { REFERENCE_PATHS } from '../../src/reference/router.ts';
import { createTestDatabase } from '../support/database.ts';
import { forAllTests } from '../support/for-all-tests.ts';
import { startOwnGateway, startTestGateway } from '../support/gateway.ts';

const NAMES = readdirSync('docs').flatMap((file) => /^(.*)\.md$/.exec(file)?.[1] ?? []);
const WRITTEN = 'http://127.0.0.1:3008';
const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; " +
  "base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

const gateway = await forAllTests(startOwnGateway());

/** Asks as one who knows the gateway by another name. */
function askAs(path: string, headers: Readonly<Record<string, string>>, { url } = gateway): Promise<string> {
  return new Promise((resolve, reject) => {
    const asking = request(`${url}${path}`, { headers }, async (answer) => {
      let text = '';
      for await (const part of answer.setEncoding('utf8')) text += part;
      resolve(text);
    });
    asking.on('error', reject).end();
  });
}

const read = async (path: string) => (await fetch(`${gateway.url}${path}`)).text();
const addressOf = (name: string) => (name === 'streams' ? '/docs/streams-guide' : `/docs/${name}`);

test.each(NAMES)('docs/%s.md is a page, and there as it is written', async (name) => {
  const page = await fetch(`${gateway.url}${addressOf(name)}`);
  expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
  expect(page.headers.get('content-security-policy')).toBe(POLICY);
  const html = await page.text();
  expect(html).not.toMatch(/<style|style="|\son\w+="|<script>/);
  const source = readFileSync(`docs/${name}.md`, 'utf8');
  const written = await fetch(`${gateway.url}/docs/${name}.md`);
  expect(written.headers.get('content-type')).toBe('text/markdown; charset=utf-8');
  const ws = gateway.url.replace('http', 'ws');
  expect(await written.text()).toBe(
    source.replaceAll(WRITTEN, gateway.url).replaceAll(WRITTEN.replace('http', 'ws'), ws),
  );
});

test('a guide that cannot be sent is an answer of 500, and nothing that ends the process', async () => {
  const send = vi.spyOn(AnswerWriter.prototype, 'send').mockRejectedValueOnce(new Error('EMFILE'));
  const { status, body } = await gateway.rest('/docs/lists.md');
  send.mockRestore();
  expect([status, body.code]).toEqual([500, 13]);
});

test('no guide stands where the reference is', () => {
  expect(NAMES.map(addressOf).filter((address) => REFERENCE_PATHS.includes(address))).toEqual([]);
});

test('every link of every page leads somewhere here, to a place that is there', async () => {
  const known = new Map<string, string>();
  const load = async (path: string) => {
    if (!known.has(path)) {
      const answer = await fetch(`${gateway.url}${path}`, { headers: { Accept: 'text/html' } });
      known.set(path, answer.ok ? await answer.text() : '');
    }
    return known.get(path) ?? '';
  };
  const faults: string[] = [];
  for (const path of ['/docs/guides', ...NAMES.map(addressOf)]) {
    const html = await load(path);
    const links = [...html.matchAll(/(?:href|src)="([/#][^"]*)"/g)].map(([, link]) => link as string);
    expect(links.length).toBeGreaterThan(NAMES.length);
    for (const link of new Set(links)) {
      const [file, anchor] = link.split('#');
      const target = await load(file || path);
      if (target === '' || (anchor && !target.includes(`id="${anchor}"`))) faults.push(`${path}: ${link}`);
    }
  }
  expect(faults).toEqual([]);
});

describe('the address in the examples', () => {
  const at = async (headers: Readonly<Record<string, string>>, of = gateway) => {
    const html = await askAs('/docs/transports', headers, of);
    return [/curl -s (\S+)\/graphql/.exec(html)?.[1], /url: '(ws\S+)\/graphql'/.exec(html)?.[1]];
  };

  test('is the one by which it was asked for', async () => {
    expect(await at({ Host: 'gateway.example:8080' })).toEqual([
      'http://gateway.example:8080',
      'ws://gateway.example:8080',
    ]);
    expect(await at({ Host: '[::1]:3008' })).toEqual(['http://[::1]:3008', 'ws://[::1]:3008']);
    const html = await askAs('/docs/transports', { Host: 'gateway.example:8080' });
    expect(html).not.toContain('127.0.0.1:3008');
  });

  test.each(["a'b", 'a&b', 'a;b', '$(x)', 'a%41'])('is as written where the host is %s', async (host) => {
    expect((await at({ Host: host }))[0]).toBe(WRITTEN);
  });

  test('has the scheme that a trusted proxy names, and nobody else', async () => {
    const headers = { Host: 'gateway.example', 'X-Forwarded-Proto': 'https' };
    expect((await at(headers))[0]).toBe('http://gateway.example');
    await using database = await createTestDatabase();
    await using behind = await startTestGateway(database.url, { TRUSTED_PROXIES: 'loopback' });
    expect(await at(headers, behind)).toEqual(['https://gateway.example', 'wss://gateway.example']);
  });
});

test('the index finds what the guides say, where they say it', async () => {
  const index = MiniSearch.loadJSON(await read('/docs/search.json'), SEARCH_OPTIONS);
  const find = (asked: string) => index.search(asked)[0]?.['address'];
  expect(find('what an operation may cost')).toBe('/docs/asking#what-an-operation-may-cost');
  expect(find('how a stream ends')).toBe('/docs/streams-guide#how-a-stream-ends');
  expect(find('RATE_LIMIT')).toMatch(/^\/docs\//);
  expect(find('patrni')).toMatch(/^\/docs\/replicas/);
  expect(find('xyzzyx')).toBeUndefined();
});

test('/llms.txt names what there is to ask and to read, at the address by which it is asked for', async () => {
  const answer = await fetch(`${gateway.url}/llms.txt`);
  expect(answer.headers.get('content-type')).toBe('text/plain; charset=utf-8');
  const text = await answer.text();
  expect(text).toMatch(/^# Periscope\n\n> \S/);
  for (const name of NAMES) expect(text).toContain(`(${gateway.url}/docs/${name}.md)`);
  const links = [...text.matchAll(/[(<](http:[^)>]+)[)>]/g)].map(([, link]) => link as string);
  for (const link of links.filter((one) => !/graphql$|stream|mcp$/.test(one)))
    expect([link, (await fetch(link)).status]).toEqual([link, 200]);
});

test('/llms.txt names no schema where that is not told', async () => {
  await using database = await createTestDatabase();
  await using closed = await startTestGateway(database.url, { INTROSPECTION: 'off' });
  const text = await (await fetch(`${closed.url}/llms.txt`)).text();
  expect(text).toContain('/openapi.json');
  expect(text).not.toContain('/schema.graphql');
});
