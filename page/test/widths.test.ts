import { describe, expect, test } from 'vitest';
import { startTestGateway } from '../../test/support/gateway.ts';
import { CHROMIUM, openPage } from '../../test/support/open-page.ts';
import { createSimulatedDatabase } from '../../test/support/simulated.ts';
import { ask } from '../../test/support/state.ts';
import { findings } from './read.ts';
import { findThings, KINDS } from './things.ts';

if (CHROMIUM === undefined) console.warn('page/test/widths.test.ts is skipped: there is no Chromium here');

const NETWORK = { seed: 7, blocks: 120, parties: 12, markets: 4, release: '0.79' } as const;
const WIDTHS = [320, 1280, 2560];
/** What is higher, in px, stands on more than one line. */
const LINE = 30;

describe.skipIf(CHROMIUM === undefined)('every kind of page', () => {
  test.each(['light', 'dark'] as const)(
    'has nothing that axe finds and scrolls down alone, from 320 to 2560 px, in %s',
    async (colorScheme) => {
      await using network = await createSimulatedDatabase(NETWORK);
      await using gateway = await startTestGateway(network.url);
      const things = await findThings(gateway);
      await using open = await openPage(gateway.url, { colorScheme });
      const { page } = open;
      for (const path of ['/', ...KINDS.map((kind) => `/${kind}/${things[kind].id}`)]) {
        await page.goto(gateway.url + path);
        await expect.poll(() => page.locator('main section').count()).toBeGreaterThan(0);
        // Plots are loaded where they come into sight.
        for (const plot of await page.locator('.plotted').all()) await plot.scrollIntoViewIfNeeded();
        await expect.poll(() => page.locator('main').textContent()).not.toContain('Waiting');
        for (const width of WIDTHS) {
          await page.setViewportSize({ width, height: 900 });
          const found = await findings(page);
          const scrolled = await page.evaluate('document.documentElement.scrollWidth');
          expect([path, width, found, scrolled]).toEqual([path, width, [], width]);
        }
      }
      expect(open.faults).toEqual([]);
    },
  );

  test('tells markets of one long code apart, and breaks no number or short code for it, from 320 to 2560 px', async () => {
    await using network = await createSimulatedDatabase(NETWORK);
    await ask(network.url, "UPDATE markets SET instrument_name = repeat('A long name ', 5)");
    await ask(
      network.url,
      "UPDATE markets SET instrument_code = 'CRYPTO:A LONG CODE OF TESTS' WHERE id IN (SELECT id FROM markets ORDER BY id LIMIT 2)",
    );
    await using gateway = await startTestGateway(network.url);
    await using open = await openPage(gateway.url);
    const { page } = open;
    const names = page.locator('.markets th[scope="row"]');
    const wholes = page.locator('.markets td.number .amount:visible, .markets .code:not(:has-text("LONG"))');
    await expect.poll(() => names.count()).toBeGreaterThan(2);
    for (const width of [...WIDTHS, 390, 600]) {
      await page.setViewportSize({ width, height: 900 });
      const texts = await names.allTextContents();
      expect([width, new Set(texts).size]).toEqual([width, texts.length]);
      const heights = await wholes.evaluateAll((all) => all.map((one) => one.getBoundingClientRect().height));
      expect([width, heights.filter((height) => height > LINE)]).toEqual([width, []]);
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width);
    }
    const choices = await page.locator('select[name="market"] option').allTextContents();
    expect(new Set(choices).size).toBe(choices.length);
    expect(choices.length).toBeGreaterThan(1);
    expect(open.faults).toEqual([]);
  });
});
