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

/** Who is told what comes. What it is told after it has closed, or has been told the end, it does not heed. */
export interface Receiver {
  /** Something came, whatever it was: the connection lives. */
  onBeat(): void;
  onResult(result: Result): void;
  onEnd(reason: string): void;
}

/** Opens a subscription; gives what closes it. */
export interface Transport {
  readonly name: string;
  open(request: Request, receiver: Receiver): () => void;
}
