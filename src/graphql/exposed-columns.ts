import { type GraphQLSchema, isObjectType } from 'graphql';

interface Extended {
  readonly extensions: Readonly<Record<string, unknown>>;
}

/** The column, or the part of a JSON value, that a field gives as it is; undefined for others. */
export function exposedColumn({ extensions }: Extended): string | undefined {
  // A private end of Pothos: what `t.expose` leaves of the name that it was given.
  return extensions['pothosExposedField'] as string | undefined;
}

/**
 * Throws where no field of a schema says so, as with a release of Pothos that names it otherwise: at the start. Each
 * operation would else be left to graphql-js field by field, and be as right as it is slow.
 */
export function requireExposedColumns(schema: GraphQLSchema): GraphQLSchema {
  const types = Object.values(schema.getTypeMap()).filter(isObjectType);
  const fields = types.flatMap((type) => Object.values<Extended>(type.getFields()));
  if (fields.some((field) => exposedColumn(field) !== undefined)) return schema;
  throw new Error(
    'Pothos does not say which column a field exposes, from which answers are written: use a release 4 of @pothos/core that does, or change src/graphql/exposed-columns.ts.',
  );
}
