import { expect, test } from 'vitest';
import { party, startAccountNetwork } from '../support/account-network.ts';
import { startTestGateway } from '../support/gateway.ts';
import { openGraphqlSse, openNdjson, openSse } from '../support/http-clients.ts';
import { openDocumentedWebSocket, openGraphqlWs } from '../support/socket-clients.ts';
import { configureAuthentication, NGINX, PASSWORD, startNginx } from './nginx.ts';

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

test.skipIf(NGINX === undefined)(
  'nginx as SECURITY.md has it asks for a password, and passes every transport on',
  async () => {
    await using network = await startAccountNetwork();
    await network.block({ owner: party(1), balance: '1' });
    await using gateway = await startTestGateway(network.url);
    await using nginx = await startNginx(gateway.url, configureAuthentication);
    for (const path of [PATH, '/graphql', '/api/v2/accounts', '/health/live'])
      expect((await fetch(`${nginx.url}${path}`)).status).toBe(401);
    await expect(openGraphqlWs(nginx.url, SUBSCRIPTION)).rejects.toThrow();
    const streams = [
      await openNdjson(nginx.url, PATH, PASSWORD),
      await openDocumentedWebSocket(nginx.url, PATH, { headers: PASSWORD }),
      await openGraphqlWs(nginx.url, SUBSCRIPTION, {}, { headers: PASSWORD }),
    ];
    for (let balance = 1; balance <= 3; balance++) {
      if (balance > 1) await network.block({ owner: party(1), balance: `${balance}` });
      for (const stream of streams) expect(await stream.nextText()).toContain(`"balance":"${balance}"`);
    }
    for (const stream of streams) stream.close();
    await expect.poll(() => gateway.openStreams).toBe(0);
  },
);
