import type { Page, Request, Route } from 'playwright-core';
import { expect, test } from 'vitest';
import { startTestGateway } from '../../test/support/gateway.ts';
import { CHROMIUM, openPage } from '../../test/support/open-page.ts';
import { createSimulatedDatabase } from '../../test/support/simulated.ts';
import { holdBack, settle } from './read.ts';

if (CHROMIUM === undefined) console.warn('page/test/network.test.ts is skipped: there is no Chromium here');

const NETWORK = { seed: 7, blocks: 60, parties: 12, markets: 3 };

test.skipIf(CHROMIUM === undefined)('a block that is told twice has one price in the plot', async () => {
  await using network = await createSimulatedDatabase(NETWORK);
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

test.skipIf(CHROMIUM === undefined)(
  'is live while the markets are followed as well as the blocks',
  async () => {
    await using network = await createSimulatedDatabase(NETWORK);
    await using gateway = await startTestGateway(network.url);
    await using open = await openPage('about:blank');
    const { page } = open;
    const refuse = await refuseMarkets(page, 'RESOURCE_EXHAUSTED');
    await page.goto(gateway.url);
    const status = page.getByRole('status');
    await expect.poll(() => page.locator('.markets tbody tr').count()).toBeGreaterThan(1);
    await expect.poll(() => status.textContent()).toBe('Connecting…');
    refuse(null);
    await expect.poll(() => status.textContent()).toBe('Live');
    refuse('INVALID_ARGUMENT');
    await expect.poll(() => status.textContent()).toContain('Disconnected for good');
  },
);

test.skipIf(CHROMIUM === undefined)(
  'has the markets of a network that began again, and no others',
  async () => {
    await using network = await createSimulatedDatabase(NETWORK);
    await using gateway = await startTestGateway(network.url);
    await using open = await openPage('about:blank');
    const { page } = open;
    const beginAgain = await cutMarkets(page);
    await page.goto(gateway.url);
    const rows = page.locator('.markets tbody tr');
    const choice = page.locator('[name=market]');
    await expect.poll(() => rows.count()).toBeGreaterThan(1);
    await expect.poll(() => page.getByRole('status').textContent()).toBe('Live');
    const other = (await choice.locator('option').last().getAttribute('value')) ?? '';
    await choice.selectOption(other);
    await page.route('**/graphql', (route) => route.abort());
    const estimated = page.waitForRequest((request) => {
      const { query, variables } = JSON.parse(request.postData() ?? '{}');
      return /query EstimatePosition/.test(query) && variables.marketId !== other;
    });
    beginAgain();
    await expect.poll(() => rows.count()).toBe(1);
    expect(JSON.parse((await estimated).postData() ?? '').variables.marketId).toBe(
      await choice.locator('option').getAttribute('value'),
    );
  },
);

test.skipIf(CHROMIUM === undefined)(
  'takes no answer about the markets of before a network began again',
  async () => {
    await using network = await createSimulatedDatabase(NETWORK);
    await using gateway = await startTestGateway(network.url);
    await using open = await openPage('about:blank');
    const { page } = open;
    const beginAgain = await cutMarkets(page);
    const held = await holdBack(page, /query MarketsAt/);
    await page.goto(gateway.url);
    const rows = page.locator('.markets tbody tr');
    await expect.poll(() => rows.count()).toBeGreaterThan(1);
    beginAgain();
    await expect.poll(() => held.length).toBe(2);
    const answered = page.waitForResponse((it) => /query MarketsAt/.test(it.request().postData() ?? ''));
    held[0]?.();
    await (await answered).finished();
    await settle(page);
    expect(await rows.count()).toBe(1);
  },
);

test.skipIf(CHROMIUM === undefined)(
  'asks for the markets of a network that began again until it is told of them, with a pause between',
  async () => {
    await using network = await createSimulatedDatabase(NETWORK);
    await using gateway = await startTestGateway(network.url);
    await using open = await openPage('about:blank');
    const { page } = open;
    const again = await failMarkets(page, gateway.url, (route) => route.abort());
    for (const height of [61, 62, 63]) {
      await network.advanceTo(height);
      await expect
        .poll(() => again.afterFrame(() => page.locator('#height').textContent()))
        .toBe(`${height}`);
    }
    await again.settle();
    expect(again.asked).toBe(1);
    await again.wait();
    await expect.poll(() => again.asked).toBe(2);
    await page.unroute('**/graphql');
    await again.wait();
    await expect
      .poll(() => again.afterFrame(() => page.locator('.markets tbody tr').count()))
      .toBeGreaterThan(1);
    expect(again.asked).toBe(3);
    await again.wait();
    expect(again.asked).toBe(3);
  },
);

test.skipIf(CHROMIUM === undefined)(
  'asks no more for the markets of a network that began again once it is refused for good',
  async () => {
    await using network = await createSimulatedDatabase(NETWORK);
    await using gateway = await startTestGateway(network.url);
    await using open = await openPage('about:blank');
    const { page } = open;
    const errors = [{ message: 'No.', extensions: { code: 'INVALID_ARGUMENT' } }];
    const again = await failMarkets(page, gateway.url, (route) => route.fulfill({ json: { errors } }));
    await network.advanceTo(61);
    await expect.poll(() => again.afterFrame(() => page.locator('#height').textContent())).toBe('61');
    await again.wait();
    expect(again.asked).toBe(1);
  },
);

test.skipIf(CHROMIUM === undefined)(
  'is live where the gateway refuses a party, and says why it does',
  async () => {
    await using network = await createSimulatedDatabase(NETWORK);
    await using gateway = await startTestGateway(network.url);
    await using open = await openPage(`${gateway.url}/#party=%00`);
    const { page } = open;
    const accounts = page.locator('section[aria-labelledby="accounts"]');
    await expect.poll(() => accounts.getByRole('alert').count()).toBe(1);
    expect(await accounts.getByRole('alert').textContent()).toContain('NUL');
    await expect.poll(() => page.getByRole('status').textContent()).toBe('Live');
    expect(await accounts.textContent()).not.toContain('Waiting');
    await page.evaluate("location.hash = '#party=another'");
    await expect.poll(() => accounts.locator('tbody').textContent()).toBe('This party has no accounts.');
    expect(await accounts.getByRole('alert').count()).toBe(0);
  },
);

/**
 * Has the network begin again, and the markets be asked for in vain, while the page's clock stands still. Tells how often
 * they are asked for, and lets the page's pause pass.
 */
async function failMarkets(page: Page, url: string, fail: (route: Route) => Promise<void>) {
  const beginAgain = await cutMarkets(page);
  await page.clock.install();
  await page.goto(url);
  const rows = page.locator('.markets tbody tr');
  await expect.poll(() => page.getByRole('status').textContent()).toBe('Live');
  await expect.poll(() => rows.count()).toBeGreaterThan(1);
  await page.clock.pauseAt(Number(await page.evaluate('Date.now() + 1000')));
  const again = {
    asked: 0,
    answered: 0,
    /** The clock goes on for one frame, and something is read. */
    async afterFrame<T>(read: () => Promise<T>): Promise<T> {
      await page.clock.runFor(16);
      return read();
    },
    /** What is asked has its answer, and the page has taken it. */
    async settle() {
      await expect.poll(() => again.answered).toBe(again.asked);
      for (let frame = 0; frame < 10; frame++) await page.clock.runFor(16);
    },
    async wait() {
      await again.settle();
      await page.clock.fastForward(5_000);
      await again.settle();
    },
  };
  const isOfMarkets = (request: Request) => /query MarketsAt/.test(request.postData() ?? '');
  page.on('request', (request) => {
    if (isOfMarkets(request)) again.asked += 1;
  });
  const countAnswer = (request: Request) => {
    if (isOfMarkets(request)) again.answered += 1;
  };
  page.on('requestfailed', countAnswer);
  page.on('requestfinished', countAnswer);
  await page.route('**/graphql', fail);
  beginAgain();
  await expect.poll(() => again.afterFrame(() => rows.count())).toBe(1);
  await expect.poll(() => again.asked).toBe(1);
  await again.settle();
  return again;
}

/** Has the gateway end what follows the markets, with a code, and refuse it until it is called with null. */
async function refuseMarkets(page: Page, first: string): Promise<(code: string | null) => void> {
  let code: string | null = first;
  let end = () => {};
  await page.routeWebSocket(/\/graphql$/, (socket) => {
    const server = socket.connectToServer();
    const fail = () => {
      const payload = [{ message: 'No.', extensions: { code } }];
      if (code !== null) socket.send(JSON.stringify({ id: '1', type: 'error', payload }));
    };
    socket.onMessage((message) => {
      server.send(message);
      if (!String(message).includes('marketData(')) return;
      end = fail;
      fail();
    });
  });
  return (next) => {
    code = next;
    end();
  };
}

/** Sends the snapshot of the markets again, amid the stream, and has the next one hold a market alone. */
async function cutMarkets(page: Page): Promise<() => void> {
  let again = () => {};
  let isCut = false;
  await page.routeWebSocket(/\/graphql$/, (socket) => {
    socket.connectToServer().onMessage((message) => {
      const told = JSON.parse(String(message));
      const snapshot = told.payload?.data?.marketData?.snapshot;
      if (snapshot && isCut) snapshot.marketData.length = 1;
      if (snapshot) again = () => socket.send(message);
      socket.send(JSON.stringify(told));
    });
  });
  return () => {
    isCut = true;
    again();
  };
}

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
