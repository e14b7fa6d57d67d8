import type { IncomingMessage, ServerResponse } from 'node:http';

/** The headers that keep a browser from taking an answer for something else than the data that it is. */
export function secureAnswers(_request: IncomingMessage, response: ServerResponse, next: () => void): void {
  response.setHeader('X-Content-Type-Options', 'nosniff');
  response.setHeader('Content-Security-Policy', "frame-ancestors 'none'");
  response.setHeader('X-Frame-Options', 'DENY');
  response.setHeader('Referrer-Policy', 'no-referrer');
  response.setHeader('Cross-Origin-Resource-Policy', 'cross-origin');
  next();
}
