import type { FieldMap, ObjectRef } from '@pothos/core';
import { builder } from './builder.ts';
import { from } from './sources.ts';

type Types = typeof builder.$inferSchemaTypes;
type FieldsOf<Row> = PothosSchemaTypes.RootFieldBuilder<Types, Row>;

/** A type as fields have it: `Decimal`, or `Decimal | null`. */
type Written = TypeName | `${TypeName} | null`;
type TypeName = keyof Types['outputShapes'] & string;
type ValueOf<W extends Written> = W extends `${infer Name extends TypeName} | null`
  ? Types['outputShapes'][Name] | null | undefined
  : Types['outputShapes'][W & TypeName];

/** Descriptions by the names of those that hold such values. */
type Described<Row, Value> = {
  readonly [Name in keyof Row & string]?: Row[Name] extends Value ? string : never;
};

/** The descriptions of columns, or of the parts of an object, by their types. */
type Columns<Row> = { readonly [W in Written]?: Described<Row, ValueOf<W>> };

/** Defines a type of objects all of whose fields give the part of their own name. */
export function defineObject<Shape extends object>(name: string, description: string, parts: Columns<Shape>) {
  return builder.objectRef<Shape>(name).implement({ description, fields: (t) => exposeColumns(t, parts) });
}

/** Makes fields that each give the column, or the part of an object, of their own name. */
export function exposeColumns<Row>(t: FieldsOf<Row>, columns: Columns<Row>): FieldMap {
  const made = Object.entries<object>(columns).map(([written, described]) => {
    const [type = '', nullable] = written.split(' | ');
    return makeEach(described, (name, description) =>
      asks(t).expose(name, { type, nullable: nullable !== undefined, description }),
    );
  });
  return Object.assign({}, ...made);
}

/** Makes fields that each give what the column of JSON of their own name holds, or one of text by `read`: an object, or a list of them. */
export function exposeObjects<Row>(
  t: FieldsOf<Row>,
  { read, ...options }: ObjectOptions,
  described: Described<Row, unknown>,
): FieldMap {
  return makeEach(described, (column, description) => {
    const resolve = (row: Readonly<Record<string, unknown>>) => read?.(row[column] as string) ?? row[column];
    return asks(t).field({
      ...options,
      description,
      resolve,
      ...from({ kind: 'json', column, ...(read && { read }) }),
    });
  });
}

interface ObjectOptions {
  readonly type: OfObjects | readonly [OfObjects];
  readonly nullable?: boolean;
  readonly read?: (text: string) => object;
}

type OfObjects = Pick<ObjectRef<Types, unknown>, 'name'>;

/** Pothos's types know one field at a time. */
function asks<Row>(t: FieldsOf<Row>) {
  return t as unknown as {
    expose(name: string, options: object): FieldMap[string];
    field(options: object): FieldMap[string];
  };
}

function makeEach(
  described: object,
  make: (name: string, description: string) => FieldMap[string],
): FieldMap {
  const named = Object.entries<string>(described as Readonly<Record<string, string>>);
  return Object.fromEntries(named.map(([name, description]) => [name, make(name, description)]));
}
