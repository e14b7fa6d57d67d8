import type { IncomingMessage, ServerResponse } from 'node:http';
import { hasBody } from '../limits/request-limits.ts';

/**
 * Bids a client send the body that it holds back (`Expect: 100-continue`), when the answers before it are out. Node bids
 * by itself, too early: behind an answer that is not out it puts that between the head and the body of the next.
 */
export function bidContinue(request: IncomingMessage, response: ServerResponse): void {
  // HTTP lets that be left out where there is nothing to wait for.
  if (!hasBody(request)) return;
  if (response.socket !== null) response.writeContinue();
  else
    response.once('socket', () => {
      if (!response.headersSent) response.writeContinue();
    });
}
