import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/**
 * Watches for a reader that takes nothing: when nothing of what waits for it has gone out for `ms`, `onStall` is called,
 * to end the stream and say why; when it takes nothing of that for as long again, the connection is destroyed. A
 * connection on which nothing waits is never stalled, however quiet it is. Gives the function that stops the watch.
 */
export function cutWhenStalled(socket: Socket, ms: number, onStall: () => void): () => void {
  let isTold = false;
  const onTimeout = () => {
    if (socket.writableLength === 0) return;
    if (isTold) {
      socket.destroy();
      return;
    }
    isTold = true;
    onStall();
    socket.setTimeout(ms);
  };
  // The socket's own timer: it starts anew whenever the kernel takes some of what waits.
  socket.setTimeout(ms);
  socket.on('timeout', onTimeout);
  return () => void socket.off('timeout', onTimeout);
}

/** Watches the reader of an answer, until its end; also one that waits for its turn on the connection. */
export function cutAnswerWhenStalled(response: ServerResponse, ms: number, onStall: () => void): void {
  const { socket } = response.req;
  // As many watch it as answers wait for their turn.
  socket.setMaxListeners(0);
  // Node destroys a connection whose timer runs out, unless somebody listens here.
  response.on('timeout', () => {});
  response.once('close', cutWhenStalled(socket, ms, onStall));
}
