import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { startTestGateway } from '../../test/support/gateway.ts';
import { CHROMIUM, openPage } from '../../test/support/open-page.ts';
import { createSimulatedDatabase } from '../../test/support/simulated.ts';
import { findings, holdBack, rawOf, section, settle } from './read.ts';
import { addAccounts, findThings } from './things.ts';

if (CHROMIUM === undefined) console.warn('page/test/moving.test.ts is skipped: there is no Chromium here');

const NETWORK = { seed: 7, blocks: 60, parties: 12, markets: 4, release: '0.79' } as const;

describe.skipIf(CHROMIUM === undefined)('whoever moves about', () => {
  test('keeps the focus, and what is being written, when another party is chosen', async () => {
    await using network = await createSimulatedDatabase(NETWORK);
    await using gateway = await startTestGateway(network.url);
    const { party } = await findThings(gateway);
    await using open = await openPage('about:blank');
    const { page } = open;
    const held = await holdBack(page, /query Traders/);
    await page.goto(gateway.url);
    const input = page.locator('[name=party]');
    await input.fill(party.id.slice(0, 8));
    held[0]?.();
    await expect.poll(() => rawOf(section(page, 'accounts'))).not.toEqual([]);
    expect(await input.inputValue()).toBe(party.id.slice(0, 8));
    await input.fill(party.id);
    await input.press('Enter');
    await expect.poll(() => page.url()).toContain(`#party=${party.id}`);
    expect(await page.evaluate('document.activeElement.name')).toBe('party');
    await page.evaluate("location.hash = '#party=another'");
    await expect.poll(() => input.inputValue()).toBe('another');
  });

  test('reads on with what is shown after the way back', async () => {
    await using network = await createSimulatedDatabase(NETWORK);
    await using gateway = await startTestGateway(network.url);
    await using open = await openPage(gateway.url);
    const { page } = open;
    await page.locator('.markets a.to').first().click();
    await expect.poll(() => page.locator('.heading h2').count()).toBe(1);
    await page.locator('[name=search]').focus();
    await page.goBack();
    await expect.poll(() => page.evaluate('document.activeElement.id')).toBe('shown');
  });

  test('is not told each block while blocks play', async () => {
    await using network = await createSimulatedDatabase(NETWORK);
    await using gateway = await startTestGateway(network.url);
    await using open = await openPage(`${gateway.url}/?at=10`);
    const { page } = open;
    const status = page.getByRole('status');
    await expect.poll(() => page.locator('.clock time').count()).toBe(1);
    await expect.poll(() => status.textContent()).toContain('as of block 10.');
    await page.getByRole('button', { name: 'Play at 1×' }).click();
    await expect.poll(() => page.locator('#height').textContent()).not.toBe('10');
    expect(await status.textContent()).toBe(
      'Connected. Everything is shown as of the block named, while blocks play.',
    );
  });

  test('is led to the first block from one before it', async () => {
    await using network = await createSimulatedDatabase(NETWORK);
    await using gateway = await startTestGateway(network.url);
    await using open = await openPage('about:blank');
    const { page } = open;
    const metadata = { firstHeight: '20', newestHeight: '60' };
    const extensions = { code: 'OUT_OF_RANGE', details: [{ reason: 'NO_SUCH_BLOCK', metadata }] };
    await answer(page, /query MarketPage/, { errors: [{ message: 'There is no such block.', extensions }] });
    const button = page.getByRole('button', { name: /^Show block/ });
    await page.goto(`${gateway.url}/market/any?at=5`);
    await expect.poll(() => button.textContent()).toBe('Show block 20');
    await page.goto(`${gateway.url}/market/any?at=99`);
    await expect.poll(() => button.textContent()).toBe('Show block 60');
  });

  test('is offered the blocks that are kept by now, and not those of the day before', async () => {
    await using network = await createSimulatedDatabase(NETWORK);
    await using gateway = await startTestGateway(network.url);
    await using open = await openPage('about:blank');
    const { page } = open;
    const oldest = (height: string) =>
      answer(page, /query OldestBlock/, { data: { blocks: { edges: [{ node: { height } }] } } });
    const slider = page.getByRole('slider', { name: 'Block that is shown' });
    await oldest('5');
    await page.goto(gateway.url);
    await expect.poll(() => slider.getAttribute('max')).toBe('55');
    await oldest('50');
    await network.advanceTo(670);
    await expect.poll(() => slider.getAttribute('max')).toBe('620');
    await oldest('100');
    await network.advanceTo(745);
    await expect.poll(() => slider.getAttribute('max')).toBe('645');
  });

  test('is offered the first block that an answer names, before it is looked for again', async () => {
    await using network = await createSimulatedDatabase(NETWORK);
    await using gateway = await startTestGateway(network.url);
    await using open = await openPage(gateway.url);
    const { page } = open;
    const slider = page.getByRole('slider', { name: 'Block that is shown' });
    await expect.poll(() => slider.getAttribute('max')).toBe('59');
    const extensions = { code: 'OUT_OF_RANGE', details: [{ metadata: { firstHeight: '20' } }] };
    await answer(page, /query BlockAt/, { errors: [{ message: 'It is not kept.', extensions }] });
    await slider.fill('9');
    await expect.poll(() => slider.getAttribute('max')).toBe('40');
  });

  test('comes from block 0 to the next, and to no block before it', async () => {
    await using network = await createSimulatedDatabase(NETWORK);
    await using gateway = await startTestGateway(network.url);
    await using open = await openPage('about:blank');
    const { page } = open;
    const blocks = (height: string) => ({ edges: [{ node: { height, cursor: 'here' } }] });
    const block = { height: '0', timestamp: '1', hash: '' };
    await answer(page, /query BlockPage/, {
      data: { asOf: { block, blocks: blocks('0') }, blocks: blocks('1') },
    });
    const asked = page.waitForRequest((request) => /query ChangesOfBlock/.test(request.postData() ?? ''));
    await page.goto(`${gateway.url}/block/0`);
    await expect.poll(() => page.locator('.heading nav a').allTextContents()).toEqual(['1 →']);
    expect(JSON.parse((await asked).postData() ?? '').variables.after).toBe(null);
  });

  test('stays where they went before a search was answered', async () => {
    await using network = await createSimulatedDatabase(NETWORK);
    await using gateway = await startTestGateway(network.url);
    await using open = await openPage(gateway.url);
    const { page } = open;
    const held = await holdBack(page, /query Search/);
    const market = page.locator('.markets a.to').first();
    await expect.poll(() => market.count()).toBe(1);
    const box = page.getByRole('combobox', { name: 'Search' });
    await box.fill('ETH');
    await box.press('Enter');
    await expect.poll(() => held.length).toBe(1);
    const slider = page.getByRole('slider', { name: 'Block that is shown' });
    await slider.fill('19');
    await expect.poll(() => page.url()).toBe(`${gateway.url}/?at=20`);
    const answered = page.waitForResponse((it) => /query Search/.test(it.request().postData() ?? ''));
    held[0]?.();
    await (await answered).finished();
    await settle(page);
    expect(page.url()).toBe(`${gateway.url}/?at=20`);
  });

  test('sees the party that is shown where another was half written and left', async () => {
    await using network = await createSimulatedDatabase(NETWORK);
    await using gateway = await startTestGateway(network.url);
    await using open = await openPage(`${gateway.url}/#party=one`);
    const { page } = open;
    const input = page.locator('[name=party]');
    await expect.poll(() => input.inputValue()).toBe('one');
    await input.fill('half');
    await section(page, 'accounts').getByRole('button', { name: 'Show' }).focus();
    expect(await input.inputValue()).toBe('half');
    await page.getByRole('combobox', { name: 'Search' }).focus();
    await expect.poll(() => input.inputValue()).toBe('one');
    await input.fill('half');
    await input.blur();
    expect(await input.inputValue()).toBe('half');
    await page.evaluate("location.hash = '#party=another'");
    await expect.poll(() => input.inputValue()).toBe('another');
  });

  test('shows the party that is written, also where a pressed button gets no focus', async () => {
    await using network = await createSimulatedDatabase(NETWORK);
    await using gateway = await startTestGateway(network.url);
    await using open = await openPage(`${gateway.url}/#party=one`);
    const { page } = open;
    const accounts = section(page, 'accounts');
    const input = page.locator('[name=party]');
    await expect.poll(() => input.inputValue()).toBe('one');
    await input.fill('other');
    await accounts.getByRole('heading').click();
    expect(await page.evaluate('document.activeElement.id')).toBe('shown');
    expect(await input.inputValue()).toBe('other');
    await input.focus();
    // As Safari does it: what is around the button and can have the focus has it.
    await page.evaluate(`document.querySelector('.accounts [type=submit]').addEventListener('mousedown', (event) => {
      event.preventDefault();
      document.getElementById('shown').focus({ preventScroll: true });
    })`);
    await accounts.getByRole('button', { name: 'Show' }).click();
    await expect.poll(() => page.url()).toContain('#party=other');
  });

  test('keeps the focus where a list goes on, and has it at its end', async () => {
    await using network = await createSimulatedDatabase(NETWORK);
    const party = await addAccounts(network.url, 150);
    await using gateway = await startTestGateway(network.url);
    await using open = await openPage(`${gateway.url}/party/${party}`);
    const { page } = open;
    const list = section(page, 'account-list');
    const more = list.getByRole('button', { name: /^Show more/ });
    await expect.poll(() => more.count()).toBe(1);
    const held = await holdBack(page, /"after":"/);
    await more.focus();
    await page.keyboard.press('Enter');
    await expect.poll(() => held.length).toBe(1);
    expect(await more.getAttribute('aria-disabled')).toBe('true');
    expect(await page.evaluate('document.activeElement.textContent')).toContain('Show more');
    expect(await findings(page)).toEqual([]);
    await page.route('**/graphql', (route) => route.continue());
    held[0]?.();
    await expect
      .poll(async () => {
        await list.locator('.foot').scrollIntoViewIfNeeded();
        return more.count();
      })
      .toBe(0);
    expect(await page.evaluate('document.activeElement.className')).toBe('foot quiet');
  });

  test('has the focus at the first of the rows that a press shows', async () => {
    await using network = await createSimulatedDatabase(NETWORK);
    await using gateway = await startTestGateway(network.url);
    await using open = await openPage('about:blank');
    const { page } = open;
    const nouns =
      'markets marketData trades deposits accounts rewards marginLevels proposals votes partyProfiles assets riskFactors';
    const none = Object.fromEntries(nouns.split(' ').map((noun) => [noun, []]));
    const parties = Array.from({ length: 20 }, (_, index) => ({ id: `party ${index}` }));
    const node = { block: { height: '50' }, ...none, parties };
    await answer(page, /query ChangesOfBlock/, { data: { asOf: { changes: { edges: [{ node }] } } } });
    await page.goto(`${gateway.url}/block/50`);
    await page.getByRole('button', { name: 'Show 8 more' }).focus();
    await page.keyboard.press('Enter');
    // Behind the row of heads and the twelve that were there.
    await expect.poll(() => page.evaluate('document.activeElement.rowIndex')).toBe(13);
    expect(await findings(page)).toEqual([]);
  });

  test('plays once the time of the block is known', async () => {
    await using network = await createSimulatedDatabase(NETWORK);
    await using gateway = await startTestGateway(network.url);
    await using open = await openPage('about:blank');
    const { page } = open;
    const held = await holdBack(page, /query BlockAt.*"height":"10"/s);
    await page.goto(`${gateway.url}/?at=10`);
    const button = page.getByRole('button', { name: 'Play at 1×', exact: true });
    await expect.poll(() => held.length).toBe(1);
    expect(await button.isDisabled()).toBe(true);
    held[0]?.();
    await expect.poll(() => button.isDisabled()).toBe(false);
  });

  test('waits at a block that is still to come, whatever block is shown, and is led to the next', async () => {
    await using network = await createSimulatedDatabase(NETWORK);
    await using gateway = await startTestGateway(network.url);
    await using open = await openPage(`${gateway.url}/block/62?at=20`);
    const { page } = open;
    const alert = page.getByRole('alert').first();
    await expect.poll(() => alert.textContent()).toContain('the newest is 60.');
    expect(await page.locator('main .state-note').textContent()).toContain('asked again with the next block');
    await network.advanceTo(62);
    await expect.poll(() => page.locator('.heading h2').textContent()).toBe('Block 62');
    await network.advanceTo(63);
    await expect.poll(() => page.locator('.heading nav a').allTextContents()).toEqual(['← 61', '63 →']);
    expect(page.url()).toBe(`${gateway.url}/block/62?at=20`);
  });

  test('sees all that the newest block changed, where its height goes on under another hash', async () => {
    await using network = await createSimulatedDatabase(NETWORK);
    await using gateway = await startTestGateway(network.url);
    await using open = await openPage('about:blank');
    const { page } = open;
    const asked: string[] = [];
    page.on('request', (request) => {
      if (/query ChangesOfBlock/.test(request.postData() ?? '')) asked.push(request.url());
    });
    const tell = (hash: string) => {
      const [block, blocks] = [{ height: '60', timestamp: '1', hash }, { edges: [] }];
      return answer(page, /query BlockPage/, { data: { asOf: { block, blocks }, blocks } });
    };
    await tell('one');
    await page.goto(`${gateway.url}/block/60`);
    await expect.poll(() => asked.length).toBe(1);
    await tell('other');
    await network.advanceTo(61);
    await expect.poll(() => asked.length).toBe(2);
    await network.advanceTo(62);
    await expect.poll(() => page.locator('#height').textContent()).toBe('62');
    await settle(page);
    expect(asked).toHaveLength(2);
  });

  test('sees no epoch of which some assets were left out', async () => {
    await using network = await createSimulatedDatabase(NETWORK);
    await using gateway = await startTestGateway(network.url);
    const { party } = await findThings(gateway);
    await using open = await openPage('about:blank');
    const { page } = open;
    const sums = Array.from({ length: 600 }, (_, index) => {
      const [epoch, assetId] = [`${100 - Math.floor(index / 11)}`, `asset ${index % 11}`];
      return { amount: '7', key: { epoch, assetId, asset: { symbol: assetId, decimals: 0 } } };
    });
    await answer(page, /query RewardsByEpoch/, { data: { asOf: { rewards: { sums } } } });
    await page.goto(`${gateway.url}/party/${party.id}`);
    const plots = section(page, 'rewards-plot');
    await plots.scrollIntoViewIfNeeded();
    // The oldest whole epoch: of 46 there are six assets.
    await expect.poll(() => plots.innerHTML()).toContain('from Epoch 47 to Epoch 100');
    expect(await plots.innerHTML()).not.toContain('Epoch 46');
  });
});

/** Answers what is asked with such a body. */
async function answer(page: Page, body: RegExp, json: object): Promise<void> {
  await page.route('**/graphql', (route) =>
    body.test(route.request().postData() ?? '') ? route.fulfill({ json }) : route.fallback(),
  );
}
