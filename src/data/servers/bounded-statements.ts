import type pg from 'pg';
import type { Signal } from '../../signal.ts';
import type { Steps } from '../../steps.ts';
import type { Statement } from '../templates.ts';
import { Semaphore } from './semaphore.ts';
import type { Statements } from './statements.ts';
import type { TextColumns } from './text-statement.ts';

/** Less than half of the connections that there are by default. */
const MOST_UNDER_WAY = 4;

/** How many statements are under way at once, of whatever has this one bound. */
export type StatementBound = Semaphore;

export function createStatementBound(): StatementBound {
  return new Semaphore(MOST_UNDER_WAY);
}

/**
 * Makes statements for one operation, of which a few are under way at once. However many it comes to, they wait for each
 * other, and a small operation waits behind a few of them. Operations that are admitted as one have one bound.
 */
export function boundStatements(statements: Statements, bound: StatementBound): Statements {
  return new BoundedStatements(statements, bound);
}

/** A class, since each operation has one. */
class BoundedStatements implements Statements {
  readonly #statements: Statements;
  readonly #turns: Semaphore;

  constructor(statements: Statements, turns: Semaphore) {
    this.#statements = statements;
    this.#turns = turns;
  }

  rows<Row>(statement: Statement): Promise<Row[]> {
    return this.#turns.run(() => this.#statements.rows(statement));
  }

  texts(statement: Statement): Promise<readonly TextColumns[]> {
    return this.#turns.run(() => this.#statements.texts(statement));
  }

  arrays(statement: pg.QueryArrayConfig): Promise<pg.QueryArrayResult> {
    return this.#turns.run(() => this.#statements.arrays(statement));
  }

  until(signal: Signal, steps?: Steps): Statements {
    return new BoundedStatements(this.#statements.until(signal, steps), this.#turns);
  }

  get isPast(): boolean {
    return this.#statements.isPast;
  }

  saw(position: bigint): void {
    this.#statements.saw(position);
  }
}
