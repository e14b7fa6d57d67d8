import axe from 'axe-core';
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { startTestGateway, type TestGateway } from '../../test/support/gateway.ts';
import { CHROMIUM, openPage } from '../../test/support/open-page.ts';
import { createSimulatedDatabase } from '../../test/support/simulated.ts';
import type { Kind } from '../place.ts';

if (CHROMIUM === undefined) console.warn('page/test/explorer.test.ts is skipped: there is no Chromium here');

/** As the addresses of the page have them; its own list needs a browser. */
const KINDS: readonly Kind[] = ['market', 'party', 'asset', 'deposit', 'proposal', 'block', 'epoch'];
const NETWORK = { seed: 7, blocks: 120, parties: 12, markets: 4, release: '0.79' } as const;

describe.skipIf(CHROMIUM === undefined)('the explorer', () => {
  test('has a page for everything, which links to what it names', async () => {
    await using network = await createSimulatedDatabase(NETWORK);
    await using gateway = await startTestGateway(network.url);
    const things = await findThings(gateway);
    await using open = await openPage(gateway.url);
    const { page } = open;
    for (const kind of KINDS) {
      await page.goto(`${gateway.url}/${kind}/${things[kind]?.id}`);
      await expect.poll(() => page.locator('.heading h2').textContent()).toBe(things[kind]?.name);
      await expect.poll(() => page.locator('main').textContent()).not.toContain('Waiting');
      await page.evaluate(axe.source);
      expect([kind, await findings(page)]).toEqual([kind, []]);
      const links = await page.locator('main a[href^="/"]:not(.tool)').evaluateAll(hrefs);
      expect([
        kind,
        links.filter((href) => !/^\/(market|party|asset|deposit|proposal|block|epoch)\/./.test(href)),
      ]).toEqual([kind, []]);
      await page.setViewportSize({ width: 320, height: 800 });
      expect([kind, await page.evaluate('document.documentElement.scrollWidth')]).toEqual([kind, 320]);
      await page.setViewportSize({ width: 1280, height: 900 });
    }
    await page.goto(`${gateway.url}/deposit/${things.deposit?.id}`);
    await page.locator('.fact a[href^="/party/"]').click();
    await expect.poll(() => new URL(page.url()).pathname).toMatch(/^\/party\//);
    await page.goBack();
    await expect.poll(() => page.locator('.heading h2').textContent()).toBe(things.deposit?.name);
    expect(open.faults).toEqual([]);
  });

  test('says what is not there, is not there yet, or is no such thing, and what to do', async () => {
    await using network = await createSimulatedDatabase(NETWORK);
    await using gateway = await startTestGateway(network.url);
    await using open = await openPage(`${gateway.url}/market/nothing`);
    const { page } = open;
    const alert = page.getByRole('alert').first();
    await expect.poll(() => alert.textContent()).toBe('The network has no such market.');
    await page.goto(`${gateway.url}/block/121`);
    await expect
      .poll(() => alert.textContent())
      .toBe('There is no block at height 121: the first is 1, the newest is 120.');
    await network.advanceTo(121);
    await expect.poll(() => page.locator('.heading h2').textContent()).toBe('Block 121');
    const { market } = await findThings(gateway);
    await page.goto(`${gateway.url}/market/${market?.id}?at=999`);
    await page.getByRole('button', { name: 'Show block 121' }).click();
    await expect.poll(() => page.locator('.heading h2').textContent()).toBe(market?.name);
    expect(new URL(page.url()).searchParams.get('at')).toBe('121');
  });

  test('finds by keys alone, and leaves by Escape', async () => {
    await using network = await createSimulatedDatabase(NETWORK);
    await using gateway = await startTestGateway(network.url);
    const { party } = await findThings(gateway);
    await using open = await openPage(gateway.url);
    const { page } = open;
    const box = page.getByRole('combobox', { name: 'Search' });
    await expect.poll(() => page.locator('.markets tbody tr').count()).toBeGreaterThan(1);
    await page.keyboard.press('/');
    await page.keyboard.type('ETH/DAI');
    await expect.poll(() => page.getByRole('option').count()).toBeGreaterThan(0);
    await page.evaluate(axe.source);
    expect(await findings(page)).toEqual([]);
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowUp');
    const chosen = page.locator('[role=option][aria-selected=true]');
    expect(await box.getAttribute('aria-activedescendant')).toBe(await chosen.getAttribute('id'));
    await page.keyboard.press('Enter');
    await expect.poll(() => page.locator('.heading h2').textContent()).toBe('ETH/DAI');
    for (const [text, path] of [
      [`${party?.id.slice(0, 12)}`, `/party/${party?.id}`],
      ['77', '/block/77'],
    ] as const) {
      await page.keyboard.press('/');
      await page.keyboard.type(text);
      await page.keyboard.press('Enter');
      await expect.poll(() => new URL(page.url()).pathname).toBe(path);
    }
    await page.keyboard.press('/');
    await page.keyboard.type('nothing begins so');
    await expect.poll(() => page.locator('.hits').textContent()).toContain('Nothing begins with');
    await page.keyboard.press('Escape');
    expect(await box.inputValue()).toBe('');
    expect(await page.locator('.hits').count()).toBe(0);
    expect(open.faults).toEqual([]);
  });

  test('walks a list to its end as of one block, whatever comes, and gives all of it as CSV', async () => {
    await using network = await createSimulatedDatabase(NETWORK);
    await using gateway = await startTestGateway(network.url);
    const { asset } = await findThings(gateway);
    await using open = await openPage(`${gateway.url}/asset/${asset?.id}`);
    const { page } = open;
    const list = page.locator('section[aria-labelledby="account-list"]');
    await expect.poll(() => list.locator('tbody tr').count()).toBeGreaterThan(2);
    const all = async (at: string) => {
      const { data } = await gateway.graphql(
        'query ($at: Uint64, $id: ID!) { asOf(height: $at) { accounts(filter: { assetId: $id }, orderBy: BALANCE_DESC) { edges { node { balance } } } } }',
        { at, id: asset?.id },
      );
      return data.asOf.accounts.edges.map(
        ({ node }: { node: { balance: string } }) => node.balance,
      ) as string[];
    };
    await list.getByRole('button', { name: /^Show more/ }).click();
    await expect.poll(() => list.locator('.foot').textContent()).toContain('as of block 120');
    await network.advanceTo(125);
    await expect.poll(() => page.locator('#height').textContent()).toBe('125');
    const more = list.getByRole('button', { name: /^Show more/ });
    for (let presses = 0; presses < 20 && (await more.count()) > 0; presses += 1) {
      await list.locator('.foot').scrollIntoViewIfNeeded();
      await more.click({ timeout: 2_000 }).catch(() => {});
    }
    await list.getByRole('button', { name: /empty accounts/ }).click();
    expect(await rawOf(list)).toEqual(await all('120'));

    await list.getByRole('button', { name: /^Follow again/ }).click();
    await expect.poll(async () => (await rawOf(list))[0]).toEqual((await all('125'))[0]);
    await list.getByRole('combobox', { name: 'Order', exact: true }).selectOption({ label: 'Smallest' });
    await expect.poll(async () => (await rawOf(list))[0]).toBe('0');
    await list.getByRole('combobox', { name: 'Type', exact: true }).selectOption({ label: 'General' });
    await expect.poll(() => list.locator('tbody td[data-name=Type]').first().textContent()).toBe('General');
    const csv = await fetch(
      new URL((await list.getByRole('link', { name: /^CSV/ }).getAttribute('href')) ?? '', gateway.url),
    );
    const lines = (await csv.text()).trim().split(/\r?\n/).slice(1);
    expect([csv.status, lines.length]).toEqual([
      200,
      Number.parseInt((await list.locator('.foot').textContent())?.split(' of ').at(-1) ?? '', 10),
    ]);
    expect(lines.filter((line) => !line.includes('ACCOUNT_TYPE_GENERAL'))).toEqual([]);
    expect(open.faults).toEqual([]);
  });

  test('shows everything as of the block that is dragged to, and runs forward until it is live', async () => {
    await using network = await createSimulatedDatabase(NETWORK);
    await using gateway = await startTestGateway(network.url);
    await using open = await openPage(gateway.url);
    const { page } = open;
    const slider = page.getByRole('slider', { name: 'Block that is shown' });
    await expect.poll(() => slider.isEnabled()).toBe(true);
    const marks = async (at: string | null) => {
      const { data } = await gateway.graphql(
        'query ($at: Uint64) { asOf(height: $at) { marketsData { edges { node { markPrice } } } deposits(first: 8) { edges { node { amount } } } } }',
        { at },
      );
      const { marketsData, deposits } = data.asOf;
      const prices = marketsData.edges.map(({ node }: { node: { markPrice: string } }) => node.markPrice);
      return [prices.sort(), deposits.edges.map(({ node }: { node: { amount: string } }) => node.amount)];
    };
    const shown = async () => [
      (await rawOf(page.locator('.markets .number:nth-child(4)'))).sort(),
      await rawOf(page.locator('section[aria-labelledby="deposits"]')),
    ];
    for (const at of ['31', '77']) {
      await slider.fill(`${Number(at) - 1}`);
      await expect.poll(() => page.locator('#height').textContent()).toBe(at);
      await expect.poll(() => new URL(page.url()).searchParams.get('at')).toBe(at);
      await expect.poll(shown).toEqual(await marks(at));
    }
    await slider.focus();
    await page.keyboard.press('ArrowRight');
    await expect.poll(() => page.locator('#height').textContent()).toBe('78');
    await expect.poll(shown).toEqual(await marks('78'));
    await expect.poll(() => page.locator('.clock time').count()).toBe(1);
    await page.getByRole('button', { name: 'Play at 60×' }).click();
    await expect.poll(() => page.getByRole('status').textContent()).toBe('Live');
    expect(new URL(page.url()).searchParams.get('at')).toBe(null);
    await expect.poll(shown).toEqual(await marks(null));
    await network.advanceTo(123);
    await expect.poll(() => page.locator('#height').textContent()).toBe('123');
    await expect.poll(shown).toEqual(await marks(null));
    expect(open.faults).toEqual([]);
  });

  test('opens the query behind a panel, which the gateway answers as it stands', async () => {
    await using network = await createSimulatedDatabase(NETWORK);
    await using gateway = await startTestGateway(network.url);
    const things = await findThings(gateway);
    await using open = await openPage(gateway.url);
    const { page } = open;
    for (const path of ['/?at=60', ...KINDS.map((kind) => `/${kind}/${things[kind]?.id}`)]) {
      await page.goto(gateway.url + path);
      await expect.poll(() => page.locator('main a.tool[href^="/graphql"]').count()).toBeGreaterThan(0);
      await expect.poll(() => page.locator('main').textContent()).not.toContain('Waiting');
      const links = await page.locator('main a.tool[href^="/graphql"]').evaluateAll(hrefs);
      for (const link of new Set(links)) {
        const search = new URL(link, gateway.url).searchParams;
        const query = search.get('query') ?? '';
        const answer = await gateway.graphql(query, JSON.parse(search.get('variables') ?? '{}'));
        expect([query, answer.errors]).toEqual([query, undefined]);
        expect(query.split('\n').length).toBeGreaterThan(4);
      }
    }
  });
});

interface Thing {
  readonly id: string;
  readonly name: string | null;
}

/** Something of each kind, with the name that its page has. */
async function findThings(gateway: TestGateway): Promise<Readonly<Partial<Record<Kind, Thing>>>> {
  const { data } = await gateway.graphql(`{
    markets(first: 1) { edges { node { id instrumentCode } } } deposits(first: 1) { edges { node { id } } }
    proposals(first: 1) { edges { node { id reference } } }
    rewards(first: 1) { edges { node { partyId party { profile { alias } } epoch asset { id symbol } } } }
  }`);
  const [market, deposit, proposal, reward] = ['markets', 'deposits', 'proposals', 'rewards'].map(
    (noun) => data[noun].edges[0].node,
  );
  const short = (id: string) => `${id.slice(0, 6)}…${id.slice(-4)}`;
  return {
    market: { id: market.id, name: market.instrumentCode },
    party: { id: reward.partyId, name: reward.party.profile?.alias || short(reward.partyId) },
    asset: { id: reward.asset.id, name: reward.asset.symbol },
    deposit: { id: deposit.id, name: short(deposit.id) },
    proposal: { id: proposal.id, name: proposal.reference },
    block: { id: '100', name: 'Block 100' },
    epoch: { id: reward.epoch, name: `Epoch ${reward.epoch}` },
  };
}

const hrefs = (links: readonly { getAttribute(name: string): string | null }[]) =>
  links.map((link) => link.getAttribute('href') ?? '');

/** The raw values of the amounts within. */
async function rawOf(place: ReturnType<Page['locator']>): Promise<string[]> {
  return place
    .locator('data.amount')
    .evaluateAll((amounts) => amounts.map((amount) => amount.getAttribute('value') ?? ''));
}

async function findings(page: Page): Promise<unknown> {
  return page.evaluate(
    `axe.run(document, { resultTypes: ['violations'] }).then(({ violations }) =>
      violations.map(({ id, nodes }) => [id, nodes.map(({ html, failureSummary }) => [html, failureSummary])]))`,
  );
}
