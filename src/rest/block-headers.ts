import type { HeaderList } from '../http/send-answer.ts';

interface NamedBlock {
  readonly height: bigint;
  readonly timestamp: bigint;
}

/** Makes what gives the headers that name the newest block that this process knows of; the database is never behind it. */
export function createBlockNamer(latestBlock: () => NamedBlock): () => HeaderList {
  let named: NamedBlock | null = null;
  let headers: HeaderList = [];
  return () => {
    const latest = latestBlock();
    // Written once for each block, not for each request.
    if (latest !== named) {
      named = latest;
      headers = ['X-Block-Height', `${latest.height}`, 'X-Block-Timestamp', `${latest.timestamp}`];
    }
    return headers;
  };
}
