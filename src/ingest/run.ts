import { Writer } from '../data/writer.ts';
import { applySource, type IngestSummary, type Pace } from './apply.ts';
import type { EventSource } from './events.ts';
import { count, reportProgress } from './progress.ts';

/**
 * Ingests a source into a database, from where the database stands to the source's end or the abort, and tells a
 * person on `output` how it goes and what came of it.
 */
export async function runIngest(options: {
  readonly source: EventSource;
  readonly databaseUrl: string;
  /** How many blocks of history are kept; all where it is not given. */
  readonly historyBlocks?: number | null;
  readonly pace: Pace;
  readonly signal: AbortSignal;
  readonly output: NodeJS.WritableStream & { readonly isTTY?: boolean };
}): Promise<IngestSummary> {
  const { source, databaseUrl, historyBlocks, pace, signal, output } = options;
  const writer = await Writer.open(databaseUrl, historyBlocks ?? null);
  try {
    const progress = reportProgress(source, output);
    let summary: IngestSummary;
    try {
      summary = await applySource(source, writer, { pace, signal, onBlock: progress.update });
    } finally {
      progress.stop();
    }
    const height = writer.lastBlock?.height;
    output.write(`${describeEnd(source, summary, height, signal.aborted)}\n`);
    return summary;
  } finally {
    await writer.close();
  }
}

function describeEnd(
  source: EventSource,
  { applied, skipped, events }: IngestSummary,
  height: bigint | undefined,
  stopped: boolean,
): string {
  const state = height === undefined ? 'the database is empty' : `the database is at block ${height}`;
  const known =
    skipped === 0 ? '' : `; ${count(skipped, 'block')} ${skipped === 1 ? 'was' : 'were'} there already`;
  if (applied === 0) return `Nothing new in ${source.name}${known}; ${state} of ${source.chainId}.`;
  const verb = stopped ? 'Stopped after' : 'Applied';
  return `${verb} ${count(applied, 'block')} with ${count(events, 'event')} of ${source.name}${known}; ${state} of ${source.chainId}.`;
}
