import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { constants, getPriority, setPriority } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';

/** A server in a process of its own, Periscope or one of its peers. */
export interface BenchServer extends AsyncDisposable {
  readonly name: string;
  readonly url: string;
  readonly pid: number;
  readonly process: ChildProcess;
}

type Environment = Readonly<Record<string, string>>;

const START_LIMIT_MS = 60_000;
const STOP_LIMIT_MS = 15_000;
/** What runs, so that nothing is left when a case fails in the middle. */
const running = new Set<ChildProcess>();
const PASSED_ON = ['PATH', 'HOME', 'TMPDIR', 'LANG'];

/** The Node that `npm run bench` was called with: Periscope and its peers run with the same one. */
const NODE = process.env['BENCH_NODE'] ?? process.execPath;

/** Starts the compiled Periscope, of this checkout or of another, on a free port, and waits until it is ready. */
export async function startPeriscope(
  environment: Environment,
  { flags = [], command = 'serve', checkout = '.' }: StartOptions = {},
): Promise<BenchServer> {
  const port = await findPort();
  const child = spawnNode(NODE, [...flagsOf(checkout, command), ...flags, programOf(checkout), command], {
    PORT: String(port),
    LOG_LEVEL: 'warn',
    SHUTDOWN_GRACE_MS: '0',
    SHUTDOWN_DEADLINE_MS: '2000',
    ...environment,
  });
  const server = serverOf('Periscope', `http://127.0.0.1:${port}`, child);
  await waitUntilReady(server);
  return server;
}

interface StartOptions {
  readonly flags?: readonly string[];
  readonly command?: string;
  readonly checkout?: string;
}

/** Migrates a database with the compiled Periscope of another checkout. */
export async function migrateWith(checkout: string, url: string): Promise<void> {
  const child = spawnNode(NODE, [join(checkout, 'dist', 'cli.js'), 'migrate'], { DATABASE_URL: url });
  child.stdout?.resume();
  const [code] = await once(child, 'exit', { signal: AbortSignal.timeout(START_LIMIT_MS) });
  if (code !== 0) throw new Error(`${checkout} does not migrate the database.`);
}

/** What `npm start` runs: a bundle; in older checkouts the compiled files themselves. */
function programOf(checkout: string): string {
  const bundle = join(checkout, 'dist', 'bundle', 'cli.js');
  return existsSync(bundle) ? bundle : join(checkout, 'dist', 'cli.js');
}

/** The flags of Node that the command's script in package.json has. */
function flagsOf(checkout: string, command: string): readonly string[] {
  const { scripts } = JSON.parse(readFileSync(join(checkout, 'package.json'), 'utf8')) as {
    readonly scripts: Readonly<Record<string, string>>;
  };
  const script = scripts[command === 'serve' ? 'start' : command] ?? '';
  return script.split(' ').filter((word) => word.startsWith('--'));
}

/** The peers, by their file in `peers/`. PostGraphile 5 needs a newer Node than Periscope does: the one that runs the bench. */
export type PeerName = 'limit' | 'node-http' | 'plain' | 'postgraphile' | 'ws-loop' | 'yoga-pubsub';

/** Starts a peer, which says on its first line where it listens. */
export async function startPeer(name: PeerName, environment: Environment): Promise<BenchServer> {
  const node = name === 'postgraphile' ? process.execPath : NODE;
  const child = spawnNode(node, [join(import.meta.dirname, '..', 'peers', `${name}.mjs`)], {
    NODE_ENV: 'production',
    ...environment,
  });
  const lines = createInterface({ input: child.stdout as NonNullable<typeof child.stdout> });
  const limit = AbortSignal.timeout(START_LIMIT_MS);
  const [line] = (await Promise.race([
    once(lines, 'line', { signal: limit }),
    once(child, 'exit', { signal: limit }).then(() => {
      throw new Error(`The peer ${name} ended before it listened.`);
    }),
  ])) as [string];
  return serverOf(name, line, child);
}

/** A port that is free now. */
export async function findPort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

/**
 * What is measured gives way to who asks, who would have a machine of its own: else the load, which is one process, has
 * the less of the processors the more processes there are to answer it.
 */
export function giveWay(pid: number): void {
  setPriority(pid, Math.min(getPriority() + 5, constants.priority.PRIORITY_LOW));
}

function spawnNode(node: string, args: readonly string[], environment: Environment): ChildProcess {
  const quiet = args.includes('demo');
  const passed = Object.fromEntries(PASSED_ON.map((name) => [name, process.env[name]]));
  const child = spawn(node, args, {
    env: { ...passed, ...environment },
    // Of what it says a failure alone is of interest. The demo tells how its ingest goes.
    stdio: ['ignore', 'pipe', quiet ? 'ignore' : 'inherit', 'ipc'],
  });
  if (child.pid !== undefined) giveWay(child.pid);
  running.add(child);
  child.once('exit', () => running.delete(child));
  return child;
}

/** Stops every server that still runs. */
export async function stopServers(): Promise<void> {
  await Promise.all([...running].map(stop));
}

function serverOf(name: string, url: string, child: ChildProcess): BenchServer {
  child.stdout?.resume();
  return {
    name,
    url,
    pid: child.pid as number,
    process: child,
    [Symbol.asyncDispose]: () => stop(child),
  };
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  child.kill('SIGTERM');
  const limit = setTimeout(() => child.kill('SIGKILL'), STOP_LIMIT_MS);
  await ended;
  clearTimeout(limit);
}

async function waitUntilReady({ url, process: child }: Pick<BenchServer, 'url' | 'process'>): Promise<void> {
  const end = Date.now() + START_LIMIT_MS;
  while (Date.now() < end) {
    if (child.exitCode !== null || child.signalCode !== null)
      throw new Error('Periscope ended before it was ready.');
    const response = await fetch(`${url}/health/ready`).catch(() => null);
    await response?.arrayBuffer();
    if (response?.status === 200) return;
    await sleep(5);
  }
  throw new Error(`Periscope was not ready after ${START_LIMIT_MS / 1000} seconds.`);
}
