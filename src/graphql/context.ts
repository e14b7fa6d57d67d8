import DataLoader from 'dataloader';
import { type EstimateTerms, readEstimateTerms } from '../data/estimate-terms.ts';
import type { PrismaClient } from '../data/generated/prisma/client.ts';
import type { Feed } from '../feed/feed.ts';
import { createLinkLoaders, type LinkLoaders } from './link-loaders.ts';
import { createPageLoaders, type PageLoaders } from './page-loaders.ts';

/** What lives as long as the process and every operation asks. */
export interface GatewayServices {
  readonly prisma: PrismaClient;
  readonly feed: Feed;
}

/** What every resolver is given. It lives as long as one operation, so its loaders never serve stale rows. */
export interface GatewayContext {
  readonly prisma: PrismaClient;
  readonly feed: Feed;
  readonly pages: PageLoaders;
  readonly links: LinkLoaders;
  /** By the market's id; null for an unknown one. All estimates of an operation are read in one statement. */
  readonly estimateTerms: DataLoader<string, EstimateTerms | null>;
}

export function createContext({ prisma, feed }: GatewayServices): GatewayContext {
  return {
    prisma,
    feed,
    pages: createPageLoaders(prisma),
    links: createLinkLoaders(prisma),
    estimateTerms: new DataLoader(async (marketIds) => {
      const terms = await readEstimateTerms(prisma, marketIds);
      return marketIds.map((id) => terms.get(id) ?? null);
    }),
  };
}
