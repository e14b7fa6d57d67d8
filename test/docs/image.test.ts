import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  copyFileSync,
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { expect, test } from 'vitest';
import packageJson from '../../package.json' with { type: 'json' };
import lock from '../../package-lock.json' with { type: 'json' };
import { HANG_MS } from '../support/limits.ts';

/** What `npm prune --omit=dev` leaves, of what is here for this platform. */
const KEPT = Object.entries(
  lock.packages as Readonly<Record<string, { readonly dev?: boolean; readonly link?: boolean }>>,
)
  .filter(([path, { dev, link }]) => path.startsWith('node_modules/') && !dev && !link && existsSync(path))
  .map(([path]) => path);

test('what the Dockerfile copies into the image is enough to run the demo', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'periscope-image-'));
  // PostgreSQL runs as a user without rights, whose reach this has to be within.
  chmodSync(folder, 0o755);
  try {
    for (const path of copiedPaths()) copyInto(folder, path);
    const demo = spawn(process.execPath, ['dist/bundle/cli.js', 'demo'], {
      cwd: folder,
      env: { PATH: process.env['PATH'], PORT: '0', NODE_ENV: 'production', DATA_DIR: join(folder, 'data') },
      stdio: ['ignore', 'pipe', 'inherit'],
      timeout: HANG_MS,
      killSignal: 'SIGKILL',
    });
    const ended = once(demo, 'close');
    const url = await readAddress(demo.stdout);
    const answers = ['/health/ready', '/api/v2/deposits', '/graphql?query={assets{edges{node{symbol}}}}'];
    for (const path of answers) expect([path, (await fetch(url + path)).status]).toEqual([path, 200]);
    demo.kill('SIGTERM');
    expect(await ended).toEqual([0, null]);
  } finally {
    rmSync(folder, { recursive: true, force: true, maxRetries: 10 });
  }
});

test('the image has the program by its name, for what runs within a container', () => {
  const folder = mkdtempSync(join(tmpdir(), 'periscope-image-'));
  try {
    const text = readFileSync('deploy/Dockerfile', 'utf8');
    const [, program = '', link = ''] = /^RUN ln --symbolic \/opt\/periscope\/(\S+) (\S+)$/m.exec(text) ?? [];
    expect(dirname(link)).toBe('/usr/local/bin');
    symlinkSync(resolve(program), join(folder, basename(link)));
    const path = [folder, dirname(process.execPath), process.env['PATH']].join(':');
    const { status, stdout } = spawnSync('periscope', ['--version'], {
      cwd: folder,
      env: { PATH: path },
      encoding: 'utf8',
      timeout: HANG_MS,
    });
    expect([status, stdout]).toEqual([0, expect.stringContaining(packageJson.version)]);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

/** What the last stage takes of the one before. */
function copiedPaths(): readonly string[] {
  const text = readFileSync('deploy/Dockerfile', 'utf8');
  return [...text.matchAll(/^COPY --from=pruned \/opt\/periscope\/(\S+) \.\/(\S*)$/gm)].map(
    ([, path]) => path as string,
  );
}

function copyInto(folder: string, path: string): void {
  for (const one of path === 'node_modules' ? KEPT : [path]) copy(one, join(folder, one));
}

/** Gives files a second name where they can have one. A package's own packages are in the list by themselves. */
function copy(from: string, to: string): void {
  const what = lstatSync(from);
  if (what.isSymbolicLink()) {
    symlinkSync(readlinkSync(from), to);
  } else if (what.isFile()) {
    linkOrCopy(from, to);
  } else {
    mkdirSync(to, { recursive: true });
    for (const name of readdirSync(from)) {
      if (name !== 'node_modules') copy(join(from, name), join(to, name));
    }
  }
}

function linkOrCopy(from: string, to: string): void {
  try {
    linkSync(from, to);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EXDEV') throw error;
    copyFileSync(from, to);
  }
}

async function readAddress(output: NodeJS.ReadableStream): Promise<string> {
  for await (const line of createInterface({ input: output })) {
    const [, url] = /Health +(http\S+)\/health\/ready/.exec(line) ?? [];
    if (url !== undefined) return url;
  }
  throw new Error('The demo ended before it served.');
}
