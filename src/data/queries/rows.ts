import { columnOf } from '../columns.ts';
import type { AnyNoun } from '../noun.ts';
import { dependsOnRows } from '../noun-tags.ts';
import { raw, Slot, type Sql, sql } from '../sql.ts';
import { type Statement, Templates } from '../templates.ts';
import type { Selection } from './page-statements.ts';

export interface RowsOptions {
  /** Whether the rows are there for certain and never change, so that nothing depends on them. */
  readonly areFixed?: boolean;
}

/** The statements that read a selection of the columns of rows by their keys. Each is written once. */
export class RowStatements {
  readonly #templates = new Templates();
  readonly #selection: Selection;

  constructor(selection: Selection) {
    this.#selection = selection;
  }

  find(
    noun: AnyNoun,
    field: string,
    keys: readonly string[],
    { areFixed = false }: RowsOptions = {},
  ): Statement {
    const { name, table } = noun;
    const isOne = keys.length === 1;
    const template = this.#templates.find(`${name} ${field} ${isOne}`, () => {
      const { columns } = this.#selection;
      return this.#selection.write(
        sql`SELECT ${columns} FROM ${table.name} AS t WHERE ${hasKey(field, isOne)}`,
      );
    });
    const dependsOn = areFixed ? 'nothing' : dependsOnRows(noun, field, keys);
    return template.fill([isOne ? keys[0] : keys], dependsOn, keys.length);
  }
}

const KEYS = new Slot(0);

function hasKey(field: string, isOne: boolean): Sql {
  const type = raw(field === 'createdPosition' ? 'bigint' : 'text');
  const column = raw(`t.${columnOf(field)}`);
  return isOne ? sql`${column} = ${KEYS}::${type}` : sql`${column} = ANY (${KEYS}::${type}[])`;
}
