import type { Logger } from 'pino';
import { BLOCKS, tagOf } from '../cache/cache-tags.ts';
import { KeptValues } from '../cache/kept-values.ts';
import { type Config, readPlaces } from '../config.ts';
import { KnownBlocks } from '../data/history/known-blocks.ts';
import { readStanding, readTableBytes } from '../data/queries/standing.ts';
import { openReading, type Reading } from '../data/servers/reading.ts';
import { Semaphore } from '../data/servers/semaphore.ts';
import type { DisposableStack } from '../disposable-stack.ts';
import { Feed } from '../feed/feed.ts';
import type { GatewayServices } from '../graphql/context.ts';
import { createKeptTermsLoader, KEEPING_TERMS, type SharedTerms } from '../graphql/estimate-terms.ts';
import { keepingAnswers } from '../http/kept-answers.ts';
import type { RequestScope } from '../http/request-scope.ts';
import type { Answer } from '../http/write/answer.ts';
import { keepingTags, type ListTag } from '../rest/list-tags.ts';

/** What a gateway reads: the database, the feed of blocks, and what is kept until a block changes it. */
export type Reads = Awaited<ReturnType<typeof openReads>>;

export async function openReads(
  {
    config,
    databaseUrl,
    logger,
  }: { readonly config: Config; readonly databaseUrl: string; readonly logger: Logger },
  opened: DisposableStack,
) {
  const { maxReplicaLagBlocks, primaryReads, poolSize, poolWaitMs, statementTimeoutMs, preparedStatements } =
    config.database;
  const database = opened.use(
    await openReading({
      ...readPlaces(config, databaseUrl),
      ...{ maxLagBlocks: maxReplicaLagBlocks, readsPrimary: primaryReads === 'on', maxConnections: poolSize },
      ...{ waitMs: poolWaitMs, statementTimeoutMs, isPreparing: preparedStatements === 'on', logger },
    }),
  );
  const { statements, counts } = database;
  const feed = await startFeed(config, logger, database);
  opened.defer(() => feed.close());
  const keptBytes = config.answers.keptMegabytes * 2 ** 20;
  const kept = keepValues(feed, keptBytes);
  const services: GatewayServices = {
    ...{ statements, counts, feed },
    knownBlocks: new KnownBlocks(),
    keptTerms: keptBytes === 0 ? undefined : createKeptTermsLoader(statements, kept.estimate_terms),
    // That of the server which is read at the time.
    get prisma() {
      return database.prisma;
    },
  };
  const standing = (signal: AbortSignal) => readStanding(statements.until(signal));
  const tableBytes = (signal: AbortSignal) => readTableBytes(statements.until(signal));
  return { database, feed, kept, keptBytes, services, readStanding: standing, readTableBytes: tableBytes };
}

/** What is kept, by the name that metrics have for it. */
function keepValues(feed: Feed, keptBytes: number) {
  const kept = {
    answers: new KeptValues<Answer, RequestScope>({ feed, ...keepingAnswers(keptBytes) }),
    list_tags: new KeptValues<ListTag, RequestScope>({ feed, ...keepingTags(keptBytes > 0) }),
    estimate_terms: new KeptValues<SharedTerms>({ feed, ...KEEPING_TERMS }),
  };
  // Terms go first: answers are made of them. Whatever a block changes, it is a new one.
  feed.onBlock((block, cacheTags) => {
    const all = cacheTags && [tagOf(BLOCKS), ...cacheTags];
    for (const values of [kept.estimate_terms, kept.answers, kept.list_tags]) values.onBlock(block, all);
  });
  return kept;
}

function startFeed(
  { streams, database }: Config,
  logger: Logger,
  { statements, watch }: Reading,
): Promise<Feed> {
  const { pollMs, bufferMessages, bufferRows, heartbeatMs } = streams;
  const limits = { maxMessages: bufferMessages, maxWeight: bufferRows };
  // The other half of the connections is for requests, and for the feed itself.
  const most = Math.max(1, Math.floor(database.poolSize / 2));
  const reads = { all: new Semaphore(Math.max(2, most)), followed: new Semaphore(Math.ceil(most / 2)) };
  return Feed.start({ statements, watch, logger, pollMs, limits, reads, progressMs: heartbeatMs });
}
