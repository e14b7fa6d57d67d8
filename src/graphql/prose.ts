import type { Noun } from '../data/noun.ts';

/** Several of a noun in prose: `marketData` is written `market data`. */
export function inProse({ name }: Pick<Noun, 'name'>): string {
  return name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
}
