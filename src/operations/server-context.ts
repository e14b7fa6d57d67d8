import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Results } from './subscribe.ts';

/** The context that every operation comes with, over HTTP or a WebSocket. */
export interface OperationContext {
  readonly req: IncomingMessage;
  /** Aborted when nobody waits for it any more. Over HTTP the connection says that. */
  readonly signal?: AbortSignal;
  /** Whether it runs in the room that its batch was given. */
  readonly isAdmitted?: true;
  /** Takes the results of a subscription as they are: Yoga gives them wrapped, to be waited for one by one. */
  readonly onSubscribed?: (results: Results) => void;
}

/** The context of an operation over HTTP. */
export interface ServerContext extends OperationContext {
  readonly res: ServerResponse;
}
