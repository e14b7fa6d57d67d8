import type pg from 'pg';
import type { Dependencies } from '../../cache/cache-tags.ts';
import type { Signal } from '../../signal.ts';
import type { Steps } from '../../steps.ts';
import type { Statement } from '../templates.ts';
import type { Statements } from './statements.ts';
import type { TextColumns } from './text-statement.ts';

/** Makes statements for one operation, which notes that it depends on whatever each of them depends on. */
export function noteDependencies(statements: Statements, dependencies: Dependencies): Statements {
  return new NotingStatements(statements, dependencies);
}

/** A class, since each operation has one. */
class NotingStatements implements Statements {
  readonly #statements: Statements;
  readonly #dependencies: Dependencies;

  constructor(statements: Statements, dependencies: Dependencies) {
    this.#statements = statements;
    this.#dependencies = dependencies;
  }

  rows<Row>(statement: Statement): Promise<Row[]> {
    this.#dependencies.add(statement.dependsOn);
    return this.#statements.rows(statement);
  }

  texts(statement: Statement): Promise<readonly TextColumns[]> {
    this.#dependencies.add(statement.dependsOn);
    return this.#statements.texts(statement);
  }

  /** What a query of Prisma's depends on is noted before it is sent. */
  arrays(statement: pg.QueryArrayConfig): Promise<pg.QueryArrayResult> {
    return this.#statements.arrays(statement);
  }

  until(signal: Signal, steps?: Steps): Statements {
    return noteDependencies(this.#statements.until(signal, steps), this.#dependencies);
  }

  get isPast(): boolean {
    return this.#statements.isPast;
  }

  saw(position: bigint): void {
    this.#statements.saw(position);
  }
}
