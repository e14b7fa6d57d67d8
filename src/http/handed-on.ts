import type { IncomingMessage, ServerResponse } from 'node:http';

/** What the front knows of a request by the time that it hands it on to the application. */
export interface HandedOn {
  /** When the request came, as `performance.now()` has it. */
  readonly start: number;
  readonly id: string;
  /** What went wrong with it, where something did: the application has only to say so. */
  readonly failure: { readonly error: unknown } | null;
}

const handedOn = new WeakMap<IncomingMessage, HandedOn>();

/** Notes what the application is to find. */
export function handOn(request: IncomingMessage, known: HandedOn): void {
  handedOn.set(request, known);
}

/** What was noted; undefined where the front has done nothing with a request. */
export function handedOnWith(request: IncomingMessage): HandedOn | undefined {
  return handedOn.get(request);
}

/** Passes what has gone wrong already on to the error handler. */
export function refuseFailed(
  request: IncomingMessage,
  _response: ServerResponse,
  next: (error?: unknown) => void,
): void {
  const failure = handedOn.get(request)?.failure ?? null;
  if (failure === null) next();
  else next(failure.error);
}
