import { columnOf } from '../columns.ts';
import type { AnyNoun } from '../noun.ts';
import { raw, Slot, type Sql, sql } from '../sql.ts';
import { type Statement, Templates } from '../templates.ts';
import type { Selection } from './page-statements.ts';

/** The statements that read rows by their keys: whole, or a selection of columns. Each is written once. */
export class RowStatements {
  readonly #templates = new Templates();
  readonly #selection: Selection | null;

  constructor(selection: Selection | null = null) {
    this.#selection = selection;
  }

  find({ name, table }: AnyNoun, field: string, keys: readonly string[]): Statement {
    const isOne = keys.length === 1;
    const template = this.#templates.find(`${name} ${field} ${isOne}`, () => {
      const columns = this.#selection?.columns ?? table.columns;
      const found = sql`SELECT ${columns} FROM ${table.name} AS t WHERE ${hasKey(field, isOne)}`;
      return this.#selection?.write(found) ?? found;
    });
    return template.fill([isOne ? keys[0] : keys]);
  }
}

const KEYS = new Slot(0);

function hasKey(field: string, isOne: boolean): Sql {
  const type = raw(field === 'createdPosition' ? 'bigint' : 'text');
  const column = raw(`t.${columnOf(field)}`);
  return isOne ? sql`${column} = ${KEYS}::${type}` : sql`${column} = ANY (${KEYS}::${type}[])`;
}
