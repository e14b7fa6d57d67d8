import type { IncomingMessage, ServerResponse } from 'node:http';

/** The context that every operation comes with, over HTTP or a WebSocket. */
export interface OperationContext {
  readonly req: IncomingMessage;
}

/** The context of an operation over HTTP. */
export interface ServerContext extends OperationContext {
  readonly res: ServerResponse;
}
