import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startOwnGateway, type TestGateway } from '../support/gateway.ts';
import { CHROMIUM, openPage } from '../support/open-page.ts';

if (CHROMIUM === undefined)
  console.warn('test/graphql/graphiql.test.ts is skipped: there is no Chromium here');

describe.skipIf(CHROMIUM === undefined)('GraphiQL in a browser', () => {
  let gateway: TestGateway;

  beforeAll(async () => {
    gateway = await startOwnGateway();
  });

  afterAll(async () => {
    await gateway?.[Symbol.asyncDispose]();
  });

  test.each([1280, 390])(
    'opens with the operation and the variables of the address, and runs it, at %s px',
    async (width) => {
      const query = 'query Counted($n: Int!) { deposits(first: $n) { totalCount } }';
      const given = new URLSearchParams({ query, variables: '{"n": 2}' });
      await using open = await openPage(`${gateway.url}/graphql?${given}`, { width });
      const { page, faults } = open;
      const text = () => page.locator('#root').innerText();
      await expect.poll(text).toContain('Counted');
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width);
      await page.locator('.graphiql-execute-button').click();
      await expect.poll(async () => (await text()).replace(/\s/g, '')).toContain('"totalCount":0');
      expect(new URL(page.url()).searchParams.get('variables')).toBe('{"n": 2}');
      expect(faults).toEqual([]);
    },
  );

  test('keeps in the address what fits there, so that the page can be loaded again', async () => {
    await using open = await openPage(`${gateway.url}/graphql`);
    const { page } = open;
    const kept = () => new URL(page.url()).searchParams.get('query');
    const write = async (query: string) => {
      await page.locator('.graphiql-query-editor').click();
      await page.keyboard.press('Control+A');
      await page.keyboard.insertText(query);
    };
    await write('{ __typename }');
    await expect.poll(kept).toContain('__typename');
    await write(`{ __typename }\n${'# Much is said of it.\n'.repeat(300)}`);
    await expect.poll(kept).toBe(null);
    expect((await page.reload())?.status()).toBe(200);
  });

  test('has the explorer, and examples that open', async () => {
    await using open = await openPage(`${gateway.url}/graphql`, { width: 390 });
    const { page } = open;
    await page.locator('button[aria-label*="Explorer"]').last().click();
    await page.locator('.graphiql-explorer-root').waitFor();
    await page.locator('#periscope summary').click();
    await page.getByRole('link', { name: 'Candles of the newest market' }).click();
    await expect.poll(() => page.locator('#root').innerText()).toContain('Candles');
    expect(new URL(page.url()).searchParams.get('variables')).toContain('PT1M');
  });
});
