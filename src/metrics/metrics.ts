import { AggregatorRegistry, type MetricValue, Registry } from 'prom-client';
import { define, gauge } from './define.ts';
import { watchProcess } from './process.ts';

/** The values of all metrics at one moment, as one process can hand them to another. */
export type MetricsSnapshot = readonly {
  readonly name: string;
  readonly help: string;
  readonly type: string;
  readonly aggregator: string;
  readonly values: readonly MetricValue<string>[];
}[];

/** The metrics of a process, in a registry of their own. Whoever makes them closes them. */
export interface Metrics extends Disposable {
  /** What more is measured is defined here. */
  readonly registry: Registry;
  read(): Promise<MetricsSnapshot>;
}

/** Makes the metrics that every process has; `version` is that of this program. */
export function createMetrics(version: string): Metrics {
  const registry = new Registry();
  const watch = watchProcess(registry);
  const build = { version, node: process.versions.node };
  const help = 'Which version runs, on which Node.js; always 1.';
  define(registry, [gauge('periscope_build_info', help, () => [[build, 1]], 'first')]);
  let running: Promise<MetricsSnapshot> | undefined;
  return {
    registry,
    read() {
      // Whoever asks meanwhile gets the same: asking costs the database no more, however often it is done.
      running ??= snapshotOf(registry).finally(() => {
        running = undefined;
      });
      return running;
    },
    [Symbol.dispose]: () => watch[Symbol.dispose](),
  };
}

export const TEXT_TYPE = Registry.PROMETHEUS_CONTENT_TYPE;
export const OPENMETRICS_TYPE = Registry.OPENMETRICS_CONTENT_TYPE;

/** Writes what processes have together: their sums, and where a sum has no sense what the metric says. */
export async function writeMetrics(
  snapshots: readonly MetricsSnapshot[],
  type: typeof TEXT_TYPE | typeof OPENMETRICS_TYPE,
): Promise<string> {
  const given = snapshots.map((snapshot) =>
    type === OPENMETRICS_TYPE ? snapshot.map(withoutTotal) : snapshot,
  );
  return aggregate(given, type).metrics();
}

/** Returns the metrics of all processes together, as values instead of text. */
export async function addMetrics(snapshots: readonly MetricsSnapshot[]): Promise<MetricsSnapshot> {
  return snapshotOf(aggregate(snapshots, TEXT_TYPE));
}

// The types know neither the second argument nor that it gives a registry like any other.
const aggregate = AggregatorRegistry.aggregate as unknown as (
  snapshots: readonly object[],
  type: string,
) => Registry;

function snapshotOf(registry: Registry): Promise<MetricsSnapshot> {
  return registry.getMetricsAsJSON() as Promise<unknown> as Promise<MetricsSnapshot>;
}

/** In OpenMetrics only the samples of a counter end in `_total`; prom-client adds that, and looks for none that is there. */
function withoutTotal(metric: MetricsSnapshot[number]): MetricsSnapshot[number] {
  return { ...metric, name: metric.name.replace(/_total$/, '') };
}
