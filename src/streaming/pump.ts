import { GatewayError } from '../errors.ts';
import type { Readable, Reader } from '../readable.ts';
import { Scheduler, type Task } from './scheduler.ts';

/*
 * Every stream takes one way from the feed to its client:
 *
 *   ChangeStream   snapshot and changes, as feed/stream.ts promises them
 *   Subscription   one client's: makes a result of each event, ends once, and returns its place in the quota then
 *   Pump           reads what is there while the sink has room for it, in turns with the other pumps
 *   Sink           writes results and the end: BodySink (lines of JSON, server-sent events, parts for Apollo), SocketSink
 *                  (a WebSocket), GraphqlOperation (graphql-transport-ws)
 *
 * None of them waits for the one before: each tells the next that there is something to read. An error is a
 * GatewayError until a sink writes it. Where many operations share one body of events, graphql-sse's handler reads each
 * Subscription itself.
 */

/** Where a stream is written to, in the form of one transport. */
export interface Sink<Result> {
  /** Whether another result may be written now. */
  readonly hasRoom: boolean;
  /** Tells the reader when there is room again, or nobody to read what is written. */
  whenRoom(reader: Reader): void;
  /** Throws the GatewayError that ends the stream. */
  write(result: Result): void;
  /** Writes the end, and the error where it is for one. Ending twice is ending once. */
  end(error: GatewayError | null): void;
}

/** Where a connection has many operations, no more are begun while so many bytes wait to be read: each that has its result at once adds to them. */
export const MOST_UNREAD = 2 ** 20;

/** A sink with a connection of its own. */
export interface ConnectionSink<Result> extends Sink<Result> {
  /** Calls back when the client has taken nothing for `ms`; destroys the connection when it goes on so. */
  watch(ms: number, onStall: () => void): void;
}

/** Writes every result at the pace of the sink, and then the end. Rejects with what nobody expected. */
export function pump<Result>(results: Readable<Result>, sink: Sink<Result>): Promise<void> {
  return new Promise((resolve, reject) => {
    const running = new Pump(results, sink, resolve, reject);
    results.reader = running;
    running.onReadable();
  });
}

/** Pumps, and ends the stream when the client takes nothing for too long. */
export function pumpUnlessStalled<Result>(
  results: Readable<Result> & { cut?(): Promise<unknown> },
  sink: ConnectionSink<Result>,
  stallMs: number,
): Promise<void> {
  sink.watch(stallMs, () => {
    void (results.cut?.() ?? results.return());
    sink.end(stalled(stallMs));
  });
  return pump(results, sink);
}

/** Why a stream ends whose client took nothing for too long. */
export function stalled(ms: number): GatewayError {
  return new GatewayError(
    'RESOURCE_EXHAUSTED',
    `Nothing of the stream was read for ${ms / 1000} seconds. Go on from the last cursor, or begin again.`,
  );
}

/** For all pumps of the process: it has one event loop. */
const scheduler = new Scheduler();

class Pump<Result> implements Reader, Task {
  readonly #results: Readable<Result>;
  readonly #sink: Sink<Result>;
  readonly #onEnd: () => void;
  readonly #onFault: (error: unknown) => void;
  #isOver = false;

  constructor(
    results: Readable<Result>,
    sink: Sink<Result>,
    onEnd: () => void,
    onFault: (error: unknown) => void,
  ) {
    this.#results = results;
    this.#sink = sink;
    this.#onEnd = onEnd;
    this.#onFault = onFault;
  }

  onReadable(): void {
    scheduler.add(this);
  }

  run(): void {
    if (this.#isOver) return;
    try {
      while (this.#deliver());
    } catch (error) {
      this.#isOver = true;
      this.#onFault(error);
    }
  }

  /** Writes one result, or the end; gives whether there may be more now. */
  #deliver(): boolean {
    // One that is over needs no room: what it wrote may never be read.
    if (!this.#sink.hasRoom && !this.#results.isOver) {
      this.#sink.whenRoom(this);
      return false;
    }
    const result = this.#results.read();
    if (result === null) {
      if (this.#results.isOver) this.#end(null);
      return false;
    }
    try {
      this.#sink.write(result);
      return true;
    } catch (error) {
      if (!(error instanceof GatewayError)) throw error;
      this.#end(error);
      void this.#results.return();
      return false;
    }
  }

  #end(error: GatewayError | null): void {
    this.#isOver = true;
    this.#sink.end(error);
    this.#onEnd();
  }
}
