import type { GraphQLScalarType } from 'graphql';
import type { Enumeration } from '../domain/enumeration.ts';
import { type EnumerationName, enumerations, isEnumerationName } from '../domain/enumerations.ts';
import { SCALAR_FORMS, type ScalarName } from '../graphql/scalar-forms.ts';
import type { JsonSchema } from '../rest/json-schema.ts';

/** The scalars that JSON Schema has by itself. */
const OWN: Readonly<Record<string, JsonSchema>> = {
  ID: { type: 'string' },
  String: { type: 'string' },
  Boolean: { type: 'boolean' },
  Int: { type: 'integer', format: 'int32' },
};

/** What JSON Schema and its readers call the forms of our scalars; what they mean is in their descriptions. */
const FORMATS: Readonly<Record<Exclude<ScalarName, EnumerationName>, string>> = {
  Timestamp: 'integer',
  Int64: 'int64',
  Uint64: 'uint64',
  Integer: 'integer',
  Decimal: 'decimal',
};

/** The schema of a scalar: as it stands, or as a component with its description. */
export function schemaOfScalar(
  { name, description }: GraphQLScalarType,
  component: (name: string, schema: JsonSchema) => JsonSchema,
): JsonSchema {
  const own = OWN[name];
  if (own !== undefined) return own;
  if (!isOurs(name)) throw new Error(`it is not known how the scalar ${name} is written`);
  if (isEnumerationName(name)) return component(name, schemaOfEnumeration(enumerations[name]));
  const written = {
    type: 'string',
    format: FORMATS[name],
    pattern: SCALAR_FORMS[name].written.source,
  } as const;
  return component(name, { ...written, ...(description ? { description } : {}) });
}

/**
 * The names that are known, or the prefix and a number: a client that is strict about names must be ready for more of them
 * all the same.
 */
function schemaOfEnumeration({ description, prefix, names, values }: Enumeration): JsonSchema {
  return {
    description,
    anyOf: [
      { type: 'string', enum: names },
      {
        type: 'string',
        pattern: `^${prefix}[0-9]+$`,
        description: 'A value of a newer release of the network that this version has no name for.',
      },
    ],
    'x-enumDescriptions': Object.fromEntries(names.map((name) => [name, values[name]?.[2] ?? ''])),
  };
}

function isOurs(name: string): name is ScalarName {
  return Object.hasOwn(SCALAR_FORMS, name);
}
