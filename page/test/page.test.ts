import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { startTestGateway, type TestGateway } from '../../test/support/gateway.ts';
import { HANG_MS } from '../../test/support/limits.ts';
import { type Appearance, CHROMIUM, ELSEWHERE, openPage } from '../../test/support/open-page.ts';
import { createSimulatedDatabase } from '../../test/support/simulated.ts';
import { compare, shift, write } from '../decimals.ts';
import { findings, rawOf, section } from './read.ts';

if (CHROMIUM === undefined) console.warn('page/test/page.test.ts is skipped: there is no Chromium here');

const NETWORK = { seed: 7, blocks: 60, parties: 12, markets: 3 };
/** As much as the page may weigh in all, compressed. */
const MOST_BYTES = 150_000;

describe.skipIf(CHROMIUM === undefined)('the page at /', () => {
  test('shows the block, the markets, and what is new, as blocks arrive', async () => {
    await using network = await createSimulatedDatabase(NETWORK);
    await using gateway = await startTestGateway(network.url);
    await using open = await openPage(gateway.url);
    const { page } = open;
    const rows = page.locator('.markets tbody tr');
    for (const height of [60, 61, 62, 70]) {
      await network.advanceTo(height);
      await expect.poll(() => page.locator('#height').textContent()).toBe(`${height}`);
      const { data } = await gateway.graphql(
        '{ markets(newestFirst: false) { edges { node { instrumentCode state marketData { markPrice bestBidPrice bestOfferPrice } } } } deposits(first: 8) { edges { node { amount } } } rewards(first: 8) { edges { node { amount } } } votes(first: 8) { edges { node { nodeId } } } }',
      );
      const markets = data.markets.edges.flatMap(({ node }: { node: ShownMarket }) =>
        node.marketData === null
          ? []
          : [
              [
                node.instrumentCode,
                node.marketData.markPrice,
                node.marketData.bestBidPrice,
                node.marketData.bestOfferPrice,
              ],
            ],
      );
      const shown = async () =>
        (await rows.all()).length === 0
          ? []
          : Promise.all(
              (await rows.all()).map(async (row) => [
                await row.locator('.code').textContent(),
                ...(await rawOf(row.locator('.number:not(.spare)'))),
              ]),
            );
      await expect.poll(async () => (await shown()).sort()).toEqual(markets.sort());
      const amounts = (noun: string) =>
        data[noun].edges.map(({ node }: { node: { amount: string } }) => node.amount);
      for (const noun of ['deposits', 'rewards'])
        await expect.poll(() => rawOf(section(page, noun))).toEqual(amounts(noun));
      await expect
        .poll(() => section(page, 'votes').locator('tbody tr').count())
        .toBe(data.votes.edges.length);
    }
    // The price has a way behind it.
    expect(await rows.first().locator('.plot path').first().getAttribute('d')).toMatch(/^M.*H.*V/);
    expect(open.faults).toEqual([]);
  });

  test('shows the balances of a party as blocks change them, exact, with the raw value', async () => {
    await using network = await createSimulatedDatabase(NETWORK);
    await using gateway = await startTestGateway(network.url);
    const party = await busiestParty(gateway);
    await using open = await openPage(`${gateway.url}/#party=${party}`);
    const rows = section(open.page, 'accounts');
    const before = await balancesOf(gateway, party);
    await expect.poll(async () => (await rawOf(rows)).sort()).toEqual(before);
    await network.advanceTo(75);
    const after = await balancesOf(gateway, party);
    expect(after).not.toEqual(before);
    await expect.poll(async () => (await rawOf(rows)).sort()).toEqual(after);
    expect((await rows.locator('.raw').allTextContents()).sort()).toEqual(after);

    const { data } = await gateway.graphql(
      'query ($party: ID!) { party(id: $party) { accounts { edges { node { balance assetNode { symbol decimals } } } } } }',
      { party },
    );
    const written = data.party.accounts.edges.map(({ node }: { node: ShownAccount }) => {
      const { whole, fraction } = write(shift(node.balance, -node.assetNode.decimals));
      return `${whole}${fraction} ${node.assetNode.symbol}`;
    });
    expect((await rows.locator('.amount').allTextContents()).sort()).toEqual(written.sort());
  });

  test('says that it is disconnected, and goes on by its cursors when the gateway is back', async () => {
    await using network = await createSimulatedDatabase(NETWORK);
    let gateway = await startTestGateway(network.url);
    const { port } = new URL(gateway.url);
    try {
      await using open = await openPage(gateway.url);
      const { page } = open;
      const status = page.getByRole('status');
      await expect.poll(() => status.textContent()).toBe('Live');
      await expect.poll(() => page.locator('#height').textContent()).toBe('60');
      await expect.poll(() => rawOf(section(page, 'accounts'))).not.toEqual([]);

      await gateway.close();
      await expect.poll(() => status.textContent()).toContain('Disconnected');
      await network.advanceTo(66);
      const subscribed: { readonly query: string; readonly after: string | null }[] = [];
      const received: string[] = [];
      page.on('websocket', (socket) => {
        socket.on('framesent', ({ payload }) => {
          const { type, payload: asked } = JSON.parse(String(payload));
          if (type === 'subscribe') subscribed.push({ query: asked.query, after: asked.variables.after });
        });
        socket.on('framereceived', ({ payload }) => received.push(String(payload)));
      });
      gateway = await startTestGateway(network.url, { PORT: port });
      await expect.poll(() => status.textContent()).toBe('Live');
      await expect.poll(() => page.locator('#height').textContent()).toBe('66');
      await expect.poll(() => subscribed.length).toBe(3);
      expect(subscribed.map(({ after }) => typeof after)).toEqual(['string', 'string', 'string']);
      // Every block that it missed, at last once more as the one that the gateway has reached, and no snapshot again.
      const heights = received.flatMap((frame) => /"blocks":.*"height":"(\d+)"/.exec(frame)?.[1] ?? []);
      expect([...new Set(heights)]).toEqual(['61', '62', '63', '64', '65', '66']);
      expect(received.filter((frame) => frame.includes('"snapshot":{'))).toEqual([]);
    } finally {
      await gateway.close();
    }
  });

  test('estimates a position as the gateway does, and says what it cannot', async () => {
    await using network = await createSimulatedDatabase(NETWORK);
    await using gateway = await startTestGateway(network.url);
    await using open = await openPage(gateway.url);
    const { page } = open;
    await fillEstimate(page, { volume: '3', collateral: '50000' });
    const marketId = await page.locator('[name=market]').inputValue();
    const { data } = await gateway.graphql(
      'query ($id: ID!) { market(id: $id) { positionDecimalPlaces settlementAssetNode { decimals } } }',
      { id: marketId },
    );
    const { positionDecimalPlaces, settlementAssetNode } = data.market;
    const asked = {
      id: marketId,
      volume: `-${shift('3', positionDecimalPlaces)}`,
      collateral: shift('50000', settlementAssetNode.decimals),
    };
    const { data: expected } = await gateway.graphql(
      'query ($id: ID!, $volume: Int64!, $collateral: Decimal) { estimatePosition(marketId: $id, openVolume: $volume, collateralAvailable: $collateral) { margin { bestCase { maintenanceMargin searchLevel initialMargin collateralReleaseLevel } worstCase { maintenanceMargin searchLevel initialMargin collateralReleaseLevel } } liquidation { bestCase { openVolumeOnly } worstCase { openVolumeOnly } } } }',
      asked,
    );
    const { margin, liquidation } = expected.estimatePosition;
    const levels = ['maintenanceMargin', 'searchLevel', 'initialMargin', 'collateralReleaseLevel'];
    await expect
      .poll(() => rawOf(page.locator('.margins')))
      .toEqual(levels.flatMap((level) => [margin.bestCase[level], margin.worstCase[level]]));
    const prices = [liquidation.bestCase, liquidation.worstCase].map(({ openVolumeOnly }) =>
      shift(openVolumeOnly, -settlementAssetNode.decimals),
    );
    for (const [index, kind] of ['best', 'worst'].entries())
      await expect.poll(() => page.locator(`.scale .${kind}`).getAttribute('title')).toBe(prices[index]);

    await fillEstimate(page, { volume: 'many', collateral: '50000' });
    await expect.poll(() => page.getByRole('alert').first().textContent()).toMatch(/volume must be a number/);
  });

  test('paints the side of the liquidation price that closes the position out, also where that is reached', async () => {
    await using network = await createSimulatedDatabase(NETWORK);
    await using gateway = await startTestGateway(network.url);
    await using open = await openPage(gateway.url);
    const { page } = open;
    await expect.poll(() => page.locator('.margins').count()).toBe(1);
    const placesOf = async () => {
      const from = (kind: string) => page.locator(`.scale .${kind}`).getAttribute('title');
      const style = await page.locator('.closed-out').getAttribute('style');
      const [mark, worst] = await Promise.all([from('mark-price'), from('worst')]);
      return { isBeyondMark: compare(worst ?? '', mark ?? '') > 0, isBelow: /left: 0/.test(style ?? '') };
    };
    // Little collateral, then much, of each side.
    for (const [side, collateral, expected] of [
      ['long', '1', { isBeyondMark: true, isBelow: true }],
      ['long', '5000', { isBeyondMark: false, isBelow: true }],
      ['short', '1', { isBeyondMark: false, isBelow: false }],
      ['short', '50000', { isBeyondMark: true, isBelow: false }],
    ] as const) {
      await fillEstimate(page, { side, volume: '3', collateral });
      await expect.poll(placesOf).toEqual(expected);
    }
    // Slippage that grows with the square of the volume takes more than the position is worth.
    await page.locator('[name=market]').selectOption({ label: 'ETH/DAI' });
    await fillEstimate(page, { side: 'long', volume: '1000000', collateral: '1' });
    await expect.poll(() => page.locator('.scale').textContent()).toMatch(/would be closed out at once\.$/);
    await fillEstimate(page, { side: 'long', volume: '1', collateral: '1000000' });
    await expect.poll(() => page.locator('.scale').textContent()).toMatch(/^No price above zero/);
  });

  test('shows each market as what it is, and says why a spot has no position to estimate', async () => {
    await using network = await createSimulatedDatabase({
      ...NETWORK,
      blocks: 90,
      markets: 4,
      release: '0.79',
    });
    await using gateway = await startTestGateway(network.url);
    await using open = await openPage(gateway.url);
    const { page } = open;
    const { data } = await gateway.graphql(`{ markets(newestFirst: false) { edges { node {
      instrumentCode product cap { maxPrice } baseAssetNode { symbol } quoteAssetNode { symbol }
      marketData { productData { perpetualData { fundingRate fundingPayment } } }
    } } } }`);
    const shown = new Map<string | null, string | null>();
    await expect.poll(() => page.locator('.markets tbody tr').count()).toBe(data.markets.edges.length);
    for (const row of await page.locator('.markets tbody tr').all())
      shown.set(await row.locator('.code').textContent(), await row.locator('.product').textContent());
    expect(shown.get('BTC/USD')).toBe('Future');
    expect(shown.get('DAI/JPY')).toBe('Spot, tDAI for tJPY');
    expect(shown.get('BONE/INU')).toBe('Capped future, up to 130,000 INU');
    expect(shown.get('ETH/DAI')).toMatch(
      /^Perpetual, funding -?\d+\.\d{4} %, (longs|shorts) pay [\d,]+\.\d{4} tDAI a contract$/,
    );
    const nodes = data.markets.edges.map(({ node }: { node: Raw }) => node);
    const [{ fundingPayment }] = nodes.flatMap(
      ({ marketData }: Raw) => marketData?.productData?.perpetualData ?? [],
    );
    expect(await rawOf(page.locator('.product'))).toEqual([fundingPayment.replace('-', ''), '1300000000']);

    await expect.poll(() => page.locator('.margins').count()).toBe(1);
    await page.locator('[name=market]').selectOption({ label: 'DAI/JPY' });
    const estimate = section(page, 'estimate');
    await expect
      .poll(() => estimate.locator('.answer').textContent())
      .toMatch(/^A spot market has no positions/);
    expect(await estimate.locator('input, button, .margins').count()).toBe(0);
    await page.locator('[name=market]').selectOption({ label: 'BONE/INU' });
    await expect.poll(() => page.locator('.margins').count()).toBe(1);
    expect(open.faults).toEqual([]);
  });

  test('links to the metrics where they are beside it', async () => {
    await using network = await createSimulatedDatabase(NETWORK);
    const linksOf = async (settings: Readonly<Record<string, string>>) => {
      await using gateway = await startTestGateway(network.url, settings);
      await using open = await openPage(gateway.url);
      await open.page.waitForLoadState('networkidle');
      expect(open.faults).toEqual([]);
      return await open.page.locator('nav a').allTextContents();
    };
    expect(await linksOf({})).toContain('Metrics');
    expect(await linksOf({ METRICS_PORT: '0' })).not.toContain('Metrics');
  });

  test('copies a balance, and selects it where there is no clipboard', async () => {
    await using network = await createSimulatedDatabase(NETWORK);
    await using gateway = await startTestGateway(network.url);
    const selected = 'getSelection().toString()';
    {
      await using open = await openPage(gateway.url);
      const { page } = open;
      await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
      const raw = page.locator('.raw').first();
      const value = await raw.textContent();
      await raw.click();
      await expect.poll(() => raw.textContent()).toBe('Copied');
      expect(await page.evaluate('navigator.clipboard.readText()')).toBe(value);
      await expect.poll(() => raw.textContent()).toBe(value);
    }
    await using open = await openPage(gateway.url.replace('127.0.0.1', ELSEWHERE));
    const { page } = open;
    const raw = page.locator('.raw').first();
    const value = await raw.textContent();
    expect(await raw.getAttribute('title')).toBe(`Select ${value}`);
    await raw.click();
    await expect.poll(() => page.evaluate(selected)).toBe(value);
    expect(await raw.textContent()).toBe(value);
  });

  test('can be used with the keyboard alone', async () => {
    await using network = await createSimulatedDatabase(NETWORK);
    await using gateway = await startTestGateway(network.url);
    const party = await busiestParty(gateway);
    await using open = await openPage(gateway.url);
    const { page } = open;
    await expect.poll(() => rawOf(section(page, 'accounts'))).not.toEqual([]);
    await page.keyboard.press('Tab');
    expect(await focused(page)).toBe('Skip to what is shown');
    await tabTo(page, 'party');
    await page.keyboard.press('Control+A');
    await page.keyboard.type(party);
    await page.keyboard.press('Enter');
    await expect
      .poll(async () => (await rawOf(section(page, 'accounts'))).sort())
      .toEqual(await balancesOf(gateway, party));
    await tabTo(page, 'volume');
    await page.keyboard.press('Control+A');
    await page.keyboard.type('nothing');
    await page.keyboard.press('Enter');
    await expect.poll(() => page.getByRole('alert').first().textContent()).toMatch(/volume must be a number/);
    expect(await page.evaluate('getComputedStyle(document.activeElement).outlineStyle')).toBe('solid');
  });

  test.each<Required<Appearance>>([
    { width: 1280, colorScheme: 'light' },
    { width: 1280, colorScheme: 'dark' },
    { width: 390, colorScheme: 'light' },
    { width: 390, colorScheme: 'dark' },
  ])('has nothing that axe finds, connected or not, at $width px, $colorScheme', async (appearance) => {
    await using network = await createSimulatedDatabase(NETWORK);
    const gateway = await startTestGateway(network.url);
    try {
      await using open = await openPage(gateway.url, appearance);
      const { page } = open;
      await expect.poll(() => page.locator('.margins').count()).toBe(1);
      await expect.poll(() => rawOf(section(page, 'accounts'))).not.toEqual([]);
      await network.advanceTo(63);
      await expect.poll(() => page.locator('#height').textContent()).toBe('63');
      expect(await findings(page)).toEqual([]);
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(appearance.width);
      await gateway.close();
      await expect.poll(() => page.getByRole('status').textContent()).toContain('Disconnected');
      expect(await findings(page)).toEqual([]);
    } finally {
      await gateway.close();
    }
  });

  test('is light, comes from the gateway alone, and nothing in it jumps', async () => {
    await using network = await createSimulatedDatabase(NETWORK);
    await using gateway = await startTestGateway(network.url);
    await using open = await openPage('about:blank');
    const { page } = open;
    const devTools = await page.context().newCDPSession(page);
    await devTools.send('Network.enable');
    let bytes = 0;
    const addresses: string[] = [];
    devTools.on('Network.requestWillBeSent', ({ request }) => addresses.push(request.url));
    devTools.on('Network.loadingFinished', ({ encodedDataLength }) => {
      bytes += encodedDataLength;
    });
    await page.addInitScript(
      `globalThis.jumps = 0; new PerformanceObserver((list) => {
        for (const entry of list.getEntries()) globalThis.jumps += entry.value;
      }).observe({ type: 'layout-shift', buffered: true });`,
    );
    await page.goto(gateway.url);
    await expect.poll(() => page.locator('.margins').count()).toBe(1);
    await expect.poll(() => rawOf(section(page, 'rewards'))).not.toEqual([]);
    for (const height of [61, 62, 63]) {
      await network.advanceTo(height);
      await expect.poll(() => page.locator('#height').textContent()).toBe(`${height}`);
    }
    const paint = await page.evaluate("performance.getEntriesByName('first-contentful-paint')[0]?.startTime");
    const jumps = Number(await page.evaluate('globalThis.jumps'));
    console.info(`the page: ${bytes} bytes, first paint after ${paint} ms, layout shift ${jumps.toFixed(4)}`);
    expect(addresses.length).toBeGreaterThan(3);
    expect(addresses.filter((address) => !address.startsWith(`${gateway.url}/`))).toEqual([]);
    expect(bytes).toBeGreaterThan(10_000);
    expect(bytes).toBeLessThan(MOST_BYTES);
    // What the field calls good.
    expect(jumps).toBeLessThan(0.1);
    expect(open.faults).toEqual([]);
  });
});

interface Raw {
  readonly marketData: {
    readonly productData: { readonly perpetualData: { readonly fundingPayment: string } } | null;
  } | null;
}

interface ShownMarket {
  readonly instrumentCode: string;
  readonly marketData: { markPrice: string; bestBidPrice: string; bestOfferPrice: string } | null;
}

interface ShownAccount {
  readonly balance: string;
  readonly assetNode: { readonly symbol: string; readonly decimals: number };
}

interface Position {
  readonly side?: 'long' | 'short';
  readonly volume: string;
  readonly collateral: string;
}

async function fillEstimate(page: Page, { side = 'short', ...position }: Position): Promise<void> {
  await page.locator('[name=side]').selectOption(side);
  await page.getByLabel('Volume').fill(position.volume);
  await page.getByLabel(/^Collateral/).fill(position.collateral);
  await page.getByRole('button', { name: 'Estimate' }).click();
}

/** The party with most accounts. */
async function busiestParty(gateway: TestGateway): Promise<string> {
  const { data } = await gateway.graphql(
    '{ accounts(filter: { accountTypes: [ACCOUNT_TYPE_MARGIN] }) { edges { node { owner } } } }',
  );
  const counts = new Map<string, number>();
  for (const { node } of data.accounts.edges) counts.set(node.owner, (counts.get(node.owner) ?? 0) + 1);
  const [first] = [...counts].sort(([, a], [, b]) => b - a);
  if (first === undefined) throw new Error('nobody trades');
  return first[0];
}

async function balancesOf(gateway: TestGateway, party: string): Promise<string[]> {
  const { body } = await gateway.rest(`/api/v2/accounts?filter.partyIds=${party}`);
  return body.accounts.edges.map(({ node }: { node: ShownAccount }) => node.balance).sort();
}

function focused(page: Page): Promise<unknown> {
  return page.evaluate('document.activeElement.name || document.activeElement.textContent');
}

/** Presses Tab until a field has the focus. */
async function tabTo(page: Page, name: string): Promise<void> {
  const deadline = performance.now() + HANG_MS;
  for (let presses = 0; presses < 200 && performance.now() < deadline; presses += 1) {
    if ((await focused(page)) === name) return;
    await page.keyboard.press('Tab');
  }
  throw new Error(`Tab does not come to ${name}`);
}
