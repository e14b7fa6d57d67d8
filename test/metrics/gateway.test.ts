import { expect, test } from 'vitest';
import { Durations } from '../../src/http/watch/durations.ts';
import { counter, define, histogram } from '../../src/metrics/define.ts';
import {
  addMetrics,
  createMetrics,
  OPENMETRICS_TYPE,
  TEXT_TYPE,
  writeMetrics,
} from '../../src/metrics/metrics.ts';
import { startTestGateway } from '../support/gateway.ts';
import { PROMTOOL, runPromtool } from '../support/promtool.ts';
import { createSimulatedDatabase } from '../support/simulated.ts';
import { openGraphqlWs } from '../support/socket-clients.ts';
import { parseMetrics, readMetrics, sumOf } from './exposition.ts';

const NETWORK = { seed: 3, blocks: 5, parties: 4, markets: 1 } as const;
const REQUESTS = 'periscope_http_request_duration_seconds_count';
const OPERATIONS = 'periscope_graphql_operation_duration_seconds_count';

test('requests are counted by route, method and status, and what clients make up is one route', async () => {
  await using database = await createSimulatedDatabase(NETWORK);
  await using gateway = await startTestGateway(database.url);
  const ask = (path: string, init?: RequestInit) =>
    fetch(`${gateway.url}${path}`, init).then((one) => one.text());
  for (let times = 0; times < 4; times += 1) await ask('/api/v2/deposits?pagination.first=1');
  await ask('/api/v2/deposits?pagination.first=x');
  await ask('/api/v2/deposits', { method: 'HEAD' });
  for (const id of ['a', 'b', 'c']) await ask(`/api/v2/deposit/${id}`);
  for (const path of ['/nothing', '/api/v2/deposit/a/b', '/%00']) await ask(path);
  const { paths, ...links } = JSON.parse(await ask('/')) as { paths: string[] } & Record<string, string>;
  for (const path of Object.values(links)) await ask(path);
  const metrics = await readMetrics(gateway.metricsUrl);
  const count = (labels: Record<string, string>) => sumOf(metrics, REQUESTS, labels);
  expect(count({ route: '/api/v2/deposits', method: 'GET', status: '200' })).toBe(4);
  expect(count({ route: '/api/v2/deposits', method: 'GET', status: '400' })).toBe(1);
  expect(count({ route: '/api/v2/deposits', method: 'HEAD', status: '200' })).toBe(1);
  expect(count({ route: '/api/v2/deposit/{id}', status: '404' })).toBe(3);
  expect(count({ route: 'other' })).toBe(3);
  for (const path of Object.values(links)) expect([path, count({ route: path })]).toEqual([path, 1]);
  const named = new Set(
    metrics.get('periscope_http_request_duration_seconds')?.samples.map(({ labels }) => labels['route']),
  );
  expect(
    [...named].filter(
      (route) => ![...paths, ...Object.values(links), '/', 'other'].includes(route as string),
    ),
  ).toEqual([]);
});

test('operations are counted by kind, name, protocol and outcome; of names there are few', async () => {
  await using database = await createSimulatedDatabase(NETWORK);
  await using gateway = await startTestGateway(database.url);
  for (let times = 0; times < 5; times += 1)
    await gateway.graphql('query Mine { assets(first: 1) { edges { node { id } } } }');
  await gateway.graphql('query Bad { node(nodeId: "x") { nodeId } }');
  const follower = await openGraphqlWs(gateway.url, 'subscription Follow { blocks { cursor } }');
  const refused = await openGraphqlWs(gateway.url, 'subscription { nothing }');
  await Promise.all([follower.next(), refused.next()]);
  for (let number = 0; number < 150; number += 1)
    await gateway.graphql(`query Q${number} { block { height } }`);
  const metrics = await readMetrics(gateway.metricsUrl);
  const count = (labels: Record<string, string>) => sumOf(metrics, OPERATIONS, labels);
  const kept = sumOf(metrics, 'periscope_graphql_operations_kept_total', { operation: 'Mine' });
  expect(count({ type: 'query', operation: 'Mine', protocol: 'http', status: 'ok' }) + kept).toBe(5);
  expect(count({ operation: 'Bad', status: 'INVALID_ARGUMENT' })).toBe(1);
  expect(count({ type: 'subscription', operation: 'Follow', protocol: 'websocket', status: 'ok' })).toBe(1);
  expect(
    count({ type: 'unknown', operation: 'other', protocol: 'websocket', status: 'INVALID_ARGUMENT' }),
  ).toBe(1);
  expect(count({ type: 'query', operation: 'other' })).toBeGreaterThan(50);
  const names = new Set(
    metrics
      .get('periscope_graphql_operation_duration_seconds')
      ?.samples.map(({ labels }) => labels['operation']),
  );
  expect(names.size).toBeLessThanOrEqual(102);
  await follower[Symbol.asyncDispose]();
  await refused[Symbol.asyncDispose]();
});

test('kept answers, work taken on, streams, the pool and the newest block are told as they are', async () => {
  await using database = await createSimulatedDatabase(NETWORK);
  await using gateway = await startTestGateway(database.url);
  for (let times = 0; times < 5; times += 1) await gateway.rest('/api/v2/deposits');
  const stream = await openGraphqlWs(gateway.url, 'subscription { blocks { cursor } }');
  await stream.next();
  await expect
    .poll(async () => {
      await gateway.rest('/api/v2/deposits');
      return sumOf(await readMetrics(gateway.metricsUrl), 'periscope_kept_hits_total', { cache: 'answers' });
    })
    .toBeGreaterThan(0);
  const before = await readMetrics(gateway.metricsUrl);
  const told = (name: string, labels?: Record<string, string>) => sumOf(before, name, labels);
  expect(told('periscope_kept_hits_total', { cache: 'answers' })).toBeGreaterThan(0);
  expect(told('periscope_kept_misses_total', { cache: 'answers' })).toBeGreaterThan(0);
  expect(told('periscope_kept_answers_bytes')).toBeGreaterThan(0);
  expect(told('periscope_admission_admitted_total')).toBeGreaterThan(0);
  expect(told('periscope_admission_admitted_cost_total')).toBeGreaterThan(0);
  expect(told('periscope_streams', { protocol: 'websocket' })).toBe(1);
  expect(told('periscope_websockets')).toBe(1);
  expect(told('periscope_stream_messages_total', { protocol: 'websocket' })).toBe(1);
  expect(told('periscope_database_statements_total', { status: 'ok' })).toBeGreaterThan(0);
  expect(told('periscope_pool_connections')).toBeGreaterThan(0);
  expect(told('periscope_block_height')).toBe(5);
  expect(told('periscope_feed_lag_blocks')).toBe(0);
  expect(told('periscope_database_up')).toBe(1);
  expect(told('process_resident_memory_bytes')).toBeGreaterThan(2 ** 20);
  await stream[Symbol.asyncDispose]();
  await database.advanceTo(7);
  await expect
    .poll(async () => sumOf(await readMetrics(gateway.metricsUrl), 'periscope_block_height'))
    .toBe(7);
  const after = await readMetrics(gateway.metricsUrl);
  expect(
    sumOf(after, 'periscope_kept_evictions_total', { cache: 'answers', reason: 'touched' }),
  ).toBeGreaterThan(0);
  expect(sumOf(after, 'periscope_streams', { protocol: 'websocket' })).toBe(0);
  expect(sumOf(after, 'periscope_streams_ended_total', { protocol: 'websocket', reason: 'left' })).toBe(1);
});

test('two gateways of one process tell each its own', async () => {
  await using database = await createSimulatedDatabase(NETWORK);
  await using one = await startTestGateway(database.url);
  await using other = await startTestGateway(database.url);
  await one.rest('/votes');
  const counts = [];
  for (const { metricsUrl } of [one, other])
    counts.push(sumOf(await readMetrics(metricsUrl), 'periscope_admission_admitted_total'));
  expect(counts).toEqual([1, 0]);
});

test('OpenMetrics is given to who asks for it, and the same in Prometheus’ text to all others', async () => {
  await using database = await createSimulatedDatabase(NETWORK);
  await using gateway = await startTestGateway(database.url);
  await gateway.rest('/votes');
  const ask = async (accept: string) => {
    const answer = await fetch(gateway.metricsUrl as string, { headers: { accept } });
    return { type: answer.headers.get('content-type'), text: await answer.text() };
  };
  const prometheus =
    'application/openmetrics-text;version=1.0.0;q=0.5,text/plain;version=0.0.4;q=0.3,*/*;q=0.1';
  const [open, text, any] = await Promise.all([ask(prometheus), ask('text/plain'), ask('*/*')]);
  expect([open.type, text.type, any.type]).toEqual([OPENMETRICS_TYPE, TEXT_TYPE, TEXT_TYPE]);
  const [inOpen, inText] = [parseMetrics(open.text), parseMetrics(text.text)];
  expect([...inOpen.keys()].sort()).toEqual(
    [...inText.keys()].map((name) => name.replace(/_total$/, '')).sort(),
  );
  const units = [...inText].filter(([name]) =>
    /_(?:ms|millis\w*|micros\w*|nanos\w*|kb|mb)\w*(?:_|$)/i.test(name),
  );
  expect(units).toEqual([]);
});

test.skipIf(PROMTOOL === undefined)('promtool has nothing to say of the metrics', async () => {
  await using database = await createSimulatedDatabase(NETWORK);
  await using gateway = await startTestGateway(database.url);
  await gateway.rest('/votes');
  await gateway.graphql('{ block { height } }');
  const input = await (await fetch(gateway.metricsUrl as string)).text();
  expect(runPromtool(['check', 'metrics'], input)).toEqual({ status: 0, said: '' });
  expect(
    runPromtool(
      ['check', 'metrics'],
      input.replaceAll('periscope_websockets_opened_total', 'periscope_websockets_opened'),
    ).said,
  ).not.toBe('');
});

test('what several processes have together are sums, and of a height the largest', async () => {
  const [one, other] = [createMetrics('1.2.3'), createMetrics('1.2.3')];
  const snapshots = [await one.read(), await other.read()];
  const together = parseMetrics(await writeMetrics(snapshots, TEXT_TYPE));
  const apart = await Promise.all(
    snapshots.map(async (one) => parseMetrics(await writeMetrics([one], TEXT_TYPE))),
  );
  const sum = (name: string) => apart.reduce((total, one) => total + sumOf(one, name), 0);
  expect(sumOf(together, 'process_resident_memory_bytes')).toBe(sum('process_resident_memory_bytes'));
  expect(sumOf(together, 'periscope_build_info', { version: '1.2.3' })).toBe(1);
  for (const metrics of [one, other]) metrics[Symbol.dispose]();
});

test('what processes have together does not fall where they are added in another order, as one that ended is', async () => {
  const made = [100, 200, 300].map((ms) => {
    const durations = new Durations();
    durations.add(ms);
    const metrics = createMetrics('1.2.3');
    define(metrics.registry, [
      counter('periscope_waited_seconds_total', 'How long.', () => ms / 1000),
      histogram('periscope_waits_seconds', 'How long.', () => [[{}, durations]]),
    ]);
    return metrics;
  });
  const [one = [], other = [], third = []] = await Promise.all(made.map((metrics) => metrics.read()));
  const read = async (...snapshots: Awaited<ReturnType<typeof addMetrics>>[]) => {
    const metrics = parseMetrics(await writeMetrics(snapshots, TEXT_TYPE));
    return ['periscope_waited_seconds_total', 'periscope_waits_seconds_sum'].map((name) =>
      sumOf(metrics, name),
    );
  };
  const before = await read(one, other, third);
  expect(before).toEqual([expect.closeTo(0.6, 5), expect.closeTo(0.6, 5)]);
  expect(await read(other, third, await addMetrics([[], one]))).toEqual(before);
  for (const metrics of made) metrics[Symbol.dispose]();
});
