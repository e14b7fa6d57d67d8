import type { IncomingMessage, ServerResponse } from 'node:http';

/** What every operation comes with, also those that come over a WebSocket. */
export interface OperationContext {
  readonly req: IncomingMessage;
}

/** What the HTTP application passes with each request. */
export interface ServerContext extends OperationContext {
  readonly res: ServerResponse;
}
