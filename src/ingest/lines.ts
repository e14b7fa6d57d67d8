import { FaultError } from './events.ts';

export interface Line {
  /** Counted from 1. */
  readonly number: number;
  readonly text: string;
}

/** A line longer than this is refused before it is held. */
export const MAX_LINE_SIZE = 1024 * 1024;

const NEWLINE = 0x0a;

/**
 * Cuts chunks of bytes, however they are cut, into lines of UTF-8 text; blank lines are counted and left out.
 * Throws a FaultError that names the source and the line when a line is too long or not UTF-8.
 */
export async function* readLines(
  chunks: AsyncIterable<Uint8Array>,
  name: string,
): AsyncGenerator<Line, void> {
  const utf8 = new TextDecoder('utf-8', { fatal: true });
  let number = 0;
  let parts: Uint8Array[] = [];
  let held = 0;

  function fail(line: number, reason: string, cause?: unknown): FaultError {
    return new FaultError({ place: `${name}, line ${line}`, height: null, reason, event: null }, { cause });
  }

  function hold(part: Uint8Array): void {
    held += part.length;
    if (held > MAX_LINE_SIZE) {
      throw fail(number + 1, `the line has more than ${MAX_LINE_SIZE} bytes`);
    }
    if (part.length > 0) parts.push(part);
  }

  function endLine(): Line {
    const bytes = parts.length === 1 && parts[0] ? parts[0] : Buffer.concat(parts, held);
    parts = [];
    held = 0;
    number += 1;
    try {
      return { number, text: utf8.decode(bytes) };
    } catch (error) {
      throw fail(number, 'the line is not valid UTF-8', error);
    }
  }

  for await (const chunk of chunks) {
    let start = 0;
    for (let end = chunk.indexOf(NEWLINE); end >= 0; end = chunk.indexOf(NEWLINE, start)) {
      hold(chunk.subarray(start, end));
      const line = endLine();
      if (line.text.trim() !== '') yield line;
      start = end + 1;
    }
    hold(chunk.subarray(start));
  }
  if (held > 0) {
    const line = endLine();
    if (line.text.trim() !== '') yield line;
  }
}
