import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { resolve } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { HANG_MS } from './limits.ts';

/** How a run of the program ended, and what it said. */
export interface Ended {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface Program extends AsyncDisposable {
  readonly process: ChildProcess;
  readonly ended: Promise<Ended>;
}

export type Environment = Readonly<Record<string, string>>;

const PASSED_ON = ['PATH', 'HOME', 'TMPDIR', 'LANG'];

/** Starts the compiled program as `npm run ingest -- …` and its like do, with no settings but these. */
export function startProgram(
  args: readonly string[],
  environment: Environment,
  limitMs = HANG_MS,
  program = 'dist/bundle/cli.js',
): Program {
  const child = spawn(process.execPath, [resolve(program), ...args], {
    env: { ...Object.fromEntries(PASSED_ON.map((name) => [name, process.env[name]])), ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: limitMs,
    killSignal: 'SIGKILL',
  });
  const said = { stdout: '', stderr: '' };
  child.stdout.on('data', (chunk) => {
    said.stdout += chunk;
  });
  child.stderr.on('data', (chunk) => {
    said.stderr += chunk;
  });
  const ended = new Promise<Ended>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code, signal) => resolve({ code, signal, ...said }));
  });
  return {
    process: child,
    ended,
    async [Symbol.asyncDispose]() {
      child.kill('SIGKILL');
      await ended;
    },
  };
}

/** The address that a gateway logs when it listens; null where it ends before. */
export async function readListening(stdout: Readable): Promise<string | null> {
  for await (const line of createInterface({ input: stdout })) {
    const { msg, url } = JSON.parse(line) as { msg?: string; url?: string };
    if (msg === 'listening' && url !== undefined) return url;
  }
  return null;
}

/** Runs the compiled program to its end. */
export function runProgram(args: readonly string[], environment: Environment): Promise<Ended> {
  return startProgram(args, environment).ended;
}

/** The processes that a process started and that run still. */
export function childrenOf(pid: number): readonly number[] {
  const listed = execFileSync('ps', ['-A', '-o', 'pid=,ppid=']).toString().trim().split('\n');
  return listed
    .map((line) => line.trim().split(/\s+/).map(Number))
    .flatMap(([child, parent]) => (parent === pid ? [child as number] : []));
}
