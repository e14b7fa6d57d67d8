import { setTimeout as sleep } from 'node:timers/promises';
import { pino } from 'pino';
import { expect } from 'vitest';
import type { Retention } from '../../src/data/history/retention.ts';
import { accounts } from '../../src/data/nouns/accounts.ts';
import type { NounRow } from '../../src/data/nouns/index.ts';
import { openDatabase } from '../../src/data/servers/client.ts';
import { watchAlone } from '../../src/data/servers/reading.ts';
import { Semaphore } from '../../src/data/servers/semaphore.ts';
import type { Statements } from '../../src/data/servers/statements.ts';
import { Writer } from '../../src/data/writing/writer.ts';
import { readStreamCursor } from '../../src/domain/cursors.ts';
import { accountTypes } from '../../src/domain/enumerations.ts';
import { cursorOf } from '../../src/feed/cursors.ts';
import type { StreamEvent } from '../../src/feed/events.ts';
import { Feed } from '../../src/feed/feed.ts';
import { topicOf } from '../../src/feed/topics.ts';
import { applySource } from '../../src/ingest/apply.ts';
import type { EventSource, NetworkEvent } from '../../src/ingest/events.ts';
import { createTestDatabase, readerUrlOf, type TestDatabase } from '../support/database.ts';
import { sourceOf } from '../support/events.ts';
import { within } from '../support/message-queue.ts';

export type AccountRow = NounRow<'account'>;
type Events = AsyncIterableIterator<StreamEvent<AccountRow>>;

/** What may wait for one reader here: little, so that a test fills it soon. */
export const LIMITS = { maxMessages: 4, maxWeight: 1_000_000 };
/** Nothing is found by looking now and then: wake-ups have to work. */
const LONG_POLL_MS = 60_000;

/** A database of its own with one block in it, a writer of hand-made blocks, and a feed over them. */
export class Live {
  height = 0;
  readonly database: TestDatabase;
  writer: Writer;
  readonly reader: ReturnType<typeof openDatabase>;
  /** While it is set, the feed's own reading of blocks fails as with a database that is away. */
  isAway = false;
  /** The places for what streams read. */
  readonly reads = { all: new Semaphore(4), followed: new Semaphore(2) };
  /** What the feed has asked by itself. */
  readonly asked: string[] = [];
  #feed: Feed | null = null;

  private constructor(database: TestDatabase, writer: Writer) {
    this.database = database;
    this.writer = writer;
    this.reader = openDatabase({ url: readerUrlOf(database.url), readOnly: true });
  }

  static async start(given?: TestDatabase, retention?: Retention): Promise<Live> {
    const database = given ?? (await createTestDatabase());
    const live = new Live(database, await Writer.open(database.url, retention));
    await live.block({ ann: '1', bob: '2' });
    live.#feed = await live.openFeed();
    return live;
  }

  get feed(): Feed {
    return this.#feed as Feed;
  }

  openFeed(): Promise<Feed> {
    const isAway = () => this.isAway;
    const { asked, reads } = this;
    const { statements } = this.reader;
    const losing: Statements = {
      ...statements,
      async rows(statement) {
        asked.push(statement.text);
        if (isAway() && statement.text.includes('FROM blocks'))
          throw Object.assign(new Error('away'), { code: 'ECONNRESET' });
        return statements.rows(statement);
      },
    };
    const watch = watchAlone(readerUrlOf(this.database.url));
    const options = { watch, logger: pino({ level: 'silent' }), limits: LIMITS, progressMs: 100 };
    return Feed.start({ ...options, statements: losing, pollMs: LONG_POLL_MS, reads });
  }

  /** Applies a block that gives these owners these balances. */
  async block(balances: Readonly<Record<string, string>>): Promise<void> {
    this.height += 1;
    await this.apply(blockOf(this.height, balances));
  }

  async apply(events: AsyncIterable<NetworkEvent> | Iterable<NetworkEvent>): Promise<void> {
    const source: EventSource = {
      ...sourceOf([]),
      async *events() {
        for await (const event of events) yield { event, at: 'the test' };
      },
    };
    await applySource(source, this.writer, { pace: 'max', signal: new AbortController().signal });
  }

  open(filter: object = {}, after: string | null | undefined = null): Promise<Events> {
    return this.feed.open(topicOf(accounts), filter, after ?? null);
  }

  /** Lets another writer go on, which keeps so many blocks of history, and of the past. */
  async reopenWriter(historyBlocks: number, pastBlocks = historyBlocks): Promise<void> {
    await this.writer.close();
    this.writer = await Writer.open(this.database.url, { historyBlocks, pastBlocks });
  }

  /** Waits until the feed has handed on the newest block. */
  async settled(): Promise<void> {
    const arrived = (async () => {
      while (this.feed.latest.height < this.height) await sleep(5);
    })();
    await within(arrived, 'the newest block');
  }

  async close(): Promise<void> {
    await this.#feed?.close();
    await this.writer.close();
    await this.reader.close();
    await this.database[Symbol.asyncDispose]();
  }
}

export function blockOf(height: number, balances: Readonly<Record<string, string>>): readonly NetworkEvent[] {
  const account = { assetId: 'gold', marketId: '', type: accountTypes.numbers.ACCOUNT_TYPE_GENERAL };
  return [
    { type: 'beginBlock', height, timestamp: BigInt(height), hash: `${height}` },
    ...Object.entries(balances).map(
      ([owner, balance]) => ({ type: 'account', row: { ...account, owner, balance } }) as const,
    ),
    { type: 'endBlock', height },
  ];
}

export async function opened({ feed }: Live): Promise<StreamEvent<AccountRow>> {
  const events = await feed.open(topicOf(accounts), {}, null);
  const first = await next(events);
  await events.return?.();
  return first;
}

export async function next(events: Events): Promise<StreamEvent<AccountRow>> {
  const { value, done } = await within(events.next(), 'a message');
  if (done) throw new Error('the stream has ended');
  expect(readStreamCursor('accounts', cursorOf('accounts', value))).not.toBeNull();
  return value;
}

/** A message by its owners' balances. */
export async function told(events: Events): Promise<Readonly<Record<string, unknown>>> {
  const event = await next(events);
  const balances = Object.fromEntries(event.rows.map(({ owner, balance }) => [owner, balance]));
  return {
    height: Number(event.block.height),
    ...(event.kind === 'snapshot' && event.lastPage ? { snapshot: true } : {}),
    ...balances,
  };
}
