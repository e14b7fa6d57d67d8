// @ts-check
import { fileURLToPath } from 'node:url';
import { launch } from './launch.mjs';

/* npm run bench: installs the peers, compiles Periscope, and runs the bench. */

launch(fileURLToPath(new URL('run.ts', import.meta.url)), process.argv.slice(2));
