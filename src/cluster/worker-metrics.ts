import type { MetricsSnapshot } from '../metrics/metrics.ts';
import type { WorkerProcess } from './worker-process.ts';

/** Makes one of what several have measured. */
export type AddMetrics = (snapshots: readonly MetricsSnapshot[]) => Promise<MetricsSnapshot>;

/** What bounds memory: labels that clients have a say in change from worker to worker. */
const MOST_ENDED_VALUES = 50_000;

/**
 * What workers measure. A sum that falls is read as a counter that began again, and all of it as new: so of a worker that has
 * ended, or does not answer now, what only grows counts on as it was read last.
 */
export class WorkerMetrics {
  readonly #add: AddMetrics;
  readonly #last = new WeakMap<WorkerProcess, MetricsSnapshot>();
  /** Of all workers that have ended. */
  #ended: Promise<MetricsSnapshot> = Promise.resolve([]);

  constructor(add: AddMetrics) {
    this.#add = add;
  }

  async read(workers: readonly WorkerProcess[]): Promise<readonly MetricsSnapshot[]> {
    // One that ends meanwhile is among those that were running.
    const ended = this.#ended;
    return Promise.all([...workers.map((worker) => this.#readOne(worker)), ended]);
  }

  /** A worker is gone. */
  noteEnd(worker: WorkerProcess): void {
    this.#ended = this.#ended.then(async (before) => {
      const together = await this.#add([before, this.#lastOf(worker)]);
      const count = together.reduce((sum, { values }) => sum + values.length, 0);
      return count > MOST_ENDED_VALUES ? [] : together;
    });
  }

  async #readOne(worker: WorkerProcess): Promise<MetricsSnapshot> {
    const snapshot = await worker.calls.readMetrics().catch(() => null);
    if (snapshot === null) return this.#lastOf(worker);
    this.#last.set(
      worker,
      snapshot.filter(({ type }) => type !== 'gauge'),
    );
    return snapshot;
  }

  #lastOf(worker: WorkerProcess): MetricsSnapshot {
    return this.#last.get(worker) ?? [];
  }
}
