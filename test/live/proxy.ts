import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

const ATTEMPTS = 5;
const LOOKS = 1000;
const LOOK_LIMIT_MS = 10_000;

export type RunningProxy = AsyncDisposable & { readonly url: string };

/** A proxy that runs in the foreground with one file of settings. */
export interface ProxyProgram {
  readonly path: string | undefined;
  /** What it is given, its settings being in `file` of `folder`. */
  readonly args: (folder: string, file: string) => readonly string[];
  readonly configure: (port: number, folder: string) => string | Promise<string>;
}

/** Where this machine has a program, in the folders of administrators too. */
export function findProgram(name: string): string | undefined {
  return [...(process.env['PATH'] ?? '').split(delimiter), '/usr/sbin', '/usr/local/sbin']
    .map((folder) => join(folder, name))
    .find(existsSync);
}

/** Starts it on a free port, with a folder of its own, and waits until a gateway answers through it. */
export async function startProxy({ path, args, configure }: ProxyProgram): Promise<RunningProxy> {
  const folder = await mkdtemp(join(tmpdir(), 'periscope-proxy-'));
  let said = '';
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const port = await findFreePort();
    const file = join(folder, 'proxy.conf');
    await writeFile(file, await configure(port, folder));
    const proxy = spawn(path as string, args(folder, file), { stdio: ['ignore', 'ignore', 'pipe'] });
    proxy.stderr.on('data', (chunk) => {
      said += chunk;
    });
    const ended = once(proxy, 'close');
    if (!(await answers(`http://127.0.0.1:${port}/health/live`, proxy))) {
      proxy.kill('SIGKILL');
      continue;
    }
    return {
      url: `http://127.0.0.1:${port}`,
      async [Symbol.asyncDispose]() {
        proxy.kill('SIGKILL');
        await ended;
        await rm(folder, { recursive: true, force: true });
      },
    };
  }
  await rm(folder, { recursive: true, force: true });
  throw new Error(`${path} does not start: ${said}`);
}

/** Whether it comes to answer, be it by asking for a password; not where it ends before. */
async function answers(url: string, proxy: ChildProcess): Promise<boolean> {
  const isRunning = () => proxy.exitCode === null && proxy.signalCode === null;
  for (let looks = 0; looks < LOOKS && isRunning(); looks++) {
    const isUp = await fetch(url, { signal: AbortSignal.timeout(LOOK_LIMIT_MS) }).then(
      ({ status }) => status < 500,
      () => false,
    );
    if (isUp) return true;
    await sleep(20);
  }
  return false;
}

/** A port that nobody listens on just now. */
export async function findFreePort(): Promise<number> {
  const [port = 0] = await findFreePorts(1);
  return port;
}

/** Ports that are free together, for programs that have to know each other's before they start. */
export async function findFreePorts(count: number): Promise<number[]> {
  const servers = Array.from({ length: count }, () => createServer());
  await Promise.all(servers.map((server) => once(server.listen(0, '127.0.0.1'), 'listening')));
  const ports = servers.map((server) => (server.address() as { port: number }).port);
  await Promise.all(servers.map((server) => once(server.close(), 'close')));
  return ports;
}
