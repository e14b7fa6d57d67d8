import { Dependencies } from '../cache/cache-tags.ts';
import type { Block, PrismaClient } from '../data/generated/prisma/client.ts';
import { KnownBlocks } from '../data/history/known-blocks.ts';
import { createPasts } from '../data/history/past-statements.ts';
import { scopeModels } from '../data/models/client.ts';
import { ModelLoaders } from '../data/models/loaders.ts';
import { DEPENDS_ON_BLOCKS } from '../data/noun-tags.ts';
import { findBlock, findLatestBlock } from '../data/queries/blocks.ts';
import { type CountedFor, type Counts, createPastCounts, FOR_NOBODY } from '../data/queries/counts.ts';
import type { EstimateTerms } from '../data/queries/estimate-terms.ts';
import { createLoadByKey, type LoadByKey } from '../data/queries/load-by-key.ts';
import { createPageLoaders, type PageLoaders } from '../data/queries/page-loaders.ts';
import { noteDependencies } from '../data/servers/noting-statements.ts';
import { Semaphore } from '../data/servers/semaphore.ts';
import type { Statements } from '../data/servers/statements.ts';
import { heightOf } from '../domain/positions.ts';
import { toBlock } from '../feed/events.ts';
import type { Feed } from '../feed/feed.ts';
import type { Signal } from '../signal.ts';
import type { Steps } from '../steps.ts';
import { type AsOfArgs, checkKnown, findAsOf } from './as-of.ts';
import { createTermsLoader, type LoadTerms } from './estimate-terms.ts';

/** The services that live as long as the process. */
export interface GatewayServices {
  readonly statements: Statements;
  readonly counts: Counts;
  readonly prisma: PrismaClient;
  readonly feed: Feed;
  /** The blocks that are known to whoever asks about the past; without it every operation reads its own. */
  readonly knownBlocks?: KnownBlocks | undefined;
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
  /** Reads histories, which are of no block: whoever reads them says up to which position. */
  readonly histories: Statements;
  /** An operation reads one history after the other, so that others have their turn between its many. */
  readonly readInTurn: <Value>(read: () => Promise<Value>) => Promise<Value>;
  /** The block that everything is read as of; null for the present. */
  readonly past: Block | null;
  /** The contexts in which everything is read as of some blocks. Rejects with OUT_OF_RANGE where one is not there. */
  readonly asOf: (asked: readonly AsOfArgs[]) => Promise<readonly GatewayContext[]>;
  /** The contexts in which everything is read as of blocks that have been found in the history of a table, which is confirmed at the end. */
  readonly pastsOf: (blocks: readonly Block[], table: string) => readonly GatewayContext[];
  /** The contexts of what graphql-js resolves below some fields of the query, by the places of these in the answer. */
  readonly pastAt: Map<string, GatewayContext>;
  /** Gives the blocks that was read as of. Rejects with OUT_OF_RANGE where a history has been forgotten meanwhile. */
  readonly confirmPasts: () => Promise<readonly Block[]>;
  /** By the market's id; null for an unknown one. What an operation has to read for its estimates is one statement. */
  readonly estimateTerms: (marketId: string) => Promise<EstimateTerms | null>;
  /** The value of a key: one statement for all keys of an operation that the same is asked of in the same moment. */
  readonly load: LoadByKey;
  /** What the answer depends on, as far as it was read. Each statement adds to it. */
  readonly dependencies: Dependencies;
  /** Charges whoever asks for rows that were read, beyond what the price says. */
  readonly charge: (rows: number) => void;
}

/** What is being read ends when the signal of whoever asks is aborted, and is told to who watches; counts are charged to a client. */
export function createContext(
  services: GatewayServices,
  scope?: { readonly signal: Signal; readonly steps?: Steps | undefined },
  countedFor: CountedFor = FOR_NOBODY,
): GatewayContext {
  const { feed, counts, statements: shared, keptTerms } = services;
  const { signal, steps } = scope ?? {};
  const ended = signal === undefined ? shared : shared.until(signal, steps);
  const dependencies = new Dependencies();
  const asking = { services, dependencies, countedFor, signal };
  const statements = noteDependencies(ended, dependencies);
  let newestBlock: Promise<Block | null> | undefined;
  const findNewest = () => (newestBlock ??= feed.nameNewest(() => findLatestBlock(ended)));
  const known = services.knownBlocks ?? new KnownBlocks();
  const pasts = new Map<bigint, GatewayContext>();
  const unconfirmed = new Map<string, Block[]>();
  const present: Omit<GatewayContext, keyof Reading> = {
    feed,
    dependencies,
    charge: countedFor.charge,
    histories: statements,
    readInTurn: takeTurns(),
    past: null,
    pastAt: new Map(),
    blockAt: async (height) => feed.nameBlock(await findBlock(statements, height)),
    newestBlock: () => {
      dependencies.add(DEPENDS_ON_BLOCKS);
      return findNewest();
    },
    async asOf(asked) {
      const blocks = { statements: ended, known, published: toBlock(feed.latest), newestBlock: findNewest };
      const onUnsettled = () => dependencies.add(DEPENDS_ON_BLOCKS);
      return (await findAsOf({ ...blocks, onUnsettled }, asked)).map(pastOf);
    },
    pastsOf(blocks, table) {
      unconfirmed.set(table, [...(unconfirmed.get(table) ?? []), ...blocks]);
      return blocks.map(pastOf);
    },
    async confirmPasts() {
      for (const [table, blocks] of unconfirmed) await checkKnown(ended, blocks, [table]);
      return [...pasts.values()].flatMap(({ past }) => past ?? []);
    },
  };
  const pastOf = (block: Block): GatewayContext => {
    const past = pasts.get(block.lastPosition) ?? createPast(block);
    pasts.set(block.lastPosition, past);
    return past;
  };
  let statementsAt: ReturnType<typeof createPasts> | undefined;
  const createPast = (block: Block): GatewayContext => {
    statementsAt ??= createPasts(ended, {
      explain: (lastPosition, tables) => checkKnown(ended, [blockEndingAt(lastPosition)], tables),
      isArchived: (position) => known.isArchived(position),
    });
    const past = statementsAt(block.lastPosition);
    // What was never changes, so that nothing depends on it.
    const own = { ended: past, shared: past, dependencies: new Dependencies(), keptTerms: undefined };
    return {
      ...{ ...present, past: block },
      blockAt: (height) => findBlock(past, height),
      newestBlock: () => Promise.resolve(block),
      ...createReading({ ...asking, ...own, counts: createPastCounts(past, counts), named: () => undefined }),
    };
  };
  const reading = { ended, shared, counts, keptTerms, named: () => newestBlock };
  return { ...present, ...createReading({ ...asking, ...reading }) };
}

function blockEndingAt(lastPosition: bigint): Pick<Block, 'height' | 'lastPosition'> {
  return { height: heightOf(lastPosition), lastPosition };
}

function takeTurns(): GatewayContext['readInTurn'] {
  let turns: Semaphore | undefined;
  return (read) => {
    turns ??= new Semaphore(1);
    return turns.run(read);
  };
}

/** What rows are read by. */
type Reading = Pick<GatewayContext, 'prisma' | 'models' | 'statements' | 'pages' | 'load' | 'estimateTerms'>;

interface ReadingOptions {
  readonly services: GatewayServices;
  readonly dependencies: Dependencies;
  readonly countedFor: CountedFor;
  readonly signal: Signal | undefined;
  /** The statements that end with whoever asks, and those for all who ask the same. */
  readonly ended: Statements;
  readonly shared: Statements;
  readonly counts: Counts;
  readonly keptTerms: LoadTerms | undefined;
  /** The newest block, if the answer names it. */
  readonly named: () => Promise<unknown> | undefined;
}

function createReading(options: ReadingOptions): Reading {
  const { services, dependencies, countedFor, signal, ended, shared, counts, keptTerms, named } = options;
  const statements = noteDependencies(ended, dependencies);
  let loadTerms: LoadTerms | undefined;
  let scoped: PrismaClient | undefined;
  let models: ModelLoaders | undefined;
  const prisma = () => {
    scoped ??= scopeModels(services.prisma, { statements: ended, shared, dependencies });
    return scoped;
  };
  return {
    prisma,
    models: () => {
      models ??= new ModelLoaders(prisma(), counts, countedFor, { signal, isPast: ended.isPast });
      return models;
    },
    statements,
    pages: createPageLoaders({ statements, counts, dependencies, countedFor, signal }),
    load: createLoadByKey(statements),
    async estimateTerms(marketId) {
      // The feed has published the block that an answer names, so that kept terms are no older.
      await named();
      loadTerms ??= keptTerms ?? createTermsLoader(statements);
      return (await loadTerms(marketId)).giveTo(dependencies);
    },
  };
}
