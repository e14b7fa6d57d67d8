import { spawnSync } from 'node:child_process';
import { findProgram } from '../live/proxy.ts';
import { HANG_MS } from './limits.ts';

/** Prometheus' own judge; undefined where this machine does not have it, which is said once. */
export const PROMTOOL = findProgram('promtool');
if (PROMTOOL === undefined)
  console.warn('What promtool says of metrics and alerts is skipped: it is not here');

/** Runs it to its end. */
export function runPromtool(args: readonly string[], input = '') {
  const { status, stdout, stderr } = spawnSync(PROMTOOL as string, args, {
    input,
    encoding: 'utf8',
    timeout: HANG_MS,
  });
  return { status, said: stdout + stderr };
}
