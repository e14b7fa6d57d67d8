// @ts-check
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { chromium } from 'playwright-core';

/*
 * node scripts/take-screenshots.mjs http://127.0.0.1:3008: the pictures of the page at `/` in docs/screenshots, of the
 * gateway there. The demo's plots take a while to fill; what is in the second argument is for how many seconds it waits.
 */

const FOLDER = join('docs', 'screenshots');
const [url = 'http://127.0.0.1:3008', seconds = '60'] = process.argv.slice(2);
const PICTURES = /** @type {const} */ ([
  { name: 'home-light.png', width: 1280, height: 1000, colorScheme: 'light' },
  { name: 'home-dark.png', width: 1280, height: 1000, colorScheme: 'dark' },
  { name: 'home-390.png', width: 390, height: 844, colorScheme: 'light' },
]);

const browser = await chromium.launch({
  executablePath: process.env['CHROMIUM'] ?? '/usr/bin/chromium',
  args: ['--no-sandbox', '--disable-dev-shm-usage'],
});
try {
  const pages = await Promise.all(
    PICTURES.map(async ({ name, width, height, colorScheme }) => {
      const page = await browser.newPage({ viewport: { width, height }, colorScheme });
      await page.goto(url);
      return { name, page };
    }),
  );
  await sleep(Number(seconds) * 1000);
  for (const { name, page } of pages) {
    await page.screenshot({ path: join(FOLDER, name) });
  }
} finally {
  await browser.close();
}
