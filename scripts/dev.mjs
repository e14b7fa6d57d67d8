// @ts-check
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { readdirSync, readFileSync, rmSync, watch as watchFolder } from 'node:fs';
import { createRequire } from 'node:module';
import { constants, setPriority } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { watch } from 'rolldown';
import { describeProgram } from './program.mjs';

/*
 * npm run dev: puts src together, and serves the demo's network with it, again after each change. The types are checked
 * beside it. This process keeps the embedded database open, in a data folder of its own, so that a restart finds it
 * running, with the blocks that it has. What follows `npm run dev --` goes to Node: --inspect, for one.
 */

/** More than a stop takes that waits for open requests; what still runs then is killed. */
const STOP_LIMIT_MS = 15_000;
/** A file that an editor empties before it writes is not put together meanwhile. */
const SETTLING_MS = 100;
const FOLDER = 'dist/dev';

/** @typedef {import('node:child_process').ChildProcess} ChildProcess */

/** Each process has a group of its own: a Ctrl-C reaches this one alone, which stops the others in their order. */
const isolated = /** @type {const} */ ({ detached: true });
const stop = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => stop.abort());
// npm passes on every signal but SIGKILL.
const npm = process.ppid;
setInterval(() => process.ppid === npm || stop.abort(), 1000).unref();
// A terminal that is gone takes no more output.
process.stdout.on('error', () => stop.abort());

let database = /** @type {AsyncDisposable | null} */ (null);
let gateway = /** @type {ChildProcess | null} */ (null);
let isStale = false;
/** A hash of the program; empty where none runs, so that the same one starts again. */
let served = '';
let isPageStale = true;
let restarting = /** @type {Promise<void> | null} */ (null);

// These come first: where a folder is not there, nothing is left running.
const pages = ['page', 'graphiql', 'guides', 'docs'].map((folder) =>
  watchFolder(folder, { recursive: true }, () => {
    isPageStale = true;
    noteChange();
  }),
);
const compiler = startCompiler();
const bundler = startBundler();
await once(stop.signal, 'abort');
for (const one of pages) one.close();
await Promise.all([bundler.close(), end(compiler), restarting]);
if (gateway) await end(gateway);
await database?.[Symbol.asyncDispose]();

/** Says what is wrong with the types. That takes longer than to start the gateway, so it waits for nobody and gives way. */
function startCompiler() {
  const tsc = createRequire(import.meta.url).resolve('typescript/bin/tsc');
  const options = ['--project', 'tsconfig.build.json', '--noEmit', '--watch', '--preserveWatchOutput'];
  options.push('--tsBuildInfoFile', 'dist/.dev.tsbuildinfo', '--locale', 'en');
  if (process.stdout.isTTY) options.push('--pretty');
  const child = spawn(process.execPath, [tsc, ...options], {
    ...isolated,
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  if (child.pid !== undefined) setPriority(child.pid, constants.priority.PRIORITY_LOW);
  child.once('exit', () => fail('The compiler has ended.'));
  return child;
}

/** What cannot be put together leaves the program that runs as it is; the compiler says what is wrong with it. */
function startBundler() {
  const program = describeProgram(FOLDER, {
    cli: 'src/cli.ts',
    database: 'src/data/open.ts',
    'data-folder': 'src/data/embedded/data-folder.ts',
    config: 'src/config.ts',
  });
  rmSync(FOLDER, { recursive: true, force: true });
  const watcher = watch({
    ...program,
    transform: { target: 'node20' },
    output: { ...program.output, sourcemap: true },
    watch: { buildDelay: SETTLING_MS },
  });
  watcher.on('event', (event) => {
    if (event.code === 'BUNDLE_END' || event.code === 'ERROR') event.result.close();
    if (event.code === 'ERROR')
      process.stdout.write(`src cannot be put together; what ran before goes on.\n${event.error.message}\n`);
    if (event.code === 'BUNDLE_END' && isNew()) noteChange();
  });
  return watcher;
}

/** Whether the program is another than when this was last asked: one change of a file may be told twice. */
function isNew() {
  const hash = createHash('sha256');
  for (const name of readdirSync(FOLDER).sort()) hash.update(name).update(readFileSync(join(FOLDER, name)));
  const before = served;
  served = hash.digest('hex');
  return served !== before;
}

function noteChange() {
  isStale = true;
  restarting ??= restart().finally(() => {
    restarting = null;
  });
}

/** Serves the newest of what was put together; one restart does for all that comes during another. */
async function restart() {
  try {
    while (isStale && !stop.signal.aborted) {
      isStale = false;
      const environment = await prepareEnvironment();
      if (isPageStale) await buildPages();
      if (gateway) await end(gateway);
      if (!stop.signal.aborted) gateway = startGateway(environment);
    }
  } catch (error) {
    fail(/** @type {Error} */ (error).message);
  }
}

/** Opens the database, unless it is open, and returns what the gateway needs to find it. */
async function prepareEnvironment() {
  const [{ readConfig }, { defaultDataDir }, { openPlace }] = await Promise.all(
    ['config', 'data-folder', 'database'].map((name) => load(name)),
  );
  const place = readConfig(process.env).database;
  const dataDir = place.dataDir ?? join(dirname(defaultDataDir()), 'dev');
  database ??= await openPlace({ ...place, dataDir });
  return { SHUTDOWN_DEADLINE_MS: '1000', ...process.env, DATA_DIR: dataDir };
}

async function buildPages() {
  isPageStale = false;
  for (const script of ['page/build.mjs', 'graphiql/build.mjs', 'guides/build.mjs']) {
    const child = spawn(process.execPath, [script], { ...isolated, stdio: 'inherit' });
    const [code] = await once(child, 'exit');
    if (code !== 0) process.stdout.write(`${script} has failed; what it makes is as it was.\n`);
  }
}

/** @param {string} name */
function load(name) {
  return import(pathToFileURL(resolve(FOLDER, `${name}.js`)).href);
}

/** @param {NodeJS.ProcessEnv} env */
function startGateway(env) {
  const flags = ['--enable-source-maps', ...process.argv.slice(2)];
  const child = spawn(process.execPath, [...flags, `${FOLDER}/cli.js`, 'demo'], {
    ...isolated,
    env,
    stdio: 'inherit',
  });
  child.once('exit', (code, signal) => {
    if (gateway !== child) return;
    gateway = null;
    served = '';
    if (!stop.signal.aborted)
      process.stdout.write(
        `The gateway has ended (${signal ?? code}); it starts again with the next change.\n`,
      );
  });
  return child;
}

/** @param {ChildProcess} child */
async function end(child) {
  if (child === gateway) gateway = null;
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  child.kill('SIGTERM');
  const limit = setTimeout(() => child.kill('SIGKILL'), STOP_LIMIT_MS);
  await ended;
  clearTimeout(limit);
}

/** @param {string} message */
function fail(message) {
  if (stop.signal.aborted) return;
  process.stderr.write(`npm run dev: ${message}\n`);
  process.exitCode = 1;
  stop.abort();
}
