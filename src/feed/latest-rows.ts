import type { Positioned } from '../data/noun.ts';

/** Rows in the order in which they changed, each once: one that changed again, as where a height begins again, has its last state at its first place. */
export function latestRows<R extends Positioned>(rows: readonly R[]): readonly R[] {
  if (rows.length < 2) return rows;
  const latest = new Map(rows.map((row) => [row.createdPosition, row]));
  return latest.size === rows.length ? rows : [...latest.values()];
}
