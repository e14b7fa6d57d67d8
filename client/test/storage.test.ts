import { spawnSync } from 'node:child_process';
import {
  appendFileSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import { afterAll, expect, test } from 'vitest';
import { HANG_MS } from '../../test/support/limits.ts';
import { chooseRandom } from '../../test/support/seed.ts';
import {
  accounts,
  type Environment,
  type FollowOptions,
  followOver,
  keep,
  type OpenStorage,
  type Storage,
} from '../src/index.ts';
import { file } from '../src/storage/file.ts';
import { SimulatedGateway } from './simulated-gateway.ts';
import { VirtualClock } from './virtual-clock.ts';

const folder = mkdtempSync(join(tmpdir(), 'periscope-storage-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** In which a gateway is asked more often than one that is behind. */
const OUTAGE_MS = 200_000;

/** What the gateway says of a block that it is asked about: its time, null where it has no such block, or nothing at all. */
type Answer = (height: string) => string | null | undefined;

function open(name: string, options: ConstructorParameters<typeof SimulatedGateway>[2] = {}) {
  const random = chooseRandom(name);
  const clock = new VirtualClock();
  const gateway = new SimulatedGateway(clock, random, { history: 100_000, ...options });
  const times = new Map<string, string>();
  const path = join(folder, `${name}.jsonl`);
  let answer: Answer = (height) => times.get(height) ?? null;
  let newest = () => `${gateway.height}`;
  const environment: Environment = {
    now: () => clock.now,
    after: (ms, call) => clock.after(ms, call),
    random: () => random.below(1000) / 1000,
    WebSocket: null,
    fetch: async (_, request) => {
      const timestamp = answer(JSON.parse(String(request?.body)).variables.height);
      if (timestamp === undefined) throw new TypeError('fetch failed');
      const block = timestamp === null ? null : { timestamp };
      return Response.json({ data: { block, newest: { height: newest() } } });
    },
  };
  const given: FollowOptions<{ readonly filter?: null }> = { url: 'http://one', silenceMs: 900, environment };
  const transport = () => gateway.transport('first');
  const watched: WatchedStorage[] = [];
  const start = (storage: Storage, more: object = {}) => {
    const watch = watchStorage(storage);
    watched.push(watch);
    const live = keep(accounts, followOver([transport], accounts, { ...given, ...more }), watch);
    live.subscribe(() => {
      if (live.asOf !== null) times.set(live.asOf.height, live.asOf.timestamp);
    });
    return live;
  };
  /** Blocks come until a height, or until something is so, and no faster than files are written. */
  const until = async (isDone: number | (() => boolean)) => {
    while (typeof isDone === 'number' ? gateway.height < isDone : !isDone()) {
      await clock.step();
      const deadline = performance.now() + HANG_MS;
      do {
        await turn();
        if (performance.now() > deadline) throw new Error('waited in vain until all is written');
      } while (!watched.every((one) => one.isWritten()));
    }
  };
  return {
    random,
    clock,
    gateway,
    path,
    start,
    until,
    say: (next: Answer, itsNewest = newest) => {
      answer = next;
      newest = itsNewest;
    },
  };
}

interface WatchedStorage extends Storage {
  /** Whether it is open, and has written what it was last given, or writes nothing any more. */
  isWritten(): boolean;
}

function watchStorage(storage: Storage): WatchedStorage {
  let store: OpenStorage | null = null;
  let isTried = false;
  let noted: string | null = null;
  return {
    async open(of, key) {
      const opened = await storage.open(of, key).finally(() => {
        isTried = true;
      });
      store = opened;
      return {
        get kept() {
          return opened.kept;
        },
        get stored() {
          return opened.stored;
        },
        renounce() {
          noted = null;
          opened.renounce();
        },
        note(change) {
          noted = change.block.height;
          opened.note(change);
        },
        close: () => opened.close(),
      };
    },
    isWritten() {
      if (store === null) return isTried;
      return noted === null || store.stored.failure !== null || store.stored.asOf?.height === noted;
    },
  };
}

const byId = (rows: Iterable<object> = []) =>
  new Map([...rows].map((row) => [(row as { id: string }).id, row]));

/** What is kept in a file with these bytes. */
async function keptIn(bytes: Uint8Array, of: string) {
  const path = join(folder, 'cut.jsonl');
  writeFileSync(path, bytes);
  const store = await file(path).open(of, 'id');
  await store.close();
  return store.kept;
}
const nameIn = (text: string) => JSON.parse(text.slice(9, text.indexOf('\n'))).of as string;

test('rows begin with those that a file has, as of their block, and go on from there', async () => {
  const { gateway, path, start, until, say } = open('again');
  const first = start(file(path));
  await until(60);
  first.close();
  await first.done;
  const left = first.asOf?.height as string;
  expect(first.stored).toEqual({ asOf: first.asOf, failure: null });
  const before = byId(first.values());

  say(() => undefined);
  await until(120);
  const second = start(file(path));
  const told: [string | undefined, boolean][] = [];
  second.subscribe(() => told.push([second.asOf?.height, second.isLive]));
  await until(() => second.size > 0);
  expect([second.asOf?.height, second.isLive]).toEqual([left, false]);
  expect(second.behindMs).toBeGreaterThan(4_000);
  await second.ready;
  expect(byId(second.values())).toEqual(before);

  say(() => first.asOf?.timestamp);
  await until(() => second.isLive && Number(second.asOf?.height) > 130);
  second.subscribe(() => {
    expect(new Map(second.getSnapshot().rows)).toEqual(gateway.stateAt(Number(second.asOf?.height)));
  });
  await until(200);
  // None of the blocks in between was passed over, and no snapshot was asked for.
  const changed = Array.from(
    { length: Number(second.asOf?.height) - Number(left) },
    (_, n) => n + 1 + Number(left),
  );
  expect([...new Set(told.slice(1).map(([height]) => Number(height)))]).toEqual(
    changed.filter((height) => gateway.changesOf(height).length > 0),
  );
  second.close();
  await second.done;
});

test('a file that ends at any byte, or has a wrong one, has the rows at the end of one block', async () => {
  const { random, gateway, path, start, until } = open('torn');
  const live = start(file(path));
  await until(25);
  live.close();
  await live.done;
  const bytes = readFileSync(path);
  const of = nameIn(bytes.toString());
  const heights = new Set<number>();
  for (let length = 0; length <= bytes.length; length++) {
    const kept = await keptIn(bytes.subarray(0, length), of);
    const height = Number(kept?.block.height ?? 0);
    heights.add(height);
    if (kept !== null) expect(byId(kept.rows)).toEqual(gateway.stateAt(height));
  }
  expect(heights.size).toBeGreaterThan(2);
  expect([...heights]).toEqual([...heights].sort((a, b) => a - b));
  for (let n = 0; n < 300; n++) {
    const wrong = Buffer.from(bytes);
    const at = random.below(bytes.length);
    wrong[at] = ((wrong[at] as number) + 1 + random.below(255)) % 256;
    const kept = await keptIn(wrong, of);
    if (kept !== null) expect(byId(kept.rows)).toEqual(gateway.stateAt(Number(kept.block.height)));
  }
});

test('a file that is larger than a text may be is read', async () => {
  const { path, start, until } = open('large');
  const live = start(file(path));
  await until(30);
  live.close();
  await live.done;
  const of = nameIn(readFileSync(path, 'utf8'));
  // What a crash leaves behind the lines may be anything; a hole takes no room.
  appendFileSync(path, 'torn\n');
  truncateSync(path, 2 ** 31);
  const store = await file(path).open(of, 'id');
  await store.close();
  expect(store.kept?.block).toEqual(live.asOf);
});

test('rows of another filter, other fields or another network are not used', async () => {
  const { gateway, path, start, until, say } = open('others');
  const first = start(file(path));
  await until(30);
  first.close();
  await first.done;
  const bytes = readFileSync(path);
  for (const [more, answer] of [
    [{ filter: { partyIds: ['p1'] } }],
    [{ fields: { accounts: 'id balance' } }],
    [{}, () => '1'],
    [{}, () => null],
  ] as [object, Answer?][]) {
    writeFileSync(path, bytes);
    say(answer ?? (() => first.asOf?.timestamp));
    const live = start(file(path), more);
    const heights: number[] = [];
    live.subscribe(() => heights.push(Number(live.asOf?.height)));
    await until(() => live.isLive && live.size > 0);
    expect(Math.min(...heights)).toBeGreaterThan(Number(first.asOf?.height));
    expect(new Map(live.getSnapshot().rows)).toEqual(gateway.stateAt(Number(live.asOf?.height)));
    live.close();
    await live.done;
    expect(live.stored).toEqual({ asOf: live.asOf, failure: null });
  }
});

test('what is shown while no gateway answers is dropped when it turns out to be of another network', async () => {
  const { path, start, until, say } = open('dropped');
  const first = start(file(path));
  await until(30);
  first.close();
  await first.done;
  say(() => undefined);
  const second = start(file(path));
  await until(() => second.size > 0);
  expect(second.asOf).toEqual(first.asOf);
  let wasEmpty = false;
  second.subscribe(() => {
    wasEmpty ||= second.asOf === null && second.size === 0;
  });
  say(() => '1');
  await until(() => second.isLive);
  expect(wasEmpty).toBe(true);
  second.close();
  await second.done;
});

test('rows of a block that the gateway has not come to yet are shown until it has, or has not for long', async () => {
  const { clock, path, start, until, say } = open('behind');
  const first = start(file(path));
  await until(() => first.stored?.asOf != null);
  first.close();
  await first.done;
  const bytes = readFileSync(path);
  for (const comes of [true, false]) {
    writeFileSync(path, bytes);
    say(() => undefined);
    const second = start(file(path));
    const heights: (string | undefined)[] = [];
    second.subscribe(() => heights.push(second.asOf?.height));
    let from = clock.now;
    if (comes) await until(() => clock.now > from + OUTAGE_MS);
    say(
      () => null,
      () => `${Number(first.asOf?.height) - 1}`,
    );
    from = clock.now;
    await until(() => clock.now > from + 20_000);
    expect([heights, second.isLive]).toEqual([[first.asOf?.height], false]);
    if (comes) say(() => first.asOf?.timestamp);
    await until(() => second.isLive);
    expect(heights.includes(undefined)).toBe(!comes);
    second.close();
    await second.done;
  }
});

test('rows whose block the gateway has forgotten become those of a new snapshot', async () => {
  const { gateway, path, start, until, say } = open('forgotten', { history: 10 });
  const first = start(file(path));
  await until(30);
  first.close();
  await first.done;
  await until(100);
  say(() => first.asOf?.timestamp);
  const second = start(file(path));
  const heights: number[] = [];
  second.subscribe(() => heights.push(Number(second.asOf?.height)));
  await until(() => second.isLive);
  expect(heights[0]).toBe(Number(first.asOf?.height));
  expect(heights[1]).toBeGreaterThan(90);
  expect(new Map(second.getSnapshot().rows)).toEqual(gateway.stateAt(Number(second.asOf?.height)));
  second.close();
  await second.done;
});

test('nothing is left of rows that are closed while no gateway answers', async () => {
  const { path, start, until, say } = open('closed');
  const first = start(file(path));
  await until(30);
  first.close();
  await first.done;
  say(() => undefined);
  const aborter = new AbortController();
  const second = start(file(path), { signal: aborter.signal });
  await until(() => second.size > 0);
  aborter.abort();
  await second.done;
  const third = start(file(path), { signal: aborter.signal });
  await third.done;
  expect(third.size).toBe(0);
});

test('a journal is written anew when its changes have become longer than its rows', async () => {
  const { path, start, until, gateway } = open('long');
  const live = start(file(path));
  const sizes: number[] = [];
  for (let height = 200; height < 14_000; height += 200) {
    await until(height);
    sizes.push(statSync(path).size);
  }
  live.close();
  await live.done;
  expect(sizes.some((size, n) => size < (sizes[n - 1] ?? 0))).toBe(true);
  const kept = await keptIn(readFileSync(path), nameIn(readFileSync(path, 'utf8')));
  expect(kept?.block).toEqual(live.asOf);
  expect(kept?.rows.length).toBe(gateway.stateAt(Number(kept?.block.height)).size);
});

test('what a program that is gone left half-written is removed', async () => {
  const { path, start, until } = open('left');
  const { pid } = spawnSync(process.execPath, ['--version']);
  const [gone, running] = [`${path}.${pid}.a-b.new`, `${path}.${process.pid}.a-b.new`];
  // In a container each program has the same pid.
  const before = `${path}.${process.pid}.c-d.new`;
  for (const left of [gone, running, before]) writeFileSync(left, 'half');
  utimesSync(before, 0, Date.now() / 1000 - process.uptime() - 1);
  const live = start(file(path));
  await until(10);
  live.close();
  await live.done;
  expect([gone, running, before].map((left) => existsSync(left))).toEqual([false, true, false]);
});

test('two programs that share a path leave the rows of one of them', async () => {
  const { gateway, path, start, until } = open('shared');
  const [one, other] = [start(file(path)), start(file(path))];
  await until(50);
  for (const live of [one, other]) {
    live.close();
    await live.done;
    expect(live.stored?.failure).toBe(null);
  }
  const bytes = readFileSync(path);
  const kept = await keptIn(bytes, nameIn(bytes.toString()));
  expect(byId(kept?.rows)).toEqual(gateway.stateAt(Number(kept?.block.height)));
});

test('a storage that fails says so, and rows are followed all the same', async () => {
  const { gateway, start, until } = open('failing');
  const live = start(file(join(folder, 'nowhere', 'rows.jsonl')));
  await until(() => live.isLive && live.size > 0);
  expect(live.stored).toMatchObject({ asOf: null, failure: { code: 'ENOENT' } });
  expect(new Map(live.getSnapshot().rows)).toEqual(gateway.stateAt(Number(live.asOf?.height)));
  live.close();
  await live.done;
});
