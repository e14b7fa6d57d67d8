import type pg from 'pg';
import { createConnection } from '../servers/connect.ts';
import { destroy } from '../servers/presence.ts';
import type { PageRead, Row, RowSet } from './row-sets.ts';

/** So many wait for pages side by side. */
const READERS = 4;
/** A reader takes so many rows at a time: few, so that all have some and none is far behind the writer. */
const ROWS_AT_ONCE = 250;
const STATEMENT_TIMEOUT_MS = 30_000;
const ANSWER_TIMEOUT_MS = STATEMENT_TIMEOUT_MS + 5_000;
/** How often, in blocks, it is looked whether reading ahead is worth it. */
const LOOK_EVERY = 10_000;
/** After a failure nothing is read ahead for so long. */
const PAUSE_MS = 60_000;

/**
 * Reads the pages that blocks will be written to, beside the writer and before it comes to them: it has to wait for one after
 * the other, readers for several at once. Only where the database is larger than the memory of its server: else the
 * pages are at hand. The writer needs none of it: where it fails, blocks are written as if it was not there.
 */
export class ReadAhead {
  readonly #url: string;
  #waiting: PageReading[] = [];
  #readers: readonly Reader[] = [];
  /** Ends when there are readers, or it is known that there are to be none. */
  #opening: Promise<void> | null = null;
  #isWorthIt = true;
  /** How many blocks came since that was looked at. */
  #blocks = 0;
  #pausedTo = 0;
  readonly #closing = new AbortController();

  constructor(url: string) {
    this.#url = url;
  }

  /** Says that the rows of a block, which ends at a position, will be written soon. */
  announce(sets: readonly RowSet[], lastPosition: bigint): void {
    if (!this.#isOpen()) return;
    for (const { target, rows: some } of sets) {
      const { pages } = target;
      if (pages === null) continue;
      for (let at = 0; at < some.length; at += ROWS_AT_ONCE)
        this.#waiting.push({ pages, rows: some.slice(at, at + ROWS_AT_ONCE), lastPosition });
    }
    if (this.#readers.length === 0) this.#opening ??= this.#open();
    for (const reader of this.#readers) reader.start();
  }

  /** Says up to where blocks are written: what was to be read for them is not any more. */
  written(lastPosition: bigint): void {
    this.#waiting = this.#waiting.filter((one) => one.lastPosition > lastPosition);
  }

  async close(): Promise<void> {
    this.#closing.abort();
    await this.#opening;
    await this.#end();
  }

  #isOpen(): boolean {
    this.#blocks += 1;
    if (this.#blocks > LOOK_EVERY) {
      this.#blocks = 0;
      this.#isWorthIt = true;
    }
    return !this.#closing.signal.aborted && this.#isWorthIt && performance.now() >= this.#pausedTo;
  }

  async #open(): Promise<void> {
    try {
      const clients = await connect(this.#url, this.#closing.signal);
      this.#isWorthIt = clients.length > 0;
      this.#readers = clients.map(
        (client) =>
          new Reader(
            client,
            () => this.#waiting.shift(),
            () => void this.#fail(),
          ),
      );
      if (!this.#isWorthIt || this.#closing.signal.aborted) await this.#end();
      for (const reader of this.#readers) reader.start();
    } catch {
      await this.#fail();
    } finally {
      this.#opening = null;
    }
  }

  async #fail(): Promise<void> {
    this.#pausedTo = performance.now() + PAUSE_MS;
    await this.#end();
  }

  async #end(): Promise<void> {
    this.#waiting = [];
    const readers = this.#readers;
    this.#readers = [];
    await Promise.all(readers.map((reader) => reader.end()));
  }
}

/** A connection that reads what waits, until nothing does. */
class Reader {
  readonly #client: pg.Client;
  readonly #next: () => PageReading | undefined;
  readonly #onFailure: () => void;
  #reading: Promise<void> | null = null;
  #isEnded = false;

  constructor(client: pg.Client, next: () => PageReading | undefined, onFailure: () => void) {
    this.#client = client;
    this.#next = next;
    this.#onFailure = onFailure;
  }

  start(): void {
    if (this.#isEnded) return;
    this.#reading ??= this.#readAll()
      .catch(() => {
        if (!this.#isEnded) this.#onFailure();
      })
      .finally(() => {
        this.#reading = null;
      });
  }

  async end(): Promise<void> {
    this.#isEnded = true;
    // It may wait for pages still.
    if (this.#reading !== null) destroy(this.#client);
    await this.#client.end().catch(() => undefined);
  }

  async #readAll(): Promise<void> {
    for (let next = this.#next(); next !== undefined; next = this.#next()) {
      const { pages, rows, lastPosition } = next;
      await this.#client.query({
        name: pages.name,
        text: pages.text,
        values: [...pages.encode(rows), lastPosition],
      });
    }
  }
}

/** Gives connections that are ready to read; none where it is not worth it. Throws at once where the signal is aborted meanwhile. */
async function connect(url: string, signal: AbortSignal): Promise<readonly pg.Client[]> {
  const clients = Array.from({ length: READERS }, () =>
    createConnection(url, {
      purpose: 'read ahead',
      statement_timeout: STATEMENT_TIMEOUT_MS,
      query_timeout: ANSWER_TIMEOUT_MS,
    }),
  );
  const connected: pg.Client[] = [];
  const end = () => Promise.all(connected.map((client) => client.end().catch(() => undefined)));
  const giveUp = () => clients.forEach(destroy);
  signal.addEventListener('abort', giveUp);
  try {
    for (const client of clients) {
      signal.throwIfAborted();
      await client.connect();
      connected.push(client);
      await client.query(SETTINGS);
      if (connected.length > 1 || (await isLargerThanMemory(client))) continue;
      await end();
      return [];
    }
    return clients;
  } catch (error) {
    await end();
    throw error;
  } finally {
    signal.removeEventListener('abort', giveUp);
  }
}

/** Plans as the writer's own: rows are found by their keys. */
const SETTINGS =
  'SET default_transaction_read_only = on; SET enable_seqscan = off; SET plan_cache_mode = force_generic_plan';

async function isLargerThanMemory(client: pg.Client): Promise<boolean> {
  const { rows } = await client.query<{ larger: boolean }>(
    "SELECT pg_database_size(current_database()) > pg_size_bytes(current_setting('shared_buffers')) AS larger",
  );
  return rows[0]?.larger ?? false;
}

/** Rows whose pages are to be read before the block that ends at a position is written. */
interface PageReading {
  readonly pages: PageRead;
  readonly rows: readonly Row[];
  readonly lastPosition: bigint;
}
