import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import packageJson from '../package.json' with { type: 'json' };

const CHANGELOG = readFileSync('CHANGELOG.md', 'utf8');
const versions = [...CHANGELOG.matchAll(/^## \[(.+)\](?: - (\d{4}-\d\d-\d\d))?$/gm)].map(
  ([, version, date]) => ({ version, date }),
);

test('the changelog begins with what is unreleased, then the version that this is', () => {
  const [unreleased, newest] = versions;
  expect(unreleased).toEqual({ version: 'Unreleased', date: undefined });
  expect(newest?.version).toBe(packageJson.version);
  expect(versions.slice(1).filter(({ date }) => date === undefined)).toEqual([]);
  const kinds = [...CHANGELOG.matchAll(/^### (.+)$/gm)].map(([, kind]) => kind as string);
  const known = ['Added', 'Changed', 'Deprecated', 'Removed', 'Fixed', 'Security'];
  expect(kinds.filter((kind) => !known.includes(kind))).toEqual([]);
});

test('npm version moves what is unreleased under the new version, and refuses where nothing is', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'periscope-release-'));
  const run = (file: string, ...args: readonly string[]) =>
    promisify(execFile)(file, args, { cwd: folder, env: { ...process.env, ...GIT } });
  try {
    mkdirSync(join(folder, 'scripts'));
    cpSync('scripts/release-changelog.mjs', join(folder, 'scripts/release-changelog.mjs'));
    const { version } = packageJson.scripts;
    const manifest = { name: 'released', version: '1.2.3', scripts: { version } };
    writeFileSync(join(folder, 'package.json'), JSON.stringify(manifest));
    writeFileSync(
      join(folder, 'CHANGELOG.md'),
      '# Changelog\n\n## [Unreleased]\n\n### Added\n\n- A thing.\n',
    );
    await run('git', 'init', '--quiet');
    await run('git', 'add', '.');
    await run('git', 'commit', '--quiet', '--message', 'Begin');

    await run('npm', 'version', 'minor');
    const { stdout } = await run('git', 'show', 'v1.3.0:CHANGELOG.md');
    expect(stdout).toMatch(
      /^# Changelog\n\n## \[Unreleased\]\n\n## \[1\.3\.0\] - \d{4}-\d\d-\d\d\n\n### Added\n\n- A thing\.\n$/,
    );
    await expect(run('npm', 'version', 'patch')).rejects.toThrow(
      'CHANGELOG.md has nothing under "Unreleased"',
    );
    expect((await run('git', 'tag')).stdout).toBe('v1.3.0\n');
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

/** A person of the test's own, whatever git knows of this machine's. */
const GIT = {
  GIT_AUTHOR_NAME: 'Test',
  GIT_AUTHOR_EMAIL: 'test@example.org',
  GIT_COMMITTER_NAME: 'Test',
  GIT_COMMITTER_EMAIL: 'test@example.org',
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_CONFIG_SYSTEM: '/dev/null',
};
