import { readFileSync, writeFileSync } from 'node:fs';
import { printSdl } from './sdl.ts';

/** Writes the schema into the current directory, or with --check looks whether it is there. */
const FILE = 'schema.graphql';
const printed = printSdl();

if (!process.argv.includes('--check')) {
  writeFileSync(FILE, printed);
} else if (readFileSync(FILE, 'utf8') !== printed) {
  process.stderr.write(`${FILE} is stale: run npm run schema, and commit what it writes\n`);
  process.exitCode = 1;
}
