import DataLoader from 'dataloader';
import type { Block, Epoch, FeeDiscount, PrismaClient } from '../data/generated/prisma/client.ts';
import { scopeModels } from '../data/models/client.ts';
import { ModelLoaders } from '../data/models/loaders.ts';
import { findBlock, findLatestBlock } from '../data/queries/blocks.ts';
import type { Counts } from '../data/queries/counts.ts';
import type { EstimateTerms } from '../data/queries/estimate-terms.ts';
import { findCurrentEpoch, readFeeDiscounts } from '../data/queries/fee-discounts.ts';
import { createPageLoaders, type PageLoaders } from '../data/queries/page-loaders.ts';
import type { Statements } from '../data/servers/statements.ts';
import { BLOCKS } from '../data/touches.ts';
import type { Feed } from '../feed/feed.ts';
import type { Signal } from '../signal.ts';
import type { Steps } from '../steps.ts';
import { createTermsLoader, type LoadTerms } from './estimate-terms.ts';
import { Reads } from './reads.ts';

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
  /** What parties are let off their fees in the current epoch, by their ids: one statement for all that are asked at once. */
  readonly feeDiscounts: (partyId: string) => Promise<readonly FeeDiscount[]>;
  /** The epoch that goes on; null before the first. */
  readonly currentEpoch: () => Promise<Epoch | null>;
  /** What has been read so far. */
  readonly reads: Reads;
}

/** What is being read ends when the signal of whoever asks is aborted, and is told to who watches. */
export function createContext(
  services: GatewayServices,
  scope?: { readonly signal: Signal; readonly steps?: Steps | undefined },
): GatewayContext {
  const { counts, prisma, feed, keptTerms } = services;
  const statements =
    scope === undefined ? services.statements : services.statements.until(scope.signal, scope.steps);
  let newestBlock: Promise<Block | null> | undefined;
  let ownTerms: LoadTerms | undefined;
  const reads = new Reads();
  const note = reads.add.bind(reads);
  let discounts: DataLoader<string, readonly FeeDiscount[]> | undefined;
  let scoped: PrismaClient | undefined;
  let models: ModelLoaders | undefined;
  const scopedPrisma = () => {
    scoped ??= scopeModels(prisma, statements, services.statements, (model) => reads.addModel(model));
    return scoped;
  };
  return {
    prisma: scopedPrisma,
    models: () => {
      models ??= new ModelLoaders(scopedPrisma(), counts, scope?.signal);
      return models;
    },
    feed,
    statements,
    reads,
    pages: createPageLoaders(statements, counts, note, scope?.signal),
    blockAt: (height) => {
      note({ noun: BLOCKS });
      return findBlock(statements, height);
    },
    newestBlock: () => {
      note({ noun: BLOCKS });
      newestBlock ??= findLatestBlock(statements);
      return newestBlock;
    },
    feeDiscounts: (partyId) => {
      discounts ??= new DataLoader(async (partyIds) => {
        const rows = await readFeeDiscounts(statements, note, partyIds);
        return partyIds.map((id) => rows.filter((row) => row.partyId === id));
      });
      return discounts.load(partyId);
    },
    currentEpoch: () => findCurrentEpoch(statements, note),
    async estimateTerms(marketId) {
      const { terms, touches } = await (await chooseTerms())(marketId);
      reads.addTouches(touches);
      return terms;
    },
  };

  /** An answer that names a block is not older than that, which the feed may not have published yet. */
  async function chooseTerms(): Promise<LoadTerms> {
    const named = await newestBlock;
    if (keptTerms !== undefined && (named?.lastPosition ?? 0n) <= feed.latest.position) return keptTerms;
    ownTerms ??= createTermsLoader(statements);
    return ownTerms;
  }
}
