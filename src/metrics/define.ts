import type { Metric, MetricValue, Registry } from 'prom-client';
import { BUCKET_ENDS_MS, type Durations } from '../http/watch/durations.ts';

/** A value and its labels at the moment. */
type Reading = readonly [labels: Readonly<Record<string, string>>, value: number];

/** One value without labels, null where there is none at the moment, or several with labels. */
type Readings = number | null | Iterable<Reading>;

type Read = () => Readings | Promise<Readings>;

/** What the workers of one gateway have together: the sum where nothing is said. */
type Together = 'sum' | 'max' | 'min' | 'average' | 'first';

/** A metric that is read where it is counted, when it is asked for. */
export interface Definition {
  readonly name: string;
  readonly help: string;
  readonly type: 'counter' | 'gauge' | 'histogram';
  readonly aggregator: Together;
  readonly readValues: () => Promise<readonly MetricValue<string>[]>;
}

/** What only grows. */
export function counter(
  name: `periscope_${string}_total` | `process_${string}_total`,
  help: string,
  read: Read,
): Definition {
  const readExact = async () =>
    (await readValues(read)).map(({ labels, value }) => ({ labels, value: exact(value) }));
  return { name, help, type: 'counter', aggregator: 'sum', readValues: readExact };
}

/**
 * About whole microseconds, in parts of a second that binary numbers have exactly: these add up to the same in any order. Else
 * what workers have together could fall by its last digit where one of them ends, and all of it be read as new.
 */
function exact(value: number): number {
  return Math.round(value * 2 ** 20) / 2 ** 20;
}

/** What grows and falls. */
export function gauge(name: string, help: string, read: Read, together: Together = 'sum'): Definition {
  return { name, help, type: 'gauge', aggregator: together, readValues: () => readValues(read) };
}

async function readValues(read: Read): Promise<readonly MetricValue<string>[]> {
  const readings = (await read()) ?? [];
  if (typeof readings === 'number') return [{ labels: {}, value: readings }];
  return [...readings].map(([labels, value]) => ({ labels, value }));
}

/** How long things took, in seconds. */
export function histogram(
  name: `${string}_seconds`,
  help: string,
  read: () => Iterable<readonly [labels: Readonly<Record<string, string>>, durations: Durations]>,
): Definition {
  const readValues = async () =>
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
      const sum = { labels, value: exact(sumMs / 1000), metricName: `${name}_sum` };
      return [...buckets, sum, { labels, value: count, metricName: `${name}_count` }];
    });
  return { name, help, type: 'histogram', aggregator: 'sum', readValues };
}

/** OpenMetrics wants them as Go writes floats. */
const BUCKET_NAMES = BUCKET_ENDS_MS.map((ms) => (ms % 1000 === 0 ? `${ms / 1000}.0` : `${ms / 1000}`));

/** Reads from each part of a record, whose name is the label: one value or, with another label, one for each reason. */
export function readEach<Part>(label: string, parts: () => Readonly<Record<string, Part>>) {
  return (pick: (part: Part) => number | Readonly<Record<string, number>>) =>
    function* (): Generator<Reading> {
      for (const [name, part] of Object.entries(parts())) {
        const picked = pick(part);
        if (typeof picked === 'number') yield [{ [label]: name }, picked];
        else for (const [reason, value] of Object.entries(picked)) yield [{ [label]: name, reason }, value];
      }
    };
}

/**
 * Registers what a registry asks for its values. prom-client's own counters and histograms keep values themselves, which
 * whoever counts would have to tell them one by one: that costs more than a short answer does.
 */
export function define(registry: Registry, definitions: readonly Definition[]): void {
  for (const { readValues, ...described } of definitions) {
    const metric = {
      name: described.name,
      async get() {
        return { ...described, values: await readValues() };
      },
      reset() {},
    };
    registry.registerMetric(metric as unknown as Metric);
  }
}
