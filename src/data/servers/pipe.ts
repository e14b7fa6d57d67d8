import type pg from 'pg';
import { cancelStatement } from './cancel.ts';
import { destroy } from './presence.ts';
import type { StatementNames } from './statement-names.ts';
import { type Answered, type TextColumns, TextStatement } from './text-statement.ts';
import { isUnavailable } from './unavailable.ts';
import { type Took, Wait } from './wait.ts';

/** How many statements may be under way on one connection. */
const MOST_UNDER_WAY = 16;
/** How often the one in front is looked at, and how long it may have been there: nobody behind it waits 50 ms for it. */
const LOOK_MS = 20;
const FRONT_MS = 20;
/** How long a connection may take to come free of what was given up. */
const STALLED_MS = 2_000;
/** How long it waits before another attempt to have a connection. */
const RETRY_MS = 1_000;

/** A statement to send, prepared under its name. Of what is called back, one is called once. */
export interface Piped {
  readonly text: string;
  readonly values: readonly unknown[];
  readonly name: string;
  readonly names: StatementNames | null;
  /** With what PostgreSQL says. */
  readonly done: Answered<readonly TextColumns[]>;
  /** Where it has to be asked over the pool. */
  readonly again: () => void;
}

interface Sent extends Pick<Piped, 'name' | 'done' | 'again'> {
  isGivenUp: boolean;
}

/**
 * One connection of the pool on which statements are sent one behind the other. Where the one in front is not answered in
 * time, all that are under way are given back to be asked over the pool: they only read. The one in front is cancelled, and
 * nothing is sent until the connection is free of them. So it is where the connection is lost.
 */
export class Pipe {
  readonly #pool: pg.Pool;
  readonly #onAnswer: (name: string, took: Took) => void;
  #client: pg.PoolClient | null = null;
  /** In the order in which they were sent, and are answered. */
  readonly #sent: Sent[] = [];
  /** For the one in front. */
  readonly #wait = new Wait();
  #state: 'none' | 'opening' | 'open' | 'stalled' | 'closed' = 'none';
  #triedAt = Number.NEGATIVE_INFINITY;
  #stalledAt = 0;
  #isCancelling = false;
  #isCorked = false;
  #look: NodeJS.Timeout | null = null;

  /** `onAnswer` is told of each statement what it took once it was in front. */
  constructor(pool: pg.Pool, onAnswer: (name: string, took: Took) => void) {
    this.#pool = pool;
    this.#onAnswer = onAnswer;
  }

  get underWay(): number {
    return this.#sent.length;
  }

  /** Whether a statement can be sent. Without a connection it asks the pool for one. */
  get hasRoom(): boolean {
    if (this.#state === 'none') this.#open();
    return this.#state === 'open' && this.#sent.length < MOST_UNDER_WAY;
  }

  /** Sends a statement, where there is room. */
  send({ text, values, name, names, done, again }: Piped): void {
    const client = this.#client as pg.PoolClient;
    const sent: Sent = { name, done, again, isGivenUp: false };
    if (this.#sent.length === 0) this.#wait.restart();
    this.#sent.push(sent);
    this.#watch();
    this.#cork(client);
    names?.closeLost(client);
    client.query(new TextStatement(text, values, name, (error, rows) => this.#settle(sent, error, rows)));
  }

  /** Gives the connection back when nothing is under way. */
  close(): void {
    this.#state = 'closed';
    if (this.#sent.length === 0) this.#release();
  }

  /** What is asked within one turn of the event loop goes out at once: a system call costs more than a statement. */
  #cork(client: pg.PoolClient): void {
    if (this.#isCorked) return;
    this.#isCorked = true;
    const { stream } = (client as pg.PoolClient & Corked).connection;
    stream.cork();
    setImmediate(() => {
      this.#isCorked = false;
      stream.uncork();
    });
  }

  #settle(sent: Sent, error: Error | null | undefined, rows?: readonly TextColumns[]): void {
    const place = this.#sent.indexOf(sent);
    if (place !== -1) this.#sent.splice(place, 1);
    const { took } = this.#wait;
    this.#wait.restart();
    if (this.#sent.length === 0) this.#becomeFree();
    if (sent.isGivenUp) return;
    this.#onAnswer(sent.name, took);
    if (error && mayPass(error)) sent.again();
    else sent.done(error, rows);
  }

  #becomeFree(): void {
    if (this.#state === 'closed') this.#release();
    else if (this.#state === 'stalled' && !this.#isCancelling) this.#state = 'open';
  }

  #watch(): void {
    this.#look ??= setTimeout(() => {
      // Where it was we who were late, the answers are there by now.
      setImmediate(() => {
        this.#look = null;
        this.#check();
        if (this.#sent.length > 0) this.#watch();
      });
    }, LOOK_MS).unref();
  }

  #check(): void {
    const [front] = this.#sent;
    if (front === undefined || this.#wait.ms < FRONT_MS) return;
    if (this.#state === 'open') this.#giveUp(front);
    // What is under way when it is closed is nobody's to ask again: it is waited for, though not for ever.
    if (front.isGivenUp || this.#wait.ms > STALLED_MS) this.#cancel();
  }

  /** Once for each stall: who is in front is slow once, however long the connection stays silent. */
  #giveUp(front: Sent): void {
    this.#state = 'stalled';
    this.#stalledAt = performance.now();
    this.#onAnswer(front.name, 'long');
    const givenUp = [...this.#sent];
    for (const sent of givenUp) sent.isGivenUp = true;
    for (const { again } of givenUp) again();
  }

  /** Whichever statement it hits was given up. One that hits nothing must not hit a later one. */
  #cancel(): void {
    const client = this.#client;
    if (client === null || this.#isCancelling) return;
    if (performance.now() - this.#stalledAt > STALLED_MS) {
      destroy(client);
      return;
    }
    this.#isCancelling = true;
    void cancelStatement(client).then(() => {
      this.#isCancelling = false;
      if (this.#sent.length === 0) this.#becomeFree();
    });
  }

  #open(): void {
    if (performance.now() - this.#triedAt < RETRY_MS) return;
    this.#triedAt = performance.now();
    this.#state = 'opening';
    this.#pool.connect((failure, client) => {
      if (client === undefined || failure) {
        if (this.#state === 'opening') this.#state = 'none';
        return;
      }
      if (this.#state === 'closed') return client.release();
      // The driver looks at it with each statement.
      (client as pg.PoolClient & { pipeline: boolean }).pipeline = true;
      client.once('end', () => this.#lose(client));
      this.#client = client;
      this.#state = 'open';
    });
  }

  #lose(client: pg.PoolClient): void {
    if (this.#client !== client) return;
    if (this.#state !== 'closed') this.#state = 'none';
    this.#release();
  }

  /** Nobody else is to have a connection that is a pipe. */
  #release(): void {
    this.#client?.release(true);
    this.#client = null;
  }
}

/** What may have another answer over another connection: the name of a statement that its parsing failed before, too. */
function mayPass(error: Error & { readonly code?: unknown }): boolean {
  return error.code === UNKNOWN_NAME || isUnavailable(error);
}

const UNKNOWN_NAME = '26000';

/** What the driver's types do not know. */
interface Corked {
  readonly connection: { readonly stream: { cork(): void; uncork(): void } };
}
