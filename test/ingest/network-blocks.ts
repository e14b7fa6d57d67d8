import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { BinaryWriter, WireType } from '@bufbuild/protobuf/wire';
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

/** The bytes of an account's event as only a newer release would send it: its balance is a number, and not text. */
export function encodeNewerAccount(height: number, index: number, balance: number): Uint8Array {
  const account = new BinaryWriter();
  account.tag(2, WireType.LengthDelimited).string('newer');
  account.tag(3, WireType.Varint).uint32(balance);
  account.tag(4, WireType.LengthDelimited).string('gold');
  account.tag(5, WireType.LengthDelimited).string('!');
  const event = new BinaryWriter();
  event.tag(1, WireType.LengthDelimited).string(`${height}-${index}`);
  event.tag(3, WireType.Varint).uint32(eventTypes.account);
  event.tag(4, WireType.Varint).uint32(1);
  event.tag(5, WireType.LengthDelimited).string(CHAIN);
  event.tag(105, WireType.LengthDelimited).bytes(account.finish());
  return event.finish();
}

/** The same blocks with another event in the place of the one at an index, from 1, of a block. */
export function replaceEvent(
  blocks: readonly SentBlock[],
  height: number,
  index: number,
  event: Uint8Array,
): SentBlock[] {
  return blocks.map((block) =>
    block.height === height ? { height, events: block.events.with(index - 1, event) } : block,
  );
}
