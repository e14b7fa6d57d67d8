import type { SentError } from '../errors.ts';

/** One subscription, on a connection of its own. */
export interface Request {
  readonly url: string;
  readonly query: string;
  readonly variables: Readonly<Record<string, unknown>>;
  /** How long the connection may say nothing, in milliseconds. */
  readonly silenceMs: number;
}

/** A result as GraphQL sends it. */
export interface Result {
  readonly data?: Readonly<Record<string, unknown>> | null;
  readonly errors?: readonly SentError[];
}

/** Who is told what comes. */
export interface Receiver {
  /** Something came, whatever it was: the connection lives. */
  onBeat(): void;
  onResult(result: Result): void;
  /** Called once. Nothing comes after it. */
  onEnd(reason: string): void;
}

/** Opens a subscription; gives what closes it, after which nobody is told anything. */
export interface Transport {
  readonly name: string;
  open(request: Request, receiver: Receiver): () => void;
}

/** Lets nothing through once it is closed, and one end at most. */
export function once(receiver: Receiver): Receiver & { close(): void } {
  let isOpen = true;
  return {
    onBeat: () => void (isOpen && receiver.onBeat()),
    onResult: (result) => void (isOpen && receiver.onResult(result)),
    onEnd(reason) {
      if (!isOpen) return;
      isOpen = false;
      receiver.onEnd(reason);
    },
    close() {
      isOpen = false;
    },
  };
}
