import type { Duplex } from 'node:stream';

const LINGER_MS = 1000;

/**
 * Ends our half of a connection and reads on until the other side has ended its own, for a bounded time. A connection
 * that is closed while bytes of the other side are unread, or still come, is reset, and a reset takes from the other
 * side the answer that it has not read yet. Node's `destroySoon` closes once our bytes are out, whatever still comes.
 */
export function endGently(socket: Duplex, last?: string): void {
  if (last === undefined) socket.end();
  else socket.end(last);
  socket.resume();
  const timer = setTimeout(() => socket.destroy(), LINGER_MS).unref();
  socket.once('close', () => clearTimeout(timer));
}
