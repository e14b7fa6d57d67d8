import { accountRoutes } from './accounts.ts';
import { depositRoutes } from './deposits.ts';
import { estimateRoutes } from './estimates.ts';
import { marketDataRoutes } from './market-data.ts';
import { rewardRoutes } from './rewards.ts';
import type { Route } from './route.ts';
import { voteRoutes } from './votes.ts';

/** Every documented path, in the order of the documentation. */
export const routes: readonly Route[] = [
  ...depositRoutes,
  ...accountRoutes,
  ...rewardRoutes,
  ...marketDataRoutes,
  ...estimateRoutes,
  ...voteRoutes,
];

export { streamRoutes } from './streams.ts';
