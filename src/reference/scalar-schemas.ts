import type { GraphQLScalarType } from 'graphql';
import type { JsonSchema } from '../rest/json-schema.ts';

/** The scalars that JSON Schema has by itself. */
const OWN: Readonly<Record<string, JsonSchema>> = {
  ID: { type: 'string' },
  String: { type: 'string' },
  Boolean: { type: 'boolean' },
  Int: { type: 'integer', format: 'int32' },
};

/** How our scalars are written; what they mean is in their descriptions. */
const WRITTEN: Readonly<Record<string, JsonSchema>> = {
  Timestamp: { type: 'string', format: 'int64', pattern: '^-?[0-9]{1,19}$' },
  Int64: { type: 'string', format: 'int64', pattern: '^-?[0-9]{1,19}$' },
  Uint64: { type: 'string', format: 'uint64', pattern: '^[0-9]{1,20}$' },
  Integer: { type: 'string', format: 'integer', pattern: '^-?[0-9]+$' },
  Decimal: { type: 'string', format: 'decimal', pattern: '^-?[0-9]+(\\.[0-9]+)?$' },
};

/** The schema of a scalar: as it stands, or as a component with its description. */
export function schemaOfScalar(
  { name, description }: GraphQLScalarType,
  component: (name: string, schema: JsonSchema) => JsonSchema,
): JsonSchema {
  const own = OWN[name];
  if (own !== undefined) return own;
  const written = WRITTEN[name];
  if (written === undefined) throw new Error(`it is not known how the scalar ${name} is written`);
  return component(name, { ...written, ...(description ? { description } : {}) });
}
