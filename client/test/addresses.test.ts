import { afterEach, expect, test, vi } from 'vitest';
import { accounts, type Environment, followOver, jsonLines, query, system } from '../src/index.ts';

const told = {
  block: { height: '1', timestamp: '1000000' },
  cursor: '1',
  snapshot: { accounts: [], lastPage: true },
};
const asked: string[] = [];
const environment: Environment = {
  ...system,
  fetch: async (url) => {
    asked.push(String(url));
    const headers = { 'Content-Type': 'application/x-ndjson' };
    return new Response(`${JSON.stringify({ data: { accounts: told } })}\n`, { headers });
  },
};
const follow = (url: string | readonly string[], filter = {}) =>
  followOver([jsonLines], accounts, { url, filter, environment });

/** Goes on in a page. */
const stayOn = (href: string) => vi.stubGlobal('location', { href });
afterEach(() => void vi.unstubAllGlobals());

test('an address is asked with a slash at its end or without, and what is none is refused at once', async () => {
  const expectNone = async (url: string | readonly string[]) => {
    expect(() => follow(url)).toThrow(new TypeError(`"${url}" is no address.`));
    await expect(query('{ block { height } }', { url, environment })).rejects.toThrow('is no address');
  };
  stayOn('http://one/page.html');
  for (const url of [['http://one/', 'http://two'], 'https://one/behind/a/proxy//', '/']) {
    const following = follow(url);
    await following.next();
    await following.return?.();
  }
  expect(asked).toEqual(['http://one/graphql', 'https://one/behind/a/proxy/graphql', '/graphql']);
  for (const url of ['one:3008', 'localhost', '', [], ['http://one', 'two']]) await expectNone(url);
  for (const url of ['http://a b', 'localhost://3008', 'ws://one', 'file:///one']) await expectNone(url);
  stayOn('file:///page.html');
  await expectNone('/');
  vi.unstubAllGlobals();
  await expectNone('/');
});

test('a variable that is no JSON is thrown at once, and not tried for ever', () => {
  expect(() => follow('http://one', { partyIds: [1n] })).toThrow(TypeError);
});
