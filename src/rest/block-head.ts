import { NO_HEADERS, type ReadyHeaders, readyHeaders } from '../http/write/ready-head.ts';

/** A block as answers name it. */
export interface NamedBlock {
  readonly height: bigint;
  readonly timestamp: bigint;
}

/** The headers that name a block. */
export function blockHead({ height, timestamp }: NamedBlock): ReadyHeaders {
  return readyHeaders(['X-Block-Height', `${height}`, 'X-Block-Timestamp', `${timestamp}`]);
}

/** Makes what gives the headers that name the newest block. */
export function createBlockNamer(feed: { readonly latest: NamedBlock }): () => ReadyHeaders {
  let named: NamedBlock | null = null;
  let headers = NO_HEADERS;
  return () => {
    const { latest } = feed;
    // Written once for each block, not for each request.
    if (latest !== named) {
      named = latest;
      headers = blockHead(latest);
    }
    return headers;
  };
}
