import { LRUCache } from 'lru-cache';
import pg from 'pg';
import { cancelStatement } from './cancel.ts';
import { destroy, type Presence } from './presence.ts';
import type { Sql } from './sql.ts';

/** Sends the statements of readers. Their errors are the driver's; `isUnavailable` knows which of them pass. */
export interface Statements {
  /** Gives the rows as objects: 64-bit integers as bigints, JSON read, all else as the driver gives it. */
  rows<Row>(statement: Sql): Promise<Row[]>;
  /** Gives each row as its columns in their order, every one as the text that PostgreSQL wrote, or null. */
  texts(statement: Sql): Promise<readonly (readonly (string | null)[])[]>;
  /** The same for somebody who can leave: on abort a statement ends on the server too, and rejects with the reason. */
  until(signal: AbortSignal): Statements;
}

/**
 * Sends statements over a pool. A text that comes again is prepared under a name on each connection, so that
 * PostgreSQL parses and plans it once. Names are few, since each is kept by each connection: first come, first served.
 */
export function createStatements(pool: pg.Pool, presence: Presence): Statements {
  // A statement fails when its connection does, and an idle connection is replaced; an `error` without a listener would end the process.
  pool.on('connect', (client) => client.on('error', ignore));
  return sendBy({ pool, presence, nameOf: createNames() });
}

interface Sending {
  readonly pool: pg.Pool;
  readonly presence: Presence;
  readonly nameOf: NameOf;
  readonly signal?: AbortSignal;
}

function sendBy(sending: Sending): Statements {
  const { nameOf, signal } = sending;
  return {
    async rows<Row>({ text, values }: Sql) {
      const { rows } = await send({ text, values, types: ROW_TYPES, ...nameOf(text) }, sending);
      return rows as Row[];
    },
    async texts({ text, values }) {
      const config = { text, values, types: TEXT_TYPES, rowMode: 'array', ...nameOf(text) };
      const { rows } = await send(config, sending);
      return rows as (string | null)[][];
    },
    until: (until) =>
      sendBy({ ...sending, signal: signal === undefined ? until : AbortSignal.any([signal, until]) }),
  };
}

/** One statement: ended on the server where its caller leaves, and here where the server is lost. */
async function send(config: pg.QueryConfig, { pool, presence, signal }: Sending): Promise<pg.QueryResult> {
  signal?.throwIfAborted();
  presence.check();
  const client = await pool.connect();
  if (signal?.aborted) {
    client.release();
    throw signal.reason;
  }
  let cancelled: Promise<void> | undefined;
  const cancel = () => {
    cancelled = cancelStatement(client);
  };
  signal?.addEventListener('abort', cancel);
  const endWatch = presence.watch(() => destroy(client));
  let failure: (Error & { readonly code?: unknown }) | undefined;
  try {
    return await client.query(config);
  } catch (error) {
    failure = error as Error;
    throw cancelled === undefined ? error : signal?.reason;
  } finally {
    signal?.removeEventListener('abort', cancel);
    endWatch();
    if (cancelled !== undefined) await cancelled;
    // A cancellation that did not end this statement could end the next one of the connection.
    client.release(cancelled === undefined ? failure !== undefined : failure?.code !== QUERY_CANCELED);
  }
}

function ignore(): void {}

const QUERY_CANCELED = '57014';

/** How many texts have a name: all that the documented paths send, and as many of GraphQL's. A plan takes 20 to 50 kB. */
const MOST_NAMES = 200;
/** How many texts are remembered until they come again. */
const MOST_CANDIDATES = 1000;
/** A longer one belongs to a dear operation, of which its parsing is a small part. */
const LONGEST_TEXT = 8192;

type NameOf = (text: string) => { readonly name?: string };

function createNames(): NameOf {
  const names = new Map<string, { readonly name: string }>();
  const candidates = new LRUCache<string, true>({ max: MOST_CANDIDATES });
  return (text) => {
    const known = names.get(text);
    if (known !== undefined) return known;
    if (names.size === MOST_NAMES || text.length > LONGEST_TEXT) return UNNAMED;
    if (!candidates.has(text)) {
      candidates.set(text, true);
      return UNNAMED;
    }
    candidates.delete(text);
    const name = { name: `periscope ${names.size}` };
    names.set(text, name);
    return name;
  };
}

const UNNAMED = {};

const ROW_TYPES: pg.CustomTypesConfig = {
  getTypeParser: (type, format) =>
    type === pg.types.builtins.INT8 ? BigInt : pg.types.getTypeParser(type, format),
};

const TEXT_TYPES: pg.CustomTypesConfig = { getTypeParser: () => (text: string) => text };
