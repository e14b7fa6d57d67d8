import { once } from 'node:events';
import { BinaryWriter, WireType } from '@bufbuild/protobuf/wire';
import { expect, test } from 'vitest';
import { accountTypes } from '../../src/domain/enumerations.ts';
import { defineIngestMetrics } from '../../src/metrics/ingest.ts';
import { createMetrics, TEXT_TYPE, writeMetrics } from '../../src/metrics/metrics.ts';
import { createSpoolPlace, eventsOf, reachHeight, startCoreProgram } from '../ingest/core-network.ts';
import { CoreNode } from '../ingest/core-node.ts';
import { encodeAt, makeBlocks } from '../ingest/network-blocks.ts';
import { createTestDatabase } from '../support/database.ts';
import { beginBlock, endBlock, type SentPayload } from '../support/events.ts';
import { startProgram } from '../support/program.ts';
import { parseMetrics, readMetrics, sumOf } from './exposition.ts';

test('an ingest tells its blocks, events and newest block on METRICS_PORT, while it runs', async () => {
  await using database = await createTestDatabase();
  await using program = startProgram(
    ['ingest', 'simulate', '--blocks', '1000000', '--parties', '3', '--markets', '1', '--pace', '50'],
    { DATABASE_URL: database.url, METRICS_PORT: '0' },
  );
  let said = '';
  while (!/Metrics are at \S+metrics/.test(said)) {
    const [chunk] = await once(program.process.stderr as NodeJS.ReadableStream, 'data');
    said += chunk;
  }
  const url = /http:\S+metrics/.exec(said)?.[0] ?? null;
  await expect
    .poll(async () => sumOf(await readMetrics(url), 'periscope_ingest_blocks_total', { outcome: 'applied' }))
    .toBeGreaterThan(3);
  const told = await readMetrics(url);
  expect(sumOf(told, 'periscope_ingest_events_total')).toBeGreaterThan(3);
  expect(sumOf(told, 'periscope_ingest_block_height')).toBeGreaterThan(3);
  expect(sumOf(told, 'periscope_ingest_held_up')).toBe(0);
  program.process.kill('SIGTERM');
  expect(await program.ended).toMatchObject({ code: 0 });
});

test('what a core node sends is told with its bytes and its spool', async () => {
  await using database = await createTestDatabase();
  await using place = await createSpoolPlace();
  await using ingest = await place.start(database.url);
  using metrics = createMetrics('1.2.3');
  defineIngestMetrics(metrics.registry, () => ingest.counts);
  const read = async () => parseMetrics(await writeMetrics([await metrics.read()], TEXT_TYPE));
  expect(sumOf(await read(), 'periscope_ingest_core_connected')).toBe(0);
  const blocks = makeBlocks(1, 20, { accounts: 5 });
  const events = eventsOf(blocks);
  await using core = await CoreNode.dial(ingest.url);
  await core.send(events);
  await reachHeight(database.url, 20);
  await expect.poll(async () => sumOf(await read(), 'periscope_ingest_block_height')).toBe(20);
  const told = await read();
  const bytes = events.reduce((sum, { length }) => sum + length, 0);
  expect(sumOf(told, 'periscope_ingest_bytes_total')).toBe(bytes);
  expect(sumOf(told, 'periscope_ingest_blocks_total', { outcome: 'applied' })).toBe(20);
  expect(sumOf(told, 'periscope_ingest_core_connected')).toBe(1);
  expect(sumOf(told, 'periscope_spool_bytes')).toBe(await place.size());
  expect(sumOf(told, 'periscope_spool_limit_bytes')).toBe(2 ** 30);
});

test('what is new in the events of a core node is told by number, and in the log once', async () => {
  await using database = await createTestDatabase();
  await using place = await createSpoolPlace();
  await using ingest = await place.start(database.url);
  using metrics = createMetrics('1.2.3');
  defineIngestMetrics(metrics.registry, () => ingest.counts);
  const newType = (owner: string, type: number): SentPayload => {
    return { case: 'account', value: { owner, balance: '1', asset: 'gold', marketId: '!', type } };
  };
  const known = accountTypes.numbers.ACCOUNT_TYPE_GENERAL;
  // Parts of one message are put together: this is a field more of an account.
  const newField = new BinaryWriter().tag(105, WireType.LengthDelimited).fork();
  const more = newField.tag(25, WireType.Varint).uint32(1).join().finish();
  const events = [1, 2].flatMap((height) => {
    const payloads = [
      ...[beginBlock(height), newType('a', 99), newType('b', 99), newType('c', known), null, null],
      ...[newType('d', 2 ** 31 - 1), endBlock(height)],
    ];
    const encoded = payloads.map((payload, index) => encodeAt(payload, height, index + 1));
    return encoded.map((event, index) => (index === 3 ? Buffer.concat([event, more]) : event));
  });
  await using core = await CoreNode.dial(ingest.url);
  await core.send(events);
  await reachHeight(database.url, 2);
  const read = async () => parseMetrics(await writeMetrics([await metrics.read()], TEXT_TYPE));
  await expect.poll(async () => sumOf(await read(), 'periscope_ingest_block_height')).toBe(2);
  const told = await read();
  const of = (name: string, labels = {}) => sumOf(told, `periscope_ingest_${name}_total`, labels);
  expect(of('unknown_numbers', { field: 'accounts.type', number: '99' })).toBe(4);
  expect(of('unknown_numbers', { field: 'accounts.type', number: '2147483647' })).toBe(2);
  expect(of('unknown_numbers')).toBe(6);
  expect(of('unknown_fields', { field: 'Account.25' })).toBe(2);
  expect(of('unknown_fields')).toBe(2);
  expect(of('passed_over_events', { kind: '19' })).toBe(4);
  expect(of('passed_over_events')).toBe(4);
  const warned = place.logged.filter((line) => line.includes(' BRINGS '));
  expect(warned).toEqual([
    expect.stringContaining('NUMBER 99 OF ACCOUNTS.TYPE'),
    expect.stringContaining('NUMBER 2147483647 OF ACCOUNTS.TYPE'),
    expect.stringContaining('THE FIELD ACCOUNT.25'),
  ]);
});

test('a process that takes in and serves tells both at one address', async () => {
  await using database = await createTestDatabase();
  await using place = await createSpoolPlace();
  await using program = await startCoreProgram(['serve', '--ingest', 'tcp://127.0.0.1:0'], {
    ...{ DATABASE_URL: database.url, SPOOL_DIR: place.folder, PORT: '0', METRICS_PORT: '0' },
  });
  const [url = null] = /http:[^"]+\/metrics/.exec(await program.logged(/"metrics":"http:[^"]+"/)) ?? [];
  const told = await readMetrics(url);
  expect(sumOf(told, 'periscope_ingest_core_connected')).toBe(0);
  expect(sumOf(told, 'periscope_streams')).toBe(0);
});
