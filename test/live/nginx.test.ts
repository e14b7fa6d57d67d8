import { expect, test } from 'vitest';
import { party, startAccountNetwork } from '../support/account-network.ts';
import { startTestGateway } from '../support/gateway.ts';
import { openGraphqlSse, openNdjson, openSse } from '../support/http-clients.ts';
import { NGINX, startNginx } from './nginx.ts';

const PATH = '/api/v2/stream/accounts';
const SUBSCRIPTION =
  'subscription { accounts { snapshot { accounts { balance } } updates { accounts { balance } } } }';

if (NGINX === undefined) console.warn('test/live/nginx.test.ts is skipped: there is no nginx here');

/** Each block is written when the one before has come through: one that is held back is never followed by another. */
test.skipIf(NGINX === undefined)('nginx as it comes passes each message on before the next', async () => {
  await using network = await startAccountNetwork();
  await network.block({ owner: party(1), balance: '1' });
  await using gateway = await startTestGateway(network.url);
  await using nginx = await startNginx(gateway.url);
  const streams = [
    await openNdjson(nginx.url, PATH),
    await openSse(nginx.url, PATH),
    await openGraphqlSse(nginx.url, SUBSCRIPTION),
  ];
  for (let balance = 1; balance <= 10; balance++) {
    if (balance > 1) await network.block({ owner: party(1), balance: `${balance}` });
    for (const stream of streams) expect(await stream.nextText()).toContain(`"balance":"${balance}"`);
  }
  for (const { headers } of streams) expect(headers).not.toHaveProperty('content-encoding');
  for (const stream of streams) stream.close();
  // What nginx lets go of is let go here.
  await expect.poll(() => gateway.openStreams).toBe(0);
});
