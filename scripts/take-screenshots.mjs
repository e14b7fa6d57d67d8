// @ts-check
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { chromium } from 'playwright-core';

/*
 * node scripts/take-screenshots.mjs http://127.0.0.1:3008: the pictures of the page in docs/screenshots, of the
 * gateway there. The demo's plots take a while to fill; what is in the second argument is for how many seconds it waits.
 */

const FOLDER = join('docs', 'screenshots');
const [url = 'http://127.0.0.1:3008', seconds = '60'] = process.argv.slice(2);
const LOOKS = /** @type {const} */ ([
  { suffix: 'light', width: 1280, height: 1000, colorScheme: 'light' },
  { suffix: 'dark', width: 1280, height: 1000, colorScheme: 'dark' },
  { suffix: '390', width: 390, height: 844, colorScheme: 'light' },
  { suffix: '390-dark', width: 390, height: 844, colorScheme: 'dark' },
]);

const browser = await chromium.launch({
  executablePath: process.env['CHROMIUM'] ?? '/usr/bin/chromium',
  args: ['--no-sandbox', '--disable-dev-shm-usage'],
});
try {
  await sleep(Number(seconds) * 1000);
  for (const [name, path] of Object.entries(await findPlaces())) {
    for (const { suffix, width, height, colorScheme } of LOOKS) {
      const page = await browser.newPage({ viewport: { width, height }, colorScheme });
      await page.goto(url + path);
      // Panels ask on their own; each has its answer by then.
      await page.locator('main section').first().waitFor();
      await sleep(3_000);
      await page.screenshot({ path: join(FOLDER, `${name}-${suffix}.png`) });
      await page.close();
    }
  }
} finally {
  await browser.close();
}

/** What the pictures are of: the network, and a market, a party and a block of it. */
async function findPlaces() {
  const query = `{
    markets(first: 10, states: [STATE_ACTIVE]) { edges { node { id product } } }
    trades(first: 1) { edges { node { buyer } } } block { height }
  }`;
  const answer = await fetch(`${url}/graphql`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ query }),
  });
  const { data } = /** @type {{ data: Answer }} */ (await answer.json());
  const markets = data.markets.edges.map(({ node }) => node);
  const market = markets.find(({ product }) => product === 'FUTURE') ?? markets[0];
  return {
    home: '/',
    market: `/market/${market?.id}`,
    party: `/party/${data.trades.edges[0]?.node.buyer}`,
    block: `/block/${data.block.height}`,
  };
}

/**
 * @typedef {{
 *   markets: { edges: { node: { id: string, product: string } }[] },
 *   trades: { edges: { node: { buyer: string } }[] },
 *   block: { height: string },
 * }} Answer
 */
