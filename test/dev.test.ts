import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, cp, mkdtemp, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { expect, test } from 'vitest';
import { serverPid } from './support/embedded-folders.ts';

const COPIED = [
  ...['src', 'page', 'graphiql', 'guides', 'docs', 'scripts', 'prisma', 'README.md'],
  ...['package.json', 'tsconfig.json', 'tsconfig.build.json'],
];
const LIMIT_MS = 240_000;

test('npm run dev serves each change of src on the database that it keeps, until Ctrl-C', {
  timeout: LIMIT_MS,
}, async () => {
  await using checkout = await copyCheckout();
  await using dev = startDev(checkout.folder);
  const dataDir = checkout.path('.periscope/dev');

  const first = await dev.readAddress();
  const [height, server] = [await readHeight(first), serverPid(dataDir)];
  expect([height >= 150, server]).toEqual([true, expect.any(Number)]);

  await checkout.edit('src/demo.ts', (text) =>
    text.replace('A simulated network is', 'A changed network is'),
  );
  await dev.read(/A changed network is being served/);
  const second = await dev.readAddress();
  expect(await readHeight(second)).toBeGreaterThanOrEqual(height);
  expect(serverPid(dataDir)).toBe(server);

  await checkout.edit('src/demo.ts', (text) => `${text}\nconst = 1;\n`);
  await dev.read(/Found [1-9]\d* errors?/);
  expect(await readHeight(second)).toBeGreaterThanOrEqual(height);

  dev.interrupt();
  expect(await dev.closed).toEqual([0, null]);
  await expect(fetch(second)).rejects.toThrow('fetch failed');
  expect(serverPid(dataDir)).toBeUndefined();
});

/** What the script works on, in a folder of its own. The checks of types are left out, as where the tests compile. */
async function copyCheckout() {
  const folder = await mkdtemp(join(tmpdir(), 'periscope-dev-'));
  const path = (name: string) => join(folder, name);
  await chmod(folder, 0o755);
  await Promise.all(COPIED.map((name) => cp(name, path(name), { recursive: true })));
  await symlink(resolve('node_modules'), path('node_modules'));
  // In one step, as editors save: half a file is another program.
  const edit = async (name: string, change: (text: string) => string) => {
    await writeFile(path('.edited'), change(await readFile(path(name), 'utf8')));
    await rename(path('.edited'), path(name));
  };
  await edit('tsconfig.json', (text) => text.replace('"compilerOptions": {', '$& "noCheck": true,'));
  return {
    folder,
    path,
    edit,
    async [Symbol.asyncDispose]() {
      const left = serverPid(path('.periscope/dev'));
      if (left !== undefined) process.kill(left, 'SIGQUIT');
      await rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 });
    },
  };
}

/** Starts it as the job of a terminal: the interruption reaches npm and what npm runs. */
function startDev(cwd: string) {
  const { PATH, HOME } = process.env;
  const child = spawn('npm', ['run', '--silent', 'dev'], {
    cwd,
    env: { PATH, HOME, PORT: '0' },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  });
  // It comes when the last process that writes to the two has ended.
  const closed = once(child, 'close');
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const errors: string[] = [];
  child.stderr.on('data', (chunk) => errors.push(String(chunk)));
  const read = async (wanted: RegExp): Promise<RegExpExecArray> => {
    for (;;) {
      const { value, done } = await lines.next();
      if (done) throw new Error(`npm run dev has ended: ${errors.join('')}`);
      const found = wanted.exec(value);
      if (found) return found;
    }
  };
  const end = (signal: NodeJS.Signals) => {
    process.kill(-(child.pid as number), signal);
    child.stdout.resume();
  };
  return {
    closed,
    read,
    readAddress: async () => (await read(/Health\s+(http:\S+)\/health\/ready/))[1] as string,
    interrupt: () => end('SIGINT'),
    async [Symbol.asyncDispose]() {
      if (child.exitCode === null && child.signalCode === null) end('SIGTERM');
      await closed;
    },
  };
}

async function readHeight(url: string): Promise<number> {
  const response = await fetch(`${url}/api/v2/deposits?pagination.first=1`);
  return Number(response.headers.get('X-Block-Height'));
}
