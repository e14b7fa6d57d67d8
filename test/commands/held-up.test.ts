import { once } from 'node:events';
import { expect, test } from 'vitest';
import packageJson from '../../package.json' with { type: 'json' };
import type { WholeStatus } from '../../src/commands/whole-status.ts';
import { NEWEST_RELEASE } from '../../src/domain/releases.ts';
import { createSpoolPlace, eventsOf, reachHeight, startCoreProgram, until } from '../ingest/core-network.ts';
import { CoreNode } from '../ingest/core-node.ts';
import { encodeAt, encodeNewerAccount, makeBlocks, replaceEvent } from '../ingest/network-blocks.ts';
import { readMetrics, sumOf } from '../metrics/exposition.ts';
import { createTestDatabase } from '../support/database.ts';
import { accountOf, createFolder, recordingOf } from '../support/events.ts';
import { startTestGateway } from '../support/gateway.ts';
import { type Environment, runProgram, startProgram } from '../support/program.ts';
import { readHeight, readTable } from '../support/state.ts';

const DAMAGED = replaceEvent(makeBlocks(1, 6), 4, 2, encodeNewerAccount(4, 2, 5));
const WHOLE = replaceEvent(DAMAGED, 4, 2, encodeAt(accountOf('newer', '5'), 4, 2));
const REASON = 'event account (type 6, id 4-2): Account.balance has wire type 0 instead of 2';

test('a file with an event that cannot be read: what is said of it, and both ways on', async () => {
  await using database = await createTestDatabase();
  await using folder = await createFolder();
  const environment = { DATABASE_URL: database.url, PORT: '1' };
  const path = await folder.write(recordingOf(eventsOf(DAMAGED)));
  const first = await runProgram(['ingest', 'file', path], environment);
  expect(first.code).toBe(1);
  expect(first.stderr).toMatch(
    /byte \d+: block 4, event account \(type 6, id 4-2\): Account\.balance has wire/,
  );
  expect(first.stderr).toContain(`Ingest is held up at block 4: ${REASON}\n`);
  expect(first.stderr).toContain('A newer Periscope that understands it goes on from there by itself');
  expect(first.stderr).toContain('--skip-damaged passes over such events: that change is lost');
  expect(await readHeight(database.url)).toBe(3);

  const held = await readStatus(environment);
  expect(held.code).toBe(4);
  expect(held.status.heldUp).toEqual({
    ...{ height: '4', reason: REASON, place: expect.stringContaining(`${path}, byte `), kind: 'account' },
    ...{ field: 'Account.balance', value: null, since: expect.stringMatching(/^\d{19}$/) },
    ...{ version: packageJson.version, remedies: expect.stringContaining('A newer Periscope') },
  });
  const { stdout, code } = await runProgram(['status'], environment);
  expect(code).toBe(4);
  expect(stdout.split('\n')[0]).toBe(`INGEST    held up at block 4: ${REASON}`);
  expect(stdout).toMatch(/^ingest {4}not running, and held up$/m);

  const skipping = await runProgram(['ingest', 'file', path, '--skip-damaged'], environment);
  expect(skipping).toMatchObject({ code: 0 });
  expect(skipping.stderr).toContain(
    'Passed over in block 4: account: Account.balance has wire type 0 instead of 2\n',
  );
  expect(skipping.stderr).toMatch(/^Applied 3 blocks with .*, but for 1 damaged one; 3 blocks were there/m);
  const after = await readStatus(environment);
  expect(after.code).toBe(3);
  expect(after.status.heldUp).toBeNull();
  expect(after.status.skippedEvents).toMatchObject({
    count: '1',
    newest: [{ height: '4', kind: 'account' }],
  });
  expect((await runProgram(['status'], environment)).stdout).toMatch(
    /^skipped {3}1 damaged events; the last in block 4: account: Account\.balance has/m,
  );
});

test('a file that is mended goes on where it was held up', async () => {
  await using database = await createTestDatabase();
  await using folder = await createFolder();
  const environment = { DATABASE_URL: database.url };
  const damaged = await folder.write(recordingOf(eventsOf(DAMAGED)));
  expect((await runProgram(['ingest', 'file', damaged], environment)).code).toBe(1);
  expect(await readTable(database.url, 'hold_ups')).toHaveLength(1);
  const whole = await folder.write(recordingOf(eventsOf(WHOLE)));
  expect((await runProgram(['ingest', 'file', whole], environment)).code).toBe(0);
  expect(await readHeight(database.url)).toBe(6);
  expect(await readTable(database.url, 'hold_ups')).toEqual([]);
});

test('a file that is damaged where the database has its blocks already holds nobody up', async () => {
  await using database = await createTestDatabase();
  await using folder = await createFolder();
  const environment = { DATABASE_URL: database.url };
  for (const blocks of [WHOLE, DAMAGED]) {
    const path = await folder.write(recordingOf(eventsOf(blocks)));
    expect((await runProgram(['ingest', 'file', path], environment)).code).toBe(blocks === WHOLE ? 0 : 1);
  }
  expect(await readTable(database.url, 'hold_ups')).toEqual([]);
});

test('a file that is followed is held up, too, and lines of JSON', async () => {
  await using database = await createTestDatabase();
  await using folder = await createFolder();
  const path = await folder.write(recordingOf(eventsOf(DAMAGED)));
  const follow = await runProgram(['ingest', 'file', path, '--follow'], { DATABASE_URL: database.url });
  expect(follow.code).toBe(1);
  expect(await readTable(database.url, 'hold_ups')).toMatchObject([{ height: '4' }]);

  await using other = await createTestDatabase();
  await using gateway = await startTestGateway(other.url);
  const lines = await folder.write(
    [
      '{"type":"network","data":{"chainId":"c"}}',
      '{"type":"block","data":{"height":"8","timestamp":"1678443430000000000"}}',
      '{"type":"account","data":{"owner":"a","asset":"gold","balance":"much","type":"ACCOUNT_TYPE_GENERAL"}}',
      '{"type":"block","data":{"height":"9","timestamp":"1678443431000000000"}}',
    ].join('\n'),
  );
  const environment = { DATABASE_URL: other.url };
  const strict = await runProgram(['ingest', 'ndjson', lines], environment);
  expect(strict.code).toBe(1);
  expect((await gateway.rest('/health/ready')).body.ingest).toMatch(
    /^held up at block 8: account\.balance .*much/,
  );
  const lenient = await runProgram(['ingest', 'ndjson', lines], { ...environment, SKIP_DAMAGED: 'on' });
  expect(lenient.code).toBe(0);
  expect(await readHeight(other.url)).toBe(9);
  expect((await gateway.rest('/health/ready')).body).toEqual({ status: 'ready', skippedEvents: '1' });
});

test('one process that serves and takes in is not ready, and measures it once; then it goes on, passing over', async () => {
  await using database = await createTestDatabase();
  await using place = await createSpoolPlace();
  const environment = { DATABASE_URL: database.url, SPOOL_DIR: place.folder, PORT: '0' };
  const serve = ['serve', '--ingest', 'tcp://127.0.0.1:0'];
  {
    await using program = await startCoreProgram(serve, environment);
    const url = await program.logged(/http:\/\/127\.0\.0\.1:\d+/);
    const core = await CoreNode.dial(program.url);
    await core.send(eventsOf(DAMAGED));
    await core.finish();
    await program.logged(/ingest is held up at block 4: event account/);
    const ready = () => fetch(`${url}/health/ready`);
    expect((await ready()).status).toBe(503);
    expect((await (await ready()).json()).ingest).toContain('held up at block 4');
    const { status, code } = await readStatus({ ...environment, PORT: new URL(url).port });
    expect(code).toBe(4);
    expect(status.gateway).toMatchObject({ state: 'not ready', reason: expect.stringContaining('block 4') });
    const told = await readMetrics(`${url}/metrics`);
    expect(sumOf(told, 'periscope_ingest_held_up')).toBe(1);
    expect(sumOf(told, 'periscope_ingest_held_up_block')).toBe(4);
    program.process.kill('SIGTERM');
    await program.ended;
  }
  await using program = await startCoreProgram([...serve, '--skip-damaged'], environment);
  const url = await program.logged(/http:\/\/127\.0\.0\.1:\d+/);
  await reachHeight(database.url, 6);
  await program.logged(/passed over what cannot be taken/);
  await until(async () => (await fetch(`${url}/health/ready`)).ok, 'it is ready again');
  expect(sumOf(await readMetrics(`${url}/metrics`), 'periscope_ingest_skipped_events_total')).toBe(1);
});

test('workers say it, too', async () => {
  await using database = await createTestDatabase();
  await using folder = await createFolder();
  const path = await folder.write(recordingOf(eventsOf(DAMAGED)));
  await runProgram(['ingest', 'file', path], { DATABASE_URL: database.url });
  await using program = startProgram(['serve', '--workers', '2'], { DATABASE_URL: database.url, PORT: '0' });
  let said = '';
  while (!/"url":"http/.test(said)) {
    const [chunk] = await once(program.process.stdout as NodeJS.ReadableStream, 'data');
    said += chunk;
  }
  const [url = ''] = /http:\/\/127\.0\.0\.1:\d+/.exec(said) ?? [];
  const answer = await fetch(`${url}/health/ready`);
  expect(answer.status).toBe(503);
  expect(await answer.json()).toMatchObject({
    ingest: expect.stringContaining('held up at block 4'),
    workers: { wanted: 2 },
  });
  expect(sumOf(await readMetrics(`${url}/metrics`), 'periscope_ingest_held_up')).toBe(1);
});

test('--skip-damaged without anything to take in is a mistake', async () => {
  const { code, stderr } = await runProgram(['serve', '--skip-damaged'], {});
  expect([code, stderr]).toEqual([2, 'periscope: --skip-damaged is for what --ingest takes in.\n']);
});

test('the version is a text or, as JSON, stands beside what belongs to it', async () => {
  expect((await runProgram(['--version'], {})).stdout).toBe(`${packageJson.version}\n`);
  for (const args of [
    ['--version', '--json'],
    ['--json', '--version'],
  ]) {
    const { code, stdout } = await runProgram(args, {});
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toEqual({
      version: packageJson.version,
      node: process.versions.node,
      newestKnownRelease: NEWEST_RELEASE,
    });
  }
});

async function readStatus(environment: Environment) {
  const { code, stdout } = await runProgram(['status', '--json'], environment);
  return { code, status: JSON.parse(stdout) as WholeStatus };
}
