import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { makeCertificates, OPENSSL } from '../support/certificates.ts';
import { createTestDatabase } from '../support/database.ts';
import { createFolder, recordingOf } from '../support/events.ts';
import { makeNatsAccounts } from '../support/nats-accounts.ts';
import { NATS_SERVER, NatsServers } from '../support/nats-servers.ts';
import { type Environment, runProgram, startProgram } from '../support/program.ts';
import { eventsOf, reachHeight } from './core-network.ts';
import { makeBlocks } from './network-blocks.ts';

const SECRET = 'p@ss:word/1';
const IN_ADDRESS = encodeURIComponent(SECRET);
const REFUSED = /^periscope: (?:nats|tls):\/\/127\.0\.0\.1:\d+ refuses: /;

describe.skipIf(NATS_SERVER === undefined)('the servers of a log know relay and region', () => {
  test('by a user and a password in the address', async () => {
    const settings = `authorization { user: ann, password: "${SECRET}" }`;
    await using servers = await NatsServers.start(1, { settings });
    await relaysAndTakesIn(`nats://ann:${IN_ADDRESS}@${servers.hosts}`);
    await isRefused(`nats://ann:${IN_ADDRESS}x@${servers.hosts}`);
    await isRefused(`nats://${servers.hosts}`);
  });

  test('by a token in the address', async () => {
    await using servers = await NatsServers.start(1, { settings: `authorization { token: "${SECRET}" }` });
    await relaysAndTakesIn(`nats://${IN_ADDRESS}@${servers.hosts}`);
    await isRefused(`nats://${IN_ADDRESS}x@${servers.hosts}`);
  });

  test('by a file of credentials, which NATS_CREDENTIALS names', async () => {
    const { settings, credentials } = makeNatsAccounts();
    await using servers = await NatsServers.start(1, { settings });
    await using folder = await createFolder();
    await relaysAndTakesIn(servers.url, { NATS_CREDENTIALS: await folder.write(credentials) });
    const { credentials: others } = makeNatsAccounts();
    await isRefused(servers.url, { NATS_CREDENTIALS: await folder.write(others) });
    await isRefused(servers.url);
    const missing = await relay(servers.url, { NATS_CREDENTIALS: '/nowhere/of.creds' });
    expect([missing.code, missing.stderr]).toEqual([
      2,
      expect.stringContaining('NATS_CREDENTIALS is /nowhere/of.creds, which cannot be read'),
    ]);
  });

  test('where nothing is a file of credentials that is said so', async () => {
    await using servers = await NatsServers.start(1);
    await using folder = await createFolder();
    const NATS_CREDENTIALS = await folder.write('no credentials');
    const { code, stderr } = await relay(servers.url, { NATS_CREDENTIALS });
    expect(code).toBe(2);
    expect(stderr).toContain(`NATS_CREDENTIALS is ${NATS_CREDENTIALS}, which holds no credentials`);
  });

  test.skipIf(OPENSSL === undefined)('over TLS, with an authority of their own', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'periscope-certificates-'));
    try {
      const { authority, certificate, key } = await makeCertificates(folder);
      const tls = `tls { cert_file: "${certificate}", key_file: "${key}" }`;
      const settings = `authorization { user: ann, password: "${SECRET}" }\n${tls}`;
      await using servers = await NatsServers.start(1, { settings });
      const url = `tls://ann:${IN_ADDRESS}@${servers.hosts}`;
      await relaysAndTakesIn(url, { NODE_EXTRA_CA_CERTS: authority });
      await isRefused(url.replace('ann', 'bob'), { NODE_EXTRA_CA_CERTS: authority });
      const { code, stderr } = await relay(url, {});
      expect([code, stderr]).toEqual([1, expect.stringMatching(/cannot be reached: .*certificate/)]);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });
});

const BLOCKS = makeBlocks(1, 12);

async function relaysAndTakesIn(url: string, environment: Environment = {}): Promise<void> {
  const { code, stdout, stderr } = await relay(url, environment);
  expect([code, stderr]).toEqual([0, '']);
  // What is logged names no secret.
  expect(stdout).not.toContain(IN_ADDRESS);
  await using database = await createTestDatabase();
  await using _ingest = startProgram(['ingest', 'jetstream', url], {
    ...environment,
    DATABASE_URL: database.url,
  });
  await reachHeight(database.url, BLOCKS.length);
}

async function isRefused(url: string, environment: Environment = {}): Promise<void> {
  const { code, stderr } = await relay(url, environment);
  expect([code, stderr]).toEqual([1, expect.stringMatching(REFUSED)]);
  expect(stderr).not.toContain(IN_ADDRESS);
}

/** Runs a relay to the end of a file. */
async function relay(url: string, environment: Environment) {
  await using folder = await createFolder();
  const file = await folder.write(recordingOf(eventsOf(BLOCKS)));
  return await runProgram(['relay', '--from', file, '--to', url], environment);
}
