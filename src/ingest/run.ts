import type { Retention } from '../data/history/retention.ts';
import { describeHindrance, type SkippedEvent } from '../data/writing/hold-ups.ts';
import { describeMended } from '../data/writing/row-counts.ts';
import { Writer } from '../data/writing/writer.ts';
import { applySource, type IngestSummary, NOTHING_APPLIED, type Pace } from './apply.ts';
import { type EventSource, FaultError, hindranceOf } from './events.ts';
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
  /** How much of the past is kept; all where it is not given. */
  readonly retention?: Retention;
  readonly pace: Pace;
  readonly signal: AbortSignal;
  readonly output: NodeJS.WritableStream & { readonly isTTY?: boolean };
  /** What to say of a source that has nothing new for a database at this height, where that is as it should be. */
  readonly describeNothingNew?: (height: bigint) => string;
  /** Gets what is done. */
  readonly counts?: IngestCounts;
  /** Of this program, for whoever reads later what it could not go on at. */
  readonly version?: string;
}): Promise<IngestSummary> {
  const { source, databaseUrl, retention, pace, signal, output, describeNothingNew } = options;
  const counts = options.counts ?? new IngestCounts();
  await using writer = await Writer.open(databaseUrl, retention, signal);
  counts.heldUp = writer.heldUp;
  const write = (text: string) => output.write(`${text}\n`);
  if (writer.mended.length > 0) write(describeMended(writer.mended));
  let summary = NOTHING_APPLIED;
  try {
    const progress = reportProgress(source, output);
    const onBlock = (latest: IngestSummary) => {
      counts.add(latest, summary);
      countState(counts, source, writer);
      summary = latest;
      progress.update(latest);
    };
    try {
      const onUnknowns = (unknowns: BlockUnknowns) => {
        for (const sentence of counts.unknowns.add(unknowns)) write(sentence);
      };
      const onSkipped = createSkippedLines(write);
      summary = await applySource(source, writer, { pace, signal, onBlock, onUnknowns, onSkipped });
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
    if (error instanceof FaultError)
      await noteFault(error, writer, { counts, version: options.version }, write);
    if (summary.applied > 0)
      write(`Kept ${describeApplied(source, summary)}; ${describeState(source, writer)}.`);
    throw error;
  }
}

/** How things stand after a block; the bytes are all that were read of the source by now. */
function countState(counts: IngestCounts, source: EventSource, { heldUp, lastBlock }: Writer): void {
  counts.heldUp = heldUp;
  counts.newest = lastBlock;
  const { done, unit } = source.progress();
  if (unit === 'bytes') counts.bytes = Math.max(counts.bytes, done);
}

/**
 * Notes in the database that ingest is held up there, unless it is before the newest block, which the database has from elsewhere then.
 * (The newest may go on behind what it has of it.) The source's own error is the one to end with, whatever comes of this.
 */
async function noteFault(
  error: FaultError,
  writer: Writer,
  { counts, version = 'unknown' }: { readonly counts: IngestCounts; readonly version?: string | undefined },
  write: (text: string) => void,
): Promise<void> {
  const hindrance = hindranceOf(error, writer.lastBlock);
  const { lastBlock } = writer;
  if (hindrance.height !== null && lastBlock !== null && hindrance.height < lastBlock.height) return;
  try {
    await writer.holdUp(hindrance, version);
    counts.heldUp = writer.heldUp;
    write(`Ingest is ${describeHindrance(hindrance)}`);
  } catch (cause) {
    write(`The database could not be told what ingest is held up at: ${(cause as Error).message}`);
  }
}

/** So many lines say what was passed over; the last line of all has the number. */
const MOST_SKIPPED_LINES = 20;

function createSkippedLines(write: (text: string) => void) {
  let lines = 0;
  return (skipped: readonly SkippedEvent[], height: bigint) => {
    for (const { kind, reason } of skipped) {
      lines += 1;
      if (lines <= MOST_SKIPPED_LINES) write(`Passed over in block ${height}: ${kind}: ${reason}`);
      if (lines === MOST_SKIPPED_LINES) write('What else is passed over is only counted.');
    }
  };
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

function describeApplied({ name }: EventSource, { applied, events, skippedEvents }: IngestSummary): string {
  const without = skippedEvents === 0 ? '' : `, but for ${count(skippedEvents, 'damaged one')}`;
  return `${count(applied, 'block')} with ${count(events, 'event')} of ${name}${without}`;
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
