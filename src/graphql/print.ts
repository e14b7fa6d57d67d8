import { readFileSync, writeFileSync } from 'node:fs';
import { lexicographicSortSchema, printSchema } from 'graphql';
import { schema } from './index.ts';

/** The schema as clients and reviewers read it. Writes it into the current directory, or with --check looks whether it is there. */
const FILE = 'schema.graphql';
const printed = `${printSchema(lexicographicSortSchema(schema))}\n`;

if (!process.argv.includes('--check')) {
  writeFileSync(FILE, printed);
} else if (readFileSync(FILE, 'utf8') !== printed) {
  process.stderr.write(`${FILE} is stale: run npm run schema, and commit what it writes\n`);
  process.exitCode = 1;
}
