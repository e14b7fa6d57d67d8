import type { Admission } from '../http/admission.ts';
import type { Caller } from '../http/asker.ts';
import type { RateLimiter } from '../http/rate-limiter.ts';

/**
 * Runs an operation when there is room for what it may cost. Rejects with RESOURCE_EXHAUSTED where its client has asked
 * for too much lately, with UNAVAILABLE where there is no room in time, and with the signal's reason when nobody waits.
 */
export type Admit = <Result>(caller: Caller, cost: number, run: () => Promise<Result>) => Promise<Result>;

export function createAdmit(admission: Admission, limiter: RateLimiter | null): Admit {
  return async (caller, cost, run) => {
    limiter?.charge(caller.client, cost);
    const given = admission.admit(caller.client, cost, caller.signal);
    const release = typeof given === 'function' ? given : await given;
    try {
      return await run();
    } finally {
      release();
    }
  };
}
