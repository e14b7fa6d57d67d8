import { createHash } from 'node:crypto';
import { headers, type MsgHdrs } from '@nats-io/transport-node';

/**
 * How a block stands in a log: as one message, or where it is larger than a message may be, as chunks of its payload in
 * messages that follow each other. docs/log.md describes it for others; a change of it takes another version.
 */
const VERSION = '1';

/**
 * What the payload of a block is: `events`, the network's own bytes, framed as in a recorded file without sequence numbers; or
 * `lines`, those of JSON, from that of the block on.
 */
export type BlockFormat = 'events' | 'lines';

/** Where a block stands, and what it is. */
export interface BlockPlace {
  readonly chainId: string;
  readonly format: BlockFormat;
  /** The positions of its begin and of its end. */
  readonly first: bigint;
  readonly last: bigint;
  /** SHA-256 of the whole payload. */
  readonly digest: string;
}

/** What a message says of the chunk that it holds. */
export interface ChunkHead extends BlockPlace {
  /** Counted from 0. */
  readonly chunk: number;
  readonly chunks: number;
  /** Who has put it there. */
  readonly relay: string;
}

/** No block of a network comes near: what a relay and a region hold in memory for one. */
export const MAX_BLOCK_SIZE = 256 * 2 ** 20;

/**
 * The headers of a message that is to follow another, and the id by which the log knows one that comes twice: from two relays, or
 * because its confirmation was lost. The same chunk in another place is another message.
 */
export function writeChunkHead(
  head: ChunkHead,
  after: number,
): { readonly headers: MsgHdrs; readonly id: string } {
  const { chainId, format, first, last, digest, chunk, chunks, relay } = head;
  const chain = encodeURIComponent(chainId);
  const fields = headers();
  fields.set('Periscope-Log', VERSION);
  fields.set('Periscope-Chain', chain);
  fields.set('Periscope-Format', format);
  fields.set('Periscope-Positions', `${first}-${last}`);
  fields.set('Periscope-Chunk', `${chunk}/${chunks}`);
  fields.set('Periscope-Digest', digest);
  fields.set('Periscope-Relay', relay);
  return { headers: fields, id: `${chain}/${first}/${chunk}/${chunks}/${digest.slice(0, 16)}/${after}` };
}

/** What a message is a chunk of; or, in words, why it is none. */
export function readChunkHead(fields: MsgHdrs | undefined): ChunkHead | string {
  const version = fields?.get('Periscope-Log') ?? '';
  if (fields === undefined || version === '') return 'it has no header Periscope-Log, so that it is no block';
  if (version !== VERSION) return `it has version ${version} of the form of blocks; only ${VERSION} is known`;
  const format = fields.get('Periscope-Format');
  const [, first, last] = /^(\d{1,16})-(\d{1,16})$/.exec(fields.get('Periscope-Positions')) ?? [];
  const [, chunk, chunks] = /^(\d{1,9})\/(\d{1,9})$/.exec(fields.get('Periscope-Chunk')) ?? [];
  const digest = fields.get('Periscope-Digest');
  const chainId = decode(fields.get('Periscope-Chain'));
  if (format !== 'events' && format !== 'lines')
    return `its header Periscope-Format is ${JSON.stringify(format)}`;
  if (first === undefined || last === undefined || BigInt(first) >= BigInt(last))
    return 'its header Periscope-Positions is none';
  if (chunk === undefined || Number(chunk) >= Number(chunks)) return 'its header Periscope-Chunk is none';
  if (!/^[\da-f]{64}$/.test(digest)) return 'its header Periscope-Digest is none';
  if (chainId === '') return 'its header Periscope-Chain is none';
  return {
    chainId,
    format,
    first: BigInt(first),
    last: BigInt(last),
    digest,
    chunk: Number(chunk),
    chunks: Number(chunks),
    relay: fields.get('Periscope-Relay'),
  };
}

export function digestOf(payload: Uint8Array): string {
  return createHash('sha256').update(payload).digest('hex');
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return '';
  }
}
