import { FaultError } from './events.ts';
import { numberAs, object, otherwise, type Reader, required, text, time } from './json-objects.ts';
import { ids } from './json-values.ts';
import { refusal, uint63 } from './values.ts';

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
  chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
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

/** The lines of JSON that are of no noun: the network, and the begin of a block. */
export const network = object({ chainId: required(ids) });

/** 2001-09-09. No network has a block from before, so that such a time is a mistake; 0 is none. */
const EARLIEST_BLOCK = 10n ** 18n;

const blockTime: Reader<bigint> = (path, value, context) => {
  const timestamp = time(path, value, context);
  if (timestamp !== 0n && timestamp < EARLIEST_BLOCK) {
    throw refusal(path, `${timestamp}`, 'is before 2001-09-09; times are nanoseconds since 1970');
  }
  return timestamp;
};

export const block = object({
  height: required(numberAs((field, value) => Number(uint63(field, value)))),
  timestamp: required(blockTime),
  hash: otherwise('', text),
});
