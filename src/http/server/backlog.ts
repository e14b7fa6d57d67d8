import type { ServerResponse } from 'node:http';

/**
 * Whether more waits for the reader of an answer than its connection takes at once; `drain` says when no more. Where
 * another protocol was asked for Node lets go of the connection, and `writableNeedDrain` of the answer stays for ever as
 * it was: the connection knows, once it is the answer's turn.
 */
export function hasBacklog(response: ServerResponse): boolean {
  return (response.socket ?? response).writableNeedDrain;
}
