import { describe, expect, test } from 'vitest';
import { startTestGateway } from '../../test/support/gateway.ts';
import { CHROMIUM, openPage } from '../../test/support/open-page.ts';
import { createSimulatedDatabase } from '../../test/support/simulated.ts';
import { findings } from './read.ts';
import { findThings, KINDS } from './things.ts';

if (CHROMIUM === undefined) console.warn('page/test/widths.test.ts is skipped: there is no Chromium here');

const NETWORK = { seed: 7, blocks: 120, parties: 12, markets: 4, release: '0.79' } as const;
const WIDTHS = [320, 1280, 2560];

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
});
