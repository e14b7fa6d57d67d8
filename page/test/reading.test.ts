import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { startTestGateway } from '../../test/support/gateway.ts';
import { CHROMIUM, openPage } from '../../test/support/open-page.ts';
import { createSimulatedDatabase } from '../../test/support/simulated.ts';
import { ask } from '../../test/support/state.ts';
import { section } from './read.ts';
import { findThings } from './things.ts';

if (CHROMIUM === undefined) console.warn('page/test/reading.test.ts is skipped: there is no Chromium here');

/** As `pages.ts` has it, which needs a browser. */
const MOST_ROWS = 1_500;
const NETWORK = { seed: 7, blocks: 120, parties: 12, markets: 4, release: '0.79' } as const;

describe.skipIf(CHROMIUM === undefined)('whoever reads', () => {
  test('sees the rows of the filter that was chosen, whatever comes of another', async () => {
    await using network = await createSimulatedDatabase(NETWORK);
    await using gateway = await startTestGateway(network.url);
    const { asset } = await findThings(gateway);
    await using open = await openPage(`${gateway.url}/asset/${asset.id}`);
    const { page } = open;
    const list = section(page, 'account-list');
    const held = await holdBack(page, /"after":"/);
    await list.getByRole('button', { name: /^Show more/ }).click();
    await expect.poll(() => held.length).toBe(1);
    await list.getByRole('combobox', { name: 'Type', exact: true }).selectOption({ label: 'General' });
    const types = async () => [...new Set(await list.locator('tbody td[data-name=Type]').allTextContents())];
    await expect.poll(types).toEqual(['General']);
    const answered = page.waitForResponse((response) =>
      /"after":"/.test(response.request().postData() ?? ''),
    );
    held[0]?.();
    await (await answered).finished();
    await page.evaluate('new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve, 100)))');
    expect(await types()).toEqual(['General']);
    expect(await list.locator('.foot').textContent()).not.toContain('as of block');
  });

  test('comes to the end of a long list by staying at its end', async () => {
    await using network = await createSimulatedDatabase(NETWORK);
    const [{ party = '' } = {}] = await ask<{ party: string }>(
      network.url,
      'SELECT owner AS party FROM accounts JOIN parties ON id = owner LIMIT 1',
    );
    await ask(
      network.url,
      `INSERT INTO accounts (created_position, updated_position, owner, asset_id, market_id, type, balance)
       SELECT 1000000 + n, 1000000 + n, '${party}', (SELECT id FROM assets LIMIT 1), lpad(n::text, 64, '0'), 5, '7'
       FROM generate_series(1, ${MOST_ROWS + 350}) AS n`,
    );
    await using gateway = await startTestGateway(network.url);
    await using open = await openPage(`${gateway.url}/party/${party}`);
    const { page } = open;
    const list = section(page, 'account-list');
    const more = list.getByRole('button', { name: /^Show more/ });
    await more.click();
    // The end is in sight in every frame, as for somebody who holds a key down.
    await page.evaluate(`(() => {
      const stay = () => {
        document.querySelector('section[aria-labelledby="account-list"] .foot').scrollIntoView({ block: 'end' });
        requestAnimationFrame(stay);
      };
      stay();
    })()`);
    await expect.poll(() => more.count(), { timeout: 60_000 }).toBe(0);
    expect(open.faults).toEqual([]);
  });

  test('is told at the end of a list why it does not go on, and goes on by a press', async () => {
    await using network = await createSimulatedDatabase(NETWORK);
    await using gateway = await startTestGateway(network.url);
    const { asset } = await findThings(gateway);
    await using open = await openPage(`${gateway.url}/asset/${asset.id}`);
    const { page } = open;
    const list = section(page, 'account-list');
    const more = list.getByRole('button', { name: /^Show more/ });
    await page.route('**/graphql', (route) =>
      /"after":"/.test(route.request().postData() ?? '') ? route.abort() : route.continue(),
    );
    await more.click();
    await expect.poll(() => list.locator('.foot [role=alert]').textContent()).toContain('does not answer');
    await page.unroute('**/graphql');
    await more.click();
    await expect.poll(() => list.locator('.foot').textContent()).toContain('as of block 120');
    expect(await list.locator('[role=alert]').count()).toBe(0);
    // What is saved is what is shown, not what has come since.
    await network.advanceTo(123);
    await expect.poll(() => page.locator('#height').textContent()).toBe('123');
    const csv = (await list.getByRole('link', { name: /^CSV/ }).getAttribute('href')) ?? '';
    expect(new URL(csv, gateway.url).searchParams.get('asOf')).toBe('120');
  });
});

/** Keeps back what is asked with such a body; each is let go by calling it. */
async function holdBack(page: Page, body: RegExp): Promise<(() => void)[]> {
  const held: (() => void)[] = [];
  await page.route('**/graphql', async (route) => {
    if (body.test(route.request().postData() ?? ''))
      await new Promise<void>((resolve) => held.push(() => resolve()));
    await route.continue();
  });
  return held;
}
