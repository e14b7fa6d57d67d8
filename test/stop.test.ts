import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync } from 'node:fs';
import { type AddressInfo, connect, createServer } from 'node:net';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { EmbeddedFolders, runningServer } from './support/embedded-folders.ts';
import { type Program, readListening, startProgram } from './support/program.ts';
import { isRunning } from './support/workers.ts';

const SAME_STOP_MS = 2_000;

let folders: EmbeddedFolders;

beforeAll(async () => {
  folders = await EmbeddedFolders.create();
});

afterAll(() => folders.dispose());

describe('a signal to all of npm, which passes it on besides, is one stop', () => {
  test.each([
    ['start', 'SIGINT', '"listening"'],
    ['start', 'SIGTERM', '"listening"'],
    ['demo', 'SIGINT', 'Ctrl-C'],
    ['demo', 'SIGTERM', 'Ctrl-C'],
  ] as const)('npm run %s, %s', async (script, signal, ready) => {
    const dataDir = folders.path(script);
    for (let run = 0; run < 3; run++) {
      await using npm = startGroup('npm', ['run', '--silent', script], dataDir);
      await npm.said(ready);
      if (script === 'demo' && run > 0) await npm.said('The simulated network goes on after block 1');
      process.kill(-(npm.process.pid as number), signal);
      expect([run, ...(await npm.ended)]).toEqual([run, 0, null]);
      expect(runningServer(dataDir)).toBeUndefined();
    }
  });

  test.each(['start', 'demo'])('npm run %s, of which npm alone is killed', async (script) => {
    const dataDir = folders.path(`${script}-killed`);
    await using npm = startGroup('npm', ['run', '--silent', script], dataDir);
    await npm.said(script === 'demo' ? 'Ctrl-C' : '"listening"');
    expect(runningServer(dataDir)).toBeDefined();
    npm.process.kill('SIGKILL');
    await npm.ended;
    await expect.poll(() => runningServer(dataDir)).toBeUndefined();
  });

  test('npm start with several workers, SIGINT', async () => {
    const dataDir = folders.path('start');
    const settings = { WORKERS: '2', SHUTDOWN_GRACE_MS: '0' };
    await using npm = startGroup('npm', ['run', '--silent', 'start'], dataDir, settings);
    await npm.said('"listening"');
    expect(npm.workers()).toHaveLength(2);
    process.kill(-(npm.process.pid as number), 'SIGINT');
    expect(await npm.ended).toEqual([0, null]);
    expect(runningServer(dataDir)).toBeUndefined();
    expect(npm.workers().filter(isRunning)).toEqual([]);
  });

  test('a Ctrl-C that is typed at a terminal', async ({ skip }) => {
    skip(!hasScript(), 'there is no script of util-linux to make a terminal with');
    const dataDir = folders.path('start');
    await using terminal = startGroup(
      'script',
      ['-qec', 'exec npm run --silent start', '/dev/null'],
      dataDir,
    );
    await terminal.said('"listening"');
    terminal.process.stdin?.write('\u0003');
    expect(await terminal.ended).toEqual([0, null]);
    expect(runningServer(dataDir)).toBeUndefined();
  });
});

describe('one process', () => {
  test('stops in good order when its terminal is closed', async () => {
    await using gateway = await startGateway();
    gateway.process.kill('SIGHUP');
    await gateway.isStopping();
    gateway.letGo();
    expect(await gateway.ended).toMatchObject({ code: 0 });
    expect(runningServer(gateway.dataDir)).toBeUndefined();
  });

  test.each([
    ['SIGTERM', 0, 'SIGINT', 130],
    ['SIGTERM', SAME_STOP_MS, 'SIGTERM', 143],
  ] as const)('ends at once after %s, %i ms and %s, with its database', async (first, wait, second, code) => {
    await using gateway = await startGateway();
    gateway.process.kill(first);
    await gateway.isStopping();
    await new Promise((resolve) => setTimeout(resolve, wait));
    gateway.process.kill(second);
    expect(await gateway.ended).toMatchObject({ code, stderr: expect.stringContaining('ending at once') });
    expect(runningServer(gateway.dataDir)).toBeUndefined();
  });

  test('takes its workers along when it ends at once', async () => {
    await using gateway = await startGateway(folders.copy(), { WORKERS: '2' });
    gateway.process.kill('SIGTERM');
    await gateway.isStopping();
    gateway.process.kill('SIGINT');
    expect(await gateway.ended).toMatchObject({ code: 130 });
    expect(runningServer(gateway.dataDir)).toBeUndefined();
    expect(gateway.workers()).toHaveLength(2);
    expect(gateway.workers().filter(isRunning)).toEqual([]);
  });

  test.runIf(process.platform === 'linux')('stops though its log cannot be written any more', async () => {
    const dataDir = folders.copy();
    const port = await freePort();
    const command = 'exec node dist/bundle/cli.js serve > /dev/full';
    await using gateway = startGroup('sh', ['-c', command], dataDir, { PORT: `${port}` });
    const isReady = () =>
      fetch(`http://127.0.0.1:${port}/health/ready`).then(
        ({ ok }) => ok,
        () => false,
      );
    await expect.poll(isReady).toBe(true);
    gateway.process.kill('SIGTERM');
    expect(await gateway.ended).toEqual([0, null]);
    expect(runningServer(dataDir)).toBeUndefined();
  });

  test('kills a database that does not stop, when it ends at once', async () => {
    await using gateway = await startGateway();
    process.kill(runningServer(gateway.dataDir) as number, 'SIGSTOP');
    gateway.process.kill('SIGTERM');
    await gateway.isStopping();
    gateway.process.kill('SIGINT');
    expect(await gateway.ended).toMatchObject({ code: 130 });
    expect(runningServer(gateway.dataDir)).toBeUndefined();
  });

  test('leaves a database that another process uses, also when it ends at once', async () => {
    await using gateway = await startGateway();
    await using other = await startGateway(gateway.dataDir);
    gateway.process.kill('SIGTERM');
    await gateway.isStopping();
    gateway.process.kill('SIGINT');
    expect(await gateway.ended).toMatchObject({ code: 130 });
    expect(runningServer(gateway.dataDir)).toBeDefined();
    other.letGo();
    other.process.kill('SIGTERM');
    expect(await other.ended).toMatchObject({ code: 0 });
    expect(runningServer(gateway.dataDir)).toBeUndefined();
  });

  test('gives up making a database, and leaves nothing of it', async () => {
    const dataDir = folders.path('given-up');
    await using program = startProgram(['serve'], { DATA_DIR: dataDir, PORT: '0' });
    const isBeingMade = () =>
      existsSync(dataDir) &&
      readdirSync(dataDir).some((name) => existsSync(join(dataDir, name, 'postgresql.conf')));
    await expect.poll(isBeingMade, { interval: 5 }).toBe(true);
    program.process.kill('SIGTERM');
    expect(await program.ended).toMatchObject({ code: 0, stdout: '', stderr: '' });
    expect(readdirSync(dataDir).filter((name) => name.startsWith('partial-'))).toEqual([]);
    expect(runningServer(dataDir)).toBeUndefined();
  });
});

/** A gateway on a copy of the database, whose stop waits for a request that does not end until it is let go. */
async function startGateway(dataDir = folders.copy(), settings: Readonly<Record<string, string>> = {}) {
  const program: Program = startProgram(['serve'], {
    ...settings,
    DATA_DIR: dataDir,
    PORT: '0',
    SHUTDOWN_DEADLINE_MS: '600000',
    REQUEST_TIMEOUT_MS: '600000',
  });
  const { stdout } = program.process;
  let said = '';
  stdout?.on('data', (chunk) => {
    said += chunk;
  });
  const url = new URL((await readListening(stdout as Readable)) ?? 'http://ended');
  stdout?.resume();
  const socket = connect(Number(url.port), url.hostname);
  socket.on('error', () => undefined);
  // With the answer to the first request, the second has been taken in.
  const post = 'POST /graphql HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 10';
  socket.write(`GET /health/live HTTP/1.1\r\nHost: x\r\n\r\n${post}\r\n\r\n{`);
  await once(socket, 'data');
  return {
    dataDir,
    process: program.process,
    workers: () => workersOf(said),
    ended: program.ended,
    isStopping: () => expect.poll(() => said).toContain('"stopping"'),
    letGo: () => void socket.destroy(),
    async [Symbol.asyncDispose]() {
      socket.destroy();
      await program[Symbol.asyncDispose]();
    },
  };
}

/** Starts a program as a terminal does a job: in a process group of its own, all of which is killed when it is disposed of. */
function startGroup(
  command: string,
  args: readonly string[],
  dataDir: string,
  settings: Readonly<Record<string, string>> = {},
) {
  const { PATH, HOME } = process.env;
  const child: ChildProcess = spawn(command, args, {
    env: { PATH, HOME, TERM: 'xterm', DATA_DIR: dataDir, PORT: '0', ...settings },
    stdio: ['pipe', 'pipe', 'pipe'],
    detached: true,
  });
  let text = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on('data', (chunk) => {
      text += chunk;
    });
  }
  const ended = once(child, 'exit');
  return {
    process: child,
    ended,
    workers: () => workersOf(text),
    said: (words: string) => expect.poll(() => text).toContain(words),
    async [Symbol.asyncDispose]() {
      try {
        process.kill(-(child.pid as number), 'SIGKILL');
      } catch {
        // Nothing is left of it.
      }
      await ended;
    },
  };
}

/** The processes of the workers that a log names. */
function workersOf(log: string): readonly number[] {
  return [...log.matchAll(/"process":(\d+),"msg":"a worker is ready"/g)].map(([, pid]) => Number(pid));
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  return port;
}

function hasScript(): boolean {
  try {
    return execFileSync('script', ['--version'], { encoding: 'utf8' }).includes('util-linux');
  } catch {
    return false;
  }
}
