import type { Dependencies } from '../../cache/cache-tags.ts';
import type { Statements } from './statements.ts';

/** The same statements for one operation, which depends on whatever each of them depends on. */
export function noteDependencies(statements: Statements, dependencies: Dependencies): Statements {
  return {
    rows(statement) {
      dependencies.add(statement.dependsOn);
      return statements.rows(statement);
    },
    texts(statement) {
      dependencies.add(statement.dependsOn);
      return statements.texts(statement);
    },
    // What a query of Prisma's depends on is noted before it is sent.
    arrays: (statement) => statements.arrays(statement),
    until: (signal, steps) => noteDependencies(statements.until(signal, steps), dependencies),
    get isPast() {
      return statements.isPast;
    },
    saw: (position) => statements.saw(position),
  };
}
