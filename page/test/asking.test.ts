import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { startTestGateway } from '../../test/support/gateway.ts';
import { CHROMIUM, openPage } from '../../test/support/open-page.ts';
import { createSimulatedDatabase } from '../../test/support/simulated.ts';
import { holdBack, rawOf, section, settle } from './read.ts';

if (CHROMIUM === undefined) console.warn('page/test/asking.test.ts is skipped: there is no Chromium here');

const NETWORK = { seed: 7, blocks: 90, parties: 12, markets: 4, release: '0.79' } as const;

describe.skipIf(CHROMIUM === undefined)('what is asked', () => {
  test('is shown under the name of what it was asked of, and as of its block', async () => {
    await using network = await createSimulatedDatabase(NETWORK);
    await using gateway = await startTestGateway(network.url);
    const [one = '', other = ''] = await tradersOf(gateway);
    await using open = await openPage(`${gateway.url}/?at=60#party=${one}`);
    const { page } = open;
    const accounts = section(page, 'accounts');
    const markets = page.locator('.markets tbody');
    await expect.poll(() => rawOf(accounts)).not.toEqual([]);
    await expect.poll(() => markets.locator('a.to').count()).toBeGreaterThan(1);
    const held = await holdBack(page, /query (AccountsOfParty|MarketsAt)/);
    await page.locator('[name=party]').fill(other);
    await page.locator('[name=party]').press('Enter');
    await expect.poll(() => accounts.locator('tbody').textContent()).toBe('Waiting for the accounts…');
    expect(await queryOf(accounts)).toEqual({ party: other, at: '60' });
    held.shift()?.();
    await expect.poll(() => rawOf(accounts)).not.toEqual([]);

    const slider = page.getByRole('slider', { name: 'Block that is shown' });
    await page.getByRole('button', { name: 'Live', exact: true }).click();
    await expect.poll(() => queryOf(accounts)).toEqual({ party: other });
    expect(await queryOf(section(page, 'markets'))).toEqual({});
    await slider.fill('29');
    await expect.poll(() => markets.textContent()).toBe('Waiting for the block…');
    expect(await accounts.locator('tbody').textContent()).toBe('Waiting for the accounts…');
    expect(open.faults).toEqual([]);
  });

  test('is not said to be missing at a block that could not be asked about', async () => {
    await using network = await createSimulatedDatabase(NETWORK);
    await using gateway = await startTestGateway(network.url);
    await using open = await openPage(`${gateway.url}/market/nothing?at=60`);
    const { page } = open;
    const alert = page.getByRole('alert').first();
    await expect.poll(() => alert.textContent()).toBe('The network had no such market at block 60.');
    const held = await holdBack(page, /query MarketPage/);
    const slider = page.getByRole('slider', { name: 'Block that is shown' });
    await slider.fill('69');
    await expect.poll(() => held.length).toBe(1);
    expect(await alert.textContent()).toBe('The network had no such market at block 60.');
    await page.route('**/graphql', (route) => route.abort());
    await slider.fill('79');
    held[0]?.();
    await expect.poll(() => alert.textContent()).toContain('does not answer');
  });

  test('is an example at first, and then what somebody wrote', async () => {
    await using network = await createSimulatedDatabase(NETWORK);
    await using gateway = await startTestGateway(network.url);
    await using open = await openPage(gateway.url);
    const { page } = open;
    const [volume, collateral] = [page.getByLabel('Volume'), page.getByLabel(/^Collateral/)];
    await expect.poll(() => volume.inputValue()).toBe('1');
    await collateral.fill('77');
    await volume.press('End');
    await volume.press('Backspace');
    await settle(page);
    expect([await volume.inputValue(), await collateral.inputValue()]).toEqual(['', '77']);
  });

  test('is a forgotten block once, which no block to come is', async () => {
    await using network = await createSimulatedDatabase(NETWORK);
    await using gateway = await startTestGateway(network.url);
    await using open = await openPage('about:blank');
    const { page } = open;
    let asked = 0;
    page.on('request', (request) => {
      if (/query BlockPage/.test(request.postData() ?? '')) asked += 1;
    });
    const extensions = { code: 'OUT_OF_RANGE', details: [{ metadata: { firstHeight: '20' } }] };
    const json = { errors: [{ message: 'It is not kept.', extensions }] };
    await page.route('**/graphql', (route) =>
      /query BlockPage/.test(route.request().postData() ?? '') ? route.fulfill({ json }) : route.continue(),
    );
    await page.goto(`${gateway.url}/block/9`);
    const note = page.locator('main .state-note');
    await expect.poll(() => note.textContent()).toBe('It is not kept.');
    for (const height of [91, 92]) {
      await network.advanceTo(height);
      await expect.poll(() => page.locator('#height').textContent()).toBe(`${height}`);
    }
    await settle(page);
    expect(asked).toBe(1);
  });

  test('is an estimate as of a block once, and of the newest while it is shown', async () => {
    await using network = await createSimulatedDatabase(NETWORK);
    await using gateway = await startTestGateway(network.url);
    await using open = await openPage('about:blank');
    const { page } = open;
    const countOf = countAsked(page);
    const slider = page.getByRole('slider', { name: 'Block that is shown' });
    await page.goto(`${gateway.url}/?at=60`);
    await expect.poll(() => page.locator('.margins').count()).toBe(1);
    await network.advanceTo(92);
    await expect.poll(() => slider.getAttribute('max')).toBe('91');
    await page.waitForLoadState('networkidle');
    expect(countOf('EstimatePosition')).toBe(1);
    await page.getByRole('button', { name: 'Live', exact: true }).click();
    await expect.poll(() => countOf('EstimatePosition')).toBe(2);
    await network.advanceTo(93);
    await expect.poll(() => countOf('EstimatePosition')).toBe(3);
    await page.locator('.markets a.to').first().click();
    await expect.poll(() => page.locator('.heading h2').count()).toBe(1);
    await network.advanceTo(95);
    await expect.poll(() => page.locator('#height').textContent()).toBe('95');
    await page.waitForLoadState('networkidle');
    expect(countOf('EstimatePosition')).toBe(3);
    expect(open.faults).toEqual([]);
  });

  test('of a block is what it changed, once, and the next block until there is one', async () => {
    await using network = await createSimulatedDatabase(NETWORK);
    await using gateway = await startTestGateway(network.url);
    await using open = await openPage('about:blank');
    const { page } = open;
    const countOf = countAsked(page);
    await page.goto(`${gateway.url}/block/90`);
    await expect.poll(() => page.locator('.changed').count()).toBeGreaterThan(0);
    await network.advanceTo(91);
    await expect.poll(() => page.locator('.heading nav a').allTextContents()).toEqual(['← 89', '91 →']);
    const count = countOf('BlockPage');
    for (const height of [92, 93]) {
      await network.advanceTo(height);
      await expect.poll(() => page.locator('#height').textContent()).toBe(`${height}`);
    }
    await page.waitForLoadState('networkidle');
    expect([countOf('ChangesOfBlock'), countOf('BlockPage')]).toEqual([1, count]);
    expect(open.faults).toEqual([]);
  });

  test('while blocks play goes on with another speed', async () => {
    await using network = await createSimulatedDatabase(NETWORK);
    await using gateway = await startTestGateway(network.url);
    await using open = await openPage(`${gateway.url}/?at=10`);
    const { page } = open;
    await expect.poll(() => page.locator('.clock time').count()).toBe(1);
    const held = await holdBack(page, /query BlockAt.*"time":/s);
    await page.getByRole('button', { name: 'Play at 1×', exact: true }).click();
    await expect.poll(() => held.length).toBe(1);
    // At 60× the blocks that there are last for a second, which a busy machine may take for the press alone.
    const faster = page.getByRole('button', { name: 'Play at 10×' });
    await faster.click();
    await expect.poll(() => held.length).toBe(2);
    await page.route('**/graphql', (route) => route.continue());
    held[0]?.();
    await page.evaluate('new Promise((resolve) => setTimeout(resolve, 500))');
    expect(await faster.getAttribute('aria-pressed')).toBe('true');
    held[1]?.();
    await expect.poll(() => page.getByRole('status').textContent()).toBe('Live');
  });
});

type Gateway = Awaited<ReturnType<typeof startTestGateway>>;

async function tradersOf({ graphql }: Gateway): Promise<readonly string[]> {
  const { data } = await graphql(
    '{ asOf(height: 60) { accounts(filter: { accountTypes: [ACCOUNT_TYPE_MARGIN] }) { nodes { owner } } } }',
  );
  return [...new Set<string>(data.asOf.accounts.nodes.map(({ owner }: { owner: string }) => owner))];
}

/** The variables that a panel's query is opened with. */
async function queryOf(panel: ReturnType<typeof section>): Promise<unknown> {
  const href = (await panel.getByRole('link', { name: /^Query/ }).getAttribute('href')) ?? '';
  return JSON.parse(new URLSearchParams(href.split('?')[1]).get('variables') ?? '');
}

/** Counts how often the page asks an operation. */
function countAsked(page: Page): (name: string) => number {
  const asked: string[] = [];
  page.on('request', (request) => {
    const [, name] = /query (\w+)/.exec(request.postData() ?? '') ?? [];
    if (name !== undefined) asked.push(name);
  });
  return (wanted) => asked.filter((name) => name === wanted).length;
}
