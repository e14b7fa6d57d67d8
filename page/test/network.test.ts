import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { startTestGateway } from '../../test/support/gateway.ts';
import { CHROMIUM, openPage } from '../../test/support/open-page.ts';
import { createSimulatedDatabase } from '../../test/support/simulated.ts';

if (CHROMIUM === undefined) console.warn('page/test/network.test.ts is skipped: there is no Chromium here');

test.skipIf(CHROMIUM === undefined)('a block that is told twice has one price in the plot', async () => {
  await using network = await createSimulatedDatabase({ seed: 7, blocks: 60, parties: 12, markets: 3 });
  await using gateway = await startTestGateway(network.url);
  await using open = await openPage('about:blank');
  const { page } = open;
  await tellMarketsTwice(page);
  await page.goto(gateway.url);
  const plot = page.locator('.markets .plot path').first();
  for (let height = 60; height <= 64; height += 1) {
    await network.advanceTo(height);
    await expect.poll(() => page.locator('#height').textContent()).toBe(`${height}`);
  }
  let places: readonly string[] = [];
  // A stream is told in order: where there is a third price, the first two have come twice.
  await expect
    .poll(async () => {
      places = placesOf((await plot.getAttribute('d')) ?? '');
      return new Set(places).size;
    })
    .toBeGreaterThan(2);
  expect(places).toEqual([...new Set(places)]);
  expect(open.faults).toEqual([]);
});

/** Has every message about markets come to the page twice. */
async function tellMarketsTwice(page: Page): Promise<void> {
  await page.routeWebSocket(/\/graphql$/, (socket) => {
    const server = socket.connectToServer();
    server.onMessage((message) => {
      socket.send(message);
      if (String(message).includes('"data":{"marketData":')) socket.send(message);
    });
  });
}

/** Where a plot has its prices from left to right: each block has a place of its own. */
function placesOf(path: string): readonly string[] {
  return [...path.matchAll(/M([\d.]+) |H([\d.]+)V/g)].map(([, first, later]) => first ?? later ?? '');
}
