import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { type Tended, TimerWheel } from './timer-wheel.ts';

/** How often one looks while the time runs out: a stall is found late by a quarter of it at most. */
const LOOKS = 4;

/**
 * Watches for a reader that takes nothing: when nothing of what waits for it has gone out for `ms`, `onStall` is called,
 * to end the stream and say why; when it takes nothing of that for as long again, the connection is destroyed. A
 * connection on which nothing waits is never stalled, however quiet it is. Gives the function that stops the watch.
 */
export function cutWhenStalled(socket: Socket, ms: number, onStall: () => void): () => void {
  if (socket.destroyed) return () => {};
  const rounds = wheelOf(ms / LOOKS);
  const watch = new Watch(socket, onStall);
  rounds.join(watch);
  const stop = () => {
    rounds.leave(watch);
    socket.off('close', stop);
  };
  socket.on('close', stop);
  return stop;
}

/** One connection that is watched. */
class Watch implements Tended {
  seat: number | undefined;
  readonly #socket: Socket;
  readonly #onStall: () => void;
  #taken: string | null;
  #unchanged = 0;
  #isTold = false;

  constructor(socket: Socket, onStall: () => void) {
    this.#socket = socket;
    this.#onStall = onStall;
    this.#taken = countTaken(socket);
  }

  // Not the socket's own timer, which starts anew with whatever the other side sends, and which others set too.
  tend(): void {
    const now = countTaken(this.#socket);
    this.#unchanged = now === this.#taken && now !== null ? this.#unchanged + 1 : 0;
    this.#taken = now;
    if (this.#unchanged < LOOKS) return;
    this.#unchanged = 0;
    if (this.#isTold) {
      this.#socket.destroy();
      return;
    }
    this.#isTold = true;
    this.#onStall();
  }
}

/** By how long they take: as many as there are settings of it. */
const allWheels = new Map<number, TimerWheel>();

function wheelOf(ms: number): TimerWheel {
  const rounds = allWheels.get(ms) ?? new TimerWheel(ms);
  allWheels.set(ms, rounds);
  return rounds;
}

/** Watches the reader of an answer, until its end; also one that waits for its turn on the connection. */
export function cutAnswerWhenStalled(response: ServerResponse, ms: number, onStall: () => void): void {
  const { socket } = response.req;
  // As many watch it as answers wait for their turn.
  socket.setMaxListeners(0);
  response.once('close', cutWhenStalled(socket, ms, onStall));
}

/** Whether an answer that is wholly handed over is out: nobody need be watched who has taken it all. */
export function isTaken({ writableFinished, socket }: ServerResponse): boolean {
  return writableFinished || (socket !== null && socket.writableLength === 0);
}

/** Differs between two looks when the kernel has taken anything between them; null where nothing waits for it. */
function countTaken(socket: Socket): string | null {
  if (socket.writableLength === 0) return null;
  // How much of a write is left, which Node looks at itself for the timers of sockets: a long one counts as it goes.
  const { _handle } = socket as { readonly _handle?: { readonly writeQueueSize?: number } | null };
  return `${socket.bytesWritten - socket.writableLength} ${_handle?.writeQueueSize}`;
}

/**
 * Whether more waits for the reader of an answer than its connection takes at once; `drain` says when no more. Where
 * another protocol was asked for Node lets go of the connection, and `writableNeedDrain` of the answer stays for ever as
 * it was: the connection knows, once it is the answer's turn.
 */
export function hasBacklog(response: ServerResponse): boolean {
  return (response.socket ?? response).writableNeedDrain;
}
