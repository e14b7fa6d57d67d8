import { Writer } from '../data/writer.ts';
import { applySource, type IngestSummary, NOTHING_APPLIED, type Pace } from './apply.ts';
import type { EventSource } from './events.ts';
import { IngestCounts } from './ingest-counts.ts';
import { count, reportProgress } from './progress.ts';
import type { BlockUnknowns } from './unknowns.ts';

/**
 * Ingests a source into a database, from where the database stands to the source's end or the abort, and writes
 * on `output`, for a person, how it goes and what came of it; after an error too, as far as blocks were applied before it.
 */
export async function runIngest(options: {
  readonly source: EventSource;
  readonly databaseUrl: string;
  /** How many blocks of history are kept; all where it is not given. */
  readonly historyBlocks?: number | null;
  readonly pace: Pace;
  readonly signal: AbortSignal;
  readonly output: NodeJS.WritableStream & { readonly isTTY?: boolean };
  /** What to say of a source that has nothing new for a database at this height, where that is as it should be. */
  readonly describeNothingNew?: (height: bigint) => string;
  /** Gets what is done. */
  readonly counts?: IngestCounts;
}): Promise<IngestSummary> {
  const { source, databaseUrl, historyBlocks, pace, signal, output, describeNothingNew } = options;
  const counts = options.counts ?? new IngestCounts();
  const writer = await Writer.open(databaseUrl, historyBlocks ?? null);
  const write = (text: string) => output.write(`${text}\n`);
  let summary = NOTHING_APPLIED;
  try {
    const progress = reportProgress(source, output);
    const onBlock = (latest: IngestSummary) => {
      countBlock(counts, summary, latest, source, writer);
      summary = latest;
      progress.update(latest);
    };
    try {
      const onUnknowns = (unknowns: BlockUnknowns) => {
        for (const sentence of counts.unknowns.add(unknowns)) write(sentence);
      };
      summary = await applySource(source, writer, { pace, signal, onBlock, onUnknowns });
    } finally {
      progress.stop();
    }
    const height = writer.lastBlock?.height;
    const isKnown = describeNothingNew && height !== undefined && summary.applied === 0 && !signal.aborted;
    write(
      isKnown
        ? describeNothingNew(height)
        : describeEnd(source, summary, describeState(source, writer), signal.aborted),
    );
    if (summary.unfinished) write(describeUnfinished(source, summary.unfinished));
    return summary;
  } catch (error) {
    if (summary.applied > 0)
      write(`Kept ${describeApplied(source, summary)}; ${describeState(source, writer)}.`);
    throw error;
  } finally {
    await writer.close();
  }
}

/** One more block than before; the bytes are all that were read of the source by now. */
function countBlock(
  counts: IngestCounts,
  before: IngestSummary,
  latest: IngestSummary,
  source: EventSource,
  { lastBlock }: Writer,
): void {
  counts.applied += latest.applied - before.applied;
  counts.skipped += latest.skipped - before.skipped;
  counts.events += latest.events - before.events;
  counts.newest = lastBlock;
  const { done, unit } = source.progress();
  if (unit === 'bytes') counts.bytes = Math.max(counts.bytes, done);
}

function describeEnd(source: EventSource, summary: IngestSummary, state: string, stopped: boolean): string {
  const { applied, skipped } = summary;
  const known =
    skipped === 0 ? '' : `; ${count(skipped, 'block')} ${skipped === 1 ? 'was' : 'were'} there already`;
  if (applied === 0) {
    return `${stopped ? 'Stopped before anything new' : 'Nothing new'} in ${source.name}${known}; ${state}.`;
  }
  const verb = stopped ? 'Stopped after' : 'Applied';
  return `${verb} ${describeApplied(source, summary)}${known}; ${state}.`;
}

function describeApplied({ name }: EventSource, { applied, events }: IngestSummary): string {
  return `${count(applied, 'block')} with ${count(events, 'event')} of ${name}`;
}

function describeState({ chainId }: EventSource, { lastBlock }: Writer): string {
  return lastBlock === null
    ? 'the database is empty'
    : `the database is at block ${lastBlock.height} of ${chainId}`;
}

function describeUnfinished(
  { name }: EventSource,
  { height, at }: NonNullable<IngestSummary['unfinished']>,
): string {
  return `Block ${height}, begun at ${at}, is not complete yet in ${name}, and is left out: ingest it again when it is.`;
}
