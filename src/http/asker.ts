import type { IncomingMessage, ServerResponse } from 'node:http';
import { GatewayError } from '../errors.ts';
import type { ClientAddresses } from './client-address.ts';

/** Whom work is done for. */
export interface Caller {
  /** Whom it counts for. */
  readonly client: string;
  /** Aborted when nobody waits any more. */
  readonly signal: AbortSignal;
}

/** Who waits for an answer. */
export interface Asker extends Caller {
  /** Lets another one wait for the same: the signal is aborted when the last of them has left. */
  join(another: Asker): void;
  /** Calls when this one has left, whoever else waits. */
  whenLeft(call: () => void): void;
}

/** Gives who asks with a request: one and the same for all who want to know. */
export type AskerOf = (request: IncomingMessage, response: ServerResponse) => Asker;

export function createAskerOf(clients: ClientAddresses): AskerOf {
  const known = new WeakMap<ServerResponse, Asker>();
  return (request, response) => {
    const asker = known.get(response);
    if (asker !== undefined) return asker;
    const asking = new RequestAsker(clients.ofRequest(request));
    response.once('close', () => {
      if (!response.writableEnded) asking.leave();
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
export const NOBODY: Asker = { client: '', signal: new AbortController().signal, join() {}, whenLeft() {} };

/** Who asks with a request, and those who wait for the same answer. */
class RequestAsker implements Asker {
  readonly client: string;
  readonly #aborting = new AbortController();
  readonly signal = this.#aborting.signal;
  #waiting = 1;
  #hasLeft = false;
  readonly #onLeft: (() => void)[] = [];

  constructor(client: string) {
    this.client = client;
  }

  join(another: Asker): void {
    this.#waiting += 1;
    another.whenLeft(() => this.#loseOne());
  }

  whenLeft(call: () => void): void {
    if (this.#hasLeft) call();
    else this.#onLeft.push(call);
  }

  leave(): void {
    this.#hasLeft = true;
    this.#loseOne();
    for (const call of this.#onLeft) call();
  }

  #loseOne(): void {
    this.#waiting -= 1;
    if (this.#waiting === 0) this.#aborting.abort(new ClientLeft());
  }
}
