import { describe, expect, test } from 'vitest';
import { startTestGateway } from '../../test/support/gateway.ts';
import { CHROMIUM, openPage } from '../../test/support/open-page.ts';
import { createSimulatedDatabase } from '../../test/support/simulated.ts';
import { holdBack, rawOf, section } from './read.ts';
import { findThings } from './things.ts';

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
});
