import type { IncomingMessage, ServerResponse } from 'node:http';
import { GatewayError } from '../errors.ts';
import type { ClientAddresses } from './client-address.ts';

/** Who waits for an answer. */
export interface Asker {
  /** Whom it counts for. */
  readonly client: string;
  /** Aborted when nobody waits any more. */
  readonly signal: AbortSignal;
}

/** Gives who asks with a request: one and the same for all who want to know. */
export type AskerOf = (request: IncomingMessage, response: ServerResponse) => Asker;

export function createAskerOf(clients: ClientAddresses): AskerOf {
  const known = new WeakMap<ServerResponse, Asker>();
  return (request, response) => {
    const asker = known.get(response);
    if (asker !== undefined) return asker;
    const leaving = new AbortController();
    const asking = { client: clients.ofRequest(request), signal: leaving.signal };
    response.once('close', () => {
      if (!response.writableEnded) leaving.abort(new ClientLeft());
    });
    known.set(response, asking);
    return asking;
  };
}

/** Why the work for an answer ends that nobody waits for. Nobody is left to read it, in the log neither. */
export class ClientLeft extends GatewayError {
  constructor() {
    super('UNAVAILABLE', 'The client has left.');
  }
}

/** For work that nobody can leave. */
export const NOBODY: Asker = { client: '', signal: new AbortController().signal };

/** Many who wait for the same answer: they leave when the last of them has left. */
export class Askers implements Asker {
  readonly client: string;
  readonly #leaving = new AbortController();
  #waiting = 0;

  constructor(first: Asker) {
    this.client = first.client;
    this.join(first);
  }

  get signal(): AbortSignal {
    return this.#leaving.signal;
  }

  join({ signal }: Asker): void {
    this.#waiting += 1;
    signal.addEventListener(
      'abort',
      () => {
        this.#waiting -= 1;
        if (this.#waiting === 0) this.#leaving.abort(signal.reason);
      },
      { once: true },
    );
  }
}
