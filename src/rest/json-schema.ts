import type { DocumentNode } from 'graphql';

/** A schema of JSON Schema 2020-12, as OpenAPI 3.1 has it: the keywords that are used here. */
export interface JsonSchema {
  readonly $ref?: string;
  readonly title?: string;
  readonly description?: string;
  readonly type?: 'string' | 'number' | 'integer' | 'boolean' | 'object' | 'array' | 'null';
  readonly format?: string;
  readonly pattern?: string;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly default?: unknown;
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  /** Of documentation: what each value of an enumeration means. */
  readonly 'x-enumDescriptions'?: Readonly<Record<string, string>>;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  readonly items?: JsonSchema;
  readonly anyOf?: readonly JsonSchema[];
  readonly allOf?: readonly JsonSchema[];
  /** In place of all else: the type that a fragment is on, with the fields that it selects. */
  readonly fragment?: DocumentNode;
  /** Those of them that are empty text where there is nothing. */
  readonly emptyWhenNull?: readonly string[];
}
