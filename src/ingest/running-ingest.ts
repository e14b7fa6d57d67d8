import type { IngestCounts } from './ingest-counts.ts';

/** An ingest that runs until it is closed. */
export interface RunningIngest extends AsyncDisposable {
  /** Rejects when the ingest cannot go on, which it says only where no waiting helps; never resolves. */
  readonly failed: Promise<never>;
  /** What it has done, and how things stand. */
  readonly counts: IngestCounts;
  /** Takes what was sent already into the spool, where there is one, finishes the block in hand, and ends. */
  close(): Promise<void>;
}

const REPORT_EVERY_MS = 60_000;

/** Makes a running ingest of work that is under way: reports on it, tells when it fails, and has it ended once. */
export function superviseIngest(options: {
  readonly counts: IngestCounts;
  /** Ends when `end` has it ended, or throws where the ingest cannot go on. */
  readonly applying: Promise<void>;
  /** Rejects where what the events come by cannot go on; never resolves. */
  readonly sourceFailed?: Promise<never>;
  /** Once a minute, so that a silent source or a database that is behind does not go unnoticed. */
  readonly report: () => void;
  readonly end: () => Promise<void>;
}): RunningIngest {
  const { counts, applying, sourceFailed, report, end } = options;
  const applyingFailed = applying.then(() => new Promise<never>(() => {}));
  const failed = Promise.race([applyingFailed, ...(sourceFailed ? [sourceFailed] : [])]);
  failed.catch(() => undefined);
  const reporting = setInterval(report, REPORT_EVERY_MS);
  let closed: Promise<void> | undefined;
  const close = () => {
    clearInterval(reporting);
    closed ??= end();
    return closed;
  };
  return { failed, counts, close, [Symbol.asyncDispose]: close };
}
