import type { Logger } from 'pino';
import type { WorkerMembership } from '../cluster/worker.ts';
import type { Config } from '../config.ts';
import type { Feed } from '../feed/feed.ts';
import { createEntrance } from '../http/entrance.ts';
import { Admission, admissionLimits } from '../http/limits/admission.ts';
import { createClientAddresses } from '../http/limits/client-address.ts';
import { createWaitForBlock } from '../http/limits/min-block.ts';
import { createQuotas } from '../http/limits/quota.ts';
import { createRateLimiter } from '../http/limits/rate-limiter.ts';
import { Turns } from '../http/limits/turns.ts';

/** What a gateway lets in and takes on: its own limits, or those that it shares with other workers. */
export type Limits = ReturnType<typeof createLimits>;

export function createLimits(
  config: Config,
  feed: Feed,
  membership: WorkerMembership | null,
  logger: Logger,
) {
  const clients = createClientAddresses(config.http.trustedProxies, logger);
  const limiter = membership === null ? createRateLimiter(config.http) : membership.limiter;
  const waitForBlock = createWaitForBlock({
    height: () => feed.latest.height,
    reach: (height, caller) => feed.reach(height, config.http.minBlockWaitMs, caller),
  });
  return {
    ...{ clients, limiter, waitForBlock },
    enter: createEntrance({ clients, limiter, waitForBlock }),
    turns: new Turns(config.database.poolWaitMs),
    admission: new Admission(admissionLimits({ ...config.http, ...config.database })),
    quotas: membership?.quotas ?? createQuotas(config.streams),
  };
}
