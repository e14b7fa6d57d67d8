import { setTimeout as sleep } from 'node:timers/promises';
import { expect, onTestFinished, test, vi } from 'vitest';
import {
  accounts,
  type Environment,
  followOver,
  jsonLines,
  keep,
  type MakeTransport,
  query,
  type Socket,
  serverSentEvents,
  system,
  webSocket,
} from '../src/index.ts';
import { VirtualClock } from './virtual-clock.ts';

const SILENCE_MS = 900;

const snapshot = (owner: string) => ({
  data: {
    accounts: {
      ...{ block: { height: '1', timestamp: '1000000' }, cursor: '1' },
      snapshot: { accounts: [{ id: 'a', owner }], lastPage: true },
    },
  },
});

/** A gateway that answers each request in this way. */
function open(answer: () => Response, transport: MakeTransport = jsonLines) {
  const clock = new VirtualClock();
  const asked: string[] = [];
  const sockets: Socket[] = [];
  class PlayedSocket implements Socket {
    onopen = null;
    onmessage: Socket['onmessage'] = null;
    onclose: Socket['onclose'] = null;
    onerror = null;
    constructor() {
      sockets.push(this);
    }
    send() {}
    close() {}
  }
  const environment: Environment = {
    ...{ now: () => clock.now, after: (ms, call) => clock.after(ms, call), random: () => 0 },
    fetch: async (url) => {
      asked.push(String(url));
      return answer();
    },
    WebSocket: PlayedSocket,
  };
  const follow = (url: string | readonly string[] = 'http://one') =>
    followOver([transport], accounts, { url, silenceMs: SILENCE_MS, environment });
  return { clock, asked, sockets, environment, follow };
}

const LINES = { 'Content-Type': 'application/x-ndjson' };

/** An answer that begins with this, and goes on. */
function answering(told: object): Response {
  const bytes = new TextEncoder().encode(`${JSON.stringify(told)}\n`);
  return new Response(new ReadableStream({ start: (body) => body.enqueue(bytes) }), { headers: LINES });
}

/** How many listen to a signal. */
function countListeners(signal: AbortSignal) {
  const listeners = new Set<unknown>();
  const counts = { added: 0, left: 0 };
  const { addEventListener: add, removeEventListener: remove } = signal;
  signal.addEventListener = (...given: Parameters<typeof add>) => {
    counts.added += 1;
    counts.left = listeners.add(given[1]).size;
    add.apply(signal, given);
  };
  signal.removeEventListener = (...given: Parameters<typeof remove>) => {
    listeners.delete(given[1]);
    counts.left = listeners.size;
    remove.apply(signal, given);
  };
  return counts;
}

test('events have whatever characters texts have, cut anywhere', async () => {
  const owner = 'a\u2028b\u2029c\u0085d 🦉 é';
  const event = new TextEncoder().encode(`event: next\ndata: ${JSON.stringify(snapshot(owner))}\n\n`);
  const body = () =>
    new ReadableStream({
      start(body) {
        for (const byte of event) body.enqueue(Uint8Array.of(byte));
      },
    });
  const headers = { 'Content-Type': 'text/event-stream' };
  const { follow } = open(() => new Response(body(), { headers }), serverSentEvents);
  const { value } = await follow().next();
  expect(value?.rows.accounts?.[0]).toMatchObject({ owner });
});

test.each([serverSentEvents, jsonLines])(
  'a message of megabytes is read as fast as its parts come',
  async (transport) => {
    const owner = 'x'.repeat(4_000_000);
    const [type, before] =
      transport === jsonLines ? ['application/x-ndjson', ''] : ['text/event-stream', 'data: '];
    const text = `${before}${JSON.stringify(snapshot(owner))}\n\n`;
    const bytes = new TextEncoder().encode(text);
    let from = 0;
    const body = new ReadableStream({
      pull(body) {
        if (from < bytes.length) body.enqueue(bytes.subarray(from, from + 100));
        else body.close();
        from += 100;
      },
    });
    const { follow } = open(() => new Response(body, { headers: { 'Content-Type': type } }), transport);
    const { value } = await follow().next();
    expect(value?.rows.accounts?.[0]?.owner.length).toBe(owner.length);
  },
);

test.each([
  ['half of a message', '{"id":"1","type":"ne'],
  [
    'a message of another version',
    '{"id":"1","type":"next","payload":{"data":{"accounts":{"updates":null}}}}',
  ],
])('%s on a WebSocket is a loss, and nothing that is thrown to the program', async (_, message) => {
  const { clock, sockets, follow } = open(() => Response.error(), webSocket);
  const following = follow();
  void following.next();
  sockets[0]?.onmessage?.({ data: message });
  expect(following.state).toBe('waiting');
  await clock.step();
  await clock.step();
  expect(sockets.length).toBe(2);
});

test('a gateway that has no room is asked again later, and at the next address, where only its second transport works', async () => {
  const errors = [{ message: 'No room.', extensions: { code: 'RESOURCE_EXHAUSTED' } }];
  const { clock, asked, sockets, environment } = open(() => Response.json({ errors }));
  const options = { url: ['http://one', 'http://two'], environment: { ...environment, random: () => 0.5 } };
  const following = followOver([webSocket, jsonLines], accounts, options);
  void following.next();
  sockets[0]?.onclose?.({ code: 1006, reason: '' });
  const times: number[] = [];
  while (asked.length < 3) {
    await clock.step();
    if (asked.length > times.length) times.push(clock.now);
  }
  expect(asked).toEqual(['http://one/graphql', 'http://two/graphql', 'http://one/graphql']);
  expect(times[1]).toBeGreaterThan(times[0] as number);
  expect(times[2]).toBeGreaterThan(times[1] as number);
  await following.return?.();
});

test('a refusal over another transport does not keep a follower from WebSockets', async () => {
  const errors = [{ message: 'No room.', extensions: { code: 'RESOURCE_EXHAUSTED' } }];
  const { clock, asked, sockets, environment } = open(() => Response.json({ errors }));
  const following = followOver([webSocket, jsonLines], accounts, { url: 'http://one', environment });
  void following.next();
  for (const times of [1, 2]) {
    sockets.at(-1)?.onclose?.({ code: 1006, reason: '' });
    const isGoing = () => asked.length < times || following.state === 'waiting';
    for (let step = 0; step < 9 && isGoing(); step++) await clock.step();
    expect([asked.length, sockets.length]).toEqual([times, times + 1]);
  }
  await following.return?.();
});

test('a WebSocket that may not even be opened is a transport that does not work', async () => {
  vi.stubGlobal('location', { href: 'http://one/' });
  onTestFinished(() => void vi.unstubAllGlobals());
  const { clock, asked, environment } = open(() => answering(snapshot('one')));
  class Refused {
    constructor() {
      throw new SyntaxError('The URL is invalid.');
    }
  }
  const options = { url: '/', environment: { ...environment, WebSocket: Refused as never } };
  const following = followOver([webSocket, jsonLines], accounts, options);
  const first = following.next();
  while (asked.length === 0) await clock.step();
  expect((await first).value?.rows.accounts).toMatchObject([{ owner: 'one' }]);
  await following.return?.();
});

test('a connection that is silent is given up as soon where a clock was set back', async () => {
  const { clock, asked, environment } = open(() => answering(snapshot('one')));
  let setBack = 0;
  const now = () => clock.now - setBack;
  const options = { url: 'http://one', silenceMs: SILENCE_MS, environment: { ...environment, now } };
  const live = keep(accounts, followOver([jsonLines], accounts, options));
  await live.ready;
  const from = clock.now;
  setBack = 3_600_000;
  while (asked.length === 1) await clock.step();
  expect(clock.now - from).toBeLessThan(3 * SILENCE_MS);
  live.close();
});

test('where the gateway has nothing it is not asked again', async () => {
  const message = 'There is nothing at "/graphql/graphql".';
  const { follow } = open(() => Response.json({ code: 5, message, details: [] }, { status: 404 }));
  await expect(follow('http://one/graphql').next()).rejects.toMatchObject({ code: 'NOT_FOUND', message });
});

test('nothing hangs on a signal once it is over', async () => {
  const { signal } = new AbortController();
  const { environment } = open(() => answering(snapshot('one')));
  const given = { url: 'http://one', environment, signal };
  const counts = countListeners(signal);
  for (let times = 0; times < 3; times++)
    for await (const _ of followOver([jsonLines], accounts, given)) break;
  const refusing = open(() => Response.json({ errors: [{ message: 'No.' }] }));
  const refused = { ...given, environment: refusing.environment };
  await expect(followOver([jsonLines], accounts, refused).next()).rejects.toThrow('No.');
  expect(counts.added).toBe(4);
  expect(counts.left).toBe(0);
});

test('nothing is left of a wait that is over', async () => {
  const warnings: Error[] = [];
  const hear = (warning: Error) => warnings.push(warning);
  process.on('warning', hear);
  onTestFinished(() => void process.off('warning', hear));
  const { asked, environment } = open(() => new Response('', { status: 503 }));
  const hasty = { ...environment, after: system.after };
  const asking = query('{ block { height } }', { url: 'http://one', environment: hasty, attempts: 15 });
  await expect(asking).rejects.toThrow('503');
  expect(asked.length).toBe(15);
  await sleep(1);
  expect(warnings).toEqual([]);
});

test('a time without an end is none that is over', async () => {
  let isOver = false;
  const stop = system.after(Number.POSITIVE_INFINITY, () => {
    isOver = true;
  });
  await sleep(20);
  stop();
  expect(isOver).toBe(false);
});

test('a listener that throws ends neither rows nor other listeners', async () => {
  const thrown: unknown[] = [];
  const hear = (error: unknown) => thrown.push(error);
  const others = process.listeners('uncaughtException');
  process.removeAllListeners('uncaughtException').on('uncaughtException', hear);
  onTestFinished(() => {
    process.removeAllListeners('uncaughtException');
    for (const other of others) process.on('uncaughtException', other);
  });
  let body: ReadableStreamDefaultController<Uint8Array> | undefined;
  const say = (told: object) => body?.enqueue(new TextEncoder().encode(`${JSON.stringify(told)}\n`));
  const stream = new ReadableStream<Uint8Array>({
    start(controller) {
      body = controller;
      say(snapshot('one'));
    },
  });
  const { environment } = open(() => new Response(stream, { headers: LINES }));
  const live = keep(accounts, followOver([jsonLines], accounts, { url: 'http://one', environment }));
  await live.ready;
  const told: (string | undefined)[] = [];
  live.subscribe(() => {
    throw new Error('a mistake');
  }, 'a');
  live.subscribe(() => told.push(live.asOf?.height));
  for (const height of ['2', '3']) {
    const accounts = { updates: { accounts: [{ id: 'a', owner: 'one' }] } };
    say({
      data: { accounts: { block: { height, timestamp: `${height}000000` }, cursor: height, ...accounts } },
    });
    await sleep(20);
  }
  expect([told, live.isLive, thrown.map(String)]).toEqual([
    ['2', '3'],
    true,
    Array(2).fill('Error: a mistake'),
  ]);
  live.close();
});
