import type { IncomingHttpHeaders } from 'node:http';
import { describe, expect, test } from 'vitest';
import { isProbe } from '../../src/http/entrance.ts';
import { serve } from './serve.ts';

/** For what hangs, not for what is slow. */
const LONG_MS = 60_000;

const PRECONDITION = 'type.googleapis.com/google.rpc.PreconditionFailure';

describe('health', () => {
  test('is live and ready when nothing is wrong', async () => {
    const { get } = await serve({ checks: [{ name: 'database', check: async () => null }] });
    expect(await (await get('/health/live')).json()).toEqual({ status: 'live' });
    const ready = await get('/health/ready');
    expect([ready.status, await ready.json()]).toEqual([200, { status: 'ready' }]);
    expect(ready.headers.get('cache-control')).toBe('no-store');
  });

  test('tells the reason of each check that failed, and hides what was thrown', async () => {
    const { get, log } = await serve({
      checks: [
        {
          name: 'database',
          check: async () => Promise.reject(new Error('password authentication failed for bob')),
        },
        { name: 'blocks', check: async () => 'are 90 s old' },
        { name: 'fine', check: async () => null },
        { name: 'slow', check: () => new Promise(() => {}) },
      ],
    });
    const answer = await get('/health/ready');
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '1']);
    expect(await answer.json()).toEqual({
      code: 14,
      message:
        'Not ready: database failed; the log has the reason; blocks are 90 s old; slow gave no answer within 200 ms.',
      details: [
        {
          '@type': PRECONDITION,
          violations: [
            { type: 'READINESS', subject: 'database', description: 'failed; the log has the reason' },
            { type: 'READINESS', subject: 'blocks', description: 'are 90 s old' },
            { type: 'READINESS', subject: 'slow', description: 'gave no answer within 200 ms' },
          ],
        },
      ],
    });
    expect((await get('/health/live')).status).toBe(200);
    expect(log.find(({ check }) => check === 'database')).toMatchObject({
      err: { message: expect.stringContaining('bob') },
    });
  });

  test('recovers with its checks', async () => {
    let reason: string | null = 'is away';
    const { get } = await serve({ checks: [{ name: 'database', check: async () => reason }] });
    expect((await get('/health/ready')).status).toBe(503);
    reason = null;
    expect((await get('/health/ready')).status).toBe(200);
  });

  test('runs checks once for probes that come together', async () => {
    let runs = 0;
    let end = (_reason: null) => {};
    const ended = new Promise<null>((resolve) => {
      end = resolve;
    });
    const check = () => {
      runs += 1;
      return ended;
    };
    const { get, server } = await serve({ checks: [{ name: 'database', check }], checkMs: LONG_MS });
    let asked = 0;
    server.on('request', () => {
      asked += 1;
      if (asked === 10) setImmediate(end, null);
    });
    const answers = await Promise.all(Array.from({ length: 10 }, () => get('/health/ready')));
    expect(answers.map(({ status }) => status)).toEqual(Array(10).fill(200));
    expect(runs).toBe(1);
  });

  test('tells checks when their time is up', async () => {
    let aborted = false;
    const check = (signal: AbortSignal) => {
      signal.addEventListener('abort', () => {
        aborted = true;
      });
      return new Promise<null>(() => {});
    };
    const { get } = await serve({ checks: [{ name: 'database', check }] });
    expect((await get('/health/ready')).status).toBe(503);
    expect(aborted).toBe(true);
  });

  test('is live but not ready while the gateway stops', async () => {
    const { get, health } = await serve();
    health.startDraining();
    expect((await get('/health/live')).status).toBe(200);
    const ready = await get('/health/ready');
    expect([ready.status, (await ready.json()).message]).toEqual([503, 'Not ready: gateway is stopping.']);
  });

  test('is ok in one word at /health, where load balancers of the reference ask, for as long as it is ready', async () => {
    let reason: string | null = null;
    const { get, health } = await serve({ checks: [{ name: 'database', check: async () => reason }] });
    const ok = await get('/health');
    expect([
      ok.status,
      ok.headers.get('content-type'),
      ok.headers.get('cache-control'),
      await ok.text(),
    ]).toEqual([200, 'text/plain; charset=utf-8', 'no-store', 'ok']);
    reason = 'is away';
    const away = await get('/health');
    expect([away.status, away.headers.get('retry-after'), await away.json()]).toEqual([
      503,
      '1',
      expect.objectContaining({ code: 14, message: 'Not ready: database is away.' }),
    ]);
    expect((await get('/health', { method: 'HEAD' })).status).toBe(503);
    reason = null;
    expect((await get('/health')).status).toBe(200);
    health.startDraining();
    expect(await (await get('/health')).json()).toMatchObject({ message: 'Not ready: gateway is stopping.' });
  });

  test.each(['/health', '/health/ready', '/health/live'])('%s takes GET and HEAD only', async (path) => {
    const { get } = await serve();
    const head = await get(path, { method: 'HEAD' });
    expect([head.status, await head.text()]).toEqual([200, '']);
    expect((await get(path, { method: 'POST' })).status).toBe(405);
  });

  test('is asked for by a path and nothing else: a body makes it a request as any other', () => {
    const ask = (headers: IncomingHttpHeaders) => isProbe({ url: '/health', method: 'GET', headers });
    expect([
      ask({}),
      ask({ 'content-length': '0' }),
      ask({ 'content-length': '1' }),
      ask({ 'transfer-encoding': 'chunked' }),
    ]).toEqual([true, true, false, false]);
  });
});
