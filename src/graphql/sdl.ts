import { lexicographicSortSchema, printSchema } from 'graphql';
import { schema } from './index.ts';

/** The schema as clients and reviewers read it: what `schema.graphql` is. */
export function printSdl(): string {
  return `${printSchema(lexicographicSortSchema(schema))}\n`;
}
