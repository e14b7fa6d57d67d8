import type { IncomingMessage, ServerResponse } from 'node:http';

/** What Yoga's hooks are told of the request that they work for. */
export interface ServerContext {
  readonly req: IncomingMessage;
  readonly res: ServerResponse;
}
