import pg from 'pg';
import type { Signal } from '../../signal.ts';
import { type Steps, takeStep } from '../../steps.ts';
import type { Statement } from '../templates.ts';
import { cancelStatement } from './cancel.ts';
import type { Pipes } from './pipes.ts';
import { destroy, type Presence } from './presence.ts';
import { StatementNames } from './statement-names.ts';
import { type Answered, type TextColumns, TextStatement } from './text-statement.ts';
import { tableToCome } from './unavailable.ts';
import { Wait } from './wait.ts';

/** Sends the statements of readers. Their errors are the driver's; `isUnavailable` knows which of them pass. */
export interface Statements {
  /** Gives the rows as objects: 64-bit integers as bigints, JSON read, all else as the driver gives it. */
  rows<Row>(statement: Statement): Promise<Row[]>;
  /** Gives each row as its columns in their order, every one as the text that PostgreSQL wrote, or null. */
  texts(statement: Statement): Promise<readonly TextColumns[]>;
  /** Gives the result as the driver does, each row as a list: for Prisma's adapter, which says how values are read. */
  arrays(statement: pg.QueryArrayConfig): Promise<pg.QueryArrayResult>;
  /**
   * Gives these statements for somebody who can leave: on abort one ends on the server too, and rejects with the reason. Who
   * watches is told of each.
   */
  until(signal: Signal, steps?: Steps): Statements;
  /** Whether rows are read as they were at a block. What makes the present quick to find does not lead there. */
  readonly isPast: boolean;
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
 * Sends statements over a pool. A text that comes again is prepared under a name on each connection.
 */
export function createStatements(
  pool: pg.Pool,
  {
    isPreparing,
    ...rest
  }: Pick<Sending, 'pipes' | 'presence' | 'floor' | 'counts'> & { readonly isPreparing: boolean },
): Statements {
  // A statement fails when its connection does, and an idle connection is replaced; an `error` without a listener would end the process.
  pool.on('connect', (client) => client.on('error', ignore));
  const names = isPreparing ? new StatementNames() : null;
  return sendBy({ pool, ...rest, names }, []);
}

/** What all statements of a pool have in common. */
interface Sending {
  readonly pool: pg.Pool;
  readonly pipes: Pipes;
  readonly presence: Presence;
  readonly counts: StatementCounts;
  readonly floor: Floor;
  /** Null where nothing is prepared. */
  readonly names: StatementNames | null;
}

/** `signals` are of whoever may leave: a statement is for all of them. */
function sendBy(sending: Sending, signals: readonly Signal[], steps?: Steps): Statements {
  return {
    async rows<Row>({ text, values }: Statement) {
      const name = sending.names?.nameOf(text) ?? '';
      const config = { text, values, types: ROW_TYPES, ...(name !== '' && { name }) };
      const ask = () => send<pg.QueryResult>((done) => new pg.Query(config, done), sending, signals);
      const { rows } = await takeStep(steps, 'statement', text, ask);
      return rows as Row[];
    },
    texts(statement) {
      return takeStep(steps, 'statement', statement.text, () => sendTexts(statement, sending, signals));
    },
    arrays(statement) {
      const ask = () =>
        send<pg.QueryArrayResult>((done) => new pg.Query(statement, done as never), sending, signals);
      return takeStep(steps, 'statement', statement.text, ask);
    },
    until: (signal, told = steps) => sendBy(sending, [...signals, signal], told),
    isPast: false,
    saw: (position) => sending.floor.raise(position),
  };
}

/** Over a pipe where it is short, else over the pool. */
function sendTexts(
  { text, values, mostRows }: Statement,
  sending: Sending,
  signals: readonly Signal[],
): Promise<readonly TextColumns[]> {
  const { pipes, presence, counts, names } = sending;
  const name = names?.nameOf(text) ?? '';
  const create = (done: Answered<readonly TextColumns[]>) => {
    const wait = new Wait();
    return new TextStatement(text, values, name, (error, rows) => {
      if (!error) pipes.note(name, mostRows, wait);
      done(error, rows);
    });
  };
  const pipe = pipes.find(name, mostRows);
  if (pipe === undefined || findLeft(signals) !== undefined) return send(create, sending, signals);
  return counted(counts, (done, resolve) => {
    presence.check();
    pipe.send({ text, values, name, names, done, again: () => resolve(send(create, sending, signals)) });
  });
}

type Settle<Result> = (error: unknown, result?: Result) => void;

/** Promises the answer to a statement, and counts it. `resolve` leaves it to another that is counted itself. */
function counted<Result>(
  counts: StatementCounts,
  ask: (done: Settle<Result>, resolve: (answer: Promise<Result>) => void) => void,
): Promise<Result> {
  const start = performance.now();
  counts.sent += 1;
  return new Promise((resolve, reject) => {
    const done: Settle<Result> = (error, result) => {
      counts.ms += performance.now() - start;
      if (!error) return resolve(result as Result);
      counts.failed += 1;
      reject(error);
    };
    try {
      ask(done, (answer) => {
        counts.sent -= 1;
        resolve(answer);
      });
    } catch (error) {
      // A server that is lost is not asked.
      done(error);
    }
  });
}

/** One statement: ended on the server where its caller leaves, and here where the server is lost. */
function send<Result>(
  create: (done: Answered<Result>) => pg.Submittable,
  { pool, presence, counts, names }: Sending,
  signals: readonly Signal[],
): Promise<Result> {
  return counted(counts, (settle) => {
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
          // Whoever asks for rows that are to come costs no connection, however often.
          client.release(Boolean(error) && tableToCome(error) === null);
          return settle(error, result);
        }
        void cancelled.then(() => {
          // A cancellation that did not end this statement could end the next one of the connection.
          client.release((error as { readonly code?: unknown } | null)?.code !== QUERY_CANCELED);
          settle(error && findLeft(signals)?.reason, result);
        });
      });
      names?.closeLost(client);
      client.query(statement);
    });
  });
}

/** Whoever has left. */
function findLeft(signals: readonly Signal[]): Signal | undefined {
  for (const signal of signals) if (signal.aborted) return signal;
  return undefined;
}

function ignore(): void {}

const QUERY_CANCELED = '57014';

const ROW_TYPES: pg.CustomTypesConfig = {
  getTypeParser: (type, format) =>
    type === pg.types.builtins.INT8 ? BigInt : pg.types.getTypeParser(type, format),
};
