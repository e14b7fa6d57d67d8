import type { Metric, MetricValue, Registry } from 'prom-client';
import { BUCKET_ENDS_MS, type Durations } from '../http/watch/durations.ts';

/** A value and its labels at the moment. */
export type Reading = readonly [labels: Readonly<Record<string, string>>, value: number];

/** What the workers of one gateway have together: the sum where nothing is said. */
type Together = 'sum' | 'max' | 'min' | 'average' | 'first';

type Readings = Iterable<Reading> | Promise<Iterable<Reading>>;

/** Defines what only grows. Nothing is counted here: it is read where it is counted, when it is asked for. */
export function defineCounter(
  registry: Registry,
  name: `periscope_${string}_total` | `process_${string}_total`,
  help: string,
  read: () => Readings,
): void {
  register(registry, { name, help, type: 'counter', aggregator: 'sum' }, readValues(read));
}

/** Defines what grows and falls, in the same way. */
export function defineGauge(
  registry: Registry,
  name: string,
  help: string,
  read: () => Readings,
  together: Together = 'sum',
): void {
  register(registry, { name, help, type: 'gauge', aggregator: together }, readValues(read));
}

function readValues(read: () => Readings): () => Promise<readonly MetricValue<string>[]> {
  return async () => [...(await read())].map(([labels, value]) => ({ labels, value }));
}

/** Defines how long things took, in seconds. */
export function defineHistogram(
  registry: Registry,
  name: `${string}_seconds`,
  help: string,
  read: () => Iterable<readonly [labels: Readonly<Record<string, string>>, durations: Durations]>,
): void {
  register(registry, { name, help, type: 'histogram', aggregator: 'sum' }, async () =>
    [...read()].flatMap(([labels, { counts, sumMs }]) => {
      let count = 0;
      const buckets = counts.map((inBucket, index) => {
        count += inBucket;
        return {
          labels: { ...labels, le: BUCKET_NAMES[index] ?? '+Inf' },
          value: count,
          metricName: `${name}_bucket`,
        };
      });
      const sum = { labels, value: sumMs / 1000, metricName: `${name}_sum` };
      return [...buckets, sum, { labels, value: count, metricName: `${name}_count` }];
    }),
  );
}

/** OpenMetrics wants them as Go writes floats. */
const BUCKET_NAMES = BUCKET_ENDS_MS.map((ms) => (ms % 1000 === 0 ? `${ms / 1000}.0` : `${ms / 1000}`));

/**
 * Registers what a registry asks for its values. prom-client's own counters and histograms keep values themselves, which
 * whoever counts would have to tell them one by one: that costs more than a short answer does.
 */
function register(
  registry: Registry,
  described: Readonly<Record<'name' | 'help' | 'type' | 'aggregator', string>>,
  readValues: () => Promise<readonly MetricValue<string>[]>,
): void {
  const metric = {
    name: described.name,
    async get() {
      return { ...described, values: await readValues() };
    },
    reset() {},
  };
  registry.registerMetric(metric as unknown as Metric);
}
