import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Results } from '../engine/run/subscribe.ts';
import type { Signal } from '../signal.ts';
import type { Steps } from '../steps.ts';

/** How an operation is asked for: `http` and, where its results are many, `sse` are those of Yoga's own. */
export type OperationProtocol = 'http' | 'batch' | 'sse' | 'multipart' | 'websocket';

/** The context that every operation comes with, over HTTP or a WebSocket. */
export interface OperationContext {
  readonly req: IncomingMessage;
  /** Where Yoga is not asked over HTTP. */
  readonly protocol?: Exclude<OperationProtocol, 'http'>;
  /** Aborted when nobody waits for it any more. Over HTTP the connection says that. */
  readonly signal?: Signal;
  /** Who is told of what is done for it; over HTTP the answer says that. */
  readonly steps?: Steps | undefined;
  /** Whether it runs in the room that its batch was given. */
  readonly isAdmitted?: true;
  /** Takes the results of a subscription as they are: Yoga gives them wrapped, to be waited for one by one. */
  readonly onSubscribed?: (results: Results) => void;
}

/** The context of an operation over HTTP. */
export interface ServerContext extends OperationContext {
  readonly res: ServerResponse;
}
