import {
  DiscardPolicy,
  JetStreamApiCodes,
  JetStreamApiError,
  type JetStreamManager,
  jetstreamManager,
  RetentionPolicy,
  StorageType,
  type StreamConfig,
} from '@nats-io/jetstream';
import { nanos } from '@nats-io/transport-node';
import { Backoff } from '../../backoff.ts';
import { IngestError } from '../events.ts';
import { ENDLESS, type LogConnection, type OnAway } from './connect.ts';

/** Which stream of JetStream is the log. */
export interface StreamName {
  readonly stream: string;
  /** The one subject of its messages; of a mirror, which has none of its own, `ANY_SUBJECT`. */
  readonly subject: string;
}

/** How much the stream keeps, and how often; null for what is left as it is, or as servers have it. */
export interface StreamLimits {
  readonly replicas: number | null;
  readonly maxAgeMs: number | null;
  readonly maxBytes: number | null;
}

const ANY_SUBJECT = '>';

/** Servers that have just started have no leader yet. */
const START = { firstMs: 200, limitMs: 2_000, deadlineMs: 30_000 } as const;
/** How long the servers know a message by its id; a reader knows a block by its position, always. */
const DUPLICATE_WINDOW_MS = 120_000;
/** Without a leader nobody answers: the sooner it is asked again, the sooner one is found. */
export const ANSWER_LIMIT_MS = 2_000;

export function openManager({ nats }: LogConnection): Promise<JetStreamManager> {
  return jetstreamManager(nats, { timeout: ANSWER_LIMIT_MS, checkAPI: false });
}

/**
 * Makes the stream where it is not there, and gives it the limits that are asked for. Throws an IngestError where a stream of
 * that name is for something else. Where the servers cannot have such a one, `onAway` is told why, and it is tried again without an
 * end; where it is null, an IngestError says so after thirty seconds.
 */
export async function ensureStream(
  connection: LogConnection,
  { stream, subject, ...limits }: StreamName & StreamLimits,
  { signal, onAway }: { readonly signal: AbortSignal; readonly onAway: OnAway | null },
): Promise<void> {
  const manager = await openManager(connection);
  const backoff = new Backoff({ ...START, ...(onAway && ENDLESS), signal });
  for (;;) {
    try {
      const found = await findStream(manager, stream);
      if (found === null) await manager.streams.add(newStream({ stream, subject, ...limits }));
      else {
        checkStream(found, { stream, subject }, connection.name);
        const changes = changesOf(found, limits);
        if (changes !== null) await manager.streams.update(stream, changes);
      }
      return;
    } catch (error) {
      if (error instanceof IngestError) throw error;
      const reason = `${connection.name} cannot have the stream ${stream}: ${(error as Error).message}`;
      onAway?.(reason);
      if (await backoff.wait()) continue;
      signal.throwIfAborted();
      throw new IngestError(reason, { cause: error });
    }
  }
}

/**
 * The stream that a reader is told of by name, as whoever publishes to it has made it: it is waited for, and `onWaiting` called
 * once where it is not there yet.
 */
export async function awaitStream(
  connection: LogConnection,
  stream: string,
  { signal, onWaiting }: { readonly signal: AbortSignal; readonly onWaiting: () => void },
): Promise<StreamName> {
  const manager = await openManager(connection);
  const backoff = new Backoff({ firstMs: START.firstMs, limitMs: START.limitMs, signal });
  let found = await findStream(manager, stream);
  if (found === null) onWaiting();
  for (; found === null; found = await findStream(manager, stream)) {
    await backoff.wait();
    signal.throwIfAborted();
  }
  const [subject = ''] = found.mirror === undefined ? (found.subjects ?? []) : [ANY_SUBJECT];
  checkStream(found, { stream, subject }, connection.name);
  return { stream, subject };
}

/** The stream as the servers have it; null where they have none of that name. */
async function findStream(manager: JetStreamManager, stream: string): Promise<StreamConfig | null> {
  try {
    return (await manager.streams.info(stream)).config;
  } catch (error) {
    const isUnknown = error instanceof JetStreamApiError && error.code === JetStreamApiCodes.StreamNotFound;
    if (isUnknown) return null;
    throw error;
  }
}

function newStream({ stream, subject, replicas, maxAgeMs, maxBytes }: StreamName & StreamLimits) {
  return {
    name: stream,
    subjects: [subject],
    retention: RetentionPolicy.Limits,
    storage: StorageType.File,
    discard: DiscardPolicy.Old,
    num_replicas: replicas ?? 1,
    duplicate_window: nanos(DUPLICATE_WINDOW_MS),
    ...(maxAgeMs !== null && ageOf(maxAgeMs)),
    ...(maxBytes !== null && { max_bytes: maxBytes }),
  };
}

/** How long messages are kept, and their ids: servers refuse a stream that knows these for longer. */
function ageOf(maxAgeMs: number) {
  return { max_age: nanos(maxAgeMs), duplicate_window: nanos(Math.min(DUPLICATE_WINDOW_MS, maxAgeMs)) };
}

/** What two relays may publish to, or a mirror that is only read: nothing else stands in it, and what is read stays. */
function checkStream(
  { subjects = [], retention, mirror }: StreamConfig,
  { stream, subject }: StreamName,
  name: string,
): void {
  const fail = (complaint: string) =>
    new IngestError(
      `The stream ${stream} of ${name} is no log of blocks: ${complaint}. Name another with --stream`,
    );
  if (mirror !== undefined && subject !== ANY_SUBJECT)
    throw fail(`it is a mirror, and takes only what the stream ${mirror.name} has`);
  if (mirror === undefined && (subjects.length !== 1 || subjects[0] !== subject))
    throw fail(`its subjects are ${subjects.join(', ')}, not ${subject} alone (--subject)`);
  if (retention !== RetentionPolicy.Limits)
    throw fail(`its retention is ${retention}: what one region has read is gone for the others`);
}

function changesOf(found: StreamConfig, { replicas, maxAgeMs, maxBytes }: StreamLimits) {
  const changes = {
    ...(replicas !== null && replicas !== found.num_replicas && { num_replicas: replicas }),
    ...(maxAgeMs !== null && nanos(maxAgeMs) !== found.max_age && ageOf(maxAgeMs)),
    ...(maxBytes !== null && maxBytes !== found.max_bytes && { max_bytes: maxBytes }),
  };
  return Object.keys(changes).length === 0 ? null : changes;
}
