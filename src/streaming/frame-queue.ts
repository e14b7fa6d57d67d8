import type { WebSocket } from 'ws';

/** A client is read no further while more frames than this wait for it. */
const MOST_WAITING = 1000;

/**
 * Sends one frame after the other, so that of all the messages that wait for a slow client only one is in the
 * buffers of the connection; the others are references to what all their readers share.
 */
export class FrameQueue {
  readonly #webSocket: WebSocket;
  #last: Promise<void> = Promise.resolve();
  #waiting = 0;

  constructor(webSocket: WebSocket) {
    this.#webSocket = webSocket;
  }

  /** Resolves when the kernel has taken the frame, or when the connection is gone. */
  send(text: string): Promise<void> {
    this.#waiting += 1;
    // What the client sends makes answers: without this, one that never reads could fill the memory with them.
    if (this.#waiting > MOST_WAITING) this.#webSocket.pause();
    this.#last = this.#last.then(() => this.#write(text));
    return this.#last;
  }

  #write(text: string): Promise<void> {
    return new Promise((resolve) => {
      this.#webSocket.send(text, () => {
        this.#waiting -= 1;
        if (this.#waiting === 0 && this.#webSocket.isPaused) this.#webSocket.resume();
        resolve();
      });
    });
  }
}
