import { GatewayError } from '../errors.ts';
import type { SharedResult } from '../operations/subscribe.ts';
import type { Messages } from './open-streams.ts';
import { errorOf } from './stream-messages.ts';

/** The one who reads a stream. */
export interface Reader {
  /** Hands a message on; resolves when there is room for another, or nobody to read it any more. */
  write(result: SharedResult): Promise<void>;
  /** Ends with an error, or without one. Ending twice is ending once. */
  end(error: GatewayError | null): void;
}

/** Hands every message on, at the reader's pace, and ends the reader when the stream ends. */
export async function follow(messages: Messages, reader: Reader): Promise<void> {
  // Each message is a call's own: none stays in memory while its stream is quiet.
  while (await handOn(messages, reader));
}

async function handOn(messages: Messages, reader: Reader): Promise<boolean> {
  const next = await messages.next();
  const error = next.done === true ? null : errorOf(next.value);
  if (next.done === true || error !== null) {
    reader.end(error);
    return false;
  }
  await reader.write(next.value);
  return true;
}

/** What a reader that took nothing for too long is told, should it read again. */
export function stalled(ms: number): GatewayError {
  return new GatewayError(
    'RESOURCE_EXHAUSTED',
    `Nothing of the stream was read for ${ms / 1000} seconds. Go on from the last cursor, or begin again.`,
  );
}
