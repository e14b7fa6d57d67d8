// @ts-check
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createRequire } from 'node:module';
import { dirname, join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { pathToFileURL } from 'node:url';

/*
 * npm run dev: compiles src and serves the demo's network with it, again after each change. This process keeps the
 * embedded database open, in a data folder of its own, so that a restart finds it running, with the blocks that it has.
 * What follows `npm run dev --` goes to Node: --inspect, for one.
 */

/** More than a stop takes that waits for open requests; what still runs then is killed. */
const STOP_LIMIT_MS = 15_000;
const COMPILED = /Found 0 errors?\. Watching for file changes/;

/** @typedef {import('node:child_process').ChildProcess} ChildProcess */

/** Each process has a group of its own: a Ctrl-C reaches this one alone, which stops the others in their order. */
const isolated = /** @type {const} */ ({ detached: true });
const stop = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => stop.abort());
// A terminal that is gone takes no more output.
process.stdout.on('error', () => stop.abort());

let database = /** @type {AsyncDisposable | null} */ (null);
let gateway = /** @type {ChildProcess | null} */ (null);
let isStale = false;
let restarting = /** @type {Promise<void> | null} */ (null);

const compiler = startCompiler();
await once(stop.signal, 'abort');
await Promise.all([end(compiler), restarting]);
if (gateway) await end(gateway);
await database?.[Symbol.asyncDispose]();

/** What does not compile is reported, and leaves the program that runs as it is. */
function startCompiler() {
  const tsc = createRequire(import.meta.url).resolve('typescript/bin/tsc');
  const options = ['--project', 'tsconfig.build.json', '--watch', '--preserveWatchOutput', '--noEmitOnError'];
  if (process.stdout.isTTY) options.push('--pretty');
  const child = spawn(process.execPath, [tsc, ...options, '--locale', 'en'], {
    ...isolated,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  createInterface({ input: child.stdout }).on('line', (line) => {
    process.stdout.write(`${line}\n`);
    if (!COMPILED.test(line)) return;
    isStale = true;
    restarting ??= restart().finally(() => {
      restarting = null;
    });
  });
  child.once('exit', () => fail('The compiler has ended.'));
  return child;
}

/** Serves the newest of what was compiled; one restart does for all that comes during another. */
async function restart() {
  try {
    while (isStale && !stop.signal.aborted) {
      isStale = false;
      if (gateway) await end(gateway);
      await buildPage();
      const environment = await prepareEnvironment();
      if (!stop.signal.aborted) gateway = startGateway(environment);
    }
  } catch (error) {
    fail(/** @type {Error} */ (error).message);
  }
}

/** Opens the database, unless it is open, and returns what the gateway needs to find it. */
async function prepareEnvironment() {
  const [{ readConfig }, { defaultDataDir }, { openPlace }] = await Promise.all(
    ['config', 'data/postgres', 'data/open'].map((name) => load(name)),
  );
  const place = readConfig(process.env).database;
  const dataDir = place.dataDir ?? join(dirname(defaultDataDir()), 'dev');
  database ??= await openPlace({ ...place, dataDir });
  return { SHUTDOWN_DEADLINE_MS: '1000', ...process.env, DATA_DIR: dataDir };
}

/** The page is no part of what the compiler watches; it takes a moment. */
async function buildPage() {
  const child = spawn(process.execPath, ['page/build.mjs'], { ...isolated, stdio: 'inherit' });
  const [code] = await once(child, 'exit');
  if (code !== 0) throw new Error('The page could not be built.');
}

/** @param {string} name */
function load(name) {
  return import(pathToFileURL(resolve('dist', `${name}.js`)).href);
}

/** @param {NodeJS.ProcessEnv} env */
function startGateway(env) {
  const flags = ['--enable-source-maps', ...process.argv.slice(2)];
  const child = spawn(process.execPath, [...flags, 'dist/cli.js', 'demo'], {
    ...isolated,
    env,
    stdio: 'inherit',
  });
  child.once('exit', (code, signal) => {
    if (gateway !== child) return;
    gateway = null;
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
