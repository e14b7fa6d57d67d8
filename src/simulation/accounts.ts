import { type AccountType, accountTypes } from '../domain/enumerations.ts';
import type { SimulatedBlock } from './state/network.ts';
import type { Account } from './state/parties.ts';

/** Owns the accounts that belong to no party. */
export const NETWORK_PARTY = 'network';

/** A new account. The network announces it empty, before anything is paid in. */
export function openAccount(
  block: SimulatedBlock,
  accountType: AccountType,
  assetId: string,
  owner: string = NETWORK_PARTY,
  marketId = '',
): Account {
  const account = { owner, assetId, marketId, accountType, balance: 0n };
  announce(block, account);
  return account;
}

/** Moves an amount; nothing happens when it is zero. Throws when the payer has less, so no balance is negative. */
export function transfer(block: SimulatedBlock, from: Account, to: Account, amount: bigint): void {
  if (amount === 0n) return;
  debit(block, from, amount);
  credit(block, to, amount);
}

/** Moves what is there, at most the amount, and returns how much it was. */
export function transferUpTo(block: SimulatedBlock, from: Account, to: Account, amount: bigint): bigint {
  const moved = from.balance < amount ? from.balance : amount;
  transfer(block, from, to, moved);
  return moved;
}

/** One side of a payment to many; whoever credits must debit as much elsewhere in the same block. */
export function credit(block: SimulatedBlock, account: Account, amount: bigint): void {
  account.balance += amount;
  announce(block, account);
}

/** The other side of `credit`. Throws when the account has less. */
export function debit(block: SimulatedBlock, account: Account, amount: bigint): void {
  if (amount < 0n || account.balance < amount) {
    throw new RangeError(`${account.accountType} of ${account.owner} cannot pay ${amount}`);
  }
  account.balance -= amount;
  announce(block, account);
}

function announce(block: SimulatedBlock, account: Account): void {
  block.events.push({
    type: 'account',
    row: {
      owner: account.owner,
      assetId: account.assetId,
      marketId: account.marketId,
      type: accountTypes.numbers[account.accountType],
      balance: account.balance.toString(),
    },
  });
}
