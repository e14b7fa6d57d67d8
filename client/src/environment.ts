/** All that is reached outside of this package: clocks, chance and connections. Tests give their own. */
export interface Environment {
  /** In milliseconds, of the system's clock. */
  now(): number;
  /** Calls back after some milliseconds; gives what ends the wait. */
  after(milliseconds: number, call: () => void): () => void;
  /** From 0 up to 1. */
  random(): number;
  readonly fetch: typeof fetch;
  /** Null where there is none, as in Node before release 22. */
  readonly WebSocket: (new (url: string, protocol: string) => Socket) | null;
}

/** What is needed of a WebSocket. */
export interface Socket {
  onopen: ((event: never) => void) | null;
  onmessage: ((event: { readonly data: unknown }) => void) | null;
  onclose: ((event: { readonly code: number; readonly reason: string }) => void) | null;
  onerror: ((event: never) => void) | null;
  send(text: string): void;
  close(code?: number): void;
}

/** A timer that is set for longer, or for ever, ends at once. */
const LONGEST_MS = 2 ** 31 - 1;

/** The environment that the program runs in. */
export const system: Environment = {
  now: () => Date.now(),
  after(milliseconds, call) {
    const timer = setTimeout(call, Math.min(milliseconds, LONGEST_MS));
    return () => clearTimeout(timer);
  },
  random: () => Math.random(),
  fetch: (...given) => fetch(...given),
  WebSocket: (globalThis as { readonly WebSocket?: Environment['WebSocket'] }).WebSocket ?? null,
};
