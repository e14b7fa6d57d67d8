import { appendFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { describe, expect, test } from 'vitest';
import { createTestDatabase } from '../support/database.ts';
import { createFolder, recordingOf } from '../support/events.ts';
import { NATS_SERVER, NatsServers } from '../support/nats-servers.ts';
import { readListening, runProgram, startProgram } from '../support/program.ts';
import { createSpoolPlace, eventsOf, reachHeight, startCoreProgram, until } from './core-network.ts';
import { CoreNode } from './core-node.ts';
import { createFileDatabase, readDigests } from './log-network.ts';
import { makeBlocks } from './network-blocks.ts';

const ADDRESS = 'tcp://127.0.0.1:0';

describe.skipIf(NATS_SERVER === undefined)('the program', () => {
  test('relays a file, and the same network from a core node, to databases that take it in and serve', async () => {
    await using servers = await NatsServers.start(1);
    await using folder = await createFolder();
    const blocks = makeBlocks(1, 25);
    const file = await folder.write(recordingOf(eventsOf(blocks.slice(0, 10))));
    const relayed = await runProgram(['relay', '--from', file, '--to', servers.url, '--max-age', '1h'], {});
    expect([relayed.code, relayed.stderr]).toEqual([0, '']);
    expect(relayed.stdout).toContain('the log has all blocks of');

    await using place = await createSpoolPlace();
    const relay = await startCoreProgram(['relay', '--from', ADDRESS, '--to', servers.url], {
      ...{ SPOOL_DIR: join(place.folder, 'later'), METRICS_PORT: '0' },
    });
    const metrics = await relay.logged(/http:\/\/127\.0\.0\.1:\d+\/metrics/);
    await using _relay = relay;
    await using one = await createTestDatabase();
    await using other = await createTestDatabase();
    await using _ingest = startProgram(['ingest', 'jetstream', servers.url], { DATABASE_URL: one.url });
    await using _serve = startProgram(['serve', '--ingest', servers.url], {
      DATABASE_URL: other.url,
      PORT: '0',
    });
    await using core = await CoreNode.dial(relay.url);
    await core.send(eventsOf(blocks));
    await reachHeight(one.url, 25);
    await reachHeight(other.url, 25);
    await using direct = await createFileDatabase(blocks);
    const digests = await readDigests(direct.url);
    expect(await readDigests(one.url)).toEqual(digests);
    expect(await readDigests(other.url)).toEqual(digests);
    const measured = await (await fetch(metrics)).text();
    expect(measured).toMatch(/^periscope_relay_blocks_total\S* 25$/m);
    expect(measured).toMatch(/^periscope_relay_block\S* 25$/m);
    expect(measured).toMatch(/^periscope_relay_leading\S* 1$/m);
    expect(measured).toMatch(/^periscope_disk_free_bytes\{holds="spool"\} [1-9]/m);
    expect(measured).toMatch(/^periscope_ingest_core_connected\S* 1$/m);
    _ingest.process.kill('SIGTERM');
    relay.process.kill('SIGTERM');
    expect([(await _ingest.ended).code, (await relay.ended).code]).toEqual([0, 0]);
  });

  test('says of a relay whether it is connected on both sides', async () => {
    await using servers = await NatsServers.start(1);
    await using place = await createSpoolPlace();
    await using relay = await startCoreProgram(['relay', '--from', ADDRESS, '--to', servers.url], {
      ...{ SPOOL_DIR: place.folder, METRICS_PORT: '0' },
    });
    const metrics = await relay.logged(/http:\/\/127\.0\.0\.1:\d+\/metrics/);
    const ask = async (path: string) => {
      const answer = await fetch(new URL(path, metrics));
      return `${answer.status} ${await answer.text()}`;
    };
    await until(async () => /^200/.test(await ask('/metrics')), 'the relay answers');
    expect(await ask('/health/live')).toBe('200 {"status":"live"}');
    const lacksCore = /Not ready: core node is not connected\./;
    await until(async () => lacksCore.test(await ask('/health/ready')), 'the relay has found the log');
    await using core = await CoreNode.dial(relay.url);
    await core.send(eventsOf(makeBlocks(1, 3)));
    const hasAll = /^200 \{"status":"ready","newest":"3","isLeading":true,"waiting":0\}$/;
    await until(async () => hasAll.test(await ask('/health/ready')), 'the log has the blocks');
    expect(await ask('/health')).toBe('200 ok');
    await servers.kill(0);
    const isCut = /^503 .*Not ready: log has no server that this relay is connected to\./;
    await until(async () => isCut.test(await ask('/health/ready')), 'the relay has lost the log');
    expect(await ask('/health/live')).toBe('200 {"status":"live"}');
    expect(await ask('/metrics')).toMatch(/^periscope_relay_log_connected\S* 0$/m);
    await servers.restart(0);
    await until(async () => hasAll.test(await ask('/health/ready')), 'the relay has found the log again');
    expect(await ask('/metrics')).toMatch(/^periscope_relay_log_connected\S* 1$/m);
    expect(await ask('/nothing')).toMatch(/^404 /);
  });

  test('relays what is added to a file, until it is stopped', async () => {
    await using servers = await NatsServers.start(1);
    await using folder = await createFolder();
    await using database = await createTestDatabase();
    const blocks = makeBlocks(1, 12);
    const bytes = recordingOf(eventsOf(blocks));
    const half = Math.floor(bytes.length / 2);
    const file = await folder.write(bytes.subarray(0, half));
    await using relay = startProgram(['relay', '--from', file, '--to', servers.url, '--follow'], {});
    await using _ingest = startProgram(['ingest', 'jetstream', servers.url], { DATABASE_URL: database.url });
    await reachHeight(database.url, 5);
    await appendFile(file, bytes.subarray(half));
    await reachHeight(database.url, 12);
    relay.process.kill('SIGTERM');
    expect((await relay.ended).code).toBe(0);
  });

  test('says what is wrong with its command line', async () => {
    const relay = (...args: string[]) => runProgram(['relay', ...args], {});
    const wrong = [
      await relay('--from', 'events.evt', '--to', '127.0.0.1:4222'),
      await relay('--from', 'tcp://nowhere', '--to', 'nats://127.0.0.1:1'),
      await relay('--from', 'events.evt', '--to', 'nats://127.0.0.1', '--max-age', 'long'),
      await relay('--from', 'events.evt', '--to', 'nats://127.0.0.1', '--replicas', '2'),
      await relay('--from', 'tcp://127.0.0.1:1', '--to', 'nats://127.0.0.1:1', '--follow'),
      // To the servers that is no limit.
      await relay('--from', 'events.evt', '--to', 'nats://127.0.0.1', '--max-bytes', '0'),
    ];
    expect(wrong.map(({ code }) => code)).toEqual([2, 2, 2, 2, 2, 2]);
    expect(wrong[5]?.stderr).toContain('It takes a number of bytes above 0.');
    expect(wrong[0]?.stderr).toContain('nats://127.0.0.1:4222');
    expect(wrong[1]?.stderr).toContain('--from is tcp://nowhere');
  });

  test('listens for a core node while no server of the log is there, which gets what came meanwhile', async () => {
    await using servers = await NatsServers.start(1);
    await servers.kill(0);
    await using place = await createSpoolPlace();
    await using relay = await startCoreProgram(['relay', '--from', ADDRESS, '--to', servers.url], {
      ...{ SPOOL_DIR: place.folder, METRICS_PORT: '0' },
    });
    const metrics = await relay.logged(/http:\/\/127\.0\.0\.1:\d+\/metrics/);
    const readiness = async () => (await fetch(new URL('/health/ready', metrics))).text();
    await using core = await CoreNode.dial(relay.url);
    await core.send(eventsOf(makeBlocks(1, 12)));
    await until(async () => (await place.size()) > 0, 'the spool has what the core node sent');
    await relay.logged(/the log is not there yet; blocks are kept meanwhile/);
    expect(await readiness()).toMatch(/Not ready: log has no server.*cannot be reached/);
    await servers.restart(0);
    await until(async () => /"newest":"12"/.test(await readiness()), 'the log has the blocks');
    expect(await readiness()).not.toContain('trouble');
    relay.process.kill('SIGTERM');
    expect((await relay.ended).code).toBe(0);
  });

  test('that relays a core node ends well when it is stopped while no server of the log is there', async () => {
    await using place = await createSpoolPlace();
    const args = ['relay', '--from', ADDRESS, '--to', 'nats://127.0.0.1:1'];
    await using relay = await startCoreProgram(args, { SPOOL_DIR: place.folder });
    relay.process.kill('SIGTERM');
    expect(await relay.ended).toMatchObject({ code: 0, stderr: '' });
  });

  test('serves what it has while no server of the log is there, and takes blocks in once one is', async () => {
    await using servers = await NatsServers.start(1);
    const blocks = makeBlocks(1, 12);
    await using folder = await createFolder();
    await using database = await createFileDatabase(blocks.slice(0, 5));
    const file = await folder.write(recordingOf(eventsOf(blocks)));
    expect((await runProgram(['relay', '--from', file, '--to', servers.url], {})).code).toBe(0);
    await servers.kill(0);
    await using gateway = startProgram(['serve', '--ingest', servers.url], {
      ...{ DATABASE_URL: database.url, PORT: '0' },
    });
    const url = await readListening(gateway.process.stdout as Readable);
    expect((await fetch(`${url}/health/ready`)).status).toBe(200);
    expect(await (await fetch(`${url}/metrics`)).text()).toMatch(/^periscope_ingest_held_up\S* 1$/m);
    await servers.restart(0);
    await reachHeight(database.url, 12);
    await until(
      async () => /^periscope_ingest_held_up\S* 0$/m.test(await (await fetch(`${url}/metrics`)).text()),
      'nothing hinders ingest',
    );
  });

  test('ends where no server of the log is there', async () => {
    await using folder = await createFolder();
    const file = await folder.write(recordingOf(eventsOf(makeBlocks(1, 2))));
    const { code, stderr } = await runProgram(['relay', '--from', file, '--to', 'nats://127.0.0.1:1'], {});
    expect(code).toBe(1);
    expect(stderr).toMatch(/^periscope: nats:\/\/127\.0\.0\.1:1 cannot be reached: /);
  });
});
