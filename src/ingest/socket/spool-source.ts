import { open } from 'node:fs/promises';
import { positionWithin } from '../../domain/positions.ts';
import { type DecodedEvent, type DecodeEvent, decodeEvent } from '../decode.ts';
import { EventError } from '../event-faults.ts';
import { type EventSource, FaultError, type SourceEvent } from '../events.ts';
import { FrameError, readRecords } from '../frames.ts';
import { skippingDamaged } from '../skip-damaged.ts';
import { readHead } from './envelope.ts';
import { type Segment, SpoolError } from './segments.ts';
import type { Spool } from './spool.ts';

/**
 * One session of a core node as the spool holds it. Its events end when a later session has begun, else wait for
 * more. Whole blocks only: the block that the session's end cuts off is left out (the next session has it again),
 * and so is what comes before the first begin of a block.
 */
export interface SessionSource extends EventSource {
  /** The number of its first record. */
  readonly session: number;
  /** Where the event lies that was yielded last. */
  readonly segment: Segment | null;
}

/** An upgrade that the core has announced, with the number of the record that announced it. */
export interface UpgradeNotice {
  readonly sequence: number;
  readonly chainId: string;
  readonly lastBlockHeight: bigint;
}

const CHUNK_SIZE = 64 * 1024;

/**
 * The sessions in a spool, from the first that it still has; endless, until the signal is aborted. A session may be
 * left before its end: the next one is waited for. `onUpgrade` is called when all events before an announced upgrade
 * have been taken in. `decode` reads events. One at a position that the database `holds` holds nothing up any more, whatever it is.
 */
export async function* readSessions(
  spool: Spool,
  onUpgrade: (notice: UpgradeNotice) => void,
  signal: AbortSignal,
  {
    decode = decodeEvent,
    holds = () => false,
  }: { readonly [Key in keyof Reading]?: Reading[Key] | undefined } = {},
): AsyncGenerator<SessionSource, void> {
  let last = -1;
  spool.rewind();
  while (true) {
    signal.throwIfAborted();
    const next = spool.segments.find(({ session }) => session > last);
    const { chainId } = spool;
    if (next === undefined || chainId === null) {
      await spool.changed(signal);
    } else {
      last = next.session;
      yield createSource(spool, next, { chainId, onUpgrade, decode, holds });
    }
  }
}

interface Reading {
  readonly decode: DecodeEvent;
  readonly holds: (position: bigint) => boolean;
}

function createSource(
  spool: Spool,
  first: Segment,
  options: Reading & { readonly chainId: string; readonly onUpgrade: (notice: UpgradeNotice) => void },
): SessionSource {
  const { chainId, onUpgrade, decode, holds } = options;
  // What comes before the first block is left out, whatever it is, and so is what the database has.
  const decodeLeftOut = skippingDamaged(decode);
  let segment: Segment | null = null;
  return {
    name: 'the core node',
    session: first.session,
    chainId,
    needsAllApplied: true,
    progress: () => ({ done: 0, total: null, unit: 'blocks' }),
    get segment() {
      return segment;
    },
    async *events(signal) {
      let begun = false;
      let held: SourceEvent[] = [];
      /** The height that was last, and the index behind its last event: one that begins again goes on there. */
      let last = { height: -1, end: 0 };
      for await (const record of readSession(spool, first, signal)) {
        const height = held[0]?.event.type === 'beginBlock' ? held[0].event.height : null;
        const index = (height === last.height ? last.end : 0) + held.length;
        const position = height === null ? null : positionWithin(height, index);
        const isLeftOut = !begun || (position !== null && holds(position));
        const { event, unknownFields } = decodeAt(record, {
          chainId,
          height,
          decode: isLeftOut ? decodeLeftOut : decode,
        });
        if (event.type === 'beginBlock') {
          // What is still held is a block that did not end: let that be found out.
          yield* held;
          held = [];
          begun = true;
        }
        if (begun || event.type === 'upgradeStarted') held.push({ event, at: record.at, unknownFields });
        if (held[0]?.event.type !== 'beginBlock' || event.type === 'endBlock') {
          segment = record.segment;
          yield* held;
          if (height !== null) last = { height, end: index + 1 };
          held = [];
        }
        // Whoever asks for more has applied all that was yielded.
        spool.pass(record.sequence);
        if (event.type === 'upgradeStarted') {
          const lastBlockHeight = readHead(record.payload).upgradeAfter ?? 0n;
          onUpgrade({ sequence: record.sequence, chainId, lastBlockHeight });
        }
      }
    },
  };
}

/** A record as the spool has it. */
export interface SpooledRecord {
  readonly segment: Segment;
  readonly sequence: number;
  readonly payload: Uint8Array;
  readonly at: string;
}

/** The records of a session, from its first on; endless while it is the last. */
export async function* readSession(
  spool: Spool,
  first: Segment,
  signal: AbortSignal,
): AsyncGenerator<SpooledRecord, void> {
  for (let segment: Segment | undefined = first; segment?.session === first.session; ) {
    const { path, first: start }: Segment = segment;
    try {
      let sequence = start;
      for await (const record of readRecords(readSegment(spool, segment, signal))) {
        const { offset, payload } = record;
        if (record.sequence !== BigInt(sequence)) {
          throw new FrameError(
            offset,
            `record number ${record.sequence} stands where number ${sequence} belongs`,
          );
        }
        yield { segment, sequence, payload, at: `${path}, byte ${offset}` };
        sequence += 1;
      }
    } catch (error) {
      if (!(error instanceof FrameError)) throw error;
      const fault = {
        place: `${path}, byte ${error.offset}`,
        height: null,
        reason: error.message,
        event: null,
      };
      throw new FaultError(fault, { cause: error });
    }
    segment = spool.segments.find((later) => later.first > start);
  }
}

/** The bytes of a segment, as they come, until nothing is added to it any more. Throws a SpoolError where the disk does not give them. */
async function* readSegment(
  spool: Spool,
  segment: Segment,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array, void> {
  const fail = (error: Error): never => {
    throw new SpoolError(segment, error);
  };
  const file = await open(segment.path).catch(fail);
  try {
    for (let position = 0; ; ) {
      signal.throwIfAborted();
      const held = spool.heldAt(segment, position);
      if (position < segment.size && held) {
        position += held.length;
        yield held;
      } else if (position < segment.size) {
        const length = Math.min(CHUNK_SIZE, segment.size - position);
        const { bytesRead, buffer } = await file
          .read(Buffer.allocUnsafe(length), 0, length, position)
          .catch(fail);
        if (bytesRead === 0) {
          const place = `${segment.path}, byte ${position}`;
          throw new FaultError({
            place,
            height: null,
            reason: 'a file of the spool was cut off',
            event: null,
          });
        }
        position += bytesRead;
        yield buffer.subarray(0, bytesRead);
      } else if (spool.isFinished(segment)) {
        return;
      } else {
        await spool.changed(signal);
      }
    }
  } finally {
    await file.close();
  }
}

function decodeAt(
  { payload, at }: SpooledRecord,
  {
    chainId,
    height,
    decode,
  }: { readonly chainId: string; readonly height: number | null; readonly decode: DecodeEvent },
): DecodedEvent {
  try {
    const decoded = decode(payload);
    const { chainId: own } = decoded;
    if (own === chainId) return decoded;
    const reason = `an event of chain ${own} in a spool of chain ${chainId}`;
    throw new FaultError({ place: at, height, reason, event: null });
  } catch (error) {
    if (!(error instanceof EventError)) throw error;
    const fault = { place: at, height, reason: error.message, event: error.fault };
    throw new FaultError(fault, { cause: error });
  }
}
