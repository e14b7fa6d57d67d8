import type { MetricsSnapshot } from '../metrics/metrics.ts';
import type { ToWorker } from './messages.ts';

/** A worker that can be asked what it measures. */
interface Measured {
  readonly id: number;
  send(message: ToWorker): void;
}

/** Whoever asks for metrics is not to wait for a worker that does not answer: they are without its own then. */
const LIMIT_MS = 1000;

/** What workers measure, read when somebody asks. */
export class MetricsReading {
  readonly #open = new Map<number, (worker: number, snapshot: MetricsSnapshot) => void>();
  #last = 0;

  read(workers: readonly Measured[]): Promise<readonly MetricsSnapshot[]> {
    const reading = ++this.#last;
    return new Promise((resolve) => {
      const awaited = new Set(workers.map(({ id }) => id));
      const snapshots: MetricsSnapshot[] = [];
      const end = () => {
        clearTimeout(late);
        this.#open.delete(reading);
        resolve(snapshots);
      };
      const late = setTimeout(end, LIMIT_MS).unref();
      this.#open.set(reading, (worker, snapshot) => {
        if (awaited.delete(worker)) snapshots.push(snapshot);
        if (awaited.size === 0) end();
      });
      for (const worker of workers) worker.send({ kind: 'readMetrics', reading });
      if (awaited.size === 0) end();
    });
  }

  /** Takes what a worker measures. */
  take(worker: number, reading: number, snapshot: MetricsSnapshot): void {
    this.#open.get(reading)?.(worker, snapshot);
  }
}
