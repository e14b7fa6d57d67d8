import { columnOf } from '../columns.ts';
import type { AnyNoun, Noun } from '../noun.ts';
import { dependsOnRows } from '../noun-tags.ts';
import type { Statements } from '../servers/statements.ts';
import { raw, Slot, type Sql, sql } from '../sql.ts';
import { type Statement, Templates } from '../templates.ts';
import type { Selection } from './page-statements.ts';

/** Reads the rows of a noun that have one of these keys in a field that no two rows share, by their keys. */
export async function readRows<Row>(
  statements: Statements,
  noun: Noun<Row, never>,
  field: string,
  keys: readonly string[],
  options?: RowsOptions,
): Promise<ReadonlyMap<string, Row>> {
  const statement = ROWS.find(noun, field, keys, options);
  const rows = await statements.rows<Row & Readonly<Record<string, unknown>>>(statement);
  return new Map(rows.map((row) => [String(row[field]), row]));
}

export interface RowsOptions {
  /** Whether the rows are there for certain and never change, so that nothing depends on them. */
  readonly areFixed?: boolean;
}

/** The statements that read rows by their keys: whole, or a selection of columns. Each is written once. */
export class RowStatements {
  readonly #templates = new Templates();
  readonly #selection: Selection | null;

  constructor(selection: Selection | null = null) {
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
      const columns = this.#selection?.columns ?? table.columns;
      const found = sql`SELECT ${columns} FROM ${table.name} AS t WHERE ${hasKey(field, isOne)}`;
      return this.#selection?.write(found) ?? found;
    });
    const dependsOn = areFixed ? 'nothing' : dependsOnRows(noun, field, keys);
    return template.fill([isOne ? keys[0] : keys], dependsOn);
  }
}

const ROWS = new RowStatements();
const KEYS = new Slot(0);

function hasKey(field: string, isOne: boolean): Sql {
  const type = raw(field === 'createdPosition' ? 'bigint' : 'text');
  const column = raw(`t.${columnOf(field)}`);
  return isOne ? sql`${column} = ${KEYS}::${type}` : sql`${column} = ANY (${KEYS}::${type}[])`;
}
