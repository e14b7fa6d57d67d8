import type { IncomingMessage, ServerResponse } from 'node:http';
import { prefersDigest } from '../preferences.ts';
import { NO_HEADERS, type ReadyHeaders, readyHeaders, setHeaders } from './ready-head.ts';

/** A block as answers name it. */
export interface NamedBlock {
  readonly height: bigint;
  readonly timestamp: bigint;
  readonly digest: string | null;
}

type Asking = Pick<IncomingMessage, 'headers'>;

/** The headers that name a block to a request. */
export function blockHead(block: NamedBlock, request: Asking): ReadyHeaders {
  return prefersDigest(request) ? longHead(block) : shortHead(block);
}

function shortHead({ height, timestamp }: NamedBlock): ReadyHeaders {
  return readyHeaders(['X-Block-Height', `${height}`, 'X-Block-Timestamp', `${timestamp}`]);
}

function longHead(block: NamedBlock): ReadyHeaders {
  const { list } = shortHead(block);
  return block.digest === null ? readyHeaders(list) : readyHeaders([...list, DIGEST, block.digest]);
}

const DIGEST = 'X-Block-Digest';

/** Names a block in a head that others go on with, in place of one that it names already: not every block has a digest. */
export function nameBlockIn(response: ServerResponse, { list }: ReadyHeaders): void {
  response.removeHeader(DIGEST);
  setHeaders(response, list);
}

/** Makes what gives the headers that name the newest block to a request. */
export function createBlockNamer(feed: { readonly latest: NamedBlock }): (request: Asking) => ReadyHeaders {
  let named: NamedBlock | null = null;
  let [short, long] = [NO_HEADERS, NO_HEADERS];
  return (request) => {
    const { latest } = feed;
    // Written once for each block, not for each request.
    if (latest !== named) {
      named = latest;
      [short, long] = [shortHead(latest), longHead(latest)];
    }
    return prefersDigest(request) ? long : short;
  };
}
