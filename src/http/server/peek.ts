import type { Socket } from 'node:net';
import type { FastPath } from '../fast-path.ts';
import type { Connection } from './connection.ts';
import { splitRequest } from './raw-request.ts';

/**
 * Lets the fast path look at what comes on a connection before Node reads it. What it answers Node never sees; all else
 * Node reads as ever. It looks only where a request begins for sure, and no answer is owed. The first request of a
 * connection is always Node's: until that, Node counts the time in which a head must come.
 */
export function peekAtRequests(socket: Socket, connection: Connection, fastPath: FastPath): void {
  const [read, ...others] = socket.listeners('data') as ReadBytes[];
  if (read === undefined || others.length > 0) return;
  /** How much of a body has not come: a request begins behind it. Null where that is not known any more. */
  let left: number | null = 0;
  const onData: ReadBytes & { listener?: ReadBytes } = (bytes) => {
    const whole = left === 0 ? splitRequest(bytes) : null;
    if (whole !== null && connection.isFree && fastPath.answer(whole, socket, connection)) return;
    const { owed } = connection;
    read.call(socket, bytes);
    if (left !== 0) left = left === null || left < bytes.length ? null : left - bytes.length;
    else {
      const { newest } = connection;
      const isOne = whole !== null && newest !== undefined && connection.owed === owed + 1;
      left = isOne ? fastPath.learn(whole, newest) : null;
    }
  };
  // Whoever takes Node's own listener away, as Node does for an upgrade, takes this one: so Node itself knows a `once`.
  onData.listener = read;
  // Node's parser then gets what comes from here, and reads the connection itself no more.
  socket.off('data', read).on('data', onData);
}

type ReadBytes = (this: Socket, bytes: Buffer) => void;
