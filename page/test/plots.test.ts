import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { startTestGateway, type TestGateway } from '../../test/support/gateway.ts';
import { type Appearance, CHROMIUM } from '../../test/support/open-page.ts';
import { createSimulatedDatabase } from '../../test/support/simulated.ts';
import { shift, write } from '../decimals.ts';
import { openPlots } from './open-plots.ts';
import { findings, section } from './read.ts';

if (CHROMIUM === undefined) console.warn('page/test/plots.test.ts is skipped: there is no Chromium here');

const NETWORK = { seed: 7, blocks: 90, parties: 12, markets: 3 };

describe.skipIf(CHROMIUM === undefined)('plots', () => {
  test('read of each candle what GraphQL says, by keyboard and by pointer, and move with the blocks', async () => {
    await using network = await createSimulatedDatabase(NETWORK);
    await using gateway = await startTestGateway(network.url);
    const { market } = await findShown(gateway);
    await using open = await openPlots(gateway, { market });
    const plot = section(open.page, 'candles');
    const expected = await candlesOf(gateway, market);
    expect(expected.filter(({ Trades }) => Trades !== '0').length).toBeGreaterThan(3);
    await plot.getByRole('slider').focus();
    await open.page.keyboard.press('Home');
    for (const candle of expected) {
      expect(await readingsOf(plot)).toEqual(candle);
      expect(await plot.getByRole('slider').getAttribute('aria-valuetext')).toBe(spoken(candle));
      await open.page.keyboard.press('ArrowRight');
    }
    await plot.getByRole('slider').blur();
    const ground = (await plot.locator('.ground').boundingBox()) ?? { x: 0, y: 0, width: 0 };
    for (const [index, candle] of expected.entries()) {
      const x = ground.x + (ground.width * (index + 0.5)) / expected.length;
      await open.page.mouse.move(x, ground.y + 60);
      expect(await readingsOf(plot)).toEqual(candle);
    }
    await open.page.mouse.move(0, 0);
    for (let height = NETWORK.blocks + 1; height <= NETWORK.blocks + 12; height += 1) {
      await network.advanceTo(height);
      const last = (await candlesOf(gateway, market)).at(-1);
      await expect.poll(() => readingsOf(plot)).toEqual(last);
    }
    expect(open.faults).toEqual([]);
  });

  test('draw the candle that is not over apart, and move it with a block that has a trade', async () => {
    await using network = await createSimulatedDatabase(NETWORK);
    await using gateway = await startTestGateway(network.url);
    const { market } = await findShown(gateway);
    await using open = await openPlots(gateway, { market });
    const drawn = () => open.page.locator('.candle.unfinished').evaluateAll(pathsOf);
    await expect.poll(async () => (await drawn()).length).toBe(2);
    const isMoved = new Set<string>();
    for (let height = NETWORK.blocks + 1; height <= NETWORK.blocks + 15; height += 1) {
      await network.advanceTo(height);
      const last = (await candlesOf(gateway, market)).at(-1);
      await expect.poll(() => readingsOf(section(open.page, 'candles'))).toEqual(last);
      const paths = await drawn();
      const isDrawn = paths.join('') !== '';
      expect(isDrawn).toBe(last?.Trades !== '0' && 'From, so far' in (last ?? {}));
      if (isDrawn) isMoved.add(paths.join('|'));
    }
    expect(isMoved.size).toBeGreaterThan(2);
  });

  test('are as of the block of the address, over the range and in the zone that are chosen', async () => {
    await using network = await createSimulatedDatabase(NETWORK);
    await using gateway = await startTestGateway(network.url);
    const { market } = await findShown(gateway);
    await using open = await openPlots(gateway, { market, at: '50' });
    const plot = section(open.page, 'candles');
    await expect.poll(() => readingsOf(plot)).toEqual((await candlesOf(gateway, market, 50)).at(-1));
    await plot.getByRole('radio', { name: '1h', exact: true }).check();
    const { data } = await gateway.graphql('{ asOf(height: 50) { block { timestamp } } }');
    const from = BigInt(data.asOf.block.timestamp) - 3_600_000_000_000n;
    const args = `from: "${from - (from % 60_000_000_000n)}", every: "PT1M"`;
    await expect.poll(() => readingsOf(plot)).toEqual((await candlesOf(gateway, market, 50, args)).at(-1));
    await plot.getByRole('radio', { name: 'local', exact: true }).check();
    await expect.poll(async () => Object.values(await readingsOf(plot))[0]).toMatch(/ [+−]\d\d:\d\d$/);
    expect(open.faults).toEqual([]);
  });

  test('read of balances, rewards and votes what GraphQL says', async () => {
    await using network = await createSimulatedDatabase(NETWORK);
    await using gateway = await startTestGateway(network.url);
    const { party, proposal } = await findShown(gateway);
    await using open = await openPlots(gateway, { party, proposal });
    const { data } = await gateway.graphql(
      `query ($party: ID!, $proposal: ID!) {
        accounts(filter: { partyIds: [$party] }) { series(by: [ASSET], points: 300) { key { asset } buckets { close } } }
        assets { edges { node { id symbol decimals } } }
        rewards(filter: { partyIds: [$party] }) { sums(by: [EPOCH, ASSET], orderBy: KEY_DESC) { amount key { epoch asset { symbol decimals } } } }
        proposal(id: $proposal) { tally { majority requiredMajority yes { votes } no { votes } } }
      }`,
      { party, proposal },
    );
    const units = new Map<string, ShownUnit>(
      data.assets.edges.map(({ node }: { node: ShownUnit & { id: string } }) => [node.id, node]),
    );
    for (const { key, buckets } of data.accounts.series) {
      const unit = units.get(key.asset) as ShownUnit;
      const plot = open.page.locator('figure', {
        has: open.page.getByLabel(`Balance over time in ${unit.symbol}`, { exact: true }),
      });
      const closes = buckets.map(({ close }: { close: string | null }) =>
        close === null ? 'none' : amount(close, unit),
      );
      expect(await readAll(open.page, plot, 'Balance')).toEqual(closes);
    }
    const [newest] = data.rewards.sums;
    const { asset } = newest.key;
    const bars = open.page.locator('figure', {
      has: open.page.getByLabel(`Rewards by epoch in ${asset.symbol}`, { exact: true }),
    });
    expect(await readingsOf(bars)).toEqual({ Epoch: newest.key.epoch, Amount: amount(newest.amount, asset) });
    const { tally } = data.proposal;
    const text = await section(open.page, 'tally').textContent();
    expect(text).toContain(`${tally.yes.votes} vote`);
    expect(text).toContain(`required ${shift(tally.requiredMajority, 2)} %`);
    expect(open.faults).toEqual([]);
  });

  test('read of margins and liquidation prices what is estimated one by one', async () => {
    await using network = await createSimulatedDatabase(NETWORK);
    await using gateway = await startTestGateway(network.url);
    const { market } = await findShown(gateway);
    await using open = await openPlots(gateway, { market });
    const plot = section(open.page, 'margins');
    await plot.getByRole('textbox', { name: 'Open volume' }).fill('2');
    await plot.getByRole('textbox', { name: 'Collateral' }).fill('1000');
    const { data } = await gateway.graphql(
      'query ($id: ID!) { market(id: $id) { positionDecimalPlaces settlementAssetNode { symbol decimals } } }',
      { id: market },
    );
    const { positionDecimalPlaces: places, settlementAssetNode: unit } = data.market;
    for (const volume of ['-4', '-2', '-0.5', '0.5', '2', '4']) {
      const { data } = await gateway.graphql(
        `query ($id: ID!, $openVolume: Int64!, $collateral: Decimal!) {
          estimatePosition(marketId: $id, openVolume: $openVolume, collateralAvailable: $collateral) {
            margin { worstCase { initialMargin maintenanceMargin } } liquidation { worstCase { openVolumeOnly } }
          }
        }`,
        { id: market, openVolume: shift(volume, places), collateral: shift('1000', unit.decimals) },
      );
      const { margin, liquidation } = data.estimatePosition;
      const price = liquidation.worstCase.openVolumeOnly;
      await expect
        .poll(() => readAt(open.page, plot, volume))
        .toEqual({
          'Open volume': volume.replace('-', '−'),
          'Initial margin': amount(margin.worstCase.initialMargin, unit),
          Maintenance: amount(margin.worstCase.maintenanceMargin, unit),
          'Liquidation price': price.startsWith('-') || !/[1-9]/.test(price) ? 'none' : amount(price, unit),
        });
    }
    const limits = (await plot.locator('.limits').textContent()) ?? '';
    expect(limits).toContain('33 open volumes from −4 to 4 contracts');
    expect(limits).toContain('A volume of zero is no position: it has no liquidation price.');
    // What it says of the collateral is so at both ends, and not one volume further.
    const [, ...ends] = /initial margin of those from (\S+) to (\S+)\./.exec(limits) ?? [];
    expect(ends).toHaveLength(2);
    for (const [end, step] of [
      [ends[0], '-250'],
      [ends[1], '250'],
    ] as const) {
      const covered = BigInt(shift(end?.replace('−', '-') ?? '', 3));
      const margins = await Promise.all(
        [covered, covered + BigInt(step)].map(async (volume) => {
          const { data } = await gateway.graphql(
            'query ($id: ID!, $openVolume: Int64!) { estimatePosition(marketId: $id, openVolume: $openVolume) { margin { worstCase { initialMargin } } } }',
            { id: market, openVolume: shift(`${volume}`, places - 3) },
          );
          return (
            BigInt(data.estimatePosition.margin.worstCase.initialMargin) <=
            BigInt(shift('1000', unit.decimals))
          );
        }),
      );
      expect(margins).toEqual([true, false]);
    }
    await plot.getByRole('textbox', { name: 'Open volume' }).fill('nothing');
    expect(await plot.getByRole('alert').textContent()).toMatch(/A volume has at most/);
    expect(open.faults).toEqual([]);
  });

  test.each<Required<Appearance>>([
    { width: 1280, colorScheme: 'light' },
    { width: 1280, colorScheme: 'dark' },
    { width: 320, colorScheme: 'light' },
    { width: 390, colorScheme: 'dark' },
    { width: 2560, colorScheme: 'light' },
  ])(
    'have nothing that axe finds, and stay in their boxes, at $width px, $colorScheme',
    async (appearance) => {
      await using network = await createSimulatedDatabase(NETWORK);
      await using gateway = await startTestGateway(network.url);
      await using open = await openPlots(gateway, await findShown(gateway), appearance);
      await expect.poll(() => open.page.locator('.chart svg').count()).toBeGreaterThan(6);
      await open.page.locator('[type=range]').first().focus();
      expect(await findings(open.page)).toEqual([]);
      expect(await open.page.evaluate('document.documentElement.scrollWidth')).toBe(appearance.width);
      expect(open.faults).toEqual([]);
    },
  );
});

interface ShownUnit {
  readonly symbol: string;
  readonly decimals: number;
}

type Readings = Readonly<Record<string, string>>;

/** A future that trades, the party with most accounts, and a proposal. */
async function findShown(gateway: TestGateway) {
  const { data } = await gateway.graphql(
    '{ markets(newestFirst: false) { nodes { id product } } proposals(first: 1) { nodes { id } } accounts(filter: { accountTypes: [ACCOUNT_TYPE_MARGIN] }) { nodes { owner } } }',
  );
  const [market] = data.markets.nodes.filter(({ product }: { product: string }) => product === 'FUTURE');
  return { market: market.id, party: data.accounts.nodes[0].owner, proposal: data.proposals.nodes[0].id };
}

/** What is to be read of each candle. */
async function candlesOf(
  gateway: TestGateway,
  id: string,
  height?: number,
  args = 'points: 120',
): Promise<Readings[]> {
  const { data } = await gateway.graphql(
    `query ($id: ID!, $at: Uint64) { asOf(height: $at) { market(id: $id) {
      decimalPlaces positionDecimalPlaces
      series(of: TRADE_PRICE, ${args}) { start open high low close volume trades isComplete }
    } } }`,
    { id, at: height ?? null },
  );
  const { market } = data.asOf;
  return market.series.map((bucket: Record<string, string> & { trades: number; isComplete: boolean }) => {
    const price = (raw: string | undefined) => {
      if (bucket.trades === 0 || raw === undefined) return 'none';
      const { whole, fraction } = write(shift(raw, -market.decimalPlaces), market.decimalPlaces);
      return whole + fraction;
    };
    const { whole, fraction } = write(shift(bucket['volume'] ?? '', -market.positionDecimalPlaces));
    const iso = new Date(Number(BigInt(bucket['start'] ?? 0) / 1_000_000n)).toISOString();
    return {
      [bucket.isComplete ? 'From' : 'From, so far']: `${iso.slice(0, 19).replace('T', ' ')} UTC`,
      Open: price(bucket['open']),
      High: price(bucket['high']),
      Low: price(bucket['low']),
      Close: price(bucket['close']),
      Volume: whole + fraction,
      Trades: `${bucket.trades}`,
    };
  });
}

function spoken(readings: Readings): string {
  return Object.entries(readings)
    .map(([name, value]) => `${name} ${value}`)
    .join(', ');
}

function amount(raw: string, { decimals, symbol }: ShownUnit): string {
  const { whole, fraction } = write(shift(raw, -decimals));
  return `${whole}${fraction} ${symbol}`;
}

/** What stands above a plot, by its names. */
async function readingsOf(plot: ReturnType<Page['locator']>): Promise<Readings> {
  const texts = await plot
    .locator('.readings > div')
    .evaluateAll((rows) =>
      rows.map((row) => [row.children[0]?.textContent ?? '', row.children[1]?.textContent ?? '']),
    );
  return Object.fromEntries(texts);
}

/** One reading of each point, as the arrow keys come to them. */
async function readAll(page: Page, plot: ReturnType<Page['locator']>, name: string): Promise<string[]> {
  const slider = plot.getByRole('slider');
  await slider.focus();
  await page.keyboard.press('Home');
  const most = Number(await slider.getAttribute('max'));
  const read: string[] = [];
  for (let index = 0; index <= most; index += 1) {
    read.push((await readingsOf(plot))[name] ?? '');
    await page.keyboard.press('ArrowRight');
  }
  return read;
}

/** What is read of one open volume. */
async function readAt(page: Page, plot: ReturnType<Page['locator']>, volume: string): Promise<Readings> {
  const slider = plot.getByRole('slider');
  await slider.focus();
  await page.keyboard.press('Home');
  const most = Number(await slider.getAttribute('max'));
  for (let index = 0; index <= most; index += 1) {
    const readings = await readingsOf(plot);
    if (readings['Open volume'] === volume.replace('-', '−')) return readings;
    await page.keyboard.press('ArrowRight');
  }
  return {};
}

function pathsOf(paths: readonly { getAttribute(name: string): string | null }[]): string[] {
  return paths.map((path) => path.getAttribute('d') ?? '');
}
