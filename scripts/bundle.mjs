// @ts-check
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { build } from 'rolldown';
import { describeProgram } from './program.mjs';

/* Puts the compiled program and its packages together in a few files, and beside them what browsers load from it. */

const FOLDER = 'dist/bundle';

rmSync(FOLDER, { recursive: true, force: true });
await build(describeProgram(FOLDER, { cli: 'dist/cli.js' }));

/**
 * What browsers load: whole as its package has it, so that who runs the program needs no package of it. Only its logo comes
 * from elsewhere, which the pages forbid: without an address it is left out.
 */
const redoc = dirname(createRequire(import.meta.url).resolve('redoc/package.json'));
const renderer = readFileSync(join(redoc, 'bundles', 'redoc.standalone.js'), 'utf8');
const LOGO = /`https:\/\/cdn\.redoc\.ly\/redoc\/logo-[\w-]+\.svg`/g;
if (renderer.match(LOGO)?.length !== 2) throw new Error("Redoc's logo is not where it was.");
mkdirSync('dist/assets', { recursive: true });
writeFileSync('dist/assets/redoc.js', renderer.replace(LOGO, '`data:,`'));
cpSync(join(redoc, 'LICENSE'), 'dist/assets/redoc.LICENSE');
