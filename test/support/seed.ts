import fc from 'fast-check';
import type { Reporter } from 'vitest/node';
import { createRandom, type Random } from '../../src/simulation/random.ts';

const DEFAULT = 1;

/** What decides all that tests leave to chance: the same in every run, unless `SEED` says another. */
export const seed = readSeed(process.env['SEED']);

/** As a setup file, this gives every property its seed. */
fc.configureGlobal({ seed });

export function readSeed(text: string | undefined): number {
  if (text === undefined || text === '') return DEFAULT;
  if (/^\d{1,9}$/.test(text)) return Number(text);
  throw new RangeError(`SEED is "${text}"; it takes a whole number of 9 digits at most.`);
}

/** Chance of its own for each name. */
export function chooseRandom(name: string): Random {
  return createRandom(`${name} ${seed}`);
}

/** Says which seed a failed run had. */
export const seedReporter: Reporter = {
  onTestRunEnd(_modules, _errors, reason) {
    if (reason === 'failed') process.stderr.write(`SEED=${seed} npm test gives the same choices again.\n`);
  },
};
