import { expect, test } from 'vitest';
import { party, startAccountNetwork } from '../support/account-network.ts';
import { forAllTests } from '../support/for-all-tests.ts';
import { startTestGateway } from '../support/gateway.ts';

const network = await forAllTests(startAccountNetwork());
await network.block({ owner: party(1), balance: '1' });
const gateway = await forAllTests(startTestGateway(network.url));

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
