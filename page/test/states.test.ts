import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { FaultyProxy } from '../../test/support/faulty-proxy.ts';
import { startTestGateway } from '../../test/support/gateway.ts';
import { CHROMIUM, openPage } from '../../test/support/open-page.ts';
import { createSimulatedDatabase } from '../../test/support/simulated.ts';
import { rawOf, section } from './read.ts';

if (CHROMIUM === undefined) console.warn('page/test/states.test.ts is skipped: there is no Chromium here');

const NETWORK = { seed: 7, blocks: 60, parties: 12, markets: 3 };
const KINDS = ['market', 'party', 'block'] as const;

type Kind = (typeof KINDS)[number];

describe.skipIf(CHROMIUM === undefined)('the pages of things', () => {
  test('keep what they know while the network is cut and while the gateway is gone, and go on without a reload or a gap', async () => {
    await using network = await createSimulatedDatabase(NETWORK);
    let gateway = await startTestGateway(network.url);
    try {
      await using proxy = await FaultyProxy.start(() => ({
        host: '127.0.0.1',
        port: Number(new URL(gateway.url).port),
      }));
      const ids = await findIds(gateway);
      const address = `http://127.0.0.1:${proxy.port}`;
      await using open = await openPage('about:blank');
      const tabs = await Promise.all(
        KINDS.map(async (kind) => ({ kind, ...(await openTab(await open.browser.newPage(), kind)) })),
      );
      for (const { page, kind } of tabs) await page.goto(`${address}/${kind}/${ids[kind]}`);
      const expectShown = async (height: string, words: string) => {
        for (const { kind, page, shown } of tabs) {
          const told = async () => [kind, await page.getByRole('status').textContent()];
          await expect.poll(told).toEqual([kind, expect.stringContaining(words)]);
          await expect.poll(() => page.locator('#height').textContent()).toBe(height);
          await expect.poll(shown).toEqual(await READ[kind](gateway, ids[kind], height));
        }
      };
      await expectShown('60', 'Live');
      for (const { page } of tabs) await page.evaluate('globalThis.isTheSame = true');

      proxy.set('refuses');
      await network.advanceTo(66);
      // The gateway itself is there to ask what was at the block that is named.
      await expectShown('60', 'Disconnected');
      proxy.set('passes');
      await expectShown('66', 'Live');

      const before = await Promise.all(tabs.map(({ shown }) => shown()));
      await gateway.close();
      for (const { page } of tabs)
        await expect.poll(() => page.getByRole('status').textContent()).toContain('Disconnected');
      await network.advanceTo(72);
      expect(await Promise.all(tabs.map(({ shown }) => shown()))).toEqual(before);
      gateway = await startTestGateway(network.url);
      await expectShown('72', 'Live');

      const all = Array.from({ length: 13 }, (_, index) => `${60 + index}`);
      for (const { kind, page, heights } of tabs) {
        expect([kind, await page.evaluate('globalThis.isTheSame')]).toEqual([kind, true]);
        expect([kind, [...new Set(heights)]]).toEqual([kind, all]);
        expect([kind, await page.getByRole('alert').allTextContents()]).toEqual([kind, []]);
      }
    } finally {
      await gateway.close();
    }
  });
});

type Gateway = Awaited<ReturnType<typeof startTestGateway>>;

/** A market that trades, a party in it, and the newest block, whose page links to the next one once there is one. */
async function findIds({ graphql }: Gateway): Promise<Readonly<Record<Kind, string>>> {
  const { data } = await graphql('{ trades(first: 1) { edges { node { marketId buyer } } } }');
  const { marketId, buyer } = data.trades.edges[0].node;
  return { market: marketId, party: buyer, block: '60' };
}

/** What is shown of each kind, and the heights of the blocks that the page was told. */
async function openTab(page: Page, kind: Kind) {
  const heights: string[] = [];
  page.on('websocket', (socket) => {
    socket.on('framereceived', ({ payload }) => {
      heights.push(...(/"blocks":.*"height":"(\d+)"/.exec(String(payload))?.slice(1) ?? []));
    });
  });
  const shown = {
    market: async () => (await rawOf(section(page, 'data'))).slice(0, 1),
    party: async () => (await rawOf(section(page, 'account-list'))).sort(),
    block: () =>
      page
        .locator('.heading nav a')
        .evaluateAll((links) => links.map((link) => link.getAttribute('href') ?? '')),
  };
  return { page, heights, shown: shown[kind] };
}

/** The same as the gateway says it of a block. */
const READ: Readonly<Record<Kind, (gateway: Gateway, id: string, at: string) => Promise<string[]>>> = {
  async market({ graphql }, id, at) {
    const { data } = await graphql(
      'query ($id: ID!, $at: Uint64) { asOf(height: $at) { market(id: $id) { marketData { markPrice } } } }',
      { id, at },
    );
    return [data.asOf.market.marketData.markPrice];
  },
  async party({ graphql }, id, at) {
    const { data } = await graphql(
      'query ($id: ID!, $at: Uint64) { asOf(height: $at) { accounts(filter: { partyIds: [$id] }) { nodes { balance } } } }',
      { id, at },
    );
    const balances = data.asOf.accounts.nodes.map(({ balance }: { balance: string }) => balance);
    return balances.filter((balance: string) => balance !== '0').sort();
  },
  async block(_, id, at) {
    const next = BigInt(id) + 1n;
    return [`/block/${BigInt(id) - 1n}`, ...(BigInt(at) >= next ? [`/block/${next}`] : [])];
  },
};
