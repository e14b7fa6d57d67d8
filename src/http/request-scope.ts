import { GatewayError } from '../errors.ts';
import { LightSignal, type Signal } from '../signal.ts';
import type { Steps } from '../steps.ts';

/** Whom work is done for. */
export interface Caller {
  /** Whom it counts for. */
  readonly client: string;
  /** Aborted when nobody waits any more. */
  readonly signal: Signal;
  /** Who is told of what is done for it. */
  readonly steps?: Steps | undefined;
}

/** Who waits for an answer. */
export interface RequestScope extends Caller {
  /** Lets another one wait for the same: the signal is aborted when the last of them has left. */
  join(another: RequestScope): void;
  /** Calls when this one has left, whoever else waits. */
  whenLeft(call: () => void): void;
}

/** Why the work for an answer ends that nobody waits for. Nobody is left to read it, in the log neither. */
export class ClientLeft extends GatewayError {
  constructor() {
    super('UNAVAILABLE', 'The client has left.');
  }
}

/** For work that nobody can leave. */
export const NOBODY: RequestScope = { client: '', signal: new LightSignal(), join() {}, whenLeft() {} };

/** Who asks with a request, and those who wait for the same answer. */
export class OpenRequestScope implements RequestScope {
  readonly client: string;
  readonly steps: Steps | undefined;
  readonly signal = new LightSignal();
  #waiting = 1;
  #hasLeft = false;
  readonly #onLeft: (() => void)[] = [];

  constructor(client: string, steps: Steps | undefined) {
    this.client = client;
    this.steps = steps;
  }

  join(another: RequestScope): void {
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
    if (this.#waiting === 0) this.signal.abort(new ClientLeft());
  }
}
