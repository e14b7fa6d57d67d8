import type { Readable } from 'node:stream';
import type { NounName } from '../data/nouns/index.ts';
import { isObject } from '../domain/objects.ts';
import { quoted } from '../errors.ts';
import { openByteFile, unpackIfGzip } from './bytes.ts';
import type { EventFault } from './event-faults.ts';
import {
  type EventSource,
  FaultError,
  IngestError,
  type KeptEvent,
  type NetworkEvent,
  type SourceEvent,
} from './events.ts';
import { block, type Line, network, readLines } from './lines.ts';
import { nouns } from './nouns/index.ts';
import { ValueError } from './values.ts';

/**
 * Events as lines of JSON, plain or gzip, from a file or, by the path `-`, from standard input. Each line is
 * `{"type": …, "data": …}`: first the network, then blocks, each followed by what happened in it; the next
 * block, or the end of the input, ends it. docs/feeding.md describes the types.
 *
 * Reads the first line, for the chain. Throws an IngestError that names the line, the field and the value when a
 * line cannot be taken, and an AbortError where the signal is aborted before the first line is there. Standard input
 * gives its events once. With `skipsDamaged` what happened in a block and cannot be taken is passed over.
 */
export async function openNdjson(
  path: string,
  standardInput: Readable = process.stdin,
  signal: AbortSignal = new AbortController().signal,
  { skipsDamaged = false }: { readonly skipsDamaged?: boolean } = {},
): Promise<EventSource> {
  const input = path === '-' ? takeStream(standardInput, 'standard input') : await takeFile(path);
  const chainId = await readChainId(input, signal);
  return {
    name: input.name,
    chainId,
    boundariesImplied: true,
    events: (signal) => readEvents(input, skipsDamaged, signal),
    progress: input.progress,
  };
}

interface Input extends Pick<EventSource, 'name' | 'progress'> {
  /** The first line; what is taken from a stream here is still part of `lines`. */
  first(signal: AbortSignal): Promise<Line | undefined>;
  lines(signal: AbortSignal): AsyncIterable<Line>;
}

async function takeFile(path: string): Promise<Input> {
  const file = await openByteFile(path);
  return {
    name: path,
    progress: () => file.progress(),
    lines: (signal) => readLines(file.chunks(signal), path),
    async first(signal) {
      for await (const line of readLines(file.chunks(signal), path)) return line;
      return undefined;
    },
  };
}

function takeStream(stream: Readable, name: string): Input {
  let done = 0;
  async function* read(): AsyncGenerator<Uint8Array, void> {
    for await (const chunk of stream as AsyncIterable<Uint8Array>) {
      done += chunk.length;
      yield chunk;
    }
  }
  const lines = readLines(unpackIfGzip(read(), name), name);
  let first: Line | undefined;
  /** A read that waits ends with the stream. */
  const stoppable = async function* <T>(signal: AbortSignal, reads: () => AsyncIterable<T>) {
    const stop = () => stream.destroy();
    signal.throwIfAborted();
    signal.addEventListener('abort', stop, { once: true });
    try {
      yield* reads();
    } catch (error) {
      signal.throwIfAborted();
      throw error;
    } finally {
      signal.removeEventListener('abort', stop);
    }
    signal.throwIfAborted();
  };
  return {
    name,
    progress: () => ({ done, total: null, unit: 'bytes' }),
    async first(signal) {
      const readFirst = async function* () {
        yield (await lines.next()).value ?? undefined;
      };
      for await (const line of stoppable(signal, readFirst)) first = line;
      return first;
    },
    lines: (signal) =>
      stoppable(signal, async function* () {
        if (first) yield first;
        yield* lines;
      }),
  };
}

async function readChainId(input: Input, signal: AbortSignal): Promise<string> {
  const line = await input.first(signal);
  if (!line) throw new IngestError(`${input.name}, line 1: the input is empty`);
  return onLine(input, line, () => {
    const { type, data } = parseLine(line);
    if (type !== 'network')
      throw new ValueError(`the first line must have type "network", not ${quoted(type)}`);
    return network('network', data, { blockTimestamp: 0n }).chainId;
  });
}

/** Lines as they are, for who passes them on. */
export interface RawLines {
  readonly name: string;
  readonly chainId: string;
  /** All but the first, each with the height of the block that it begins, if it begins one. */
  lines(signal: AbortSignal): AsyncIterable<Line & { readonly begins: number | null }>;
}

/** The same lines before they are read; of each no more than whether it begins a block. */
export async function openRawLines(
  path: string,
  standardInput: Readable,
  signal: AbortSignal,
): Promise<RawLines> {
  const input = path === '-' ? takeStream(standardInput, 'standard input') : await takeFile(path);
  const chainId = await readChainId(input, signal);
  return {
    name: input.name,
    chainId,
    async *lines(signal) {
      let begun = false;
      for await (const line of input.lines(signal)) {
        signal.throwIfAborted();
        const begins = begun ? onLine(input, line, () => readBegin(line)) : null;
        if (begun) yield { ...line, begins };
        begun = true;
      }
    },
  };
}

function readBegin(line: Line): number | null {
  const { type, data } = parseLine(line);
  return type === 'block' ? block('block', data, { blockTimestamp: 0n }).height : null;
}

/** The events of the lines of one block, that of its begin first. */
export function readBlockLines(
  name: string,
  bytes: Uint8Array,
  options: { readonly skipsDamaged: boolean; readonly signal: AbortSignal },
): AsyncIterable<SourceEvent> {
  const lines = async function* () {
    yield NETWORK_LINE;
    yield* readLines([bytes], name);
  };
  return readEvents({ name, lines }, options.skipsDamaged, options.signal);
}

/** What stands before the lines of all blocks, where only those of one are. */
const NETWORK_LINE: Line = { number: 0, text: '{"type":"network","data":{}}' };

async function* readEvents(
  input: Pick<Input, 'name' | 'lines'>,
  skipsDamaged: boolean,
  signal: AbortSignal,
): AsyncGenerator<SourceEvent, void> {
  let open: { readonly height: number; readonly blockTimestamp: bigint } | null = null;
  let begun = false;
  let at = '';
  for await (const line of input.lines(signal)) {
    signal.throwIfAborted();
    at = `line ${line.number}`;
    const { type, data } = onLine(input, line, () => parseLine(line));
    if (!begun) {
      begun = true;
    } else if (type === 'block') {
      const next = onLine(input, line, () => block('block', data, { blockTimestamp: 0n }));
      if (open) yield { event: { type: 'endBlock', height: open.height }, at };
      yield { event: { type: 'beginBlock', ...next }, at };
      open = { height: next.height, blockTimestamp: next.timestamp };
    } else {
      const context = open;
      const noun = onLine(input, line, () => {
        if (!isNoun(type)) throw new ValueError(explainType(type));
        if (!context) throw new ValueError(`a line of type ${type} stands before the first block`);
        return { name: type, context };
      });
      const read = () => {
        const row = nouns[noun.name].fromJson(noun.name, data, noun.context);
        return { type: noun.name, row } as KeptEvent;
      };
      const event = skipsDamaged ? readOrSkip(type, read) : onLine(input, line, read, type);
      yield { event, at };
    }
  }
  if (open) yield { event: { type: 'endBlock', height: open.height }, at };
}

function parseLine(line: Line): { readonly type: string; readonly data: unknown } {
  const value: unknown = JSON.parse(line.text);
  if (!isObject(value) || typeof value['type'] !== 'string' || !('data' in value)) {
    throw new ValueError('the line is not an object {"type": …, "data": …}');
  }
  const { type, data, ...rest } = value;
  const [unknown] = Object.keys(rest);
  if (unknown !== undefined) {
    throw new ValueError(`the line has no field ${quoted(unknown)} beside type and data`);
  }
  return { type: value['type'], data };
}

function explainType(type: string): string {
  if (type === 'network') return 'the network stands in the first line only';
  return `there is no type ${quoted(type)}; there are network, block, ${Object.keys(nouns).join(', ')}`;
}

function isNoun(type: string): type is NounName {
  return Object.hasOwn(nouns, type);
}

/** `kind` is that of a line which is nothing but one thing that happened. */
function onLine<T>({ name }: Pick<Input, 'name'>, line: Line, read: () => T, kind?: string): T {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof ValueError || error instanceof SyntaxError)) throw error;
    const isText = error instanceof ValueError;
    const reason = isText ? error.message : `the line is not JSON: ${showControls(error.message)}`;
    const event = isText && kind !== undefined ? faultOf(kind, error) : null;
    const place = `${name}, line ${line.number}`;
    throw new FaultError({ place, height: null, reason, event }, { cause: error });
  }
}

function faultOf(kind: string, { field, value }: ValueError): EventFault {
  return { kind, title: null, field, value, isContained: true };
}

function readOrSkip(kind: string, read: () => KeptEvent): NetworkEvent {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof ValueError)) throw error;
    return { type: 'skipped', kind, reason: error.message };
  }
}

/** The error of the parser shows a part of the line as it is, which a terminal might obey. */
function showControls(text: string): string {
  return text.replace(/\p{Cc}/gu, (control) => `\\u${control.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
