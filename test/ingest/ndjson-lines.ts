import { Readable } from 'node:stream';
import { readBlocks } from '../../src/ingest/blocks.ts';
import { openNdjson } from '../../src/ingest/ndjson.ts';
import { collect } from '../support/events.ts';

export const NETWORK = { type: 'network', data: { chainId: 'my-network' } };
export const BLOCK = { type: 'block', data: { height: '1', timestamp: '1678443430000000000', hash: 'ab' } };

export const DEPOSIT = {
  id: 'd1',
  partyId: 'alice',
  asset: 'usd',
  amount: '100000000000000000000000000',
  status: 'STATUS_FINALIZED',
  txHash: '0x12',
  createdTimestamp: '1678444070985185748',
  creditedTimestamp: '1678444072804752915',
};

/** The blocks of these lines, given as standard input, and the error that ended them, if one did. */
export function readLines(lines: readonly object[]) {
  return readBytes(lines.map((line) => JSON.stringify(line)).join('\n'));
}

export function readBytes(bytes: string | Uint8Array) {
  return readInput(openNdjson('-', Readable.from([Buffer.from(bytes)])));
}

export async function readInput(opened: ReturnType<typeof openNdjson>) {
  try {
    return await collect(readBlocks(await opened, never()));
  } catch (error) {
    return { items: [], error };
  }
}

export function never(): AbortSignal {
  return new AbortController().signal;
}

export function* chunksOf(bytes: Uint8Array, size: number): Generator<Uint8Array, void> {
  for (let start = 0; start < bytes.length; start += size) yield bytes.subarray(start, start + size);
}
