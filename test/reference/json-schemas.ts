import { Ajv2020 } from 'ajv/dist/2020.js';

/**
 * Makes what finds the faults of a value by a schema of an OpenAPI or AsyncAPI document. Clients are to bear fields that
 * come later; here, one that is not told is a fault.
 */
export function createValidator(document: {
  readonly components: { readonly schemas: object };
}): (schema: unknown, value: unknown) => readonly string[] {
  const ajv = new Ajv2020({ allErrors: true, strict: true, strictRequired: false, validateFormats: false });
  ajv.addVocabulary(['x-enumDescriptions', 'components']);
  const { schemas } = document.components;
  ajv.addSchema({ $id: 'document', components: { schemas: closed(schemas) as object } });
  return (schema, value) => {
    const text = JSON.stringify(closed(schema)).replaceAll('"#/components', '"document#/components');
    const check = ajv.compile(JSON.parse(text));
    check(value);
    return (check.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`);
  };
}

/** A schema, with no property allowed in its objects but those that it names. */
function closed(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(closed);
  if (typeof schema !== 'object' || schema === null) return schema;
  const entries = Object.entries(schema).map(([name, value]) => [name, closed(value)] as const);
  const isObject = 'properties' in schema && 'type' in schema;
  return { ...Object.fromEntries(entries), ...(isObject ? { additionalProperties: false } : {}) };
}
