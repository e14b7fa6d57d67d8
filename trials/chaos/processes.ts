import { serverPid } from '../../test/support/embedded-folders.ts';
import { childrenOf } from '../../test/support/program.ts';

/** Signals PostgreSQL and all its processes: that of a connection goes on without its parent. */
export function signalServer(dataDir: string, signal: NodeJS.Signals): void {
  const pid = serverPid(dataDir);
  if (pid === undefined) return;
  for (const one of [pid, ...childrenOf(pid)]) signalIfThere(one, signal);
}

export function signalIfThere(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {} // Gone meanwhile.
}

export function shuffled<T>(items: readonly T[], below: (limit: number) => number): readonly T[] {
  return items
    .map((item) => ({ item, order: below(1_000_000) }))
    .sort((a, b) => a.order - b.order)
    .map(({ item }) => item);
}
