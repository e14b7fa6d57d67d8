import axe from 'axe-core';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { describeRest } from '../../src/reference/openapi.ts';
import { startOwnGateway, type TestGateway } from '../support/gateway.ts';
import { type Appearance, CHROMIUM, openPage } from '../support/open-page.ts';

if (CHROMIUM === undefined)
  console.warn('test/reference/browser.test.ts is skipped: there is no Chromium here');

/** The pages, with what each shows of its document at once, at any width. */
const PAGES = [
  ['/docs', 'A read-only query gateway'],
  ['/docs/streams', '/api/v2/stream/accounts'],
  ['/docs/graphql', 'asOfEach'],
  ['/docs/scalars', 'nanoseconds since the Unix epoch'],
  ['/docs/guides', 'What a stream promises'],
  ['/docs/asking', 'What an operation may cost'],
  ['/docs/running', 'STATEMENT_TIMEOUT_MS'],
] as const;
const APPEARANCES: readonly Required<Appearance>[] = [
  { width: 1280, colorScheme: 'light' },
  { width: 390, colorScheme: 'dark' },
];
const PATH_OF_SEARCH = '/docs/search.json';

describe.skipIf(CHROMIUM === undefined)('the reference in a browser', () => {
  let gateway: TestGateway;

  beforeAll(async () => {
    gateway = await startOwnGateway();
  });

  afterAll(async () => {
    await gateway?.[Symbol.asyncDispose]();
  });

  test.each(APPEARANCES)(
    'comes from the gateway alone, without a fault, and axe finds nothing, at $width px, $colorScheme',
    async (appearance) => {
      await using open = await openPage('about:blank', appearance);
      const { page, faults } = open;
      const asked: string[] = [];
      page.on('request', (request) => asked.push(request.url()));
      for (const [path, text] of PAGES) {
        await page.goto(`${gateway.url}${path}`);
        await expect.poll(() => textOf(page)).toContain(text);
        expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(appearance.width);
        await page.evaluate(axe.source);
        expect([path, await findFaults(page)]).toEqual([path, []]);
      }
      expect(asked.length).toBeGreaterThan(PAGES.length);
      const elsewhere = asked.filter((url) => !url.startsWith(`${gateway.url}/`) && !url.startsWith('data:'));
      expect(elsewhere).toEqual([]);
      expect(faults).toEqual([]);
    },
  );

  test('the title is read whole at 390 px, without a script', async () => {
    await using open = await openPage(`${gateway.url}/docs`, { width: 390 });
    // One rectangle is one line.
    const lines = await open.page.evaluate(`(() => {
      const title = document.createRange();
      title.selectNodeContents(document.querySelector('h1'));
      return [title.toString(), title.getClientRects().length, document.scripts.length];
    })()`);
    expect(lines).toEqual(['REST reference', 1, 0]);
  });

  test('guides are searched from the keyboard, and read at 320 px', async () => {
    await using open = await openPage(`${gateway.url}/docs/guides`, { width: 320 });
    const { page, faults } = open;
    const asked: string[] = [];
    page.on('request', (request) => asked.push(new URL(request.url()).pathname));
    for (const [path] of PAGES.slice(-3)) {
      await page.goto(`${gateway.url}${path}`);
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(320);
    }
    // Nobody who does not search has to fetch it.
    expect(asked).not.toContain(PATH_OF_SEARCH);
    await page.keyboard.press('/');
    await page.keyboard.type('how a stream ends');
    await expect.poll(() => page.locator('#found a').first().textContent()).toContain('How a stream ends');
    expect(asked).toContain(PATH_OF_SEARCH);
    await page.evaluate(axe.source);
    expect(await findFaults(page)).toEqual([]);
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.waitForURL(`${gateway.url}/docs/streams-guide#how-a-stream-ends`);
    await page.keyboard.press('/');
    await page.keyboard.type('xyzzyx');
    await expect.poll(() => page.locator('#found-state').textContent()).toBe('No guide has that.');
    expect(faults).toEqual([]);
  });

  test('has every path with its parameters open', async () => {
    await using open = await openPage(`${gateway.url}/docs`);
    const { page, faults } = open;
    for (const [path, { get }] of Object.entries<Json>(describeRest().paths)) {
      const { operationId, summary, parameters } = get;
      const section = (await page.locator(`#${operationId}`).innerText()).replaceAll('\u200b', '');
      const names = parameters.flatMap(({ name }: Json) => name ?? []);
      for (const text of [path, summary, ...names]) expect(section).toContain(text);
    }
    expect(faults).toEqual([]);
  });

  test.each(['/docs', '/docs/streams', '/docs/graphql'])(
    '%s has what each of its links leads to',
    async (path) => {
      await using open = await openPage(`${gateway.url}${path}`);
      const { page, faults } = open;
      const lost = await page.evaluate(`[...document.querySelectorAll('a[href^="#"]')]
      .map(({ hash }) => hash.slice(1)).filter((id) => document.getElementById(id) === null)`);
      expect(lost).toEqual([]);
      expect(faults).toEqual([]);
    },
  );
});

// biome-ignore lint/suspicious/noExplicitAny: documents are read as any client reads them.
type Json = any;

/** What can be read, without the marks of where a name may be cut. */
async function textOf(page: Page): Promise<string> {
  return (await page.locator('body').innerText()).replaceAll('\u200b', '');
}

/** What axe finds. */
function findFaults(page: Page): Promise<unknown> {
  return page.evaluate(
    `axe.run(document, { resultTypes: ['violations'] })
      .then(({ violations }) => violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)]))`,
  );
}
