import type { DocumentNode } from 'graphql';
import type { JsonSchema } from './json-schema.ts';

/** A part of an answer whose shape is not GraphQL's: how a value of it is written, and its schema, told at once. */
export interface Shape<in Value> {
  readonly schema: JsonSchema;
  /** Compact JSON. */
  readonly write: (value: Value) => string;
}

/** A member of an object, made of the row that the object is of. */
export interface Member<in Row> {
  readonly schema: JsonSchema;
  readonly mayBeAbsent: boolean;
  /** Compact JSON; null where the member is left out. */
  readonly write: (row: Row) => string | null;
}

export const text: Shape<string> = { schema: { type: 'string' }, write: JSON.stringify };

export const flag: Shape<boolean> = { schema: { type: 'boolean' }, write: String };

/** What the network has as a double, as a bare number: the digits are those of the exact decimal. */
export const double: Shape<string> = { schema: { type: 'number', format: 'double' }, write: String };

/** A scalar of GraphQL's, written as text. */
export function scalar(name: string): Shape<string | number> {
  return {
    schema: { $ref: `#/components/schemas/${name}` },
    write: (value) => JSON.stringify(String(value)),
  };
}

/** A scalar of GraphQL's, written as text; null as empty text. */
export function scalarOrEmpty(name: string): Shape<string | number | null> {
  const { schema, write } = scalar(name);
  return {
    schema: { anyOf: [schema, { type: 'string', const: '' }] },
    write: (value) => (value === null ? '""' : write(value)),
  };
}

export function listOf<Item>({ schema, write }: Shape<Item>): Shape<readonly Item[]> {
  return {
    schema: { type: 'array', items: schema },
    write: (items) => `[${items.map(write).join(',')}]`,
  };
}

/** An object that passes as GraphQL gives it, with what a fragment selects. */
export function passing<Row>(
  fragment: DocumentNode & { readonly __apiType?: (variables: never) => Row },
): Shape<Row> {
  return { schema: { fragment }, write: JSON.stringify };
}

/** An object by its name in the OpenAPI document. Its members stand in the order of the documented answer. */
export function object<Row>(
  name: string,
  description: string,
  members: Readonly<Record<string, Member<Row>>>,
): Shape<Row> {
  const all = Object.entries(members).map(([name, member]) => ({ name, ...member }));
  return {
    schema: {
      title: name,
      type: 'object',
      description,
      properties: Object.fromEntries(all.map(({ name, schema }) => [name, schema])),
      required: all.flatMap(({ name, mayBeAbsent }) => (mayBeAbsent ? [] : [name])),
    },
    write(row) {
      const written = all.flatMap(({ name, write }) => {
        const value = write(row);
        return value === null ? [] : [`"${name}":${value}`];
      });
      return `{${written.join(',')}}`;
    },
  };
}

/** A member that is always there. */
export function has<Row, Value>(
  description: string,
  { schema, write }: Shape<Value>,
  of: (row: Row) => Value,
): Member<Row> {
  return { schema: describe(schema, description), mayBeAbsent: false, write: (row) => write(of(row)) };
}

/** A member that is left out where there is nothing of it. */
export function mayHave<Row, Value>(
  description: string,
  { schema, write }: Shape<Value>,
  of: (row: Row) => Value | null,
): Member<Row> {
  return {
    schema: describe(schema, description),
    mayBeAbsent: true,
    write(row) {
      const value = of(row);
      return value === null ? null : write(value);
    },
  };
}

/** A member that is null where there is nothing of it. */
export function hasOrNull<Row, Value>(
  description: string,
  { schema, write }: Shape<Value>,
  of: (row: Row) => Value | null,
): Member<Row> {
  return {
    schema: { anyOf: [schema, { type: 'null' }], description },
    mayBeAbsent: false,
    write(row) {
      const value = of(row);
      return value === null ? 'null' : write(value);
    },
  };
}

/** What a member is, beside what an object with a name of its own is. */
function describe(schema: JsonSchema, description: string): JsonSchema {
  return schema.title === undefined ? { ...schema, description } : { allOf: [schema], description };
}
