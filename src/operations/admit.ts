import type { Admission } from '../http/admission.ts';
import type { Asker } from '../http/asker.ts';
import type { RateLimiter } from '../http/rate-limiter.ts';

/**
 * Runs an operation when there is room for what it may cost. Rejects with RESOURCE_EXHAUSTED where its client has asked
 * for too much lately, with UNAVAILABLE where there is no room in time, and with the signal's reason when nobody waits.
 */
export type Admit = <Result>(asker: Asker, cost: number, run: () => Promise<Result>) => Promise<Result>;

export function createAdmit(admission: Admission, limiter: RateLimiter | null): Admit {
  return async (asker, cost, run) => {
    limiter?.charge(asker.client, cost);
    const given = admission.admit(asker.client, cost, asker.signal);
    const release = typeof given === 'function' ? given : await given;
    try {
      return await run();
    } finally {
      release();
    }
  };
}
