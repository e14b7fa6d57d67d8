import DataLoader from 'dataloader';
import { findBlock, findLatestBlock } from '../data/blocks.ts';
import { type EstimateTerms, readEstimateTerms } from '../data/estimate-terms.ts';
import type { Block, PrismaClient } from '../data/generated/prisma/client.ts';
import { createLinkLoaders, type LinkLoaders } from '../data/link-loaders.ts';
import { nouns } from '../data/nouns/index.ts';
import { createPageLoaders, type PageLoaders } from '../data/page-loaders.ts';
import type { Statements } from '../data/statements.ts';
import type { Feed } from '../feed/feed.ts';
import { Reads } from './reads.ts';

/** The services that live as long as the process. */
export interface GatewayServices {
  readonly statements: Statements;
  readonly prisma: PrismaClient;
  readonly feed: Feed;
}

/** The context of every resolver. It lives as long as one operation, so its loaders never serve stale rows. */
export interface GatewayContext {
  /** For the schema's plugin alone. */
  readonly prisma: PrismaClient;
  readonly feed: Feed;
  readonly reads: Reads;
  readonly pages: PageLoaders;
  readonly links: LinkLoaders;
  readonly blockAt: (height: bigint) => Promise<Block | null>;
  /** The newest block, one and the same for the whole operation; null before the first. */
  readonly newestBlock: () => Promise<Block | null>;
  /** By the market's id; null for an unknown one. All estimates of an operation are read in one statement. */
  readonly estimateTerms: DataLoader<string, EstimateTerms | null>;
}

export function createContext({ statements, prisma, feed }: GatewayServices): GatewayContext {
  let newestBlock: Promise<Block | null> | undefined;
  const reads = new Reads();
  return {
    get prisma() {
      reads.noteOther();
      return prisma;
    },
    feed,
    reads,
    pages: notePages(createPageLoaders(statements), reads),
    links: noteLinks(createLinkLoaders(prisma), reads),
    blockAt: (height) => {
      reads.noteOther();
      return findBlock(statements, height);
    },
    newestBlock: () => {
      reads.noteOther();
      newestBlock ??= findLatestBlock(statements);
      return newestBlock;
    },
    estimateTerms: new DataLoader(async (marketIds) => {
      for (const noun of [nouns.market, nouns.asset, nouns.riskFactor, nouns.marketData])
        reads.noteNoun(noun);
      const terms = await readEstimateTerms(statements, marketIds);
      return marketIds.map((id) => terms.get(id) ?? null);
    }),
  };
}

function notePages(pages: PageLoaders, reads: Reads): PageLoaders {
  return {
    read(list, ...rest) {
      reads.noteNoun(list);
      return pages.read(list, ...rest);
    },
    load(list, ...rest) {
      reads.noteNoun(list);
      return pages.load(list, ...rest);
    },
    countAll(list, ...rest) {
      reads.noteNoun(list);
      return pages.countAll(list, ...rest);
    },
    count(list, ...rest) {
      reads.noteNoun(list);
      return pages.count(list, ...rest);
    },
  };
}

function noteLinks(links: LinkLoaders, reads: Reads): LinkLoaders {
  return {
    load(noun, selection, key) {
      reads.noteNoun(noun);
      // The plugin reads with a row what is selected below it.
      if (Object.values(selection).some((part) => typeof part === 'object')) reads.noteOther();
      return links.load(noun, selection, key);
    },
  };
}
