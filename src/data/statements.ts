import { LRUCache } from 'lru-cache';
import pg from 'pg';
import type { Signal } from '../signal.ts';
import { type Steps, takeStep } from '../steps.ts';
import { cancelStatement } from './cancel.ts';
import { destroy, type Presence } from './presence.ts';
import type { Sql } from './sql.ts';
import { type Answered, type TextColumns, TextStatement } from './text-statement.ts';

/** Sends the statements of readers. Their errors are the driver's; `isUnavailable` knows which of them pass. */
export interface Statements {
  /** Gives the rows as objects: 64-bit integers as bigints, JSON read, all else as the driver gives it. */
  rows<Row>(statement: Sql): Promise<Row[]>;
  /** Gives each row as its columns in their order, every one as the text that PostgreSQL wrote, or null. */
  texts(statement: Sql): Promise<readonly TextColumns[]>;
  /**
   * The same for somebody who can leave: on abort a statement ends on the server too, and rejects with the reason. Who
   * watches is told of each.
   */
  until(signal: Signal, steps?: Steps): Statements;
  /** Notes the end of a block that was read: nothing is read any more from a server that has not come so far. */
  saw(position: bigint): void;
}

/** How far what was read has come, whichever server it was read from. */
export class Floor {
  #position = 0n;

  get position(): bigint {
    return this.#position;
  }

  raise(position: bigint): void {
    if (position > this.#position) this.#position = position;
  }
}

/** What was asked of the database since the start. */
export interface StatementCounts {
  sent: number;
  failed: number;
  /** From when a connection was asked for until the answer was there, of all together. */
  ms: number;
}

/**
 * Sends statements over a pool. A text that comes again is prepared under a name on each connection, so that
 * PostgreSQL parses and plans it once. Names are few, since each is kept by each connection: first come, first served.
 */
export function createStatements(
  pool: pg.Pool,
  {
    isPreparing,
    ...rest
  }: Pick<Sending, 'presence' | 'floor' | 'counts'> & { readonly isPreparing: boolean },
): Statements {
  // A statement fails when its connection does, and an idle connection is replaced; an `error` without a listener would end the process.
  pool.on('connect', (client) => client.on('error', ignore));
  return sendBy({ pool, ...rest, nameOf: isPreparing ? createNames() : () => UNNAMED, signals: [] });
}

interface Sending {
  readonly pool: pg.Pool;
  readonly presence: Presence;
  readonly counts: StatementCounts;
  readonly floor: Floor;
  readonly nameOf: NameOf;
  /** Whoever may leave: a statement is for all of them. */
  readonly signals: readonly Signal[];
  readonly steps?: Steps | undefined;
}

function sendBy(sending: Sending): Statements {
  const { nameOf, floor, signals } = sending;
  return {
    async rows<Row>({ text, values }: Sql) {
      const config = { text, values, types: ROW_TYPES, ...nameOf(text) };
      const { rows } = await send<pg.QueryResult>(text, (done) => new pg.Query(config, done), sending);
      return rows as Row[];
    },
    texts({ text, values }) {
      const config = { text, values, ...nameOf(text) };
      return send(text, (done) => new TextStatement(config, done), sending);
    },
    until: (signal, steps = sending.steps) => sendBy({ ...sending, steps, signals: [...signals, signal] }),
    saw: (position) => floor.raise(position),
  };
}

/** One statement: ended on the server where its caller leaves, and here where the server is lost. */
function send<Result>(
  text: string,
  create: (done: Answered<Result>) => pg.Submittable,
  sending: Sending,
): Promise<Result> {
  return takeStep(sending.steps, 'statement', text, () => ask(create, sending));
}

function ask<Result>(
  create: (done: Answered<Result>) => pg.Submittable,
  { pool, presence, signals, counts }: Sending,
): Promise<Result> {
  const start = performance.now();
  counts.sent += 1;
  return new Promise((resolve, reject) => {
    const settle = (error: unknown, result?: Result) => {
      counts.ms += performance.now() - start;
      if (!error) return resolve(result as Result);
      counts.failed += 1;
      reject(error);
    };
    const left = findLeft(signals);
    if (left !== undefined) return settle(left.reason);
    presence.check();
    // Calls back, as the driver does: a promise at each step costs more than what is done there.
    pool.connect((failure, client) => {
      if (client === undefined) return settle(failure);
      const left = findLeft(signals);
      if (left !== undefined) {
        client.release();
        return settle(left.reason);
      }
      let cancelled: Promise<void> | undefined;
      const cancel = () => {
        cancelled = cancelStatement(client);
      };
      for (const signal of signals) signal.addEventListener('abort', cancel);
      const endWatch = presence.watch(() => destroy(client));
      const statement = create((error, result) => {
        for (const signal of signals) signal.removeEventListener('abort', cancel);
        endWatch();
        if (cancelled === undefined) {
          client.release(Boolean(error));
          return settle(error, result);
        }
        void cancelled.then(() => {
          // A cancellation that did not end this statement could end the next one of the connection.
          client.release((error as { readonly code?: unknown } | null)?.code !== QUERY_CANCELED);
          settle(error && findLeft(signals)?.reason, result);
        });
      });
      client.query(statement);
    });
  });
}

/** Whoever has left. */
function findLeft(signals: readonly Signal[]): Signal | undefined {
  return signals.find(({ aborted }) => aborted);
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
