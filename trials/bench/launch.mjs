// @ts-check
import { execFileSync, spawn } from 'node:child_process';
import { existsSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const here = dirname(fileURLToPath(import.meta.url));
const root = join(here, '..', '..');
const peers = join(here, 'peers');
const installed = join(peers, 'node_modules', '.package-lock.json');

/**
 * Installs what Periscope is measured beside, compiles Periscope, and runs a file of TypeScript, which imports src as it
 * stands, with Node 24. Periscope is measured compiled, with the Node that runs this.
 * @param {string} file
 * @param {readonly string[]} args
 */
export function launch(file, args) {
  if (process.platform !== 'linux')
    throw new Error('The bench reads CPU times from /proc, which only Linux has.');
  if (
    !existsSync(installed) ||
    statSync(installed).mtimeMs < statSync(join(peers, 'package-lock.json')).mtimeMs
  ) {
    process.stderr.write('Installing the peers (once) ...\n');
    execFileSync('npm', ['ci', '--ignore-scripts', '--loglevel=error'], {
      cwd: peers,
      stdio: ['ignore', 2, 2],
    });
  }
  const node = join(peers, 'node_modules', `node-linux-${process.arch}`, 'bin', 'node');
  const tsc = join(root, 'node_modules', 'typescript', 'bin', 'tsc');
  execFileSync(process.execPath, [tsc, '--project', 'tsconfig.build.json', '--noCheck'], {
    cwd: root,
    stdio: 'inherit',
  });
  execFileSync(process.execPath, [join('scripts', 'bundle.mjs')], { cwd: root, stdio: 'inherit' });

  const bench = spawn(node, ['--disable-warning=ExperimentalWarning', file, ...args], {
    cwd: root,
    env: { ...process.env, BENCH_NODE: process.execPath },
    stdio: 'inherit',
  });
  // A Ctrl-C of the terminal reaches the bench by itself, and it ends in good order.
  process.on('SIGINT', () => {});
  process.on('SIGTERM', () => bench.kill('SIGTERM'));
  bench.once('exit', (code, signal) => {
    process.exitCode = signal === null ? (code ?? 1) : 1;
  });
}
