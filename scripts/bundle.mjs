// @ts-check
import { chmodSync, rmSync } from 'node:fs';
import { build } from 'rolldown';
import { describeProgram } from './program.mjs';

/* Puts the compiled program and its packages together in a few files. */

const FOLDER = 'dist/bundle';

rmSync(FOLDER, { recursive: true, force: true });
await build(
  describeProgram(FOLDER, { cli: 'dist/cli.js', 'lines-thread': 'dist/data/parts/lines-thread.js' }),
);
// It is run by its name, too: npm and the image link to it.
chmodSync(`${FOLDER}/cli.js`, 0o755);
