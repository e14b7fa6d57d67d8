import type { Logger } from 'pino';
import { isDiskFull } from '../data/embedded/disk-full.ts';
import type { Retention } from '../data/history/retention.ts';
import type { OpenPlace } from '../data/open.ts';
import { isUnavailable } from '../data/servers/unavailable.ts';
import { Writer } from '../data/writing/writer.ts';

/** A database that blocks are applied to. Whoever opens it closes it. */
export interface OpenWriter extends AsyncDisposable {
  readonly writer: Writer;
}

/**
 * Opens the database and takes the writer's lock. Throws FAILED_PRECONDITION where another process has it. What is written when the
 * signal is aborted has a few seconds to end.
 */
export async function openWriter(
  openPlace: () => Promise<OpenPlace>,
  retention: Retention | undefined,
  signal: AbortSignal,
): Promise<OpenWriter> {
  const place = await openPlace();
  try {
    const writer = await Writer.open(place.url, retention, signal);
    return {
      writer,
      async [Symbol.asyncDispose]() {
        await writer.close();
        await place[Symbol.asyncDispose]();
      },
    };
  } catch (error) {
    await place[Symbol.asyncDispose]();
    throw error;
  }
}

export interface FirstOpening {
  /** Stops the ingest, which is told to by `asked` while nobody has it yet who would close it. */
  readonly stop: AbortController;
  readonly asked: AbortSignal;
  readonly logger: Logger;
  /** What becomes of blocks without the database. */
  readonly meanwhile: string;
}

/**
 * The same at the start of an ingest. A database that is away, or has no room, is waited for later: null, and `state` and the log say so. One
 * that another process writes to is a mistake to report.
 */
export async function openFirst(
  open: () => Promise<OpenWriter>,
  state: { trouble: string | null },
  { stop, asked, logger, meanwhile }: FirstOpening,
): Promise<OpenWriter | null> {
  const onAsked = () => stop.abort();
  asked.addEventListener('abort', onAsked);
  try {
    return await open();
  } catch (error) {
    asked.throwIfAborted();
    if (!isUnavailable(error) && !isDiskFull(error)) throw error;
    state.trouble = (error as Error).message;
    logger.warn({ reason: state.trouble }, `the database cannot be reached yet; ${meanwhile}`);
    return null;
  } finally {
    asked.removeEventListener('abort', onAsked);
  }
}
