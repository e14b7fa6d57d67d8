import type pg from 'pg';
import { rollUpSome } from '../series/rollups.ts';
import { createConnection } from '../servers/connect.ts';
import { destroy } from '../servers/presence.ts';
import { isUnavailable } from '../servers/unavailable.ts';
import { archiveSome, forget, type Spans } from './archive.ts';
import { ROLLUPS } from './archives.ts';
import { spanOf } from './coverage.ts';
import { analyzeGrown, dropDetached, LockPatience, ROWS_BY_POSITION } from './partitions.ts';
import { rankAccounts } from './ranks.ts';
import { type Retention, reachOf } from './retention.ts';
import { forgetRows } from './row-retention.ts';

/** What is done here takes seconds; what takes longer hangs, and is tried again. */
const STATEMENT_TIMEOUT_MS = 600_000;
const ANSWER_TIMEOUT_MS = STATEMENT_TIMEOUT_MS + 10_000;
/** Accounts are ranked no more often: of a writer that catches up, all change from one time to the next. */
const RANKED_EVERY_MS = 10_000;
/** Of others' locks, of which only maintenance takes any that count. */
const PASSING = new Set(['55P03', '57014', '40P01']);
/**
 * Of another keeper, of a writer that has just ended and does not know it: rows, tables and partitions that it has made or dropped. It is
 * gone before long, and what comes still will come again.
 */
const MEETING = new Set(['23505', '42P01', '42P07', '55000']);

/** Who hears of what a keeper did. */
interface Told {
  /** Of an error that will come again. */
  readonly onFailure: (error: Error) => void;
  /** Of a table of which rows are gone. */
  readonly onForgotten: (table: string) => void;
}

/**
 * Ranks accounts, rolls up what series are made of, moves a history to the archive and drops what is forgotten, beside the writer,
 * on a connection of its own: blocks do not wait for it. It is asked to now and then, and does all that there is to do.
 */
export class HistoryKeeper {
  readonly #url: string;
  readonly #spans: Spans;
  readonly #retention: Retention;
  readonly #told: Told;
  #client: pg.Client | null = null;
  #running: Promise<void> | null = null;
  /** Whether it was asked to while it was under way, of which what it does may know nothing. */
  #isAskedAgain = false;
  #isClosed = false;
  #rankedAt = Number.NEGATIVE_INFINITY;
  /** Since when it has met another and done nothing since. */
  #metAt: number | null = null;

  constructor(url: string, retention: Retention, told: Told) {
    this.#url = url;
    this.#spans = (noun) => spanOf('archive', reachOf(retention.pastBlocks, noun));
    this.#retention = retention;
    this.#told = told;
  }

  /** Begins, or begins anew once what is under way has ended. */
  wake(): void {
    this.#isAskedAgain = this.#running !== null;
    this.#running ??= this.#run().finally(() => {
      this.#running = null;
    });
  }

  /** Resolves when nothing is under way. */
  async settled(): Promise<void> {
    await this.#running;
  }

  /** Ends what is under way: the next one goes on there. */
  async close(): Promise<void> {
    this.#isClosed = true;
    if (this.#running !== null && this.#client !== null) destroy(this.#client);
    await this.#running;
    await this.#client?.end().catch(() => undefined);
  }

  async #run(): Promise<void> {
    do {
      this.#isAskedAgain = false;
      await this.#tidy();
    } while (this.#isAskedAgain);
  }

  async #tidy(): Promise<void> {
    if (this.#isClosed) return;
    try {
      const client = await this.#connect();
      if (performance.now() - this.#rankedAt >= RANKED_EVERY_MS) {
        await rankAccounts(client);
        this.#rankedAt = performance.now();
      }
      while (!this.#isClosed && (await rollUpSome(client, this.#spans(ROLLUPS.noun))));
      const patience = new LockPatience();
      await dropDetached(client, patience);
      await analyzeGrown(client, ROWS_BY_POSITION);
      // Of what somebody reads for long, it is tried once.
      const held = new Set<string>();
      while (!this.#isClosed && (await archiveSome(client, this.#spans)))
        await forget(client, this.#spans, held, patience);
      await forget(client, this.#spans, held, patience);
      await forgetRows(client, this.#retention, this.#told.onForgotten, patience);
      this.#metAt = null;
    } catch (error) {
      await this.#client?.end().catch(() => undefined);
      this.#client = null;
      const { code } = error as { readonly code?: unknown };
      if (this.#isClosed || isUnavailable(error) || PASSING.has(String(code))) {
        this.#metAt = null;
        return;
      }
      if (MEETING.has(String(code))) {
        this.#metAt ??= performance.now();
        if (performance.now() - this.#metAt < ANSWER_TIMEOUT_MS) return;
      }
      this.#told.onFailure(error as Error);
    }
  }

  async #connect(): Promise<pg.Client> {
    if (this.#client !== null) return this.#client;
    const client = createConnection(this.#url, {
      purpose: 'archive',
      statement_timeout: STATEMENT_TIMEOUT_MS,
      query_timeout: ANSWER_TIMEOUT_MS,
    });
    this.#client = client;
    await client.connect();
    await client.query("SET work_mem = '64MB'");
    return client;
  }
}
