import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { IngestCounts } from '../../src/ingest/ingest-counts.ts';
import { RelayCounts } from '../../src/ingest/log/relay-counts.ts';
import { defineDiskMetrics } from '../../src/metrics/disks.ts';
import { defineIngestMetrics } from '../../src/metrics/ingest.ts';
import { createMetrics, TEXT_TYPE, writeMetrics } from '../../src/metrics/metrics.ts';
import { defineRelayMetrics } from '../../src/metrics/relay.ts';
import { createTestDatabase } from '../support/database.ts';
import { startTestGateway } from '../support/gateway.ts';
import { PROMTOOL, runPromtool } from '../support/promtool.ts';
import { type Families, parseMetrics, readMetrics } from './exposition.ts';

const FOLDER = 'deploy/prometheus';
const read = (file: string) => readFileSync(`${FOLDER}/${file}`, 'utf8');
const alerts = parse(read('alerts.yaml')).groups.flatMap(({ rules }: { rules: Alert[] }) => rules) as Alert[];
const dashboard = JSON.parse(read('dashboard.json')) as Dashboard;
const expressions = [
  ...alerts.map(({ expr }) => expr),
  ...dashboard.panels.flatMap(({ targets }) => targets.map(({ expr }) => expr)),
  ...dashboard.templating.list.flatMap(({ query }) => (typeof query === 'string' ? [] : [query.query])),
];

interface Alert {
  readonly alert: string;
  readonly expr: string;
}

interface Dashboard {
  readonly panels: readonly { readonly id: number; readonly targets: readonly { readonly expr: string }[] }[];
  readonly templating: { readonly list: readonly { readonly query: string | { readonly query: string } }[] };
}

test('the dashboard and the alerts name no metric and no label that there is not', async () => {
  const told = await readAll();
  const missing = expressions.flatMap((expression) =>
    metricsIn(expression)
      .filter(({ name }) => familyOf(told, name) === undefined)
      .map(({ name }) => name),
  );
  expect(missing).toEqual([]);
  expect(metricsIn('rate(periscope_nothing_total{a="b"}[5m])')).toEqual([
    { name: 'periscope_nothing_total', labels: ['a'] },
  ]);
  const labelled = expressions.flatMap(metricsIn).filter(({ name, labels }) => {
    const samples = familyOf(told, name)?.samples ?? [];
    const own = labels.filter((label) => !['instance', 'job'].includes(label));
    // One that has no sample yet has no labels to look at.
    return samples.length > 0 && !own.every((label) => samples.some((sample) => label in sample.labels));
  });
  expect(labelled).toEqual([]);
});

test('every kind of metric of ours is on the dashboard or in an alert', async () => {
  const told = await readAll();
  const shown = expressions.flatMap(metricsIn).map(({ name }) => name.replace(/_(?:bucket|sum|count)$/, ''));
  const areas = (names: Iterable<string>) =>
    new Set([...names].flatMap((name) => /^periscope_([a-z]+)/.exec(name)?.[1] ?? []));
  expect([...areas(told.keys())].filter((area) => !areas(shown).has(area))).toEqual([]);
});

test('the panels of the dashboard have an id each, and something to show', () => {
  const ids = dashboard.panels.map(({ id }) => id);
  expect(new Set(ids).size).toBe(ids.length);
  expect(dashboard.panels.filter(({ targets }) => targets.length === 0)).toEqual([]);
});

test('the guide says of every alert what it means and what to do', () => {
  const told = [...readFileSync('docs/metrics.md', 'utf8').matchAll(/`(Periscope[A-Z]\w+)`/g)];
  expect(new Set(told.map(([, name]) => name))).toEqual(new Set(alerts.map(({ alert }) => alert)));
});

test('every alert is tried where it has to come, and where it may not', () => {
  const tests = parse(read('tests.yaml')).tests as readonly {
    readonly alert_rule_test: readonly {
      readonly alertname: string;
      readonly exp_alerts: readonly object[];
    }[];
  }[];
  const cases = tests.flatMap(({ alert_rule_test }) => alert_rule_test);
  const tried = (comes: boolean) =>
    new Set(cases.filter((one) => one.exp_alerts.length > 0 === comes).map(({ alertname }) => alertname));
  const names = alerts.map(({ alert }) => alert);
  expect(names.length).toBeGreaterThan(5);
  for (const comes of [true, false]) expect(names.filter((name) => !tried(comes).has(name))).toEqual([]);
});

test.skipIf(PROMTOOL === undefined)('promtool finds the alerts to come when they should', () => {
  expect(runPromtool(['check', 'rules', `${FOLDER}/alerts.yaml`])).toMatchObject({ status: 0 });
  const { status, said } = runPromtool(['test', 'rules', `${FOLDER}/tests.yaml`]);
  expect([status, said]).toEqual([0, expect.stringContaining('SUCCESS')]);
});

/** What a gateway, an ingest and a relay tell together. */
async function readAll(): Promise<Families> {
  await using database = await createTestDatabase();
  await using gateway = await startTestGateway(database.url);
  await gateway.rest('/votes');
  await gateway.graphql('{ block { height } }');
  await gateway.rest('/votes');
  using metrics = createMetrics('1.2.3');
  const counts = Object.assign(new IngestCounts(), { newest: { height: 1n, timestamp: 1n } });
  counts.watch(() => ({ spool: { bytes: 0, limit: 1, segments: 0 }, isConnected: false, trouble: null }));
  defineIngestMetrics(metrics.registry, () => counts);
  defineDiskMetrics(metrics.registry, { database: '.', spool: null });
  const ingest = parseMetrics(await writeMetrics([await metrics.read()], TEXT_TYPE));
  using ofRelay = createMetrics('1.2.3');
  defineRelayMetrics(ofRelay.registry, new RelayCounts());
  const relay = parseMetrics(await writeMetrics([await ofRelay.read()], TEXT_TYPE));
  return new Map([...relay, ...ingest, ...(await readMetrics(gateway.metricsUrl))]);
}

function familyOf(told: Families, name: string) {
  return told.get(name) ?? told.get(name.replace(/_(?:bucket|sum|count)$/, ''));
}

/** The metrics that an expression names, with the labels that it asks of them. */
function metricsIn(expression: string) {
  const named = expression.matchAll(/\b((?:periscope|nodejs|process)_\w+)\b(?!["=])(?:\{([^}]*)\})?/g);
  return [...named].map(([, name = '', matchers = '']) => ({
    name,
    labels: [...matchers.matchAll(/(\w+)\s*[=!]~?/g)].map(([, label = '']) => label),
  }));
}
