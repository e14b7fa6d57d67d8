import { expect, test } from 'vitest';
import { chooseRandom } from '../../test/support/seed.ts';
import {
  accounts,
  type Environment,
  type FollowOptions,
  followOver,
  keep,
  type MakeTransport,
  RefusedError,
  type Transport,
  webSocket,
} from '../src/index.ts';
import { SimulatedGateway } from './simulated-gateway.ts';
import { VirtualClock } from './virtual-clock.ts';

/** How many faults a follower goes through: `CLIENT_FAULTS=1000000` for all that is asked for. */
const FAULTS = Number(process.env['CLIENT_FAULTS'] ?? 3_000);
const CLIENTS = 8;

function environmentOf(clock: VirtualClock, random: () => number): Environment {
  return { now: () => clock.now, after: (ms, call) => clock.after(ms, call), random, fetch, WebSocket: null };
}

function open(name: string, options: ConstructorParameters<typeof SimulatedGateway>[2] = {}) {
  const random = chooseRandom(name);
  const clock = new VirtualClock();
  const gateway = new SimulatedGateway(clock, random, options);
  const given: FollowOptions<{ readonly filter?: null }> = {
    url: ['http://one', 'http://two'],
    silenceMs: 900,
    environment: environmentOf(clock, () => random.below(1000) / 1000),
  };
  const transports: readonly MakeTransport[] = ['first', 'second'].map((one) => () => gateway.transport(one));
  const follow = (options: Partial<FollowOptions<{ readonly filter?: null }>> = {}) =>
    followOver(transports, accounts, { ...given, ...options });
  return { random, clock, gateway, given, follow };
}

const refusing = (code: string, message: string): Transport => ({
  name: 'refusing',
  open(_, { onResult }) {
    queueMicrotask(() => onResult({ errors: [{ message, extensions: { code } }] }));
    return () => {};
  },
});

test(
  'rows are those of the block that they name, whatever happens to connections',
  async () => {
    const { random, clock, gateway, follow } = open('faults');
    const stores = Array.from({ length: CLIENTS }, () => ({
      live: keep(accounts, follow({ mostWaiting: 1 + random.below(5) })),
      height: 0,
    }));
    const told: { blocks: number; resets: number } = { blocks: 0, resets: 0 };
    for (const store of stores) {
      store.live.subscribe(() => {
        const height = Number(store.live.asOf?.height);
        expect(height, 'blocks come in order, once each').toBeGreaterThan(store.height);
        store.height = height;
        told.blocks += 1;
        expect(new Map(store.live.getSnapshot().rows)).toEqual(gateway.stateAt(height));
      });
    }
    const count = () => Object.values(gateway.faults).reduce((sum, one) => sum + one, 0);
    while (count() < FAULTS) await clock.step();
    gateway.calm();
    const goal = gateway.height + 80;
    while (gateway.height < goal) await clock.step();
    for (const { live } of stores) {
      expect(live.isLive).toBe(true);
      expect(Number(live.asOf?.height)).toBeGreaterThan(goal - 10);
      expect(live.behindMs).toBeLessThan(1_000);
      live.close();
    }
    console.info(`${count()} faults, ${told.blocks} blocks told: ${JSON.stringify(gateway.faults)}`);
    expect(told.blocks).toBeGreaterThan(FAULTS / 2);
  },
  300_000 + 2 * FAULTS,
);

test('every block that changes something is told, once, by who follows', async () => {
  const { clock, gateway, follow } = open('each block', { history: 100_000 });
  const following = follow();
  const heights: number[] = [];
  const reading = (async () => {
    for await (const { kind, block, rows: told, isReset } of following) {
      expect(isReset).toBe(false);
      if (kind === 'snapshot') heights.push(Number(block.height));
      if (kind !== 'changes') continue;
      expect(told.accounts).toEqual(gateway.changesOf(Number(block.height)));
      heights.push(Number(block.height));
    }
  })();
  while (gateway.height < 2_000) await clock.step();
  await following.return?.();
  await reading;
  const [first = 0, last = 0] = [heights[0], heights.at(-1)];
  const changed = Array.from({ length: last - first }, (_, n) => first + n + 1);
  expect(heights.slice(1)).toEqual(changed.filter((height) => gateway.changesOf(height).length > 0));
  expect(heights.length).toBeGreaterThan(1_000);
});

test('whoever was without a gateway goes on over the transport that worked; one that does not is passed over at once', async () => {
  const { clock, gateway, given } = open('transports');
  gateway.calm();
  let isAway = false;
  const opened: string[] = [];
  let cut = () => {};
  const make =
    (name: string, works: boolean): MakeTransport =>
    () => ({
      name,
      open(request, receiver) {
        opened.push(name);
        cut = () => receiver.onEnd('cut');
        if (works && !isAway) return gateway.transport(name).open(request, receiver);
        return clock.after(1, () => receiver.onEnd('refused'));
      },
    });
  const transports = [make('blocked', false), make('good', true), make('other', true)];
  const live = keep(accounts, followOver(transports, accounts, { ...given, silenceMs: 300 }));
  while (!live.isLive) await clock.step();
  expect(opened).toEqual(['blocked', 'good']);
  for (let outage = 0; outage < 20; outage++) {
    isAway = true;
    opened.length = 0;
    cut();
    // It comes back between two rounds: each has all three.
    while (opened.length < 6 || opened.length % 3 !== 0) await clock.step();
    isAway = false;
    while (!live.isLive) await clock.step();
    expect(opened.at(-1)).toBe('good');
  }
  live.close();
});

test('a cursor that the gateway has forgotten becomes a new snapshot, and says so', async () => {
  const { clock, gateway, follow } = open('forgotten', { history: 5 });
  gateway.calm();
  while (gateway.height < 50) await clock.step();
  const following = follow({ after: '3' });
  const first = following.next();
  while (following.state !== 'live') await clock.step();
  const { value } = await first;
  expect(value).toMatchObject({ kind: 'snapshot', isReset: true });
});

test('a slow reader is told everything, and no more than it asked for waits', async () => {
  const { clock, gateway, follow } = open('slow', { history: 100_000 });
  gateway.calm();
  const following = follow({ mostWaiting: 3 });
  const heights: number[] = [];
  for (let n = 0; n < 40; n++) {
    const next = following.next();
    for (let turn = 0; turn < 60; turn++) await clock.step();
    const { value } = await next;
    if (value?.kind === 'changes') heights.push(Number(value.block.height));
  }
  const [first = 0, last = 0] = [heights[0], heights.at(-1)];
  const changed = Array.from({ length: last - first + 1 }, (_, n) => first + n);
  expect(heights).toEqual(changed.filter((height) => gateway.changesOf(height).length > 0));
  expect(following.state).not.toBe('ended');
});

test('a reader that takes what comes keeps its connection, however much comes at once', async () => {
  const { clock, gateway, given } = open('at once', { history: 100_000 });
  gateway.calm();
  while (gateway.height < 500) await clock.step();
  let opened = 0;
  const inner = gateway.transport('counted');
  const counted: Transport = {
    name: 'counted',
    open(request, receiver) {
      opened += 1;
      return inner.open(request, receiver);
    },
  };
  const following = followOver([() => counted], accounts, { ...given, after: '3', mostWaiting: 2 });
  const heights: number[] = [];
  const reading = (async () => {
    for await (const { block } of following) {
      heights.push(Number(block.height));
      if (heights.at(-1) === 600) break;
    }
  })();
  while (gateway.height < 600) await clock.step();
  while (following.state !== 'ended') await clock.step();
  await reading;
  expect(heights.length).toBeGreaterThan(300);
  expect(opened).toBe(1);
});

test('where nothing is here that a transport needs it is told at once', () => {
  const { given } = open('nothing');
  expect(() => followOver([webSocket], accounts, given)).toThrow('No transport is here.');
});

test('what cannot be mended is thrown at once, in the words of the gateway', async () => {
  const { given } = open('refused');
  const refused = refusing('INVALID_ARGUMENT', 'filter.partyIds takes ids.');
  const live = keep(accounts, followOver([() => refused], accounts, given));
  await expect(live.ready).rejects.toMatchObject({
    code: 'INVALID_ARGUMENT',
    message: 'filter.partyIds takes ids.',
  });
  await expect(live.done).rejects.toBeInstanceOf(RefusedError);
});

test('nothing is left of a follower whose signal is aborted', async () => {
  const { clock, gateway, follow } = open('aborted');
  gateway.calm();
  const aborter = new AbortController();
  const following = follow({ signal: aborter.signal });
  const reading = following.next();
  while (following.state !== 'live') await clock.step();
  await reading;
  const waiting = following.next();
  aborter.abort();
  expect(await waiting).toEqual({ value: undefined, done: true });
  expect(following.state).toBe('ended');
});

test('a library of user interfaces calls subscribe and getSnapshot by themselves', async () => {
  const { clock, gateway, follow } = open('by themselves');
  gateway.calm();
  const live = keep(accounts, follow());
  const { subscribe, getSnapshot } = live;
  let told = 0;
  const end = subscribe(() => {
    told += 1;
  });
  while (told === 0) await clock.step();
  expect(getSnapshot().asOf).toEqual(live.asOf);
  end();
  live.close();
});
