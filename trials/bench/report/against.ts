import type { Result } from '../bench.ts';
import { describeUs } from './describe.ts';

/** How a result compares with the same of an earlier run. */
export interface Change {
  readonly id: string;
  readonly what: string;
  /** How many times as much it takes now; beside its peer where both runs have one, as machines differ. */
  readonly times: number;
  /** What of it may be chance, as a part. */
  readonly noise: number;
  readonly verdict: 'slower' | 'faster' | 'same';
}

/** No two runs agree better than this: in CPU of many requests, and in what is measured once. */
const LEAST_NOISE = 0.15;
const NOISE_OF_ONE = 0.25;

/** What became slower or faster since an earlier run, by CPU a request; times and memory by themselves. */
export function compareRuns(before: readonly Result[], now: readonly Result[]): readonly Change[] {
  const earlier = new Map(before.map((result) => [result.id, result]));
  return now.flatMap((result) => {
    const other = earlier.get(result.id);
    const times = other === undefined ? null : timesAsMuch(other, result);
    if (other === undefined || times === null) return [];
    const least = result.spread === 0 || other.spread === 0 ? NOISE_OF_ONE : LEAST_NOISE;
    const noise = least + (result.spread + other.spread) / 2;
    const verdict = times > 1 + noise ? 'slower' : times < 1 / (1 + noise) ? 'faster' : 'same';
    return [{ id: result.id, what: result.what, times, noise, verdict }];
  });
}

function timesAsMuch(before: Result, now: Result): number | null {
  if (before.cpuUs !== null && now.cpuUs !== null) {
    const own = now.cpuUs / before.cpuUs;
    return before.peerCpuUs !== null && now.peerCpuUs !== null
      ? own / (now.peerCpuUs / before.peerCpuUs)
      : own;
  }
  // What has to stay below something grows with what it takes: a time, a memory.
  const isCost = now.target !== null && 'most' in now.target && !now.unit.startsWith('x ');
  return isCost && before.value !== null && now.value !== null ? now.value / before.value : null;
}

/** For a person: what is slower, then what is faster, then how many are as before. */
export function describeChanges(changes: readonly Change[], results: readonly Result[]): string {
  const cpuOf = new Map(results.map(({ id, cpuUs }) => [id, cpuUs]));
  const lines = (verdict: Change['verdict']) =>
    changes
      .filter((change) => change.verdict === verdict)
      .map(({ id, times, noise }) => {
        const cpu = cpuOf.get(id);
        const now = cpu === null || cpu === undefined ? '' : `, now ${describeUs(cpu)} CPU`;
        return `  ${verdict}: ${id}, ${times.toFixed(2)} x what it took${now} (noise ${Math.round(noise * 100)} %)`;
      });
  const same = changes.filter(({ verdict }) => verdict === 'same').length;
  return [...lines('slower'), ...lines('faster'), `  as before: ${same}`].join('\n');
}
