import { on, once } from 'node:events';
import { stat } from 'node:fs/promises';
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { describe, expect, onTestFinished, test } from 'vitest';
import { HANG_MS } from '../support/limits.ts';
import { mount, parseAnswer, type Setup, serve } from './serve.ts';

/** Beyond the limit of a test: one that waits for it fails. */
const NEVER_MS = 600_000;
const REQUEST = 'GET /small HTTP/1.1\r\nHost: x\r\n\r\n';

describe('a stop', () => {
  test.each([
    ['on connections not accepted yet', 0],
    ['on those and on kept ones', 20],
  ])('answers requests that were sent before it and not read yet, %s', async (_, kept) => {
    const { port, close } = await serve({ mount });
    const sent = new Int32Array(new SharedArrayBuffer(4));
    const clients = startWorker('./test/http/late-clients.mjs', { port, kept, fresh: 20, sent });
    await once(clients, 'message');
    // A signal, too, is handled while the event loop handles what it found, before it looks again.
    await stat('.');
    clients.postMessage('go');
    // Nothing is read or accepted in this thread until all of it is in the hands of the operating system.
    expect(Atomics.wait(sent, 0, 0, HANG_MS)).not.toBe('timed-out');
    const closed = close({ graceMs: 0, deadlineMs: NEVER_MS });
    const [answers] = (await once(clients, 'message')) as [string[]];
    expect(answers.map(summary)).toEqual(Array(kept + 20).fill('200 close'));
    expect(await closed).toBe(0);
  });

  test('goes on answering for the grace, and tells everyone that the connection ends', async () => {
    const { port, close, get, url } = await serve({ mount });
    const kept = await openKept(port);
    const closed = close({ graceMs: 2000, deadlineMs: NEVER_MS });
    await sleep(50);
    const fresh = await get('/small');
    expect([fresh.status, fresh.headers.get('connection')]).toEqual([200, 'close']);
    kept.socket.write(REQUEST);
    expect(summary(await kept.closed)).toBe('200 close');
    expect(await closed).toBe(0);
    await expect(fetch(url)).rejects.toMatchObject({ cause: { code: 'ECONNREFUSED' } });
  });

  test('needs no grace where nobody is connected, nor was lately', async () => {
    const { close } = await serve();
    expect(await close({ graceMs: NEVER_MS, deadlineMs: NEVER_MS })).toBe(0);
  });

  test('waits no longer than its deadline, whatever the grace', async () => {
    const { port, close } = await serve({ mount });
    const kept = await openKept(port);
    const closed = close({ graceMs: NEVER_MS, deadlineMs: 100 });
    expect(await closed).toBe(1);
    await kept.closed;
  });

  test('ends an idle connection without a reset when a request crosses its end', async () => {
    const { port, close, log } = await serve({ mount });
    const kept = await openKept(port);
    const closed = close({ graceMs: 0, deadlineMs: NEVER_MS });
    await once(kept.socket, 'end');
    await writeTwice(kept.socket);
    kept.socket.end();
    expect(await kept.closed).toBe('');
    expect(await closed).toBe(0);
    // What cannot be answered any more is not worked on.
    expect(log.filter(({ path }) => path === '/small')).toHaveLength(1);
  });

  test('reads on after a last answer, so that what still comes does not take it away', async () => {
    const { port, close, server } = await serve({ mount });
    const kept = await openKept(port);
    kept.socket.pause();
    const closed = close({ graceMs: 500, deadlineMs: NEVER_MS });
    const asked = once(server, 'request');
    kept.socket.write(REQUEST);
    const [, response] = await asked;
    await expect.poll(() => response.closed).toBe(true);
    await writeTwice(kept.socket);
    kept.socket.resume();
    await once(kept.socket, 'end');
    kept.socket.end();
    expect(summary(await kept.closed)).toBe('200 close');
    expect(await closed).toBe(0);
  });

  test('answers every request of a pipeline, and says with the last that the connection ends', async () => {
    let answerFirst = () => {};
    const mount: Setup['mount'] = (app) =>
      app.get('/:n', ({ params: { n } }, response) => {
        // The first is answered when both were asked.
        if (n === '1') answerFirst = () => response.json(n);
        else {
          answerFirst();
          response.json(n);
        }
      });
    const { port, close, server } = await serve({ mount });
    const socket = connect(port, '127.0.0.1').setEncoding('latin1');
    let answers = '';
    socket.on('data', (chunk) => {
      answers += chunk;
    });
    const [first, second] = [1, 2].map((n) => `GET /${n} HTTP/1.1\r\nHost: x\r\n\r\n`);
    const asked = once(server, 'request');
    socket.write(first ?? '');
    await asked;
    const closed = close({ graceMs: 500, deadlineMs: NEVER_MS });
    socket.write(second ?? '');
    await once(socket, 'close');
    expect(answers.match(/^"\d"|(?<=\n)"\d"/g)).toEqual(['"1"', '"2"']);
    expect(answers.match(/Connection: \S+/g)).toEqual(['Connection: keep-alive', 'Connection: close']);
    expect(await closed).toBe(0);
  });

  test.each([
    ['a steady load', 0],
    ['more than it can answer', 8],
  ])('resets nobody under %s', async (_, workMs) => {
    const work: Setup['mount'] = (app) =>
      app.get('/work', (_request, response) => {
        for (const end = performance.now() + workMs; performance.now() < end; );
        response.json('done');
      });
    const { url, close, log } = await serve({ mount: work });
    const load = startWorker('./test/http/open-loop.mjs', {
      url: `${url}/work`,
      perSecond: 200,
      connections: 20,
      mostOpen: 60,
    });
    const said = on(load, 'message');
    await said.next();
    await sleep(500);
    await close({ graceMs: 500, deadlineMs: NEVER_MS });
    let outcomes = {};
    for await (const [told] of said) {
      if (told === 'ECONNREFUSED') load.postMessage('stop');
      if (typeof told === 'string') continue;
      outcomes = told;
      break;
    }
    expect(log.filter(({ msg }) => msg === 'connections refused')).toEqual([]);
    expect(Object.keys(outcomes).sort()).toEqual(['200 close', '200 keep-alive', 'ECONNREFUSED']);
  });
});

/** A client with a connection that was used once, and stays open until both have ended it. */
async function openKept(port: number) {
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true }).setEncoding('latin1');
  const client = {
    socket,
    closed: new Promise<string>((resolve, reject) => {
      let answer = '';
      socket.on('data', (chunk) => {
        answer += chunk;
      });
      socket.once('end', () => setTimeout(() => socket.end(), 200));
      socket.once('error', reject);
      socket.once('close', () => resolve(answer.slice(answer.indexOf('HTTP/', 1)).replace(/^[^H].*/s, '')));
    }),
  };
  socket.write(REQUEST);
  await once(socket, 'data');
  return client;
}

/** Where the first is answered by a reset, the second fails. */
async function writeTwice(socket: Socket): Promise<void> {
  for (const _ of [1, 2]) {
    await new Promise<void>((resolve, reject) =>
      socket.write(REQUEST, (error) => (error ? reject(error) : resolve())),
    );
    await sleep(50);
  }
}

function summary(answer: string): string {
  const { status, headers } = parseAnswer(answer);
  return status > 0 ? `${status} ${headers.get('connection')}` : answer;
}

function startWorker(file: string, workerData: object): Worker {
  const worker = new Worker(file, { workerData });
  onTestFinished(async () => void (await worker.terminate()));
  return worker;
}
