import { type Journal, journaled, type Place } from './journal.ts';
import type { Storage } from './storage.ts';

/** What is there: of what, whose, and up to where. */
interface End extends Place {
  readonly of: string;
  /** Changes where what was there became void, and programs that still have it write no more. */
  readonly generation: string;
}

interface Found {
  readonly end: End | undefined;
  readonly lines: readonly string[];
}

/**
 * Keeps rows in a database of the browser. Each block is one transaction, which first looks where the journal ends: so tabs that
 * share a name write each block once, whichever is first, and one that follows something else stops those before it.
 */
export function indexedDb(name: string, factory: IDBFactory = indexedDB): Storage {
  return journaled(async (of) => {
    const open = () => openDatabase(factory, name);
    const database = await open();
    const { end, lines } = await transact<Found>(database, 'readonly', (stores, give) => {
      stores.end.get(0).onsuccess = ({ target }) => {
        const found = (target as IDBRequest<End | undefined>).result;
        stores.lines.getAll().onsuccess = (event) => {
          give({ end: found, lines: (event.target as IDBRequest<string[]>).result });
        };
      };
    });
    const journal = new DatabaseJournal(open, database, of, end?.generation ?? null);
    if (end?.of === of) return { journal, lines };
    if (end !== undefined) journal.renounce();
    return { journal, lines: [] };
  });
}

class DatabaseJournal implements Journal {
  readonly #open: () => Promise<IDBDatabase>;
  #database: IDBDatabase;
  readonly #of: string;
  /** Null where nothing was there: whoever writes first says it. */
  #generation: string | null;
  #isNew = false;
  /** The generation that was renounced. */
  #renounced: string | null = null;

  constructor(
    open: () => Promise<IDBDatabase>,
    database: IDBDatabase,
    of: string,
    generation: string | null,
  ) {
    this.#open = open;
    this.#database = database;
    this.#of = of;
    this.#generation = generation;
  }

  append(line: string, since: Place, to: Place): Promise<boolean> {
    return this.#write((stores, end, give) => {
      const isWritten = end?.cursor === to.cursor;
      // Of two messages of one height nobody sees which is the later: the rows that are held are right with their cursor.
      const isUnsure =
        end?.height === to.height || (end?.height === since.height && end.cursor !== since.cursor);
      if (end === undefined || isBefore(end.height, since.height) || (isUnsure && !isWritten))
        return give(false);
      give(true);
      // Another tab has written it.
      if (isWritten || !isBefore(end.height, to.height)) return;
      stores.lines.add(line);
      stores.end.put({ ...end, ...to } satisfies End, 0);
    });
  }

  async replace(lines: readonly string[], to: Place): Promise<void> {
    const isNew = this.#isNew;
    await this.#write((stores, end, give) => {
      give(true);
      if (!isNew && end !== undefined && isBefore(to.height, end.height)) return;
      // Another tab that follows the same has renounced it too, and was first: each goes on with what both may write.
      const isShared = end?.of === this.#of && end.generation !== this.#renounced;
      if (isNew && this.#renounced !== null && isShared) this.#generation = end.generation;
      this.#generation ??= end?.generation ?? crypto.randomUUID();
      // What was renounced only after this was asked for is still to be written over.
      if (isNew) this.#isNew = false;
      stores.lines.clear();
      for (const line of lines) stores.lines.add(line);
      stores.end.put({ of: this.#of, generation: this.#generation, ...to } satisfies End, 0);
    });
  }

  renounce(): void {
    this.#renounced = this.#generation;
    this.#generation = crypto.randomUUID();
    this.#isNew = true;
  }

  async close(): Promise<void> {
    this.#database.close();
  }

  /** Writes what is still ours to write. */
  async #write(write: (stores: Stores, end: End | undefined, give: (taken: boolean) => void) => void) {
    const run: Run<boolean> = (stores, give, fail) => {
      stores.end.get(0).onsuccess = ({ target }) => {
        const end = (target as IDBRequest<End | undefined>).result;
        this.#generation ??= end?.of === this.#of ? end.generation : null;
        const isOurs = this.#isNew || end === undefined || end.generation === this.#generation;
        if (isOurs) write(stores, end, give);
        else fail(new Error('Another program keeps something else under this name.'));
      };
    };
    const isNew = this.#isNew;
    try {
      return await transact(this.#database, 'readwrite', run);
    } catch (error) {
      if (!isTakenAway(this.#database, error)) throw error;
      this.#database.close();
      // Nothing of it was written.
      this.#isNew ||= isNew;
      this.#database = await this.#open();
      return transact(this.#database, 'readwrite', run);
    }
  }
}

/** Databases that somebody else wants to remove or to change. */
const unwanted = new WeakSet<IDBDatabase>();

/** Browsers end the connections of pages in the background, Safari above all: whoever opens it again finds what was written. */
const isTakenAway = (database: IDBDatabase, error: unknown) =>
  !unwanted.has(database) &&
  error instanceof DOMException &&
  ['AbortError', 'InvalidStateError', 'UnknownError'].includes(error.name);

const isBefore = (one: string, other: string) => BigInt(one) < BigInt(other);

function openDatabase(factory: IDBFactory, name: string): Promise<IDBDatabase> {
  return new Promise((resolve, reject) => {
    const request = factory.open(name, 1);
    request.onupgradeneeded = () => {
      request.result.createObjectStore('lines', { autoIncrement: true });
      request.result.createObjectStore('end');
    };
    request.onerror = () => reject(request.error);
    request.onsuccess = () => {
      // Whoever removes the database need not wait for us.
      request.result.onversionchange = () => {
        unwanted.add(request.result);
        request.result.close();
      };
      resolve(request.result);
    };
  });
}

type Stores = Readonly<Record<'lines' | 'end', IDBObjectStore>>;

type Run<Given> = (stores: Stores, give: (given: Given) => void, fail: (error: unknown) => void) => void;

/** Gives what `run` gave once it is all written; nothing of it is where it fails. */
function transact<Given>(database: IDBDatabase, mode: IDBTransactionMode, run: Run<Given>): Promise<Given> {
  return new Promise((resolve, reject) => {
    const transaction = database.transaction(['lines', 'end'], mode);
    let given: Given;
    let failure: unknown = null;
    transaction.oncomplete = () => resolve(given);
    transaction.onabort = () => reject(failure ?? transaction.error);
    run(
      { lines: transaction.objectStore('lines'), end: transaction.objectStore('end') },
      (value) => {
        given = value;
      },
      (error) => {
        failure = error;
        transaction.abort();
      },
    );
  });
}
