import { describe, expect, test } from 'vitest';
import { startTestGateway } from '../../test/support/gateway.ts';
import { CHROMIUM, openPage } from '../../test/support/open-page.ts';
import { createSimulatedDatabase } from '../../test/support/simulated.ts';
import { holdBack, rawOf, section, settle } from './read.ts';
import { addAccounts, findThings, MOST_ROWS } from './things.ts';

if (CHROMIUM === undefined) console.warn('page/test/reading.test.ts is skipped: there is no Chromium here');

const NETWORK = { seed: 7, blocks: 120, parties: 12, markets: 4, release: '0.79' } as const;

describe.skipIf(CHROMIUM === undefined)('whoever reads', () => {
  test('sees the rows of the filter that was chosen, whatever comes of another', async () => {
    await using network = await createSimulatedDatabase(NETWORK);
    await using gateway = await startTestGateway(network.url);
    const { asset } = await findThings(gateway);
    await using open = await openPage(`${gateway.url}/asset/${asset.id}`);
    const { page } = open;
    const list = section(page, 'account-list');
    const held = await holdBack(page, /"after":"/);
    await list.getByRole('button', { name: /^Show more/ }).click();
    await expect.poll(() => held.length).toBe(1);
    await list.getByRole('combobox', { name: 'Type', exact: true }).selectOption({ label: 'General' });
    const types = async () => [...new Set(await list.locator('tbody td[data-name=Type]').allTextContents())];
    await expect.poll(types).toEqual(['General']);
    const answered = page.waitForResponse((response) =>
      /"after":"/.test(response.request().postData() ?? ''),
    );
    held[0]?.();
    await (await answered).finished();
    await settle(page);
    expect(await types()).toEqual(['General']);
    expect(await list.locator('.foot').textContent()).not.toContain('as of block');
  });

  test('comes to the end of a long list by staying at its end', async () => {
    await using network = await createSimulatedDatabase(NETWORK);
    const party = await addAccounts(network.url, MOST_ROWS + 350);
    await using gateway = await startTestGateway(network.url);
    await using open = await openPage(`${gateway.url}/party/${party}`);
    const { page } = open;
    const list = section(page, 'account-list');
    const more = list.getByRole('button', { name: /^Show more/ });
    await more.click();
    // The end is in sight in every frame, as for somebody who holds a key down.
    await page.evaluate(`(() => {
      const stay = () => {
        document.querySelector('section[aria-labelledby="account-list"] .foot').scrollIntoView({ block: 'end' });
        requestAnimationFrame(stay);
      };
      stay();
    })()`);
    await expect.poll(() => more.count()).toBe(0);
    expect(open.faults).toEqual([]);
  });

  test('is told at the end of a list why it does not go on, and goes on by a press', async () => {
    await using network = await createSimulatedDatabase(NETWORK);
    await using gateway = await startTestGateway(network.url);
    const { asset } = await findThings(gateway);
    await using open = await openPage(`${gateway.url}/asset/${asset.id}`);
    const { page } = open;
    const list = section(page, 'account-list');
    const more = list.getByRole('button', { name: /^Show more/ });
    await page.route('**/graphql', (route) =>
      /"after":"/.test(route.request().postData() ?? '') ? route.abort() : route.continue(),
    );
    await more.click();
    await expect.poll(() => list.locator('.foot [role=alert]').textContent()).toContain('does not answer');
    await page.unroute('**/graphql');
    await more.click();
    await expect.poll(() => list.locator('.foot').textContent()).toContain('as of block 120');
    expect(await list.locator('[role=alert]').count()).toBe(0);
    // What is saved is what is shown, not what has come since.
    await network.advanceTo(123);
    await expect.poll(() => page.locator('#height').textContent()).toBe('123');
    const csv = (await list.getByRole('link', { name: /^CSV/ }).getAttribute('href')) ?? '';
    expect(new URL(csv, gateway.url).searchParams.get('asOf')).toBe('120');
  });

  test('has the past again when the gateway is back, with its time', async () => {
    await using network = await createSimulatedDatabase(NETWORK);
    await using gateway = await startTestGateway(network.url);
    const { market } = await findThings(gateway);
    await using open = await openPage(`${gateway.url}/market/${market.id}`);
    const { page } = open;
    await expect.poll(() => rawOf(section(page, 'data'))).not.toEqual([]);
    await page.route('**/graphql', (route) => route.abort());
    await page.getByRole('slider', { name: 'Block that is shown' }).fill('109');
    await expect.poll(() => page.locator('main > .state-note').count()).toBe(1);
    await expect.poll(() => page.locator('.clock').textContent()).toBe('–');
    await page.unroute('**/graphql');
    await network.advanceTo(121);
    await expect.poll(() => page.locator('.clock time').count()).toBe(1);
    await expect.poll(() => page.locator('main > .state-note').count()).toBe(0);
    const { data } = await gateway.graphql(
      'query ($id: ID!) { asOf(height: 110) { market(id: $id) { marketData { markPrice } } } }',
      { id: market.id },
    );
    expect((await rawOf(section(page, 'data')))[0]).toBe(data.asOf.market.marketData.markPrice);
  });

  test('estimates beside the mark price of the block that is shown', async () => {
    await using network = await createSimulatedDatabase(NETWORK);
    await using gateway = await startTestGateway(network.url);
    await using open = await openPage(`${gateway.url}/?at=60`);
    const { page } = open;
    await expect.poll(() => page.locator('.scale .mark-price').count()).toBe(1);
    const { data } = await gateway.graphql(
      `query ($id: ID!) { asOf(height: 60) { market(id: $id) { marketData { markPrice } } }
         market(id: $id) { decimalPlaces marketData { markPrice } } }`,
      { id: await page.locator('[name=market]').inputValue() },
    );
    const then = data.asOf.market.marketData.markPrice;
    expect(then).not.toBe(data.market.marketData.markPrice);
    const title = (await page.locator('.scale .mark-price').getAttribute('title')) ?? '';
    expect(Number(title) * 10 ** data.market.decimalPlaces).toBeCloseTo(Number(then));
  });

  test('keeps the party in the address, skips by a key, and may choose none', async () => {
    await using network = await createSimulatedDatabase(NETWORK);
    await using gateway = await startTestGateway(network.url);
    const { party } = await findThings(gateway);
    await using open = await openPage(`${gateway.url}/#party=${party.id}`);
    const { page } = open;
    const accounts = section(page, 'accounts');
    await expect.poll(() => rawOf(accounts)).not.toEqual([]);
    await page.getByRole('slider', { name: 'Block that is shown' }).fill('99');
    await expect.poll(() => page.url()).toBe(`${gateway.url}/?at=100#party=${party.id}`);
    await page.locator('.skip').focus();
    await page.keyboard.press('Enter');
    expect(await page.evaluate('document.activeElement.id')).toBe('shown');
    expect(page.url()).toContain(`#party=${party.id}`);
    await page.locator('[name=party]').fill('');
    await page.locator('[name=party]').press('Enter');
    await expect.poll(() => accounts.locator('tbody').textContent()).toBe('No party is chosen.');
    await page.locator('main a.to').first().click();
    await expect.poll(() => page.evaluate('document.activeElement.id')).toBe('shown');
  });

  test('is told why a proposal was refused, and finds a height as the page writes it', async () => {
    await using network = await createSimulatedDatabase(NETWORK);
    await using gateway = await startTestGateway(network.url);
    const { data } = await gateway.graphql('{ proposals { nodes { id reason errorDetails } } }');
    const refused = data.proposals.nodes.find(({ reason }: { reason: string | null }) => reason !== null);
    const words = refused.reason.replace('PROPOSAL_ERROR_', '').replaceAll('_', ' ').toLowerCase();
    await using open = await openPage(`${gateway.url}/proposal/${refused.id}`);
    const { page } = open;
    const terms = () => section(page, 'terms').textContent();
    await expect.poll(async () => (await terms())?.toLowerCase()).toContain(`refused because${words}`);
    expect(await terms()).toContain(`Details${refused.errorDetails}`);
    const sent = page.waitForRequest((request) => /query Search/.test(request.postData() ?? ''));
    await page.keyboard.press('/');
    await page.keyboard.insertText('1,087');
    expect(JSON.parse((await sent).postData() ?? '').variables.text).toBe('1087');
  });

  test('is told of a network without a block, and sees it begin', async () => {
    await using network = await createSimulatedDatabase({ ...NETWORK, blocks: 0 });
    await using gateway = await startTestGateway(network.url);
    await using open = await openPage(gateway.url);
    const { page } = open;
    await expect
      .poll(() => page.getByRole('status').textContent())
      .toBe('Connected; the network has made no block yet.');
    expect(await page.locator('#height').textContent()).toBe('–');
    expect(await page.locator('.clock').textContent()).toBe('–');
    await network.advanceTo(3);
    await expect.poll(() => page.getByRole('status').textContent()).toBe('Live');
    await expect.poll(() => rawOf(section(page, 'deposits'))).not.toEqual([]);
    await expect.poll(() => page.locator('.clock time').count()).toBe(1);
  });
});
