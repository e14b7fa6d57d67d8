import { describe, expect, test } from 'vitest';
import { startTestGateway } from '../../test/support/gateway.ts';
import { CHROMIUM, openPage } from '../../test/support/open-page.ts';
import { createSimulatedDatabase } from '../../test/support/simulated.ts';
import { ask } from '../../test/support/state.ts';
import { findings, rawOf, section } from './read.ts';
import { addAccounts, findThings, KINDS, MOST_ROWS } from './things.ts';

if (CHROMIUM === undefined) console.warn('page/test/explorer.test.ts is skipped: there is no Chromium here');

const NETWORK = { seed: 7, blocks: 120, parties: 12, markets: 4, release: '0.79' } as const;

describe.skipIf(CHROMIUM === undefined)('the explorer', () => {
  test('has a page for everything, which links to what it names', async () => {
    await using network = await createSimulatedDatabase(NETWORK);
    await using gateway = await startTestGateway(network.url);
    const things = await findThings(gateway);
    await using open = await openPage(gateway.url);
    const { page } = open;
    for (const kind of KINDS) {
      await page.goto(`${gateway.url}/${kind}/${things[kind].id}`);
      await expect.poll(() => page.locator('.heading h2').textContent()).toBe(things[kind].name);
      await expect.poll(() => page.locator('main').textContent()).not.toContain('Waiting');
      const links = await page.locator('main a[href^="/"]:not(.tool)').evaluateAll(hrefs);
      expect([
        kind,
        links.filter((href) => !/^\/(market|party|asset|deposit|proposal|block|epoch)\/./.test(href)),
      ]).toEqual([kind, []]);
    }
    await page.goto(`${gateway.url}/deposit/${things.deposit.id}`);
    await page.locator('.fact a[href^="/party/"]').click();
    await expect.poll(() => new URL(page.url()).pathname).toMatch(/^\/party\//);
    await page.goBack();
    await expect.poll(() => page.locator('.heading h2').textContent()).toBe(things.deposit.name);
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
    await page.goto(`${gateway.url}/market/${market.id}?at=999`);
    await page.getByRole('button', { name: 'Show block 121' }).click();
    await expect.poll(() => page.locator('.heading h2').textContent()).toBe(market.name);
    expect(new URL(page.url()).searchParams.get('at')).toBe('121');
  });

  test('has a page for a proposal whose vote closes later than a Date can be', async () => {
    await using network = await createSimulatedDatabase(NETWORK);
    await ask(
      network.url,
      `UPDATE proposals SET terms = terms || '{"closingTimestamp": "9223372036854775807000000000"}' WHERE terms IS NOT NULL`,
    );
    const [{ id = '' } = {}] = await ask<{ id: string }>(
      network.url,
      'SELECT id FROM proposals WHERE terms IS NOT NULL LIMIT 1',
    );
    await using gateway = await startTestGateway(network.url);
    await using open = await openPage(`${gateway.url}/proposal/${id}`);
    await expect
      .poll(() => section(open.page, 'terms').textContent())
      .toContain('Voting ends+292277026596-12-04 15:30:07 UTC');
    expect(open.faults).toEqual([]);
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
    expect(await findings(page)).toEqual([]);
    // The check opens a page of its own, which takes the focus for a while: the box closes until it is back.
    await page.bringToFront();
    await expect.poll(() => box.getAttribute('aria-expanded')).toBe('true');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowUp');
    const chosen = page.locator('[role=option][aria-selected=true]');
    expect(await box.getAttribute('aria-activedescendant')).toBe(await chosen.getAttribute('id'));
    await page.keyboard.press('Enter');
    await expect.poll(() => page.locator('.heading h2').textContent()).toBe('ETH/DAI');
    for (const [text, path] of [
      [party.id.slice(0, 12), `/party/${party.id}`],
      ['77', '/block/77'],
    ] as const) {
      await page.keyboard.press('/');
      await page.keyboard.type(text);
      await page.keyboard.press('Enter');
      await expect.poll(() => new URL(page.url()).pathname).toBe(path);
    }
    await page.goto(gateway.url);
    await expect.poll(() => page.locator('[name=market]').count()).toBe(1);
    for (const busy of ['[name=market]', 'input[type=range]']) {
      await page.locator(busy).first().focus();
      await page.keyboard.press('/');
      expect(await page.evaluate('document.activeElement.name')).toBe('search');
    }
    await page.getByLabel(/^Collateral/).focus();
    await page.keyboard.press('/');
    expect(await page.evaluate('document.activeElement.name')).not.toBe('search');
    await box.focus();
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
    await using open = await openPage(`${gateway.url}/asset/${asset.id}`);
    const { page } = open;
    const list = page.locator('section[aria-labelledby="account-list"]');
    await expect.poll(() => list.locator('tbody tr').count()).toBeGreaterThan(2);
    const all = async (at: string) => {
      const { data } = await gateway.graphql(
        'query ($at: Uint64, $id: ID!) { asOf(height: $at) { accounts(filter: { assetId: $id }, orderBy: BALANCE_DESC) { edges { node { balance } } } } }',
        { at, id: asset.id },
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

  test('tells how the votes on a proposal stand once, and asks once', async () => {
    await using network = await createSimulatedDatabase(NETWORK);
    await using gateway = await startTestGateway(network.url);
    const { proposal } = await findThings(gateway);
    await using open = await openPage('about:blank');
    const { page } = open;
    const asked: string[] = [];
    page.on('request', (request) => {
      if (/\btally\b/.test(request.postData() ?? '')) asked.push(request.url());
    });
    await page.goto(`${gateway.url}/proposal/${proposal.id}`);
    await expect.poll(() => page.locator('.tally').count()).toBe(1);
    await page.waitForLoadState('networkidle');
    expect(asked).toHaveLength(1);
    expect((await page.locator('main').textContent())?.match(/tokens that voted/g)).toHaveLength(1);
    expect(open.faults).toEqual([]);
  });

  test('keeps as many rows of a long list as stay quick, and leads back to the first', async () => {
    await using network = await createSimulatedDatabase(NETWORK);
    const party = await addAccounts(network.url, MOST_ROWS + 150);
    await using gateway = await startTestGateway(network.url);
    await using open = await openPage(`${gateway.url}/party/${party}`);
    const { page } = open;
    const list = page.locator('section:has(#account-list)');
    await list.getByRole('button', { name: /^Show more/ }).click();
    const readOn = async () => {
      await list.locator('.foot').scrollIntoViewIfNeeded();
      return list.getByRole('button', { name: /^Show more/ }).count();
    };
    await expect.poll(readOn).toBe(0);
    const [, left = ''] =
      /^([\d,]+) rows before these/.exec((await list.locator('p.quiet').first().textContent()) ?? '') ?? [];
    expect(Number(left.replace(',', ''))).toBeGreaterThanOrEqual(150);
    expect(await list.locator('tbody tr').count()).toBeGreaterThan(MOST_ROWS - 50);
    expect(await list.locator('tbody tr').count()).toBeLessThanOrEqual(MOST_ROWS);
    await list
      .getByRole('button', { name: /^Follow again/ })
      .first()
      .click();
    await expect.poll(() => list.locator('tbody tr').count()).toBeLessThanOrEqual(100);
    expect(open.faults).toEqual([]);
  });

  test('asks again at a new block for what can be seen, and for the rest once it comes into sight', async () => {
    await using network = await createSimulatedDatabase(NETWORK);
    await using gateway = await startTestGateway(network.url);
    await using open = await openPage('about:blank');
    const { page } = open;
    await page.setViewportSize({ width: 390, height: 700 });
    const asked: string[] = [];
    page.on('request', (request) => {
      const [, name] = /query (\w+)/.exec(request.postData() ?? '') ?? [];
      if (name !== undefined) asked.push(name);
    });
    const { party } = await findThings(gateway);
    await page.goto(`${gateway.url}/party/${party.id}`);
    await expect.poll(() => page.locator('main').textContent()).not.toContain('Waiting…');
    const countOf = (name: string) => asked.filter((one) => one === name).length;
    for (const block of [121, 122, 123]) {
      const before = countOf('Accounts');
      await network.advanceTo(block);
      await expect.poll(() => countOf('Accounts')).toBeGreaterThan(before);
    }
    expect(countOf('Votes')).toBe(1);
    await page.locator('section:has(#votes)').scrollIntoViewIfNeeded();
    await expect.poll(() => countOf('Votes')).toBe(2);
    expect(open.faults).toEqual([]);
  });

  test('opens the query behind a panel, which the gateway answers as it stands', async () => {
    await using network = await createSimulatedDatabase(NETWORK);
    await using gateway = await startTestGateway(network.url);
    const things = await findThings(gateway);
    await using open = await openPage(gateway.url);
    const { page } = open;
    for (const path of ['/?at=60', ...KINDS.map((kind) => `/${kind}/${things[kind].id}`)]) {
      await page.goto(gateway.url + path);
      await expect.poll(() => page.locator('main a.tool[href^="/graphql"]').count()).toBeGreaterThan(0);
      await expect.poll(() => page.locator('main').textContent()).not.toContain('Waiting');
      const unasked = page.locator('main section:not(.plotted):not(:has(a.tool[href^="/graphql"]))');
      expect([path, await unasked.allTextContents()]).toEqual([path, []]);
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

const hrefs = (links: readonly { getAttribute(name: string): string | null }[]) =>
  links.map((link) => link.getAttribute('href') ?? '');
