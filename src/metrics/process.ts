import { readdir } from 'node:fs/promises';
import {
  constants,
  monitorEventLoopDelay,
  type PerformanceEntry,
  PerformanceObserver,
  performance,
} from 'node:perf_hooks';
import type { Registry } from 'prom-client';
import { Durations } from '../http/watch/durations.ts';
import { counter, type Definition, define, gauge, histogram } from './define.ts';

const RESOLUTION_MS = 20;
const NS = 1e9;

/**
 * Measures the process: processor, memory, event loop, garbage collection, under the names that dashboards for Node.js
 * know. Our own, as prom-client's watch for as long as the process lives and cannot be told to stop.
 */
export function watchProcess(registry: Registry): Disposable {
  const delay = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  delay.enable();
  const collections = new Map<string, Durations>();
  const observer = new PerformanceObserver((list) => {
    for (const entry of list.getEntries() as CollectionEntry[]) {
      const { duration, detail } = entry;
      const kind = COLLECTIONS.get(detail?.kind ?? 0) ?? 'other';
      const durations = collections.get(kind) ?? new Durations();
      collections.set(kind, durations);
      durations.add(duration);
    }
  });
  observer.observe({ entryTypes: ['gc'] });
  define(registry, [
    ...memory(),
    ...processor(),
    ...loop(delay),
    histogram('nodejs_gc_duration_seconds', 'How long garbage collections took, by kind.', () =>
      [...collections].map(([kind, durations]) => [{ kind }, durations] as const),
    ),
  ]);
  return {
    [Symbol.dispose]() {
      observer.disconnect();
      delay.disable();
    },
  };
}

/** The types of Node.js leave out what is told of a collection. */
type CollectionEntry = PerformanceEntry & { readonly detail?: { readonly kind?: number } };

const COLLECTIONS = new Map([
  [constants.NODE_PERFORMANCE_GC_MAJOR, 'major'],
  [constants.NODE_PERFORMANCE_GC_MINOR, 'minor'],
  [constants.NODE_PERFORMANCE_GC_INCREMENTAL, 'incremental'],
  [constants.NODE_PERFORMANCE_GC_WEAKCB, 'weakcb'],
]);

function memory(): readonly Definition[] {
  const of = (name: string, help: string, key: keyof NodeJS.MemoryUsage) =>
    gauge(name, help, () => process.memoryUsage()[key]);
  return [
    of('process_resident_memory_bytes', 'Memory that the process takes of the machine.', 'rss'),
    of('nodejs_heap_size_total_bytes', 'The heap of JavaScript.', 'heapTotal'),
    of('nodejs_heap_size_used_bytes', 'What of the heap is in use.', 'heapUsed'),
    of(
      'nodejs_external_memory_bytes',
      'What JavaScript holds outside its heap, buffers included.',
      'external',
    ),
  ];
}

function processor(): readonly Definition[] {
  return [
    counter('process_cpu_seconds_total', 'Time of the processor, the user and the system together.', () => {
      const { user, system } = process.cpuUsage();
      return (user + system) / 1e6;
    }),
    gauge(
      'process_start_time_seconds',
      'When the process began, since the epoch.',
      () => performance.timeOrigin / 1000,
      'min',
    ),
    gauge(
      'process_open_fds',
      'Files, connections and pipes that are open; where the machine tells.',
      async () => {
        const open = await readdir('/proc/self/fd').catch(() => null);
        // The reading itself opens one.
        return open && open.length - 1;
      },
    ),
  ];
}

function loop(delay: ReturnType<typeof monitorEventLoopDelay>): readonly Definition[] {
  const late = (percentile: number) =>
    delay.count === 0 ? 0 : Math.max(0, delay.percentile(percentile) / NS - RESOLUTION_MS / 1000);
  const lag = (name: string, which: string, read: () => number) =>
    gauge(
      `nodejs_eventloop_lag_${name}_seconds`,
      `How late the event loop was since that was last asked for: ${which}.`,
      read,
      'max',
    );
  let last = performance.eventLoopUtilization();
  return [
    lag('p50', 'half of the time no more than this', () => late(50)),
    lag('p90', 'nine tenths of the time no more than this', () => late(90)),
    lag('p99', 'but for a hundredth of the time no more than this', () => late(99)),
    lag('max', 'at most', () => {
      const most = late(100);
      // Those before are read already: a registry asks in the order of definition.
      delay.reset();
      return most;
    }),
    gauge(
      'periscope_event_loop_utilization_ratio',
      'Which part of the time the event loop was busy since it was last asked for, from 0 to 1.',
      () => {
        const now = performance.eventLoopUtilization();
        const { utilization } = performance.eventLoopUtilization(now, last);
        last = now;
        return utilization;
      },
      'max',
    ),
  ];
}
