import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** How often one looks while the time runs out: a stall is found late by a quarter of it at most. */
const LOOKS = 4;

/**
 * Watches for a reader that takes nothing: when nothing of what waits for it has gone out for `ms`, `onStall` is called,
 * to end the stream and say why; when it takes nothing of that for as long again, the connection is destroyed. A
 * connection on which nothing waits is never stalled, however quiet it is. Gives the function that stops the watch.
 */
export function cutWhenStalled(socket: Socket, ms: number, onStall: () => void): () => void {
  if (socket.destroyed) return () => {};
  let isTold = false;
  let taken = countTaken(socket);
  let unchanged = 0;
  // Not the socket's own timer, which starts anew with whatever the other side sends, and which others set too.
  const timer = setInterval(() => {
    const now = countTaken(socket);
    unchanged = now === taken && now !== null ? unchanged + 1 : 0;
    taken = now;
    if (unchanged < LOOKS) return;
    unchanged = 0;
    if (isTold) {
      socket.destroy();
      return;
    }
    isTold = true;
    onStall();
  }, ms / LOOKS);
  const stop = () => {
    clearInterval(timer);
    socket.off('close', stop);
  };
  socket.once('close', stop);
  return stop;
}

/** Watches the reader of an answer, until its end; also one that waits for its turn on the connection. */
export function cutAnswerWhenStalled(response: ServerResponse, ms: number, onStall: () => void): void {
  const { socket } = response.req;
  // As many watch it as answers wait for their turn.
  socket.setMaxListeners(0);
  response.once('close', cutWhenStalled(socket, ms, onStall));
}

/** The same for an answer that is wholly handed over: nobody need be watched who has taken it all. */
export function cutUnlessTaken(response: ServerResponse, ms: number): void {
  if (response.writableFinished || (response.socket !== null && response.socket.writableLength === 0)) return;
  cutAnswerWhenStalled(response, ms, () => response.destroy());
}

/** Differs between two looks when the kernel has taken anything between them; null where nothing waits for it. */
function countTaken(socket: Socket): string | null {
  if (socket.writableLength === 0) return null;
  // How much of a write is left, which Node looks at itself for the timers of sockets: a long one counts as it goes.
  const { _handle } = socket as { readonly _handle?: { readonly writeQueueSize?: number } | null };
  return `${socket.bytesWritten - socket.writableLength} ${_handle?.writeQueueSize}`;
}
