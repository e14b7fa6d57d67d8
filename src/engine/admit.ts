import type { Admission } from '../http/limits/admission.ts';
import type { RateLimiter } from '../http/limits/rate-limiter.ts';
import type { Caller } from '../http/request-scope.ts';
import { takeStep } from '../steps.ts';

/**
 * Runs an operation when there is room for what it may cost. Rejects with RESOURCE_EXHAUSTED where its client has asked
 * for too much lately, with UNAVAILABLE where there is no room in time, and with the signal's reason when nobody waits.
 */
export type Admit = <Result>(
  caller: Caller,
  cost: number,
  run: () => Promise<Result>,
  /** What the operation is called, for who watches. */
  name?: string,
) => Promise<Result>;

export function createAdmit(admission: Admission, limiter: RateLimiter | null): Admit {
  return async (caller, cost, run, name) => {
    const charging = limiter?.charge(caller.client, cost);
    // A turn of its own is dear where nothing is waited for.
    if (charging !== undefined) await charging;
    const { client, signal, steps } = caller;
    const given = admission.admit(client, cost, signal);
    const release =
      typeof given === 'function' ? given : await takeStep(steps, 'admission', undefined, () => given);
    try {
      return await takeStep(steps, 'operation', name, run);
    } finally {
      release();
    }
  };
}
