import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { rolldown } from 'rolldown';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { FaultyProxy } from '../../test/support/faulty-proxy.ts';
import { startTestGateway } from '../../test/support/gateway.ts';
import { createSimulatedDatabase } from '../../test/support/simulated.ts';
import type { Block, Stored, Verification } from '../src/index.ts';
import { BROWSERS, type Tab } from './browsers.ts';

const NETWORK = { seed: 13, parties: 20, markets: 2 };
const FIRST_BLOCK = 30;
const SLEEP_MS = 1_500;

const INDEX = new URL('../src/index.ts', import.meta.url).pathname;
const INDEXED_DB = new URL('../src/storage/indexed-db.ts', import.meta.url).pathname;
/** What the page has for expressions to use. */
const PAGE = `
import { accounts, keep, rows } from ${JSON.stringify(INDEX)};
import { indexedDb } from ${JSON.stringify(INDEXED_DB)};
/** Begins to keep accounts, and notes the blocks that it is told of. */
function start(url, filter) {
  const live = rows(accounts, { url, silenceMs: 5000, storage: indexedDb('accounts'), ...(filter && { filter }) });
  const heights = [];
  live.subscribe(() => heights.push(Number(live.asOf?.height)));
  Object.assign(globalThis, { live, heights });
}
const tell = () => ({ asOf: live.asOf, isLive: live.isLive, stored: live.stored && { ...live.stored, failure: live.stored.failure && String(live.stored.failure) }, size: live.size, heights });
/** The heights that the lines of the database are of, in their order. */
const written = () => new Promise((resolve) => {
  indexedDB.open('accounts').onsuccess = ({ target: { result } }) => {
    result.transaction('lines').objectStore('lines').getAll().onsuccess = (event) => {
      result.close();
      resolve(event.target.result.map((line) => Number(JSON.parse(line).block.height)));
    };
  };
});
/** The milliseconds from a block's coming to its being told, where it changes so many rows. */
async function fold(count) {
  const row = (balance) => (_, n) => ({ id: 'a' + n, owner: 'p' + (n % 500), asset: 'x', balance, marketId: '', type: 'ACCOUNT_TYPE_GENERAL' });
  const times = [];
  let began = 0;
  async function* blocks() {
    for (let height = 1; height <= 20; height++) {
      const list = Array.from({ length: count }, row(String(height)));
      began = performance.now();
      yield { kind: height === 1 ? 'snapshot' : 'changes', block: { height: String(height), timestamp: '0' }, cursor: String(height), rows: { accounts: list }, isReset: false };
    }
  }
  const live = keep(accounts, Object.assign(blocks(), { state: 'live', behindMs: 0 }));
  live.where('owner', 'p1');
  live.subscribe(() => times.push(performance.now() - began));
  await live.done;
  if (live.where('owner', 'p1')[0].balance !== '20') throw new Error('the last block is not there');
  return times.slice(1).sort((a, b) => a - b);
}
/** The ids that are kept of blocks which two tabs write in this order: each has so many of the rows, of which it writes the last. */
async function keepInTurns(...turns) {
  const storage = indexedDb('turns' + turns.length);
  const read = async () => {
    const store = await storage.open('of', 'id');
    const { kept } = store;
    await store.close();
    return kept;
  };
  const [rows, tabs] = [['a', 'b', 'c', 'd'].map((id) => ({ id })), []];
  for (const [number, height, cursor, count] of turns) {
    const tab = (tabs[number] ??= { store: await storage.open('of', 'id'), since: number === 0 ? null : '1' });
    const held = rows.slice(0, count);
    tab.store.note({ since: tab.since, block: { height, timestamp: '0' }, cursor, rows: held.slice(-1), all: () => held });
    tab.since = height;
    // What is written next sees it: notes that wait for a write are joined.
    for (let times = 0; times < 500 && (await read())?.cursor !== cursor; times++)
      await new Promise((resolve) => setTimeout(resolve, 10));
  }
  for (const { store } of tabs) await store.close();
  const kept = await read();
  return [kept.cursor, ...kept.rows.map(({ id }) => id)];
}
/** What two tabs that open what is kept of something else, both before either writes, say of their storage, and what is kept. */
async function keepBoth() {
  const open = (of) => indexedDb('both').open(of, 'id');
  const note = async (store, since, height) => {
    const rows = [{ id: 'a', height }];
    store.note({ since, block: { height, timestamp: '0' }, cursor: height, rows, all: () => rows });
    while (store.stored.asOf?.height !== height && store.stored.failure === null)
      await new Promise((resolve) => setTimeout(resolve, 10));
  };
  const before = await open('before');
  await note(before, null, '1');
  const [one, other] = [await open('after'), await open('after')];
  for (const store of [one, other]) await note(store, null, '2');
  await note(one, '2', '3');
  await note(other, '2', '3');
  await other.close();
  await note(one, '3', '4');
  await note(before, '1', '2');
  for (const store of [one, before]) await store.close();
  const again = await open('after');
  await again.close();
  const failures = [before, one, other].map(({ stored }) => stored.failure && String(stored.failure));
  return { failures, kept: again.kept };
}
/** What is kept and said where the connection to the database is gone between blocks: taken away, and as the database is removed. */
async function keepThroughLosses() {
  const connections = [];
  const opening = (name, version) => {
    const request = indexedDB.open(name, version);
    request.addEventListener('success', () => connections.push(request.result));
    return request;
  };
  const storage = indexedDb('losses', { open: opening });
  const store = await storage.open('of', 'id');
  const told = [];
  for (const height of ['1', '2', '3', '4']) {
    if (height === '3') connections[0].close();
    if (height === '4')
      await new Promise((resolve) => {
        indexedDB.deleteDatabase('losses').onsuccess = resolve;
      });
    const rows = [{ id: 'a' + height }];
    store.note({ since: height === '1' ? null : String(height - 1), block: { height, timestamp: '0' }, cursor: height, rows, all: () => rows });
    while (store.stored.asOf?.height !== height && store.stored.failure === null)
      await new Promise((resolve) => setTimeout(resolve, 10));
    const again = await (height < 4 ? storage.open('of', 'id') : null);
    await again?.close();
    told.push([again?.kept.rows.length, store.stored.failure?.name]);
  }
  await store.close();
  return told;
}
Object.assign(globalThis, { start, tell, written, fold, keepInTurns, keepBoth, keepThroughLosses });
`;

interface Told {
  readonly asOf: Block | null;
  readonly isLive: boolean;
  readonly stored: Stored | null;
  readonly size: number;
  readonly heights: readonly number[];
}

let page: AsyncDisposable & { readonly url: string };

beforeAll(async () => {
  page = await servePage();
});
afterAll(() => page?.[Symbol.asyncDispose]());

/** A page with the client in it, on an origin of its own. */
async function servePage() {
  const entry = '\0page';
  const bundle = await rolldown({
    input: entry,
    plugins: [
      {
        name: 'page',
        resolveId: (id) => (id === entry ? id : null),
        load: (id) => (id === entry ? PAGE : null),
      },
    ],
  });
  const { output } = await bundle.generate({});
  await bundle.close();
  const server = createServer((request, response) => {
    const isScript = request.url === '/page.js';
    response.setHeader('Content-Type', isScript ? 'text/javascript' : 'text/html');
    response.end(isScript ? output[0].code : '<!doctype html><script type="module" src="/page.js"></script>');
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
    },
  };
}

/** A network, a gateway and what may fail before it. */
async function openNetwork() {
  const network = await createSimulatedDatabase({ ...NETWORK, blocks: FIRST_BLOCK });
  const gateway = await startTestGateway(network.url, { STREAM_HEARTBEAT_MS: '300' });
  const proxy = await FaultyProxy.start(() => ({
    host: '127.0.0.1',
    port: Number(new URL(gateway.url).port),
  }));
  return {
    ...{ network, proxy, url: `http://127.0.0.1:${proxy.port}` },
    async [Symbol.asyncDispose]() {
      await proxy[Symbol.asyncDispose]();
      await gateway.close();
      await network[Symbol.asyncDispose]();
    },
  };
}

const start = (tab: Tab, url: string, filter: object | null = null) =>
  tab.run(`start(${JSON.stringify(url)}, ${JSON.stringify(filter)})`);
const tell = (tab: Tab) => tab.run<Told>('tell()');

/** Waits until a tab is live at a block, and has written it. */
async function reach(tab: Tab, height: number): Promise<void> {
  await expect
    .poll(async () => {
      const { asOf, isLive, stored } = await tell(tab);
      return { asOf: asOf?.height, isLive, stored: stored?.asOf?.height, failure: stored?.failure };
    })
    .toEqual({ asOf: `${height}`, isLive: true, stored: `${height}`, failure: null });
}

async function expectEqual(tab: Tab): Promise<void> {
  expect(await tab.run<Verification<unknown>>('live.verify()')).toMatchObject({ outcome: 'equal' });
}

const isRising = (heights: readonly number[]) =>
  heights.every((one, n) => n === 0 || one > (heights[n - 1] as number));

describe.each(Object.entries(BROWSERS))('in %s', (name, openBrowser) => {
  if (openBrowser === null)
    console.warn(`client/test/browsers.test.ts is skipped in ${name}: it is not here`);
  const inBrowser = test.skipIf(openBrowser === null);
  const open = openBrowser as NonNullable<typeof openBrowser>;

  inBrowser('rows are there again after a reload, as of their block, and go on from it', async () => {
    await using browser = await open();
    await using there = await openNetwork();
    const tab = await browser.open(page.url);
    await start(tab, there.url);
    await reach(tab, FIRST_BLOCK);
    await there.network.advanceTo(FIRST_BLOCK + 10);
    await reach(tab, FIRST_BLOCK + 10);
    const { size } = await tell(tab);

    there.proxy.set('refuses');
    there.proxy.drop();
    await tab.reload();
    await start(tab, there.url);
    await expect.poll(async () => (await tell(tab)).size).toBe(size);
    expect(await tell(tab)).toMatchObject({ asOf: { height: `${FIRST_BLOCK + 10}` }, isLive: false });

    await there.network.advanceTo(FIRST_BLOCK + 20);
    there.proxy.set('passes');
    await reach(tab, FIRST_BLOCK + 20);
    // Block by block, with no snapshot between.
    const { heights } = await tell(tab);
    expect(heights[0]).toBe(FIRST_BLOCK + 10);
    expect(heights.length).toBeGreaterThan(3);
    expect(isRising(heights)).toBe(true);
    await expectEqual(tab);
  });

  inBrowser(
    'two tabs that share a name write each block once, and another filter takes the name over',
    async () => {
      await using browser = await open();
      await using there = await openNetwork();
      const tabs = [await browser.open(page.url), await browser.open(page.url)] as const;
      for (const tab of tabs) await start(tab, there.url);
      for (const tab of tabs) await reach(tab, FIRST_BLOCK);
      for (let height = FIRST_BLOCK + 1; height <= FIRST_BLOCK + 12; height++) {
        await there.network.advanceTo(height);
        // One of them hears of nothing for a while.
        if (height % 4 === 0) there.proxy.drop();
      }
      for (const tab of tabs) await reach(tab, FIRST_BLOCK + 12);
      const heights = await tabs[0].run<number[]>('written()');
      expect(heights.at(-1)).toBe(FIRST_BLOCK + 12);
      expect(isRising(heights)).toBe(true);

      await tabs[1].close();
      await there.network.advanceTo(FIRST_BLOCK + 15);
      await reach(tabs[0], FIRST_BLOCK + 15);
      const third = await browser.open(page.url);
      await start(third, there.url);
      await reach(third, FIRST_BLOCK + 15);
      expect((await tell(third)).heights).toEqual([FIRST_BLOCK + 15]);
      await expectEqual(third);

      const other = await browser.open(page.url);
      await start(other, there.url, { accountTypes: ['ACCOUNT_TYPE_GENERAL'] });
      await reach(other, FIRST_BLOCK + 15);
      await there.network.advanceTo(FIRST_BLOCK + 18);
      await reach(other, FIRST_BLOCK + 18);
      await expect
        .poll(async () => (await tell(third)).stored?.failure)
        .toContain('Another program keeps something else under this name.');
      await expectEqual(third);
      await expectEqual(other);
    },
  );

  inBrowser(
    'a height that comes as two messages is kept whole, whichever tab writes which of them',
    async () => {
      await using browser = await open();
      const tab = await browser.open(page.url);
      const keep = async (...turns: readonly (readonly [number, string, string, number])[]) => {
        const kept = await tab.run<string[]>(`keepInTurns(${turns.map((turn) => JSON.stringify(turn))})`);
        return kept.join(' ');
      };
      const twice = [[0, '1', '1', 1], [0, '2', '2.1', 2], [0, '2', '2.2', 3]] as const; // biome-ignore format: a list
      expect(await keep(...twice)).toBe('2.2 a b c');
      expect(await keep(...twice, [1, '2', '2.1', 2], [0, '3', '3', 4])).toBe('3 a b c d');
    },
  );

  inBrowser('two tabs that find what neither follows both keep what they follow', async () => {
    await using browser = await open();
    const tab = await browser.open(page.url);
    expect(await tab.run('keepBoth()')).toEqual({
      failures: ['Error: Another program keeps something else under this name.', null, null],
      kept: { block: { height: '4', timestamp: '0' }, cursor: '4', rows: [{ id: 'a', height: '4' }] },
    });
  });

  inBrowser(
    'a database whose connection is taken away is opened again, and one that is removed is not',
    async () => {
      await using browser = await open();
      const tab = await browser.open(page.url);
      expect(await tab.run('keepThroughLosses()')).toEqual([
        [1, null],
        [2, null],
        [3, null],
        [null, 'InvalidStateError'],
      ]);
    },
  );

  inBrowser('a machine that slept goes on where it was', async () => {
    await using browser = await open();
    await using there = await openNetwork();
    const tab = await browser.open(page.url);
    await start(tab, there.url);
    await reach(tab, FIRST_BLOCK);
    await tab.run(`(globalThis.gap = 0, globalThis.last = Date.now(), setInterval(() => {
      gap = Math.max(gap, Date.now() - last);
      last = Date.now();
    }, 50), null)`);
    await tab.sleepWhile(async () => {
      await there.network.advanceTo(FIRST_BLOCK + 10);
      there.proxy.drop();
      await sleep(SLEEP_MS);
      await there.network.advanceTo(FIRST_BLOCK + 20);
    });
    await reach(tab, FIRST_BLOCK + 20);
    expect(await tab.run<number>('gap'), 'it slept').toBeGreaterThan(SLEEP_MS * 0.8);
    const { heights } = await tell(tab);
    expect(isRising(heights)).toBe(true);
    expect(heights.length).toBeGreaterThan(3);
    await expectEqual(tab);
  });

  inBrowser('10,000 rows change in one block', async () => {
    await using browser = await open();
    const tab = await browser.open(page.url);
    const times = await tab.run<number[]>('fold(10_000)');
    const [median, most] = [times[Math.floor(times.length / 2)] as number, times.at(-1) as number];
    console.info(
      `${name}: 10,000 rows of a block are told after ${median.toFixed(1)} ms, at most ${most.toFixed(1)}`,
    );
    expect(times.length).toBe(19);
  });
});
