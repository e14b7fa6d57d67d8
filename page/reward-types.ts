import { signal } from '@preact/signals';

/** What the names of types begin with: they are those of the accounts that rewards are paid from. */
export const REWARD_TYPE = /^ACCOUNT_TYPE_(REWARD_)?/;

/** The types of rewards that were seen so far, to choose from. */
export const rewardTypes = signal<readonly string[]>([]);

/** Remembers types. */
export function seeTypes(types: readonly string[]): void {
  const all = [...new Set([...rewardTypes.peek(), ...types])].sort();
  if (all.length > rewardTypes.peek().length) rewardTypes.value = all;
}
