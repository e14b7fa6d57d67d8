import { readFileSync, readlinkSync } from 'node:fs';
import { hostname } from 'node:os';

/** All processes that have this see each other, by numbers that are the same to all: those of one container, since one start of the machine. */
export const MACHINE: string = [
  hostname(),
  read(() => readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()),
  read(() => readlinkSync('/proc/self/ns/pid')),
].join(' ');

/** What tells a process from a later one of the same number: when it began; null where there is none that runs. */
export function beganAt(pid: number): string | null {
  if (process.platform !== 'linux') return isRunning(pid) ? 'running' : null;
  // The name, which stands in brackets, may have any characters.
  const fields = read(() => readFileSync(`/proc/${pid}/stat`, 'utf8'))
    ?.replace(/^.*\)/s, '')
    .trim()
    .split(' ');
  const [state] = fields ?? [];
  // One that has ended, and was not asked for its end yet, writes no more.
  return state === undefined || state === 'Z' || state === 'X' ? null : (fields?.[STARTED] ?? null);
}

/** The time of the start among the fields behind the name, in ticks since the machine's: `man 5 proc`. */
const STARTED = 19;

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

function read(ask: () => string): string | null {
  try {
    return ask();
  } catch {
    return null;
  }
}
