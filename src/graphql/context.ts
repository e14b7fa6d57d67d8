import type { GraphQLResolveInfo } from 'graphql';
import { Dependencies } from '../cache/cache-tags.ts';
import type { Block, PrismaClient } from '../data/generated/prisma/client.ts';
import { KnownBlocks } from '../data/history/known-blocks.ts';
import { createPasts } from '../data/history/past-statements.ts';
import { scopeModels } from '../data/models/client.ts';
import { ModelLoaders } from '../data/models/loaders.ts';
import { DEPENDS_ON_BLOCKS } from '../data/noun-tags.ts';
import { findBlock, findLatestBlock } from '../data/queries/blocks.ts';
import { type CountedFor, type Counts, FOR_NOBODY } from '../data/queries/counts.ts';
import type { EstimateTerms } from '../data/queries/estimate-terms.ts';
import { createLoadByKey, type LoadByKey } from '../data/queries/load-by-key.ts';
import { createPageLoaders, type PageLoaders } from '../data/queries/page-loaders.ts';
import { createPastCounts } from '../data/queries/past-counts.ts';
import {
  boundStatements,
  createStatementBound,
  type StatementBound,
} from '../data/servers/bounded-statements.ts';
import { noteDependencies } from '../data/servers/noting-statements.ts';
import { Semaphore } from '../data/servers/semaphore.ts';
import type { Statements } from '../data/servers/statements.ts';
import { toBlock } from '../feed/events.ts';
import type { Feed } from '../feed/feed.ts';
import type { Signal } from '../signal.ts';
import type { Steps } from '../steps.ts';
import { type AsOfArgs, blockEndingAt, checkKnown, findAsOf, meansNewest } from './as-of.ts';
import { COST_OF_THE_PAST, type Told } from './costs.ts';
import { createTermsLoader, type LoadTerms } from './estimate-terms.ts';
import { PastPlaces } from './past-places.ts';

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

/** Who pays for an operation. */
export interface Payer extends CountedFor {
  /** Is told what blocks tell that a field reads, and how often it costs that. Throws INVALID_ARGUMENT where it is too much. */
  readonly admitTold: (field: GraphQLResolveInfo, told: Told, times: number) => void;
}

const NOBODY: Payer = { ...FOR_NOBODY, admitTold() {} };

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
  /** The contexts in which everything is read as of blocks that are known; where statements leave out what is not kept of a table, these are confirmed at the end. */
  readonly pastsOf: (blocks: readonly Block[], table?: string) => readonly GatewayContext[];
  /** The contexts of what graphql-js resolves below some fields of the query, by the places of these in the answer. */
  readonly pastAt: PastPlaces<GatewayContext>;
  /** Gives the blocks that was read as of. Rejects with OUT_OF_RANGE where statements may have left out what was forgotten meanwhile. */
  readonly confirmPasts: () => Promise<readonly Block[]>;
  /** By the market's id; null for an unknown one. What an operation has to read for its estimates is one statement. */
  readonly estimateTerms: (marketId: string) => Promise<EstimateTerms | null>;
  /** The value of a key: one statement for all keys of an operation that the same is asked of in the same moment. */
  readonly load: LoadByKey;
  /** What the answer depends on, as far as it was read. Each statement adds to it. */
  readonly dependencies: Dependencies;
  /** Charges whoever asks for rows that were read, beyond what the price says. */
  readonly charge: (rows: number) => void;
  /** Charges for what blocks tell that a field reads, beyond its price, before what is below it is read. Throws INVALID_ARGUMENT where it is too much. */
  readonly admitTold: (field: GraphQLResolveInfo, told: Told) => void;
  /** Another context of the same services: for what a stream reads later, again and again, until who waits for it has left. */
  readonly anew: (signal: Signal) => GatewayContext;
}

/** What is being read ends when the signal of whoever asks is aborted, and is told to who watches; counts are charged to a client. */
export function createContext(
  services: GatewayServices,
  scope?: { readonly signal: Signal; readonly steps?: Steps | undefined },
  payer: Payer = NOBODY,
  bound: StatementBound = createStatementBound(),
): GatewayContext {
  const { signal, steps } = scope ?? {};
  const { statements: shared, counts, keptTerms } = services;
  const ended = boundStatements(signal === undefined ? shared : shared.until(signal, steps), bound);
  const operation = new Operation(services, ended, signal, payer);
  const { dependencies } = operation;
  const statements = operation.histories;
  return new Context(operation, null, { statements, ended, shared, counts, keptTerms, dependencies });
}

/** What the contexts of one operation have in common, whichever block each is as of. */
class Operation {
  readonly services: GatewayServices;
  readonly ended: Statements;
  readonly signal: Signal | undefined;
  readonly payer: Payer;
  readonly dependencies = new Dependencies();
  readonly histories: Statements;
  readonly pastAt = new PastPlaces<GatewayContext>();
  readonly #known: KnownBlocks;
  readonly #pasts = new Map<bigint, GatewayContext>();
  readonly #unconfirmed = new Map<string, Block[]>();
  #turns: Semaphore | undefined;
  #newestBlock: Promise<Block | null> | undefined;
  #statementsAt: ReturnType<typeof createPasts> | undefined;

  constructor(services: GatewayServices, ended: Statements, signal: Signal | undefined, payer: Payer) {
    this.services = services;
    this.ended = ended;
    this.signal = signal;
    this.payer = payer;
    this.histories = noteDependencies(ended, this.dependencies);
    this.#known = services.knownBlocks ?? new KnownBlocks();
  }

  /** The newest block, if the answer names it. */
  get named(): Promise<Block | null> | undefined {
    return this.#newestBlock;
  }

  readonly newestBlock = (): Promise<Block | null> => {
    this.#newestBlock ??= this.services.feed.nameNewest(() => findLatestBlock(this.ended));
    return this.#newestBlock;
  };

  readonly readInTurn: GatewayContext['readInTurn'] = (read) => {
    this.#turns ??= new Semaphore(1);
    return this.#turns.run(read);
  };

  async asOf(asked: readonly AsOfArgs[]): Promise<readonly GatewayContext[]> {
    const found = await findAsOf(
      {
        statements: this.ended,
        known: this.#known,
        published: toBlock(this.services.feed.latest),
        newestBlock: this.newestBlock,
        onUnsettled: () => this.dependencies.add(DEPENDS_ON_BLOCKS),
      },
      asked,
    );
    return found.map((block) => this.#pastOf(block));
  }

  pastsOf(blocks: readonly Block[], table?: string): readonly GatewayContext[] {
    if (table !== undefined)
      this.#unconfirmed.set(table, [...(this.#unconfirmed.get(table) ?? []), ...blocks]);
    return blocks.map((block) => this.#pastOf(block));
  }

  async confirmPasts(): Promise<readonly Block[]> {
    for (const [table, blocks] of this.#unconfirmed) await checkKnown(this.ended, blocks, [table]);
    return this.#pasts.size === 0 ? NONE : [...this.#pasts.values()].flatMap(({ past }) => past ?? []);
  }

  #pastOf(block: Block): GatewayContext {
    const past = this.#pasts.get(block.lastPosition) ?? this.#createPast(block);
    this.#pasts.set(block.lastPosition, past);
    return past;
  }

  #createPast(block: Block): GatewayContext {
    this.#statementsAt ??= createPasts(this.ended, {
      explain: (lastPosition, tables) => checkKnown(this.ended, [blockEndingAt(lastPosition)], tables),
      isKept: (position, tables) => this.#known.isKept(position, tables),
    });
    const statements = this.#statementsAt(block.lastPosition);
    // What was never changes, so that nothing depends on it.
    return new Context(this, block, {
      statements,
      ended: statements,
      shared: statements,
      keptTerms: undefined,
      counts: createPastCounts(statements, this.services.counts),
      dependencies: new Dependencies(),
    });
  }
}

const NONE: readonly Block[] = [];

/** What rows are read by. */
interface Reading {
  /** The statements that note what they depend on, those that end with whoever asks, and those for all who ask the same. */
  readonly statements: Statements;
  readonly ended: Statements;
  readonly shared: Statements;
  readonly counts: Counts;
  readonly keptTerms: LoadTerms | undefined;
  /** What is read depends on these, which are the operation's own for the present. */
  readonly dependencies: Dependencies;
}

/** A class, since each operation has one: an object put together of others takes ten times as long. Its fields can be copied. */
class Context implements GatewayContext {
  readonly past: Block | null;
  readonly feed: Feed;
  readonly statements: Statements;
  readonly pages: PageLoaders;
  readonly load: LoadByKey;
  readonly histories: Statements;
  readonly dependencies: Dependencies;
  readonly charge: GatewayContext['charge'];
  readonly admitTold: GatewayContext['admitTold'];
  readonly pastAt: GatewayContext['pastAt'];
  readonly readInTurn: GatewayContext['readInTurn'];
  readonly #operation: Operation;
  readonly #reading: Reading;
  #loadTerms: LoadTerms | undefined;
  #prisma: PrismaClient | undefined;
  #models: ModelLoaders | undefined;

  constructor(operation: Operation, past: Block | null, reading: Reading) {
    this.past = past;
    const { payer, signal } = operation;
    this.feed = operation.services.feed;
    this.statements = reading.statements;
    this.pages = createPageLoaders(reading, payer, signal);
    this.load = createLoadByKey(reading.statements);
    this.histories = operation.histories;
    this.dependencies = operation.dependencies;
    this.charge = payer.charge;
    this.admitTold = (field, told) => payer.admitTold(field, told, past === null ? 1 : COST_OF_THE_PAST);
    this.pastAt = operation.pastAt;
    this.readInTurn = operation.readInTurn;
    this.#operation = operation;
    this.#reading = reading;
  }

  readonly prisma = (): PrismaClient => {
    this.#prisma ??= scopeModels(this.#operation.services.prisma, {
      ...this.#reading,
      statements: this.#reading.ended,
    });
    return this.#prisma;
  };

  readonly models = (): ModelLoaders => {
    const { payer, signal } = this.#operation;
    const { counts, ended } = this.#reading;
    this.#models ??= new ModelLoaders(this.prisma(), counts, payer, { signal, isPast: ended.isPast });
    return this.#models;
  };

  readonly estimateTerms = async (marketId: string): Promise<EstimateTerms | null> => {
    // The feed has published the block that an answer names, so that kept terms are no older.
    if (this.past === null) await this.#operation.named;
    this.#loadTerms ??= this.#reading.keptTerms ?? createTermsLoader(this.statements);
    return (await this.#loadTerms(marketId)).giveTo(this.#reading.dependencies);
  };

  readonly blockAt = async (height: bigint): Promise<Block | null> => {
    const found = await findBlock(this.statements, height);
    return this.past === null ? this.feed.nameBlock(found) : found;
  };

  readonly newestBlock = async (): Promise<Block | null> => {
    if (this.past !== null) return this.past;
    this.dependencies.add(DEPENDS_ON_BLOCKS);
    return this.#operation.newestBlock();
  };

  readonly anew: GatewayContext['anew'] = (signal) => createContext(this.#operation.services, { signal });
  readonly asOf: GatewayContext['asOf'] = async (asked) => {
    const { past } = this;
    // Within what is as of a block, none is newer: the pages of a walk have one, whatever comes between them.
    const isOwn = past !== null && asked.every((one) => meansNewest(one, past));
    return isOwn ? asked.map(() => this) : this.#operation.asOf(asked);
  };
  readonly pastsOf: GatewayContext['pastsOf'] = (blocks, table) => this.#operation.pastsOf(blocks, table);
  readonly confirmPasts: GatewayContext['confirmPasts'] = () => this.#operation.confirmPasts();
}
