import { type ConsumerMessages, DeliverPolicy, type JsMsg } from '@nats-io/jetstream';
import type { Logger } from 'pino';
import { Backoff } from '../../backoff.ts';
import { IngestError } from '../events.ts';
import type { BlockLog } from './block-log.ts';

/** What may wait in memory; a message that is larger waits alone. */
const MOST_BYTES = 8 * 2 ** 20;
/** How often the servers say that they are there, when nothing else comes. */
const HEARTBEAT_MS = 500;
/** Without a word for so long, reading begins anew: the server that had this reader's place is gone. */
const SILENCE_MS = 2_000;
const RETRY = { firstMs: 100, limitMs: 1_000, jitter: true } as const;

interface ReadOptions {
  readonly signal: AbortSignal;
  readonly logger: Logger;
  /** Is told, at each attempt, why the log cannot be read, and null once it can be again. */
  readonly onAway: (reason: string | null) => void;
}

/**
 * The messages of a log from one on, as they come, until the signal is aborted; throws its reason then. A server that is lost
 * is replaced by another, and reading goes on behind the last message. Throws a LostPlaceError where the stream was
 * made anew, and an IngestError where it has fewer messages than were read: what it has from there on is not what comes next.
 */
export async function* readMessages(
  log: BlockLog,
  start: number,
  { signal, logger, onAway }: ReadOptions,
): AsyncGenerator<JsMsg, void> {
  const backoff = new Backoff({ ...RETRY, signal });
  let made: string | null = null;
  let isAway = false;
  for (let next = start; ; ) {
    try {
      made = await checkPlace(log, next, made);
      if (isAway) onAway(null);
      isAway = false;
      for await (const message of readOnce(log, next, signal)) {
        backoff.reset();
        if (message.seq < next) continue;
        next = message.seq + 1;
        yield message;
      }
    } catch (error) {
      signal.throwIfAborted();
      if (error instanceof IngestError || error instanceof LostPlaceError) throw error;
      const reason = (error as Error).message;
      logger.warn({ reason, next }, `the ${log.name} cannot be read at the moment`);
      onAway(`the ${log.name} cannot be read: ${reason}`);
      isAway = true;
    }
    signal.throwIfAborted();
    await backoff.wait();
  }
}

/** Where to go on is to be looked for anew. Nothing need be missing for that: it is no hold-up. */
class LostPlaceError extends Error {
  override name = 'LostPlaceError';
}

/** Gives when the stream was made, which is to be as before, where that is known. */
async function checkPlace(log: BlockLog, next: number, before: string | null): Promise<string> {
  const { created, state } = await log.manager.streams.info(log.stream.stream);
  if (state.last_seq < next - 1)
    throw new IngestError(
      `the ${log.name} was made anew, or has lost its last messages: it was read up to message ${next - 1}, and ends with ${state.last_seq}`,
    );
  if (created !== (before ?? created)) throw new LostPlaceError(`the ${log.name} was made anew`);
  return created;
}

/** Ends when nothing is heard of the servers any more, they have lost this reader's place, or the signal is aborted. */
async function* readOnce(log: BlockLog, start: number, signal: AbortSignal): AsyncGenerator<JsMsg, void> {
  const consumer = await log.client.consumers.get(log.stream.stream, {
    deliver_policy: DeliverPolicy.StartSequence,
    opt_start_seq: start,
  });
  const messages = await consumer.consume({
    max_bytes: Math.max(MOST_BYTES, 2 * log.largestMessage),
    expires: 2 * HEARTBEAT_MS,
    idle_heartbeat: HEARTBEAT_MS,
  });
  const stop = () => messages.stop();
  let silence: NodeJS.Timeout | null = setTimeout(stop, SILENCE_MS);
  signal.addEventListener('abort', stop, { once: true });
  // It ends with the messages.
  hear(messages, { onHeartbeat: () => silence?.refresh(), onLost: stop }).catch(() => undefined);
  try {
    for await (const message of messages) {
      // While nobody asks for more, the servers have nothing to say.
      clearTimeout(silence);
      silence = null;
      yield message;
      silence = setTimeout(stop, SILENCE_MS);
    }
  } finally {
    if (silence !== null) clearTimeout(silence);
    signal.removeEventListener('abort', stop);
    messages.stop();
    consumer.delete().catch(() => undefined);
  }
}

async function hear(
  messages: ConsumerMessages,
  { onHeartbeat, onLost }: { readonly onHeartbeat: () => void; readonly onLost: () => void },
): Promise<void> {
  for await (const { type } of messages.status()) {
    if (type === 'heartbeat') onHeartbeat();
    if (type === 'ordered_consumer_recreated') onLost();
  }
}
