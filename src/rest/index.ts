import { accountRoutes } from './accounts.ts';
import { assetRoutes } from './assets.ts';
import { balanceChangeRoutes } from './balance-changes.ts';
import { candleRoutes } from './candles.ts';
import { changesRoutes } from './changes.ts';
import { depositRoutes } from './deposits.ts';
import { estimateRoutes } from './estimates.ts';
import { furtherMarketDataRoutes, marketDataRoutes } from './market-data.ts';
import { marketRoutes } from './markets.ts';
import { partyRoutes } from './parties.ts';
import { rewardSumRoutes } from './reward-sums.ts';
import { rewardRoutes } from './rewards.ts';
import type { Route } from './route.ts';
import { searchRoutes } from './search.ts';
import { tradeRoutes } from './trades.ts';
import { voteRoutes } from './votes.ts';

/** Paths beyond those that are documented: others of the reference, and some of Periscope. */
export const furtherRoutes: readonly Route[] = [
  ...assetRoutes,
  ...marketRoutes,
  ...furtherMarketDataRoutes,
  ...partyRoutes,
  ...balanceChangeRoutes,
  ...changesRoutes,
  ...tradeRoutes,
  ...candleRoutes,
  ...rewardSumRoutes,
  ...searchRoutes,
];

/** Every path that is answered at once: the documented ones, in the order of the documentation, and then the others. */
export const routes: readonly Route[] = [
  ...depositRoutes,
  ...accountRoutes,
  ...rewardRoutes,
  ...marketDataRoutes,
  ...estimateRoutes,
  ...voteRoutes,
  ...furtherRoutes,
];

export { streamRoutes } from './streams.ts';
