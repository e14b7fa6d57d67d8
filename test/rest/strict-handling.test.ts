import { afterAll, beforeAll, expect, test } from 'vitest';
import { type AccountNetwork, party, startAccountNetwork } from '../support/account-network.ts';
import { startTestGateway, type TestGateway } from '../support/gateway.ts';

let network: AccountNetwork;
let gateway: TestGateway;

beforeAll(async () => {
  network = await startAccountNetwork();
  await network.block({ owner: party(1), balance: '1' });
  gateway = await startTestGateway(network.url);
});

afterAll(async () => {
  await gateway?.[Symbol.asyncDispose]();
  await network?.[Symbol.asyncDispose]();
});

const ask = (path: string, prefer?: string) =>
  fetch(`${gateway.url}${path}`, { headers: prefer === undefined ? {} : { Prefer: prefer } });

test.each([
  '/api/v2/accounts?filter.partyID=x',
  '/api/v2/rewards?partyID=x',
  '/votes?partyID=x',
  '/api/v2/stream/accounts?partyID=x',
])('a mistyped parameter is refused to who prefers so, and to nobody else: %s', async (path) => {
  const [, name = ''] = /\?(.*)=/.exec(path) ?? [];
  const status = async (prefer?: string) => {
    const response = await ask(path, prefer);
    if (response.status === 200) await response.body?.cancel();
    const told = response.status === 400 ? ((await response.json()) as { message: string }).message : '';
    expect([response.headers.get('X-Ignored-Parameters'), response.headers.get('Vary')]).toEqual([
      name,
      expect.stringContaining('Prefer'),
    ]);
    return told === '' ? response.status : told;
  };
  const refused = expect.stringMatching(`^Parameter ${name} has no meaning here: the path takes .*`);
  // The same address again and again: no answer to the one is kept for the other.
  expect([
    await status(),
    await status('handling=strict'),
    await status(),
    await status('Handling = "Strict", wait=1'),
  ]).toEqual([200, refused, 200, refused]);
  expect(await status('handling=lenient')).toBe(200);
});

test('who prefers strictness has the same answer where every parameter has a meaning', async () => {
  const path = `/api/v2/accounts?filter.partyIds=${party(1)}&pretty`;
  const [plain, strict] = [await ask(path), await ask(path, 'handling=strict')];
  expect([strict.status, await strict.text()]).toEqual([200, await plain.text()]);
});
