import type { DependsOn } from '../cache/cache-tags.ts';
import { type AnyOf, type Check, isAnyOf } from './conditions.ts';
import { Slot, type Sql } from './sql.ts';

/** A statement as it is sent: with what its rows depend on, from which its answer knows until when it may be kept. */
export interface Statement extends Pick<Sql, 'text' | 'values'> {
  readonly dependsOn: DependsOn;
  /** How many rows it gives at most, where an index leads to them. */
  readonly mostRows?: number | undefined;
}

export function statementOf({ text, values }: Sql, dependsOn: DependsOn): Statement {
  return { text, values, dependsOn };
}

/** A statement for what is never kept: histories, and how the database stands. */
export function unkept(sql: Sql): Statement {
  return statementOf(sql, 'not kept');
}

/** A statement that is written once, and sent with other values each time. */
export class Template {
  readonly #text: string;
  readonly #values: readonly unknown[];

  constructor({ text, values }: Sql) {
    this.#text = text;
    this.#values = values;
  }

  /** In characters. */
  get length(): number {
    return this.#text.length;
  }

  /** The statement with the given values in its slots, by their places. */
  fill(given: readonly unknown[], dependsOn: DependsOn, mostRows: number): Statement {
    return {
      mostRows,
      text: this.#text,
      values: this.#values.map((value) => fillSlots(value, given)),
      dependsOn,
    };
  }
}

/** A slot can stand in a list of values, too. */
function fillSlots(value: unknown, given: readonly unknown[]): unknown {
  if (value instanceof Slot) return given[value.place];
  return Array.isArray(value) ? value.map((one) => fillSlots(one, given)) : value;
}

/** How many characters all templates may have together. They belong to documents, whose size says nothing of how many filters come. */
const MOST_CHARACTERS = 32 * 2 ** 20;
let characters = 0;
const filled = new Set<Map<string, Template>>();

/** Lets go of all where there are too many: those that are asked for are soon written again. */
function makeRoom({ length }: Template): void {
  if (characters + length > MOST_CHARACTERS) {
    for (const templates of filled) templates.clear();
    filled.clear();
    characters = 0;
  }
  characters += length;
}

/** Templates by what tells them apart. */
export class Templates {
  readonly #known = new Map<string, Template>();

  /** The template under a key, which is written when it is first asked for; without a key it is another each time. */
  find(key: string | null, write: () => Sql): Template {
    const known = key === null ? undefined : this.#known.get(key);
    if (known !== undefined) return known;
    const template = new Template(write());
    if (key === null) return template;
    makeRoom(template);
    filled.add(this.#known);
    this.#known.set(key, template);
    return template;
  }
}

/** What of a filter makes a statement another, apart from the values. */
export interface Shape {
  /** Null where there are as many as there are filters. */
  readonly key: string | null;
  readonly values: readonly string[];
}

/** A filter of one value for each of some fields has as many shapes as there are such fields together. */
export function shapeOf(conditions: readonly Check[]): Shape {
  let key = '';
  const values: string[] = [];
  for (const condition of conditions) {
    if (!isOneValue(condition)) return { key: null, values: [] };
    key += ` ${condition.field}`;
    values.push(condition.values[0] ?? '');
  }
  return { key, values };
}

/** The conditions with slots from a place on, where the values are given apart. */
export function withSlots(conditions: readonly Check[], { key }: Shape, first: number): readonly Check[] {
  if (key === null) return conditions;
  return conditions.map((condition, index) => {
    // A value is written into the statement as it is, whatever it is.
    const values = [new Slot(first + index) as unknown as string];
    return { ...(condition as AnyOf), values };
  });
}

function isOneValue(condition: Check): condition is AnyOf {
  return isAnyOf(condition) && condition.values.length === 1;
}
