import { columnOf } from '../columns.ts';
import type { AnyNoun, Noun } from '../noun.ts';
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
): Promise<ReadonlyMap<string, Row>> {
  const rows = await statements.rows<Row & Readonly<Record<string, unknown>>>(ROWS.find(noun, field, keys));
  return new Map(rows.map((row) => [String(row[field]), row]));
}

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

const ROWS = new RowStatements();
const KEYS = new Slot(0);

function hasKey(field: string, isOne: boolean): Sql {
  const type = raw(field === 'createdPosition' ? 'bigint' : 'text');
  const column = raw(`t.${columnOf(field)}`);
  return isOne ? sql`${column} = ${KEYS}::${type}` : sql`${column} = ANY (${KEYS}::${type}[])`;
}
