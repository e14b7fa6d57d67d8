import type { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  createSpoolPlace,
  eventsOf,
  reachHeight,
  type SpoolPlace,
  startCoreProgram,
} from '../ingest/core-network.ts';
import { CoreNode } from '../ingest/core-node.ts';
import { createFileDatabase, readDigests, relayBlocksOf } from '../ingest/log-network.ts';
import { makeBlocks } from '../ingest/network-blocks.ts';
import { createDisposableDatabase, type TestDatabase } from '../support/database.ts';
import { NATS_SERVER, NatsServers } from '../support/nats-servers.ts';
import { exportToFolder, type Folder, serveFolderHolding } from '../support/part-folders.ts';
import { readListening, startProgram } from '../support/program.ts';
import { ask, readHeight } from '../support/state.ts';

const BLOCKS = makeBlocks(1, 60, { accounts: 3 });
const OF_BASE = 40;

describe('serve --from a base, with blocks that come meanwhile', () => {
  let whole: TestDatabase;
  let folder: Folder;
  let spool: SpoolPlace;

  beforeAll(async () => {
    whole = await createFileDatabase(BLOCKS);
    await using first = await createFileDatabase(BLOCKS.slice(0, OF_BASE));
    folder = await exportToFolder(first.url);
    spool = await createSpoolPlace();
  });

  afterAll(async () => {
    for (const opened of [whole, folder, spool]) await opened[Symbol.asyncDispose]();
  });

  test('takes in behind the base what a core node has sent, which waited in the spool', async () => {
    await using base = await holdPast(folder);
    await using database = await createDisposableDatabase();
    const args = ['serve', '--from', base.url, '--ingest', 'tcp://127.0.0.1:0'];
    const environment = { DATABASE_URL: database.url, PORT: '0', SPOOL_DIR: spool.folder };
    await using program = await startCoreProgram(args, environment);
    const listening = readListening(program.process.stdout as Readable);
    await using core = await CoreNode.dial(program.url);
    await core.greeted();
    // A core node begins where it likes: with blocks that the base has, too.
    await core.send(eventsOf(BLOCKS.slice(OF_BASE - 5)));
    await waitsAndFollows(await listening, base, database);
  });

  test.skipIf(NATS_SERVER === undefined)(
    'takes in behind the base what a log has had meanwhile',
    async () => {
      await using servers = await NatsServers.start(1);
      await relayBlocksOf(servers, BLOCKS);
      await using base = await holdPast(folder);
      await using database = await createDisposableDatabase();
      const args = ['serve', '--from', base.url, '--ingest', servers.url];
      await using program = startProgram(args, { DATABASE_URL: database.url, PORT: '0' });
      await waitsAndFollows(await readListening(program.process.stdout as Readable), base, database);
    },
  );

  test('of two gateways one takes it in, both serve, and the other goes on where that one is killed', async () => {
    await using base = await holdPast(folder);
    await using database = await createDisposableDatabase();
    const start = () =>
      startProgram(['serve', '--from', base.url], { DATABASE_URL: database.url, PORT: '0' });
    await using first = start();
    expect(await readListening(first.process.stdout as Readable)).not.toBeNull();
    await using second = start();
    const ended = second.ended.then(({ stderr }) => stderr);
    const url = await readListening(second.process.stdout as Readable);
    expect(url).not.toBeNull();
    // Longer than the lock is waited for.
    expect(await Promise.race([ended, sleep(5_000)])).toBeUndefined();
    expect((await fetch(`${url}/health/ready`)).status).toBe(200);
    // With what takes the base in for it.
    first.process.kill('SIGKILL');
    await ask(
      database.url,
      `SELECT pg_terminate_backend(pid) FROM pg_locks JOIN pg_database ON oid = database
      WHERE datname = current_database() AND locktype = 'advisory'`,
    );
    base.release('accounts');
    await expect.poll(async () => (await fetch(`${url}/health/ready`)).json()).toEqual({ status: 'ready' });
  });

  /** Nothing goes behind the base until all of it is in, and then all that waited does, once. */
  async function waitsAndFollows(
    url: string | null,
    base: Awaited<ReturnType<typeof holdPast>>,
    database: TestDatabase,
  ): Promise<void> {
    expect(await readHeight(database.url)).toBe(OF_BASE);
    const ready = await fetch(`${url}/health/ready`);
    expect([ready.status, await readHeight(database.url)]).toEqual([200, OF_BASE]);
    expect(await ready.json()).toEqual({ status: 'ready', base: expect.stringContaining('being taken in') });
    base.release('accounts');
    await reachHeight(database.url, BLOCKS.length);
    expect(await readDigests(database.url)).toEqual(await readDigests(whole.url));
    const [counted] = await ask<{ blocks: string }>(database.url, 'SELECT count(*) AS blocks FROM blocks');
    expect(counted?.blocks).toBe(`${BLOCKS.length}`);
    expect(await (await fetch(`${url}/health/ready`)).json()).toEqual({ status: 'ready' });
  }
});

/** The present is there before the past of accounts is released. */
function holdPast(folder: Folder) {
  return serveFolderHolding(folder, ['accounts']);
}
