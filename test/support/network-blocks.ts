import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { type BusEventPayload, busEvent, busEventTypes } from '../../src/ingest/protocol.ts';
import { accountOf, beginBlock, CHAIN, endBlock } from './events.ts';

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
    const { event } = busEvent.decode(payload);
    if (event?.name !== 'endBlock') continue;
    blocks.push({ height: Number(event.value.height), events });
    events = [];
  }
  return blocks;
}

/** Blocks with the ids that a core node gives their events, `padding` characters longer each for an account's. */
export function makeBlocks(
  first: number,
  count: number,
  accounts = 2,
  padding = 0,
  chainId = CHAIN,
): SentBlock[] {
  return Array.from({ length: count }, (_, n) => {
    const height = first + n;
    const payloads: BusEventPayload[] = [
      beginBlock(height),
      ...Array.from({ length: accounts }, (_, k) =>
        accountOf(`party-${k}${'x'.repeat(padding)}`, `${height * 1000 + k}`),
      ),
      endBlock(height),
    ];
    return { height, events: payloads.map((event, index) => encodeAt(event, height, index + 1, chainId)) };
  });
}

/** An event with the id that tells where it stands. */
export function encodeAt(event: BusEventPayload, height: number, index: number, chainId = CHAIN): Uint8Array {
  const [type, id] = [busEventTypes[event.name], `${height}-${index}`];
  return busEvent.encode({ id, block: 'AB', type, version: 1, chainId, txHash: 'AB', event });
}
