import type { Random } from '../../../src/simulation/random.ts';

export const SECOND_NS = 1_000_000_000;

/**
 * When so many independent clients ask, in order: times drawn evenly over the whole seconds of a run, which is a Poisson
 * process of that number of arrivals. No logarithm is taken, so that every machine draws the same.
 */
export function drawArrivals(random: Random, count: number, seconds: number): readonly number[] {
  const draw = () =>
    random.below(seconds) * SECOND_NS + random.below(1_000) * 1_000_000 + random.below(1_000_000);
  return Array.from({ length: count }, draw).sort((one, other) => one - other);
}
