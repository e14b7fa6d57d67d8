import { LRUCache } from 'lru-cache';
import type pg from 'pg';
import { Pipe } from './pipe.ts';
import { Proof } from './proof.ts';
import { MOST_NAMES } from './statement-names.ts';
import type { Took, Wait } from './wait.ts';

/** Two keep two processors of the server busy, which is more than one process of ours asks for. */
const MOST_PIPES = 2;
/** How many connections are left to all else for each pipe, at least. */
const CONNECTIONS_FOR_ONE = 4;
/** A page of more rows takes longer than to wake up for it. */
const MOST_ROWS = 100;

/**
 * Short statements share a few connections of the pool, where each is sent without waiting for the answer to the one before
 * it: for a row, PostgreSQL and we spend most of the time on waking up. A statement is short when its text has shown so
 * lately, over the pool. One that takes long after all delays those behind it by `Pipe`'s bound.
 */
export class Pipes {
  readonly #pipes: readonly Pipe[];
  /** By the names of statements: those that lost theirs fall out. */
  readonly #proofs = new LRUCache<string, Proof>({ max: 2 * MOST_NAMES });

  /** `most` is how many connections the pool has. */
  constructor(pool: pg.Pool, most: number) {
    const count = Math.min(MOST_PIPES, Math.floor(most / CONNECTIONS_FOR_ONE));
    const onAnswer = (name: string, took: Took) => this.#proofs.get(name)?.add(took);
    this.#pipes = Array.from({ length: count }, () => new Pipe(pool, onAnswer));
  }

  /** The pipe to send a statement over that gives at most so many rows; undefined where it is to go over the pool. */
  find(name: string, mostRows: number | undefined): Pipe | undefined {
    if (!isSmall(mostRows) || this.#proofs.get(name)?.isShort !== true) return undefined;
    let found: Pipe | undefined;
    for (const pipe of this.#pipes)
      if (pipe.hasRoom && (found === undefined || pipe.underWay < found.underWay)) found = pipe;
    return found;
  }

  /** Notes what a statement took over the pool once it had a connection, if it could be sent over a pipe. */
  note(name: string, mostRows: number | undefined, { took }: Wait): void {
    if (name === '' || !isSmall(mostRows) || this.#pipes.length === 0) return;
    const proof = this.#proofs.get(name) ?? new Proof();
    this.#proofs.set(name, proof);
    proof.add(took);
  }

  /** Gives the connections back once they are free. */
  close(): void {
    for (const pipe of this.#pipes) pipe.close();
  }
}

function isSmall(mostRows: number | undefined): boolean {
  return mostRows !== undefined && mostRows <= MOST_ROWS;
}
