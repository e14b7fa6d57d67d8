import { NO_HEADERS, type ReadyHeaders, readyHeaders } from '../http/write/ready-head.ts';

interface NamedBlock {
  readonly height: bigint;
  readonly timestamp: bigint;
}

/** Makes what gives the headers that name the newest block that this process knows of; the database is never behind it. */
export function createBlockNamer(latestBlock: () => NamedBlock): () => ReadyHeaders {
  let named: NamedBlock | null = null;
  let headers = NO_HEADERS;
  return () => {
    const latest = latestBlock();
    // Written once for each block, not for each request.
    if (latest !== named) {
      named = latest;
      headers = readyHeaders([
        ...['X-Block-Height', `${latest.height}`],
        ...['X-Block-Timestamp', `${latest.timestamp}`],
      ]);
    }
    return headers;
  };
}
