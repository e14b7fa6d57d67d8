import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { eventTypes, readBusEvent } from '../../src/ingest/decode.ts';
import {
  accountOf,
  beginBlock,
  CHAIN,
  encodeBusEvent,
  endBlock,
  type SentPayload,
} from '../support/events.ts';

/** One block as a core node sends it. */
export interface SentBlock {
  readonly height: number;
  readonly events: readonly Uint8Array[];
}

/** The blocks of a recording with sequence numbers, packed. */
export function readRecordedBlocks(path: string): SentBlock[] {
  const bytes = gunzipSync(readFileSync(path));
  const blocks: SentBlock[] = [];
  let events: Uint8Array[] = [];
  for (let at = 0; at < bytes.length; ) {
    const end = at + 4 + bytes.readUInt32BE(at);
    const payload = bytes.subarray(at + 12, end);
    events.push(payload);
    at = end;
    const { event } = readBusEvent(payload).message;
    if (event.case !== 'endBlock') continue;
    blocks.push({ height: Number(event.value.height), events });
    events = [];
  }
  return blocks;
}

export interface MadeBlocks {
  /** How many accounts change in each block. */
  readonly accounts?: number;
  /** How many events of a kilobyte that nobody keeps are in each block. */
  readonly others?: number;
  readonly chainId?: string;
}

/** Blocks with the ids that a core node gives their events. */
export function makeBlocks(
  first: number,
  count: number,
  { accounts = 2, others = 0, chainId = CHAIN }: MadeBlocks = {},
): SentBlock[] {
  return Array.from({ length: count }, (_, n) => {
    const height = first + n;
    const payloads = [
      beginBlock(height),
      ...Array.from({ length: accounts }, (_, k) => accountOf(`party-${k}`, `${height * 1000 + k}`)),
      ...Array<null>(others).fill(null),
      endBlock(height),
    ];
    return { height, events: payloads.map((event, index) => encodeAt(event, height, index + 1, chainId)) };
  });
}

/** An event, or one of no kind that is kept, with the id that tells where it stands. */
export function encodeAt(
  event: SentPayload | null,
  height: number,
  index: number,
  chainId = CHAIN,
): Uint8Array {
  const type = event ? eventTypes[event.case] : TYPE_NOT_KEPT;
  const txHash = event ? 'AB' : 'AB'.repeat(500);
  const payload = event ? { event } : {};
  return encodeBusEvent({
    id: `${height}-${index}`,
    block: 'AB',
    type,
    version: 1,
    chainId,
    txHash,
    ...payload,
  });
}

const TYPE_NOT_KEPT = 19;
