import { readFileSync } from 'node:fs';
import { Writable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { gunzipSync, gzipSync } from 'node:zlib';
import { create, toBinary } from '@bufbuild/protobuf';
import { beforeAll, describe, expect, test } from 'vitest';
import { Writer } from '../../src/data/writing/writer.ts';
import { depositStatuses } from '../../src/domain/enumerations.ts';
import { applySource, type Pace } from '../../src/ingest/apply.ts';
import { readBusEvent } from '../../src/ingest/decode.ts';
import { type EventSource, IngestError, type NetworkEvent } from '../../src/ingest/events.ts';
import { frameRecord, readRecords } from '../../src/ingest/frames.ts';
import { BusEventSchema } from '../../src/ingest/protocol/generated/bus-event_pb.ts';
import { openRecordedFile } from '../../src/ingest/recorded-file.ts';
import { runIngest } from '../../src/ingest/run.ts';
import { openSimulation } from '../../src/simulation/simulate.ts';
import { createDisposableDatabase, createTestDatabase } from '../support/database.ts';
import {
  createFolder,
  encodeBlocks,
  endBlock,
  recordedNetwork,
  recordingOf,
  sourceOf,
} from '../support/events.ts';
import { runProgram, startProgram } from '../support/program.ts';
import { ask, readHeight, readState, readTable, type State } from '../support/state.ts';
import { Walked } from './wire-walker.ts';

const SIMULATION = { seed: 11, blocks: 60, parties: 8, markets: 2 };
const SIMULATE = ['ingest', 'simulate', ...flags(SIMULATION)];

describe('one network, however it comes', () => {
  // The recorded network where it is there, else one of our own in the same framing.
  let records: readonly Uint8Array[];
  let state: State;

  beforeAll(async () => {
    records =
      recordedNetwork === null
        ? encodeBlocks(200)
        : await cutRecords(gunzipSync(readFileSync(recordedNetwork)));
    await using folder = await createFolder();
    state = await ingestInto(await openRecordedFile(await folder.write(recordingOf(records))));
  });

  test.each([
    ['plain, without sequence numbers', { sequenced: false, packed: false, heights: true }],
    ['gzip, with sequence numbers', { sequenced: true, packed: true, heights: true }],
    ['gzip, without sequence numbers', { sequenced: false, packed: true, heights: true }],
    [
      'without sequence numbers and heights at the ends of blocks',
      { sequenced: false, packed: false, heights: false },
    ],
    [
      'with sequence numbers and without heights at the ends of blocks',
      { sequenced: true, packed: false, heights: false },
    ],
  ])('%s, leaves the same state', async (_, { sequenced, packed, heights }) => {
    await using folder = await createFolder();
    const recording = recordingOf(heights ? records : records.map(withoutEndHeight), sequenced);
    const path = await folder.write(packed ? gzipSync(recording) : recording);
    expect(await ingestInto(await openRecordedFile(path))).toEqual(state);
  });

  test('a file that is cut off keeps its whole blocks, and the whole file completes them', async () => {
    await using folder = await createFolder();
    await using database = await createTestDatabase();
    const recording = recordingOf(records);
    const cut = Math.floor(recording.length * 0.4);
    const { begin, height } = cutAt(records, cut);

    const part = await folder.write(recording.subarray(0, cut));
    const first = await runProgram(['ingest', 'file', part], { DATABASE_URL: database.url });
    expect(first.stderr).toContain(
      `${part}, byte ${begin}: the record is cut off: ${cut - begin} bytes are left`,
    );
    expect(first.code).toBe(1);
    expect(height).toBeGreaterThan(0);
    expect(await readHeight(database.url)).toBe(height);

    const whole = await folder.write(gzipSync(recording));
    const second = await runProgram(['ingest', 'file', whole], { DATABASE_URL: database.url });
    expect(second.stderr).toMatch(/blocks? were there already/);
    expect(second.code).toBe(0);
    expect(await readState(database.url)).toEqual(state);
  });
});

describe('a simulated network', () => {
  let whole: State;

  beforeAll(async () => {
    whole = await ingestInto(openSimulation(SIMULATION));
  });

  test('is the same state each time, and a second ingest of it changes nothing', async () => {
    await using database = await createTestDatabase();
    const first = await runProgram(SIMULATE, { DATABASE_URL: database.url });
    expect(first.stderr).toMatch(
      /^Applied 60 blocks with [\d,]+ events of simulated network; the database is at block 60 /m,
    );
    expect(await readState(database.url)).toEqual(whole);
    const again = await runProgram(SIMULATE, { DATABASE_URL: database.url });
    expect(again.stderr).toMatch(/^Nothing new in simulated network; 60 blocks were there already; /m);
    expect(again.code).toBe(0);
    expect(await readState(database.url)).toEqual(whole);
  });

  test('that goes on continues what is there', async () => {
    await using database = await createTestDatabase();
    await ingest(openSimulation({ ...SIMULATION, blocks: 25 }), database.url);
    await ingest(openSimulation(SIMULATION), database.url);
    expect(await readState(database.url)).toEqual(whole);
  });

  test('that is stopped before its first block says so', async () => {
    await using database = await createTestDatabase();
    const said: string[] = [];
    await ingest(openSimulation(SIMULATION), database.url, 'max', AbortSignal.abort(), said);
    expect(said.at(-1)).toBe('Stopped before anything new in simulated network; the database is empty.\n');
  });

  test('that is another one is refused, and changes nothing', async () => {
    await using database = await createTestDatabase();
    await ingest(openSimulation(SIMULATION), database.url);
    const state = await readState(database.url);
    const other = ['ingest', 'simulate', ...flags({ ...SIMULATION, seed: 12 })];
    const { code, stderr } = await runProgram(other, { DATABASE_URL: database.url });
    expect(stderr).toMatch(/holds the network simulated-11-\S+; it takes no events of simulated-12-/);
    expect(code).toBe(1);
    expect(await readState(database.url)).toEqual(state);
  });

  test.each(['SIGTERM', 'SIGINT'] as const)(
    'stops on %s after the block in hand, and goes on',
    async (signal) => {
      await using database = await createTestDatabase();
      await using program = startProgram([...SIMULATE, '--pace', '40'], { DATABASE_URL: database.url });
      await reach(database.url, 3);
      program.process.kill(signal);
      const { code, stderr } = await program.ended;
      expect(code).toBe(0);
      const height = await readHeight(database.url);
      expect(stderr).toMatch(new RegExp(`^Stopped after ${height} blocks .* is at block ${height} `, 'm'));
      expect(height).toBeLessThan(60);
      await ingest(openSimulation(SIMULATION), database.url);
      expect(await readState(database.url)).toEqual(whole);
    },
  );
});

describe('a source that is not what the database holds', () => {
  test.each([
    [
      'begins beyond it',
      [...block(4)],
      'begins with block 4, yet the database ends with block 2: blocks are missing',
    ],
    [
      'has another last block',
      [...block(1), ...block(2, 'other')],
      'block 2 has hash other, the database holds hash-2',
    ],
    [
      'has another block before the last, and ends with it',
      block(1, 'other'),
      'block 1 has hash other, the database holds hash-1',
    ],
    [
      'has another time in a block before the last',
      [...block(1, 'hash-1', 1, 0n), ...block(2)],
      'block 1 is of the time 0, in the database of 1: not the same chain',
    ],
    [
      'ends with a block of fewer events and another time',
      block(1, 'other', 0, 5n),
      'block 1 is of the time 5, in the database of 1: not the same chain (docs/running.md says how to start again)',
    ],
    [
      'has fewer in a block before the last',
      [...block(1, 'other', 0), ...block(2)],
      'block 1 holds fewer events than the one that was applied',
    ],
    [
      'has more in a block before the last',
      [...block(1, 'hash-1', 2), ...block(2)],
      'block 1 holds more events than the one that was applied',
    ],
    [
      'has more in its last block',
      [...block(1), ...block(2, 'hash-2', 2)],
      'holds more events than the one that was applied',
    ],
    [
      'has fewer in its last block',
      [...block(1), ...block(2, 'other', 0), ...block(3)],
      'block 2 holds fewer events than the one that was applied',
    ],
    [
      'goes back in time',
      [...block(3, 'hash-3', 1, 1n)],
      'block 3 is of the time 1, before that of block 2, 2: times must not fall',
    ],
  ])('is refused when it %s', async (_, events, complaint) => {
    await using database = await createTestDatabase();
    await ingest(sourceOf([...block(1), ...block(2)]), database.url);
    const state = await readState(database.url);
    await expect(ingest(sourceOf(events), database.url)).rejects.toThrow(complaint);
    expect(await readState(database.url)).toEqual(state);
  });

  test('is refused when it begins before the first block of the database', async () => {
    await using database = await createTestDatabase();
    await ingest(sourceOf([...block(5), ...block(6)]), database.url);
    const all = [4, 5, 6, 7].flatMap((height) => block(height));
    await expect(ingest(sourceOf(all), database.url)).rejects.toThrow(
      'block 4 is older than the first block of the database',
    );
    expect(await readHeight(database.url)).toBe(6);
  });

  test('is taken when another one told its name and no block', async () => {
    await using database = await createTestDatabase();
    await ingest({ ...sourceOf([]), chainId: 'mistyped' }, database.url);
    expect((await ingest(sourceOf(block(1)), database.url)).applied).toBe(1);
    await expect(ingest({ ...sourceOf([]), chainId: 'mistyped' }, database.url)).rejects.toThrow(
      'it takes no events of mistyped',
    );
  });

  test('a height that begins again is applied after its first half, also by a later run', async () => {
    await using database = await createTestDatabase();
    const halves = [...block(1, 'first'), ...block(1, 'second'), ...block(2)];
    await ingest(sourceOf(halves.slice(0, 3)), database.url);
    await ingest(sourceOf(halves), database.url);
    expect(await readTable(database.url, 'blocks')).toMatchObject([
      { height: '1', hash: 'second', last_position: String(2 ** 20 + 5) },
      { height: '2', last_position: String(2 * 2 ** 20 + 2) },
    ]);
    expect(await ingest(sourceOf([...halves, ...block(3)]), database.url)).toMatchObject({
      applied: 1,
      skipped: 3,
    });
  });

  test('a fault while the ingest is being stopped is told', async () => {
    await using database = await createTestDatabase();
    const stop = new AbortController();
    const source: EventSource = {
      ...sourceOf([]),
      async *events() {
        yield* block(1).map((event) => ({ event, at: 'here' }));
        stop.abort();
        throw new IngestError('the disk is gone');
      },
    };
    await expect(ingest(source, database.url, 'max', stop.signal)).rejects.toThrow('the disk is gone');
    expect(await readHeight(database.url)).toBe(1);
  });
});

describe('the pace', () => {
  const SECOND = 1_000_000_000n;

  test('in blocks a second spreads them, each at its turn', async () => {
    const { elapsed, heights } = await timeBlocks(
      [1, 2, 3, 4, 5].flatMap((height) => block(height)),
      20,
    );
    expect(heights).toEqual([1, 2, 3, 4, 5]);
    expect(elapsed).toBeGreaterThanOrEqual(4 * 50 - 1);
  });

  test('in real time follows the times of the blocks, a height that begins again included', async () => {
    const at = (height: number, time: bigint) => block(height, `${time}`, 1, time);
    const events = [
      ...at(1, SECOND),
      ...at(1, SECOND),
      ...at(2, SECOND + SECOND / 5n),
      ...at(3, SECOND + SECOND / 5n),
    ];
    const { elapsed, heights } = await timeBlocks(events, 'realtime');
    expect(heights).toEqual([1, 1, 2, 3]);
    expect(elapsed).toBeGreaterThanOrEqual(199);
  });

  test('is left by a stop, also where the next block is far away', async () => {
    await using database = await createTestDatabase();
    const farAway = [...block(1), ...block(2, 'h', 1, 40n * 86_400n * SECOND)];
    const stop = new AbortController();
    const ingesting = ingest(sourceOf(farAway), database.url, 'realtime', stop.signal);
    await reach(database.url, 1);
    await sleep(50);
    expect(await readHeight(database.url)).toBe(1);
    stop.abort();
    expect((await ingesting).applied).toBe(1);
  });

  test('is left by a block that cannot be written, and not with the next one first', async () => {
    await using database = await createDisposableDatabase();
    await ask(database.url, 'ALTER TABLE blocks ADD CHECK (height <> 2)');
    const events = [...block(1), ...block(2), ...block(3, 'h', 1, 40n * 86_400n * SECOND)];
    await expect(ingest(sourceOf(events), database.url, 'realtime')).rejects.toMatchObject({
      fault: { height: 2 },
    });
  });

  async function timeBlocks(events: readonly NetworkEvent[], pace: Pace) {
    await using database = await createTestDatabase();
    await using writer = await Writer.open(database.url);
    const heights: number[] = [];
    const begin = performance.now();
    const onBlock = () => heights.push(Number(writer.lastBlock?.height));
    await applySource(sourceOf(events), writer, { pace, signal: new AbortController().signal, onBlock });
    return { elapsed: performance.now() - begin, heights };
  }
});

async function ingest(
  source: EventSource,
  databaseUrl: string,
  pace: Pace = 'max',
  signal: AbortSignal = new AbortController().signal,
  said: string[] = [],
) {
  const output = new Writable({
    write(chunk, _encoding, done) {
      said.push(`${chunk}`);
      done();
    },
  });
  return runIngest({ source, databaseUrl, pace, signal, output });
}

async function reach(url: string, height: number): Promise<void> {
  await expect.poll(() => readHeight(url), { interval: 10 }).toBeGreaterThanOrEqual(height);
}

async function ingestInto(source: EventSource): Promise<State> {
  await using database = await createTestDatabase();
  await ingest(source, database.url);
  return await readState(database.url);
}

/** A block with so many deposits. */
function block(
  height: number,
  hash = `hash-${height}`,
  deposits = 1,
  timestamp = BigInt(height),
): NetworkEvent[] {
  const deposit: NetworkEvent = {
    type: 'deposit',
    row: {
      id: `deposit-${height}`,
      partyId: 'a',
      assetId: 'gold',
      amount: '5',
      status: depositStatuses.numbers.STATUS_OPEN,
      txHash: '',
      createdTimestamp: timestamp,
      creditedTimestamp: 0n,
    },
  };
  return [
    { type: 'beginBlock', height, timestamp, hash },
    ...Array(deposits).fill(deposit),
    { type: 'endBlock', height },
  ];
}

function flags(options: Readonly<Record<string, number>>): string[] {
  return Object.entries(options).flatMap(([name, value]) => [`--${name}`, String(value)]);
}

async function cutRecords(recording: Uint8Array): Promise<readonly Uint8Array[]> {
  const records: Uint8Array[] = [];
  async function* whole() {
    yield recording;
  }
  for await (const { payload } of readRecords(whole())) records.push(payload.slice());
  return records;
}

/** The record as releases write it that do not say which block ends. */
function withoutEndHeight(record: Uint8Array): Uint8Array {
  if (!new Walked(record).has(149)) return record;
  const event = readBusEvent(record).message;
  event.event = create(BusEventSchema, { event: endBlock(0) }).event;
  return toBinary(BusEventSchema, event);
}

/** What a file that ends with a byte holds: where its last record begins, and the height of its last whole block. */
function cutAt(records: readonly Uint8Array[], byte: number): { begin: number; height: number } {
  let begin = 0;
  let height = 0;
  for (const record of records) {
    const end = begin + frameRecord(record, 0n).length;
    if (end > byte) break;
    begin = end;
    const event = new Walked(record);
    if (event.has(149)) height = Number(event.message(149).unsigned(1));
  }
  return { begin, height };
}
