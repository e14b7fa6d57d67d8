import type { Positioned } from '../data/noun.ts';
import { readStreamCursor, type StreamCursor, writeStreamCursor } from '../domain/cursors.ts';
import { blockOutOfRange, type GatewayError, invalidArgument, quoted } from '../errors.ts';
import type { StreamEvent } from './events.ts';
import type { Reading } from './followed.ts';

/** The cursor after an event: what a client hands in to go on from there. */
export function cursorOf<Row extends Positioned>(
  stream: string,
  event: StreamEvent<Row> | Reading<unknown>,
): string {
  if (event.kind !== 'snapshot') return writeStreamCursor({ stream, position: event.position, row: null });
  const row = event.lastPage ? null : (event.rows.at(-1)?.createdPosition ?? null);
  return writeStreamCursor({ stream, position: event.block.position, row });
}

/** Throws INVALID_ARGUMENT, naming `after`, for a text that is no cursor of a stream. */
export function readCursor(stream: string, text: string): StreamCursor {
  const cursor = readStreamCursor(stream, text);
  if (cursor !== null) return cursor;
  throw invalidArgument(
    'after',
    `after takes a cursor that a stream of ${stream} gave, not ${quoted(text)}.`,
  );
}

/** Reads the cursor of a whole block. Throws INVALID_ARGUMENT for any other. */
export function readCursorOfBlock(stream: string, text: string): bigint {
  const { position, row } = readCursor(stream, text);
  if (row === null) return position;
  throw invalidArgument(
    'after',
    'after takes the cursor of a whole block here: follow the stream to the last page of its snapshot.',
  );
}

/** What is said where a cursor is ahead of the newest block that there is here. */
export function ahead(newest: { readonly height: bigint } | null): GatewayError {
  const newestHeight = newest?.height;
  return blockOutOfRange(
    'NO_SUCH_BLOCK',
    `The cursor after is ahead of what there is here, up to block ${newestHeight ?? 0n}. Try again, or go on elsewhere.`,
    { newestHeight },
  );
}
