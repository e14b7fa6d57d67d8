import { GatewayError } from '../errors.ts';

/*
 * Every stream takes one way from the feed to its client:
 *
 *   feed           snapshot and changes, as feed/stream.ts promises them
 *   Subscription   one client's: makes a result of each event, ends once, and returns its place in the quota then
 *   pump           asks for the next result when the sink has room for it
 *   Sink           writes results and the end: BodySink (lines of JSON, server-sent events), SocketSink (a WebSocket),
 *                  Operation (graphql-transport-ws)
 *
 * An error is a GatewayError until a sink writes it. GraphQL over SSE is Yoga's, which reads a Subscription itself.
 */

/** Where a stream is written to, in the form of one transport. */
export interface Sink<Result> {
  /** Resolves when there is room for another result, or nobody to read it. Throws the GatewayError that ends the stream. */
  write(result: Result): Promise<void>;
  /** Writes the end, and the error where it is for one. Ending twice is ending once. */
  end(error: GatewayError | null): Promise<void> | void;
}

/** A sink with a connection of its own. */
export interface ConnectionSink<Result> extends Sink<Result> {
  /** Calls back when the client has taken nothing for `ms`; destroys the connection when it goes on so. */
  watch(ms: number, onStall: () => void): void;
}

/** Writes every result at the pace of the sink, and then the end. */
export async function pump<Result>(results: AsyncIterator<Result>, sink: Sink<Result>): Promise<void> {
  // Each result is a call's own: none stays in memory while its stream is quiet.
  while (await deliver(results, sink));
}

/** Pumps, and ends the stream when the client takes nothing for too long. */
export function pumpUnlessStalled<Result>(
  results: AsyncIterator<Result>,
  sink: ConnectionSink<Result>,
  stallMs: number,
): Promise<void> {
  sink.watch(stallMs, () => {
    void results.return?.();
    void sink.end(stalled(stallMs));
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

/** Writes one result, or the end; gives whether there may be more. */
async function deliver<Result>(results: AsyncIterator<Result>, sink: Sink<Result>): Promise<boolean> {
  const next = await results.next();
  if (next.done === true) {
    await sink.end(null);
    return false;
  }
  try {
    await sink.write(next.value);
    return true;
  } catch (error) {
    if (!(error instanceof GatewayError)) throw error;
    await sink.end(error);
    void results.return?.();
    return false;
  }
}
