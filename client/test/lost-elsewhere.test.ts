/*
 * How other systems' clients lost what they followed, each in their own words: electric-sql/electric #4722 and #2074,
 * nautechsystems/nautilus_trader #4991, wevm/viem #3772. Here the gateway's part is played by the tests.
 */
import { expect, test } from 'vitest';
import {
  type Account,
  accounts,
  blocks,
  type Environment,
  type FollowOptions,
  followOver,
  keep,
  type OpenStorage,
  type Receiver,
  type Request,
  type Socket,
  webSocket,
} from '../src/index.ts';
import { VirtualClock } from './virtual-clock.ts';

const SILENCE_MS = 900;

interface Opened {
  readonly url: string;
  readonly after: unknown;
  readonly receiver: Receiver;
}

const account = (id: string, balance: string) => ({ id, balance }) as Account;

const message = (height: number, told: object, cursor = `${height}`) => ({
  data: {
    accounts: { block: { height: `${height}`, timestamp: `${height}000000` }, cursor, ...told },
  },
});
const page = (height: number, rows: readonly Account[], lastPage: boolean, cursor?: string) =>
  message(height, { snapshot: { accounts: rows, lastPage } }, cursor);
const changes = (height: number, rows: readonly Account[], cursor?: string) =>
  message(height, { updates: { accounts: rows } }, cursor);
const reached = (height: number) => message(height, {});

/** Each connection that a follower opens, in order: the test says what comes on it. */
function open(options: Partial<FollowOptions<{ readonly filter?: null }>> = {}) {
  const clock = new VirtualClock();
  const opened: Opened[] = [];
  const environment: Environment = {
    ...{ now: () => clock.now, after: (ms, call) => clock.after(ms, call), random: () => 0 },
    ...{ fetch, WebSocket: null },
  };
  const transport = () => ({
    name: 'played by the test',
    open({ url, variables }: Request, receiver: Receiver) {
      opened.push({ url, after: variables['after'], receiver });
      return () => {};
    },
  });
  const given = { url: 'http://one', silenceMs: SILENCE_MS, environment, ...options };
  const say = (...results: readonly ReturnType<typeof message>[]) => {
    for (const result of results) opened.at(-1)?.receiver.onResult(result);
  };
  /** Ends the newest connection, and waits for the next. */
  const cut = async () => {
    const count = opened.length;
    opened.at(-1)?.receiver.onEnd('cut');
    while (opened.length === count) await clock.step();
  };
  return {
    clock,
    opened,
    given,
    environment,
    say,
    cut,
    follow: () => followOver([transport], accounts, given),
    followBlocks: () => followOver([transport], blocks, given),
  };
}

test('rows that come with the cursor that is known already are told (electric #4722)', async () => {
  const { say, follow } = open({ after: '7' });
  const following = follow();
  const first = following.next();
  say(changes(8, [account('a', '1')], '7'));
  expect((await first).value).toMatchObject({ kind: 'changes', rows: { accounts: [{ id: 'a' }] } });
});

test('a cursor without the rows before it never passes for all rows (electric #4722)', async () => {
  const { say, follow } = open({ after: '7' });
  const live = keep(accounts, follow());
  say(changes(8, [account('a', '1')]));
  await expect(live.ready).rejects.toThrow('snapshot');
  expect([live.asOf, live.isLive, live.size]).toEqual([null, false, 0]);
});

test('an answer that broke off counts as far as it came, and no further (electric #2074)', async () => {
  const { clock, opened, say, cut, follow } = open();
  const live = keep(accounts, follow());
  say(page(5, [account('a', '1')], false, '5.1'));
  await cut();
  expect([opened.at(-1)?.after, live.size]).toEqual(['5.1', 0]);
  say(page(5, [account('b', '2')], true));
  await clock.settle();
  expect([...live.values()].map(({ id }) => id)).toEqual(['a', 'b']);
});

test('what changed once, while nobody was connected, is there after it (nautilus_trader #4991)', async () => {
  const { clock, opened, say, cut, follow } = open();
  const live = keep(accounts, follow());
  say(page(10, [account('order', 'open')], true));
  await live.ready;
  await cut();
  expect(live.isLive, 'it is not live before the gateway says what it missed').toBe(false);
  expect(opened.at(-1)?.after).toBe('10');
  say(changes(11, [account('order', 'filled')]), reached(500));
  await clock.settle();
  expect([live.get('order')?.balance, live.asOf?.height, live.isLive]).toEqual(['filled', '500', true]);
});

test('a block from before what was told is not taken for the next one', async () => {
  const { clock, opened, say, cut, follow } = open();
  const live = keep(accounts, follow());
  say(page(10, [account('a', 'old')], true), changes(12, [account('a', 'new')]));
  await cut();
  const count = opened.length;
  say(changes(11, [account('a', 'between')]));
  while (opened.length === count) await clock.step();
  expect([live.get('a')?.balance, live.asOf?.height]).toEqual(['new', '12']);
  expect(opened.at(-1)?.after, 'all is asked for anew').toBe(null);
});

test('a gateway that is behind the last one takes nobody back', async () => {
  const { clock, say, cut, follow } = open();
  const live = keep(accounts, follow());
  say(page(10, [account('a', 'old')], true), changes(12, [account('a', 'new')]));
  await cut();
  say(reached(11));
  await clock.settle();
  expect([live.asOf?.height, live.isLive, live.cursor]).toEqual(['12', false, '12']);
  say(reached(12));
  await clock.settle();
  expect([live.asOf?.height, live.isLive]).toEqual(['12', true]);
});

test('a gateway that has not come to the cursor yet is asked again, and not for a snapshot of an earlier block', async () => {
  const { clock, opened, say, cut, follow } = open();
  const live = keep(accounts, follow());
  say(page(10, [account('a', 'old')], true), changes(12, [account('a', 'new')]));
  await cut();
  const ahead = async (reason: string) => {
    const count = opened.length;
    const details = [{ '@type': 'type.googleapis.com/google.rpc.ErrorInfo', reason }];
    const errors = [{ message: 'ahead', extensions: { code: 'OUT_OF_RANGE', details } }];
    opened.at(-1)?.receiver.onResult({ errors });
    while (opened.length === count) await clock.step();
    return opened.at(-1)?.after;
  };
  for (let times = 0; times < 5; times++) expect(await ahead('NO_SUCH_BLOCK')).toBe('12');
  say(changes(13, [account('a', 'newer')]));
  await clock.settle();
  expect([live.get('a')?.balance, live.asOf?.height, live.isLive]).toEqual(['newer', '13', true]);
  await cut();
  // Of one that never comes to it the cursor is not.
  for (let times = 0; times < 30; times++) expect(await ahead('NO_SUCH_BLOCK')).toBe('13');
  expect(await ahead('NO_SUCH_BLOCK')).toBe(null);
});

test('what is not kept though no cursor was handed in is refused, in the words of the gateway', async () => {
  const { opened, follow } = open();
  const first = follow().next();
  const details = [{ reason: 'BLOCK_NOT_KEPT' }];
  const errors = [{ message: 'What held is not kept.', extensions: { code: 'OUT_OF_RANGE', details } }];
  opened.at(-1)?.receiver.onResult({ errors });
  await expect(first).rejects.toMatchObject({ code: 'OUT_OF_RANGE', message: 'What held is not kept.' });
});

test('a block that no gateway comes to, though no cursor was handed in, is refused in the end', async () => {
  const { clock, opened, follow } = open();
  const first = follow().next();
  const details = [{ reason: 'NO_SUCH_BLOCK' }];
  const errors = [{ message: 'It is ahead.', extensions: { code: 'OUT_OF_RANGE', details } }];
  for (let times = 1; times <= 31; times++) {
    opened.at(-1)?.receiver.onResult({ errors });
    while (times < 31 && opened.length === times) await clock.step();
  }
  await expect(first).rejects.toMatchObject({ message: 'It is ahead.' });
});

test('each block is told to who follows blocks, once, however slowly they are read', async () => {
  const { clock, opened, say, cut, followBlocks } = open({ mostWaiting: 3 });
  const ofBlocks = (height: number) => ({ data: { blocks: message(height, {}).data.accounts } }) as never;
  const following = followBlocks();
  const heights: (string | undefined)[] = [];
  const read = async () => heights.push((await following.next()).value?.block.height);
  const first = read();
  say(ofBlocks(1), ofBlocks(2), ofBlocks(3));
  await first;
  await cut();
  say(ofBlocks(3), ofBlocks(4), ofBlocks(5));
  for (let step = 0; step < 3; step++) await clock.step();
  expect(following.state, 'no more of them wait than may').toBe('full');
  for (let n = 2; n <= 5; n++) await read();
  expect([heights, opened.at(-1)?.after]).toEqual([['1', '2', '3', '4', '5'], '5']);
});

test('where heights begin again what was kept is renounced before the first snapshot of them is', async () => {
  const { clock, opened, say, follow } = open();
  const noted: string[] = [];
  const storage: OpenStorage = {
    ...{ kept: null, stored: { asOf: null, failure: null } },
    renounce: () => noted.push('renounced'),
    note: ({ block }) => noted.push(block.height),
    close: async () => {},
  };
  keep(accounts, follow(), { open: async () => storage });
  const restart = async () => {
    const count = opened.length;
    const errors = [{ message: 'forgotten', extensions: { code: 'OUT_OF_RANGE' } }];
    opened.at(-1)?.receiver.onResult({ errors });
    while (opened.length === count) await clock.step();
  };
  await clock.settle();
  say(page(10, [account('a', '1')], true));
  for (const height of [11, 3]) {
    await clock.settle();
    await restart();
    say(page(height, [account('a', '2')], true));
  }
  await clock.settle();
  expect(noted).toEqual(['10', '11', 'renounced', '3']);
});

test('a reader for whom no block may wait gets one after the other', async () => {
  const { clock, opened, say, follow } = open({ mostWaiting: 0 });
  const following = follow();
  const first = following.next();
  say(page(1, [account('a', '1')], true));
  await clock.settle();
  expect((await first).value?.block.height).toBe('1');
  let told: string | undefined;
  void following.next().then(({ value }) => {
    told = value?.block.height;
  });
  for (let step = 0; step < 10 && told === undefined; step++) {
    await clock.step();
    if (following.state === 'live' || opened.length > 1) say(changes(2, [account('a', '2')]));
    await clock.settle();
  }
  expect(told).toBe('2');
});

test('after a pause for a slow reader the address that worked is asked, and after a loss the next one', async () => {
  const url = ['http://one', 'http://two', 'http://three'];
  const { clock, opened, say, cut, follow } = open({ url, mostWaiting: 1 });
  const following = follow();
  const first = following.next();
  await cut();
  say(page(1, [account('a', '1')], true));
  await first;
  say(changes(2, [account('a', '2')]));
  await clock.step();
  expect(following.state).toBe('full');
  await following.next();
  for (const height of [3, 4]) {
    const next = following.next();
    say(changes(height, [account('a', `${height}`)]));
    await next;
    await cut();
  }
  const numbers = [0, 1, 1, 2, 0];
  expect(opened.map((one) => one.url)).toEqual(numbers.map((number) => url[number]));
});

test('a WebSocket that comes back is subscribed again, after the last block (viem #3772)', async () => {
  const sockets: (Socket & { readonly sent: { type: string; payload?: { variables: object } }[] })[] = [];
  const { clock, environment, given } = open();
  class PlayedSocket implements Socket {
    onopen = null;
    onmessage: Socket['onmessage'] = null;
    onclose: Socket['onclose'] = null;
    onerror = null;
    readonly sent: (typeof sockets)[number]['sent'] = [];
    constructor() {
      sockets.push(this);
    }
    send(text: string) {
      this.sent.push(JSON.parse(text));
    }
    close() {}
  }
  const hear = (told: object) => sockets.at(-1)?.onmessage?.({ data: JSON.stringify(told) });
  const options = { ...given, environment: { ...environment, WebSocket: PlayedSocket } };
  const live = keep(accounts, followOver([webSocket], accounts, options));
  /** The ways in which a connection is gone: three that are told, and one that is not. */
  const ends: readonly (() => unknown)[] = [
    () => sockets.at(-1)?.onclose?.({ code: 1006, reason: '' }),
    () => sockets.at(-1)?.onclose?.({ code: 1001, reason: 'The gateway stops.' }),
    () => hear({ id: '1', type: 'complete' }),
    () => {},
  ];
  for (const [n, end] of ends.entries()) {
    sockets.at(-1)?.onopen?.({} as never);
    hear({ type: 'connection_ack' });
    expect(sockets.at(-1)?.sent.at(-1)).toMatchObject({
      type: 'subscribe',
      payload: { variables: { after: n === 0 ? null : `${n}` } },
    });
    const told = n === 0 ? page(1, [account('a', '1')], true) : changes(n + 1, [account('a', `${n + 1}`)]);
    hear({ id: '1', type: 'next', payload: told });
    await clock.settle();
    expect(live.get('a')?.balance).toBe(`${n + 1}`);
    end();
    while (sockets.length === n + 1) await clock.step();
  }
  expect(sockets.length).toBe(ends.length + 1);
});
