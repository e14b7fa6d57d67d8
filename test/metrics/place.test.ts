import { connect } from 'node:net';
import { pino } from 'pino';
import { expect, test } from 'vitest';
import { ConfigError, readConfig } from '../../src/config.ts';
import { startGateway } from '../../src/server.ts';
import { findFreePort } from '../live/proxy.ts';
import { createTestDatabase } from '../support/database.ts';
import { startTestGateway } from '../support/gateway.ts';
import { readMetrics, sumOf } from './exposition.ts';

test('on METRICS_PORT there are metrics and nothing else, and on PORT there are none then', async () => {
  await using database = await createTestDatabase();
  await using gateway = await startTestGateway(database.url, { METRICS_PORT: '0' });
  expect(sumOf(await readMetrics(gateway.metricsUrl), 'periscope_build_info')).toBe(1);
  expect(await gateway.rest('/metrics')).toMatchObject({ status: 404 });
  expect((await gateway.rest('/')).body).not.toHaveProperty('metrics');
  const ask = async (path: string, init?: RequestInit) => {
    const answer = await fetch(new URL(path, gateway.metricsUrl as string), init);
    return { status: answer.status, allow: answer.headers.get('allow'), text: await answer.text() };
  };
  expect(await ask('/metrics', { method: 'HEAD' })).toMatchObject({ status: 200, text: '' });
  expect(await ask('/metrics', { method: 'POST' })).toMatchObject({ status: 405, allow: 'GET, HEAD' });
  for (const path of ['/', '/votes', '/metrics/']) {
    const { status, text } = await ask(path);
    expect([path, status, JSON.parse(text)]).toMatchObject([path, 404, { code: 5, details: [] }]);
  }
});

test('metrics are where only this machine can ask, unless a port is set for them', async () => {
  await using database = await createTestDatabase();
  for (const settings of [{ HOST: '0.0.0.0' }, { TRUSTED_PROXIES: 'loopback' }]) {
    await using gateway = await startTestGateway(database.url, settings);
    expect(gateway.metricsUrl).toBeNull();
    expect(await gateway.rest('/metrics')).toMatchObject({ status: 404 });
  }
  await using gateway = await startTestGateway(database.url);
  expect(gateway.metricsUrl).toBe(`${gateway.url}/metrics`);
  expect((await gateway.rest('/')).body).toMatchObject({ metrics: '/metrics' });
});

test('a METRICS_PORT that is taken is told by its name, and nothing is left behind', async () => {
  await using database = await createTestDatabase();
  await using gateway = await startTestGateway(database.url, { METRICS_PORT: '0' });
  const { port } = new URL(gateway.metricsUrl as string);
  const second = startTestGateway(database.url, { METRICS_PORT: port });
  await expect(second).rejects.toThrow(ConfigError);
  await expect(second).rejects.toThrow(`METRICS_PORT is ${port}, which another program uses`);
});

test('a start that fails after METRICS_PORT was taken gives it back', async () => {
  await using database = await createTestDatabase();
  const settings = { PORT: '0', METRICS_PORT: `${await findFreePort()}` };
  const config = readConfig(settings);
  const failed = startGateway({ config, databaseUrl: 'no address', logger: pino({ level: 'silent' }) });
  await expect(failed).rejects.toThrow('Invalid URL');
  await using gateway = await startTestGateway(database.url, settings);
  expect(new URL(gateway.metricsUrl as string).port).toBe(settings.METRICS_PORT);
});

test('who keeps a connection to METRICS_PORT open does not hold up the stop', async () => {
  await using database = await createTestDatabase();
  const gateway = await startTestGateway(database.url, { METRICS_PORT: '0' });
  const { port } = new URL(gateway.metricsUrl as string);
  const socket = connect(Number(port), '127.0.0.1');
  const closed = new Promise((resolve) => socket.once('close', resolve));
  await new Promise((resolve) => socket.once('connect', resolve));
  socket.on('error', () => {});
  socket.resume();
  await gateway.close();
  await closed;
});

test('before the first block there is no height to tell, and nothing is behind', async () => {
  await using database = await createTestDatabase();
  await using gateway = await startTestGateway(database.url);
  const told = await readMetrics(gateway.metricsUrl);
  expect(told.get('periscope_block_height')?.samples).toEqual([]);
  expect(sumOf(told, 'periscope_feed_lag_blocks')).toBe(0);
});
