import { readFileSync, writeFileSync } from 'node:fs';
import { DOCUMENT, writeDocument } from './document.ts';

/** Writes docs/capacity.md, or says that it is stale: what npm run capacity and npm run check do. */
const written = writeDocument();
if (!process.argv.includes('--stale')) {
  writeFileSync(DOCUMENT, written);
} else if (readFileSync(DOCUMENT, 'utf8') !== written) {
  process.stderr.write(`${DOCUMENT} is stale: run npm run capacity, and commit what it writes\n`);
  process.exitCode = 1;
}
