import { readdirSync, readFileSync } from 'node:fs';

/** Linux counts CPU time in hundredths of a second, whatever the kernel's own clock (sysconf(_SC_CLK_TCK)). */
const TICKS_PER_SECOND = 100;

/** CPU time used so far, in seconds, by process. */
export type CpuTimes = ReadonlyMap<number, number>;

/** The CPU time of a line of /proc/<pid>/stat, user and system, in seconds. The program's name may hold spaces and brackets. */
export function parseCpuSeconds(stat: string): number {
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  // The 14th and the 15th of the line; these begin with its third.
  return (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND;
}

/** The process that a line of /proc/<pid>/stat names as the parent. */
export function parseParent(stat: string): number {
  return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]);
}

/** What was used between two readings. A process that began in between counts whole; one that ended, not at all. */
export function cpuBetween(before: CpuTimes, after: CpuTimes): number {
  let seconds = 0;
  for (const [pid, used] of after) seconds += used - (before.get(pid) ?? 0);
  return seconds;
}

/** The CPU time of some processes. */
export function readCpu(pids: readonly number[]): CpuTimes {
  const times = new Map<number, number>();
  for (const pid of pids) {
    const stat = readProc(pid, 'stat');
    if (stat !== null) times.set(pid, parseCpuSeconds(stat));
  }
  return times;
}

/** The CPU time of a server: of its process and of those that it has started. */
export function readServerCpu(pid: number): CpuTimes {
  return readCpu([pid, ...childrenOf(pid)]);
}

/** The CPU time of the backends that serve a role, out of all that a PostgreSQL server runs. */
export function readBackendCpu(server: number, role: string): CpuTimes {
  const times = new Map<number, number>();
  for (const pid of childrenOf(server)) {
    // The server titles its processes: postgres: <role> <database> [local] <what it does>
    const title = readProc(pid, 'cmdline');
    if (title === null || !title.startsWith(`postgres: ${role} `)) continue;
    const stat = readProc(pid, 'stat');
    if (stat !== null) times.set(pid, parseCpuSeconds(stat));
  }
  return times;
}

/** The memory of a process that is in use, in bytes. */
export function readMemory(pid: number): number {
  const line = /^VmRSS:\s+(\d+) kB$/m.exec(readProc(pid, 'status') ?? '');
  if (line === null) throw new Error(`Process ${pid} has ended.`);
  return Number(line[1]) * 1024;
}

function childrenOf(parent: number): readonly number[] {
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  return pids.map(Number).filter((pid) => {
    const stat = readProc(pid, 'stat');
    return stat !== null && parseParent(stat) === parent;
  });
}

function readProc(pid: number, file: string): string | null {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8');
  } catch {
    return null; // It has ended.
  }
}
