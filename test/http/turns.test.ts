import { once } from 'node:events';
import { connect } from 'node:net';
import { setImmediate } from 'node:timers/promises';
import { beforeEach, expect, test, vi } from 'vitest';
import { Turns } from '../../src/http/limits/turns.ts';
import { serve } from './serve.ts';

const LONG_MS = 10_000;

// Time passes by work alone: on a busy machine all else would take some too.
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['performance'] });
  work(1000);
  return () => vi.useRealTimers();
});

function work(ms: number): void {
  vi.advanceTimersByTime(ms);
}

test('work is done at once while a turn is young, and gives what it gives', () => {
  const turns = new Turns(LONG_MS);
  expect(turns.do('a', 1, 'unpriced', () => 7)).toBe(7);
  expect(() =>
    turns.do('a', 1, 'unpriced', () => {
      throw new Error('wrong');
    }),
  ).toThrow('wrong');
});

test('more than a turn has time for is done in the next ones, and others have theirs between', async () => {
  const turns = new Turns(LONG_MS);
  const done: string[] = [];
  const other = async () => {
    for (let n = 0; n < 100; n++) {
      await setImmediate();
      done.push('other');
    }
  };
  const others = other();
  const all = Array.from({ length: 20 }, (_, n) =>
    turns.do('a', 1, 'unpriced', () => {
      work(3);
      done.push(`work ${n}`);
    }),
  );
  await Promise.all(all);
  expect(done.filter((one) => one !== 'other')).toEqual(all.map((_, n) => `work ${n}`));
  // No more than two go into a turn.
  const longest = done
    .join(' ')
    .split('other')
    .map((part) => part.split('work').length - 1);
  expect(Math.max(...longest)).toBeLessThanOrEqual(2);
  await others;
});

test('turns are short while connections come, and for one turn after', async () => {
  const turns = new Turns(LONG_MS);
  const isOverAfter = (ms: number) => {
    work(ms);
    return turns.isOver('usual');
  };
  turns.hurry();
  expect(isOverAfter(6)).toBe(true);
  await setImmediate();
  expect([isOverAfter(0), isOverAfter(6)]).toEqual([false, true]);
  await setImmediate();
  expect([isOverAfter(0), isOverAfter(6), isOverAfter(25)]).toEqual([false, false, true]);
});

test('while connections come, they are accepted between one piece of work and the next', async () => {
  const turns = new Turns(LONG_MS);
  let connections = 0;
  const between: number[] = [];
  turns.hurry();
  const all = Array.from({ length: 3 }, () =>
    turns.do('a', 1, 'unpriced', () => {
      between.push(connections);
      work(10);
    }),
  );
  for (; between.length < 3; connections += 1) {
    work(3);
    turns.hurry();
    await setImmediate();
  }
  await Promise.all(all);
  expect(between).toEqual([0, 3, 7]);
});

test.each([
  ['at once', (refuse: () => never) => refuse()],
  ['by a promise', async (refuse: () => never) => refuse()],
])('clients take turns, and whoever had much refused lately comes last: %s', async (_, inForm) => {
  const turns = new Turns(LONG_MS);
  const done: string[] = [];
  const ask = (client: string) =>
    Promise.resolve(turns.do(client, 1, 'unpriced', () => void done.push(client))).catch(() => undefined);
  const fail = () => {
    work(30);
    throw new Error('refused');
  };
  const refused = async () => turns.do('bad', 1, 'unpriced', () => inForm(fail));
  await expect(refused()).rejects.toThrow('refused');
  // The turn is over by now.
  const all = [ask('bad'), ask('greedy'), ask('greedy'), ask('greedy'), ask('polite'), ask('bad')];
  expect(turns.load.waiting).toBe(6);
  await Promise.all(all);
  expect(done).toEqual(['greedy', 'polite', 'greedy', 'greedy', 'bad', 'bad']);
});

test('what waits for too long is refused, and what is too much in bytes is taken from who has most', async () => {
  const turns = new Turns(20);
  turns.hurry();
  turns.do('a', 1, 'unpriced', () => work(10));
  let outcome: unknown;
  Promise.resolve(turns.do('a', 1, 'unpriced', () => 'read')).then(
    (result) => (outcome = result),
    (error) => (outcome = error.code),
  );
  // Connections keep coming, and its turn never does.
  while (outcome === undefined) {
    turns.hurry();
    await setImmediate();
  }
  expect(outcome).toBe('UNAVAILABLE');

  const patient = new Turns(LONG_MS);
  patient.do('a', 1, 'unpriced', () => work(10));
  const many = Array.from({ length: 20 }, () =>
    Promise.resolve(patient.do('greedy', 2 ** 20, 'unpriced', () => 'read')),
  );
  const polite = Promise.resolve(patient.do('polite', 100, 'unpriced', () => 'read'));
  const outcomes = await Promise.allSettled(many);
  expect(outcomes.filter(({ status }) => status === 'rejected').length).toBe(5);
  expect(await polite).toBe('read');
  expect(patient.load).toMatchObject({ waiting: 0, refused: 5 });
});

test('what is to go on in the next turn does, whatever else waits', async () => {
  const turns = new Turns(LONG_MS);
  const done: string[] = [];
  turns.do('a', 1, 'unpriced', () => work(10));
  const waiting = Promise.resolve(turns.do('a', 1, 'unpriced', () => void done.push('work')));
  turns.next(() => done.push('next'));
  await waiting;
  expect(done).toEqual(['next', 'work']);
});

test('health checks do not wait, but what is asked behind something else on a connection does, these too', async () => {
  let checked = 0;
  const checkedByThen: number[] = [];
  const check = async () => {
    checked += 1;
    return null;
  };
  const { port } = await serve({
    checks: [{ name: 'database', check }],
    mount: (app) =>
      app.get('/slow', (_request, response) => {
        work(1000);
        response.end();
        // All that came with this request has been handed over by then, and the next turn has not begun.
        process.nextTick(() => checkedByThen.push(checked));
      }),
  });
  const ask = async (...paths: readonly string[]) => {
    const socket = connect(port, '127.0.0.1').resume();
    const last = 'GET /small HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n';
    socket.write(paths.map((path) => `GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`).join('') + last);
    await once(socket, 'close');
  };
  await ask('/slow', '/health', '/health');
  expect(checkedByThen).toEqual([0]);
  expect(checked).toBeGreaterThan(0);
});

test('while connections come, those who wait have a quarter of turns that are long of other work', async () => {
  const turns = new Turns(LONG_MS);
  turns.hurry();
  work(30);
  const waiting = Array.from({ length: 40 }, () => turns.do('client', 0, 'unpriced', () => 0));
  let isOver = false;
  void Promise.all(waiting).then(() => {
    isOver = true;
  });
  let count = 0;
  for (; !isOver; count++) {
    await setImmediate();
    turns.hurry();
    work(30);
  }
  expect(count).toBeLessThan(20);
});
