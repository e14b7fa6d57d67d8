import { describe, expect, test } from 'vitest';
import { startTestGateway } from '../../test/support/gateway.ts';
import { CHROMIUM, openPage } from '../../test/support/open-page.ts';
import { createSimulatedDatabase } from '../../test/support/simulated.ts';

if (CHROMIUM === undefined) console.warn('page/test/asking.test.ts is skipped: there is no Chromium here');

const NETWORK = { seed: 7, blocks: 90, parties: 12, markets: 4, release: '0.79' } as const;

describe.skipIf(CHROMIUM === undefined)('what is asked', () => {
  test('is an example at first, and then what somebody wrote', async () => {
    await using network = await createSimulatedDatabase(NETWORK);
    await using gateway = await startTestGateway(network.url);
    await using open = await openPage(gateway.url);
    const { page } = open;
    const [volume, collateral] = [page.getByLabel('Volume'), page.getByLabel(/^Collateral/)];
    await expect.poll(() => volume.inputValue()).toBe('1');
    await collateral.fill('77');
    await volume.press('End');
    await volume.press('Backspace');
    await page.evaluate('new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve, 100)))');
    expect([await volume.inputValue(), await collateral.inputValue()]).toEqual(['', '77']);
  });
});
