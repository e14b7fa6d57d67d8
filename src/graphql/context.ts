import { Dependencies } from '../cache/cache-tags.ts';
import type { Block, PrismaClient } from '../data/generated/prisma/client.ts';
import { scopeModels } from '../data/models/client.ts';
import { ModelLoaders } from '../data/models/loaders.ts';
import { findBlock, findLatestBlock } from '../data/queries/blocks.ts';
import { type CountedFor, type Counts, FOR_NOBODY } from '../data/queries/counts.ts';
import type { EstimateTerms } from '../data/queries/estimate-terms.ts';
import { createLoadByKey, type LoadByKey } from '../data/queries/load-by-key.ts';
import { createPageLoaders, type PageLoaders } from '../data/queries/page-loaders.ts';
import { noteDependencies } from '../data/servers/noting-statements.ts';
import type { Statements } from '../data/servers/statements.ts';
import type { Feed } from '../feed/feed.ts';
import type { Signal } from '../signal.ts';
import type { Steps } from '../steps.ts';
import { createTermsLoader, type LoadTerms } from './estimate-terms.ts';

/** The services that live as long as the process. */
export interface GatewayServices {
  readonly statements: Statements;
  readonly counts: Counts;
  readonly prisma: PrismaClient;
  readonly feed: Feed;
  /** Gives terms that are as the feed's newest block left them, or newer; without it every operation reads its own. */
  readonly keptTerms?: LoadTerms | undefined;
}

/** The context of every resolver. It lives as long as one operation, so its loaders never serve stale rows. */
export interface GatewayContext {
  /** Prisma's client for this operation, which the schema's plugin asks; made when it is first asked for. */
  readonly prisma: () => PrismaClient;
  /** What links and lists ask of it. */
  readonly models: () => ModelLoaders;
  readonly feed: Feed;
  /** For operations that are answered with text. */
  readonly statements: Statements;
  readonly pages: PageLoaders;
  readonly blockAt: (height: bigint) => Promise<Block | null>;
  /** The newest block, one and the same for the whole operation; null before the first. */
  readonly newestBlock: () => Promise<Block | null>;
  /** By the market's id; null for an unknown one. What an operation has to read for its estimates is one statement. */
  readonly estimateTerms: (marketId: string) => Promise<EstimateTerms | null>;
  /** The value of a key: one statement for all keys of an operation that the same is asked of in the same moment. */
  readonly load: LoadByKey;
  /** What the answer depends on, as far as it was read. Each statement adds to it. */
  readonly dependencies: Dependencies;
}

/** What is being read ends when the signal of whoever asks is aborted, and is told to who watches; counts are charged to a client. */
export function createContext(
  services: GatewayServices,
  scope?: { readonly signal: Signal; readonly steps?: Steps | undefined },
  countedFor: CountedFor = FOR_NOBODY,
): GatewayContext {
  const { counts, prisma, feed, keptTerms } = services;
  const dependencies = new Dependencies();
  const { signal, steps } = scope ?? {};
  const ended = signal === undefined ? services.statements : services.statements.until(signal, steps);
  const statements = noteDependencies(ended, dependencies);
  let newestBlock: Promise<Block | null> | undefined;
  let loadTerms: LoadTerms | undefined;
  let scoped: PrismaClient | undefined;
  let models: ModelLoaders | undefined;
  const scopedPrisma = () => {
    scoped ??= scopeModels(prisma, { statements: ended, shared: services.statements, dependencies });
    return scoped;
  };
  return {
    prisma: scopedPrisma,
    models: () => {
      models ??= new ModelLoaders(scopedPrisma(), counts, countedFor, signal);
      return models;
    },
    feed,
    statements,
    dependencies,
    pages: createPageLoaders({ statements, counts, dependencies, countedFor, signal }),
    load: createLoadByKey(statements),
    blockAt: async (height) => feed.nameBlock(await findBlock(statements, height)),
    newestBlock: () => {
      newestBlock ??= feed.nameNewest(() => findLatestBlock(statements));
      return newestBlock;
    },
    async estimateTerms(marketId) {
      // The feed has published the block that an answer names, so that kept terms are no older.
      await newestBlock;
      loadTerms ??= keptTerms ?? createTermsLoader(statements);
      return (await loadTerms(marketId)).giveTo(dependencies);
    },
  };
}
