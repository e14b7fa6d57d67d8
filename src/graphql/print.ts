import { writeFileSync } from 'node:fs';
import { lexicographicSortSchema, printSchema } from 'graphql';
import { schema } from './index.ts';

/** Writes schema.graphql into the current directory: the schema as clients and reviewers read it. */
writeFileSync('schema.graphql', `${printSchema(lexicographicSortSchema(schema))}\n`);
