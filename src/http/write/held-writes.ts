import type { Socket } from 'node:net';

/**
 * Holds back what is written on connections until all is read that has come in this turn of the event loop. Many
 * connections have one reader, as a proxy: it is then woken once and not for each, which is a third of what a short write
 * costs.
 */
export class HeldWrites {
  #held: Held[] = [];

  /** Holds back what is written on the socket from now on. `onOut` is called when that was handed over. It must not throw. */
  hold(socket: Socket, onOut: () => void): void {
    socket.cork();
    if (this.#held.length === 0) setImmediate(() => this.#letGo());
    this.#held.push({ socket, onOut });
  }

  #letGo(): void {
    const held = this.#held;
    this.#held = [];
    for (const { socket } of held) socket.uncork();
    for (const { onOut } of held) onOut();
  }
}

interface Held {
  readonly socket: Socket;
  readonly onOut: () => void;
}
