import { describe, expect, test } from 'vitest';
import { BROWSERS, type Tab } from '../../client/test/browsers.ts';
import { startTestGateway, type TestGateway } from '../../test/support/gateway.ts';
import { createSimulatedDatabase } from '../../test/support/simulated.ts';
import { shift, write } from '../decimals.ts';

const openFirefox = BROWSERS.Firefox;
if (openFirefox === null) console.warn('page/test/firefox.test.ts is skipped: there is no Firefox here');

const NETWORK = { seed: 7, blocks: 120, parties: 12, markets: 4, release: '0.79' } as const;
const CODE = 'ETH/DAI';

describe.skipIf(openFirefox === null)('in Firefox, the explorer', () => {
  test('goes from search to a market, its plot, its asset and back, and shows a block that is dragged to', async () => {
    await using network = await createSimulatedDatabase(NETWORK);
    await using gateway = await startTestGateway(network.url);
    if (openFirefox === null) throw new Error('there is no Firefox here');
    await using browser = await openFirefox();
    const tab = await browser.open(gateway.url);
    await expect
      .poll(() => tab.run('document.querySelectorAll(".markets tbody tr").length'))
      .toBeGreaterThan(1);
    await type(tab, '[role=combobox]', CODE);
    await expect.poll(() => textOf(tab, '[role=option] .hit-text')).toBe(CODE);
    await press(tab, '[role=option]');
    await expect.poll(() => textOf(tab, '.heading h2')).toBe(CODE);

    const id = String(await tab.run('location.pathname')).replace('/market/', '');

    await tab.run('document.querySelector("section[aria-labelledby=candles]").scrollIntoView()');
    const { close, symbol } = await newestOf(gateway, id);
    const slider = 'document.querySelector("section[aria-labelledby=candles] [type=range]")';
    await expect
      .poll(() => tab.run(`${slider}?.getAttribute("aria-valuetext") ?? ""`))
      .toContain(`Close ${close},`);

    await press(tab, 'section[aria-labelledby=terms] a[href^="/asset/"]');
    await expect.poll(() => textOf(tab, '.heading h2')).toBe(symbol);
    await tab.run('history.back()');
    await expect.poll(() => textOf(tab, '.heading h2')).toBe(CODE);

    await type(tab, '[aria-label="Block that is shown"]', '99');
    await expect.poll(() => tab.run('location.search')).toBe('?at=100');
    expect(await textOf(tab, '#height')).toBe('100');
    const mark = 'document.querySelector("section[aria-labelledby=data] data.amount")?.value';
    await expect.poll(() => tab.run(mark)).toBe((await newestOf(gateway, id, '100')).mark);
  });
});

function textOf(tab: Tab, selector: string): Promise<unknown> {
  return tab.run(`document.querySelector(${JSON.stringify(selector)})?.textContent`);
}

function press(tab: Tab, selector: string): Promise<unknown> {
  return tab.run(`document.querySelector(${JSON.stringify(selector)}).click()`);
}

/** As a person who writes into a field, or drags it. */
function type(tab: Tab, selector: string, text: string): Promise<unknown> {
  return tab.run(`(() => {
    const field = document.querySelector(${JSON.stringify(selector)});
    field.focus();
    field.value = ${JSON.stringify(text)};
    field.dispatchEvent(new InputEvent('input', { bubbles: true }));
  })()`);
}

/** What a market is at, as of a block, and what its newest candle closes at, as they are written. */
async function newestOf(gateway: TestGateway, id: string, at: string | null = null) {
  const { data } = await gateway.graphql(
    `query ($id: ID!, $at: Uint64) { asOf(height: $at) { market(id: $id) {
      decimalPlaces settlementAssetNode { symbol } marketData { markPrice }
      series(of: TRADE_PRICE, points: 120) { close trades }
    } } }`,
    { id, at },
  );
  const { market } = data.asOf;
  const newest = market.series.at(-1);
  const { whole, fraction } = write(shift(newest.close ?? '0', -market.decimalPlaces), market.decimalPlaces);
  return {
    close: newest.trades === 0 ? 'none' : whole + fraction,
    mark: market.marketData.markPrice,
    symbol: market.settlementAssetNode.symbol,
  };
}
