// Measures streams on this machine, after a build: node trials/bench/streams.mjs [CASE …]
// A server as a process of its own, its clients in another, and a database of its own; each figure beside a peer's.
// PROFILE=1 writes a CPU profile of the server. Cases: party, parties, frames, latency, hold, memory.
import { fork } from 'node:child_process';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { openPostgres } from '../../dist/data/embedded/postgres.js';
import { migrate } from '../../dist/data/migrate.js';
import { Writer } from '../../dist/data/writing/writer.js';
import { accountTypes } from '../../dist/domain/enumerations.js';
import { applySource } from '../../dist/ingest/apply.js';

const PARTIES = 10_000;
const LIMIT_MS = 120_000;
const FIELDS = 'owner balance asset marketId type';
const QUERY = `subscription S($f: AccountFilter) { accounts(filter: $f) {
  block { height timestamp } cursor updates { accounts { ${FIELDS} } } } }`;
const party = (n) => n.toString(16).padStart(64, '0');
const path = (n) => `/api/v2/stream/accounts?cursors=true&partyId=${party(n)}`;
const subscribe = (n) => ({ query: QUERY, variables: { f: { partyIds: [party(n)] } } });
const yogaSubscribe = (n) => ({
  query: QUERY.replace('AccountFilter', 'Filter'),
  variables: { f: { partyIds: [party(n)] } },
});

const cases = {
  async party() {
    for (const perSocket of [100, 1]) {
      const all = { form: 'graphql-ws', count: 1000, perSocket, changes: 60, gapMs: 60 };
      await measure('1,000 of one party', { ...all, kind: 'periscope', messages: [subscribe(0)] });
      await measure('1,000 of one party', {
        ...all,
        kind: 'yoga',
        messages: [yogaSubscribe(0)],
        changes: 20,
        gapMs: 150,
      });
    }
  },
  async parties() {
    const all = { form: 'graphql-ws', count: PARTIES, perSocket: 100, changes: 300 };
    const many = Array.from({ length: PARTIES }, (_, n) => n);
    const next = (n) => [(n * 37) % PARTIES];
    await measure('10,000 parties', { ...all, kind: 'periscope', messages: many.map(subscribe), next });
    await measure('10,000 parties', {
      ...all,
      kind: 'yoga',
      messages: many.map(yogaSubscribe),
      next,
      changes: 30,
    });
    const every = (n) => Array.from({ length: 1000 }, (_, m) => (n * 1000 + m) % PARTIES);
    const busy = { ...all, messages: many.map(subscribe), next: every, changes: 20 };
    await measure('10,000 parties, 1,000 of them in each block', { ...busy, kind: 'periscope' });
  },
  async frames() {
    const all = { count: 1000, perSocket: 1, changes: 100, rows: 4 };
    const one = { ...all, form: 'frames', kind: 'periscope', messages: [path(0)] };
    await measure('1 kB frames to 1,000', one);
    await measure('1 kB frames to 1,000', { ...one, kind: 'ws', messages: ['/'] });
    await measure('1 kB lines to 1,000', { ...one, form: 'lines' });
    await measure('1 kB events to 1,000', { ...one, form: 'events' });
  },
  async latency() {
    for (const form of ['graphql-ws', 'frames', 'lines']) {
      const messages = form === 'graphql-ws' ? [subscribe(0)] : [path(0)];
      await measure('latency, 10 of one party', {
        kind: 'periscope',
        form,
        count: 10,
        perSocket: 1,
        messages,
        changes: 400,
        gapMs: 20,
      });
    }
  },
  async hold() {
    const all = { kind: 'periscope', form: 'graphql-ws', perSocket: 100, changes: 10, gapMs: 1500 };
    const rows = (count) => () => Array.from({ length: count }, (_, n) => n % PARTIES);
    const each = Array.from({ length: PARTIES }, (_, n) => subscribe(n));
    const every = [{ query: QUERY, variables: {} }];
    await measure('5,000 changes to 10,000 parties', {
      ...all,
      count: PARTIES,
      messages: each,
      next: rows(5000),
    });
    await measure('5,000 changes to 100 of everything', {
      ...all,
      count: 100,
      perSocket: 1,
      messages: every,
      next: rows(5000),
    });
  },
  async memory() {
    const many = Array.from({ length: PARTIES }, (_, n) => n);
    const all = { kind: 'periscope', count: PARTIES, changes: 0 };
    const gql = { ...all, form: 'graphql-ws', messages: many.map(subscribe) };
    await measure('idle streams', { ...gql, perSocket: 100 });
    for (const form of ['frames', 'lines', 'events'])
      await measure('idle streams', { ...all, form, perSocket: 1, messages: many.map(path) });
    await measure('idle connections', { ...all, kind: 'ws', form: 'frames', perSocket: 1, messages: ['/'] });
  },
};

const folder = await mkdtemp(join(tmpdir(), 'periscope-bench-'));
await chmod(folder, 0o755);
const postgres = await openPostgres({
  dataDir: join(folder, 'data'),
  settings: { fsync: 'off', synchronous_commit: 'off' },
});
let writer;
let height = 0;
try {
  await migrate(postgres.url);
  writer = await Writer.open(postgres.url);
  await block(Array.from({ length: PARTIES }, (_, n) => n));
  const wanted = process.argv.slice(2);
  for (const [name, run] of Object.entries(cases))
    if (wanted.length === 0 || wanted.includes(name)) await run();
} finally {
  await writer?.close();
  await postgres.close();
  await rm(folder, { recursive: true, force: true });
}

/** Opens the clients, makes so many changes, and prints what each message cost the server. */
async function measure(name, options) {
  const { kind, form, count, perSocket, messages, changes, gapMs = 0, rows = 1 } = options;
  const next = options.next ?? (() => [0]);
  const profile = process.env.PROFILE && changes > 0 ? ['--cpu-prof', '--cpu-prof-dir=/tmp/prof'] : [];
  const server = start('./streams-server.mjs', [kind, postgres.url], ['--expose-gc', ...profile]);
  const clients = start('./streams-clients.mjs', [], []);
  try {
    const url = await server.told();
    await sleep(500);
    const empty = await server.ask({ ask: 'memory' });
    await clients.ask({ ask: 'open', url, form, count, perSocket, messages });
    const isPeer = kind !== 'periscope';
    const snapshots = isPeer ? 0 : count;
    await until(clients, snapshots);
    await sleep(isPeer ? 3000 : 1000);
    const label = `${name}: ${kind}, ${form}${perSocket > 1 ? `, ${perSocket} a socket` : ''}`;
    if (changes === 0) {
      const full = await server.ask({ ask: 'memory' });
      const each = (key) => ((full[key] - empty[key]) / count / 1000).toFixed(1);
      console.log(
        `${label}: ${each('rss')} kB each (heap ${each('heapUsed')}, external ${each('external')})`,
      );
      return;
    }
    let told = 0;
    const change = async (n) => {
      const parties = next(n);
      if (!isPeer) return block(parties, rows);
      told += 1;
      const accounts = parties.map((p) => ({
        owner: party(p),
        balance: `${told}`,
        asset: party(1),
        marketId: '',
        type: 'ACCOUNT_TYPE_GENERAL',
      }));
      const message = {
        block: { height: `${told}`, timestamp: '1' },
        cursor: 'c'.repeat(35),
        updates: { accounts },
      };
      await server.ask({
        ask: 'publish',
        message,
        text: JSON.stringify({ height: `${told}`, x: 'x'.repeat(1000) }),
      });
      return now();
    };
    for (let n = 0; n < 5; n += 1) await change(n);
    await sleep(500);
    const start = await clients.ask({ ask: 'count' });
    await clients.ask({ ask: 'arrivals' });
    await server.ask({ ask: 'reset' });
    const before = await server.ask({ ask: 'cpu' });
    const committed = new Map();
    const from = now();
    let due = 0;
    for (let n = 0; n < changes; n += 1) {
      const at = await change(n);
      committed.set(isPeer ? told : height, at);
      due += Math.min(new Set(next(n)).size, messages.length) * (count / messages.length);
      if (gapMs > 0) await sleep(gapMs);
    }
    await until(clients, start.messages + due);
    const took = now() - from;
    const after = await server.ask({ ask: 'cpu' });
    const end = await clients.ask({ ask: 'count' });
    const got = end.messages - start.messages;
    const cpu = after.cpuUs - before.cpuUs;
    const { arrivals } = await clients.ask({ ask: 'arrivals' });
    const delays = arrivals
      .map(([h, at]) => at - committed.get(h))
      .filter((ms) => !Number.isNaN(ms))
      .sort((a, b) => a - b);
    const part = (share) => delays[Math.floor(delays.length * share)]?.toFixed(1);
    console.log(
      `${label}: ${got} messages (${due} due) of ${Math.round((end.bytes - start.bytes) / got)} B, ${(cpu / got).toFixed(1)} us CPU each, ${(cpu / changes / 1000).toFixed(2)} ms a change, ${Math.round((got / took) * 1000)}/s; commit to client p50 ${part(0.5)} p99 ${part(0.99)} ms; loop held ${after.heldMs.toFixed(0)} ms; executions ${(after.executions ?? 0) - (before.executions ?? 0)}`,
    );
  } finally {
    await clients.stop();
    await server.stop();
  }
}

/** Waits until so many messages have come. */
async function until(clients, count) {
  const end = now() + LIMIT_MS;
  let messages = 0;
  while (messages < count && now() < end) {
    ({ messages } = await clients.ask({ ask: 'count' }));
    if (messages < count) await sleep(20);
  }
  if (messages < count) console.log(`only ${messages} of ${count} messages came`);
}

/** Applies a block that changes these parties, each in so many accounts. Gives when it was committed. */
async function block(parties, rows = 1) {
  height += 1;
  const events = [{ type: 'beginBlock', height, timestamp: BigInt(height) * 10n ** 9n, hash: `${height}` }];
  for (const n of parties)
    for (let row = 0; row < rows; row += 1) {
      const account = {
        owner: party(n),
        assetId: party(1),
        marketId: row === 0 ? '' : party(row),
        type: accountTypes.numbers.ACCOUNT_TYPE_GENERAL,
      };
      events.push({ type: 'account', row: { ...account, balance: `${height}` } });
    }
  events.push({ type: 'endBlock', height });
  const source = {
    chainId: 'bench',
    name: 'the bench',
    progress: () => ({ done: 0, total: null, unit: 'blocks' }),
    async *events() {
      for (const event of events) yield { event, at: 'the bench' };
    },
  };
  await applySource(source, writer, { pace: 'max', signal: new AbortController().signal });
  return now();
}

function now() {
  return Number(process.hrtime.bigint() / 1000n) / 1000;
}

function start(file, args, execArgv) {
  const child = fork(new URL(file, import.meta.url), args, { execArgv });
  let fail = () => {};
  child.once('exit', () => fail());
  const told = () =>
    new Promise((resolve, reject) => {
      child.once('message', resolve);
      fail = () => reject(new Error(`${file} ended with ${child.exitCode}`));
    });
  return {
    told,
    ask(message) {
      const answer = told();
      child.send(message);
      return answer;
    },
    async stop() {
      if (child.exitCode !== null) return;
      const ended = new Promise((resolve) => child.once('exit', resolve));
      child.disconnect();
      await ended;
    },
  };
}
