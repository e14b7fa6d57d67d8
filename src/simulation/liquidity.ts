import type { AuctionTrigger } from '../domain/enumerations.ts';
import { openAccount, transfer, transferUpTo } from './accounts.ts';
import { generalAccount, generalBalance } from './parties.ts';
import { openInterest } from './positions.ts';
import { accountsOf, type Market, type Provider, worth } from './state/markets.ts';
import type { Network, SimulatedBlock } from './state/network.ts';
import type { Account } from './state/parties.ts';

/** The foundation and up to two others who can afford it put up the market's stake, as much as each other. */
export function commitLiquidity(
  network: Network,
  block: SimulatedBlock,
  market: Market,
): readonly Provider[] {
  const { random, parties } = network;
  const stake = initialStake(market);
  const candidates = [parties[0], random.pick(parties), random.pick(parties)];
  const affording = candidates.filter((party) => party && generalBalance(party, market.asset) >= stake);
  return [...new Set(affording)]
    .filter((party) => party !== undefined)
    .map((party) => {
      const bond = openAccount(block, 'ACCOUNT_TYPE_BOND', market.asset.row.id, party.id, market.id);
      transfer(block, generalAccount(block, party, market.asset), bond, stake);
      return { party, bond };
    });
}

/** The sum of the bonds. */
export function suppliedStake(market: Market): bigint {
  return market.providers.reduce((sum, { bond }) => sum + bond.balance, 0n);
}

/** A tenth of what the open positions are worth, and never nothing. */
export function targetStake(market: Market): bigint {
  return worth(market, openInterest(market), market.price) / 10n + 1n;
}

/** The fees collected since the last time go to the providers by their bonds; what does not divide waits. */
export function shareLiquidityFees(block: SimulatedBlock, market: Market): void {
  const { liquidityFees } = accountsOf(market);
  const fees = liquidityFees.balance;
  const stake = suppliedStake(market);
  if (fees === 0n || stake === 0n) return;
  for (const { party, bond } of market.providers) {
    transfer(block, liquidityFees, generalAccount(block, party, market.asset), (fees * bond.balance) / stake);
  }
}

/**
 * Now and then a provider fails: it takes back so much of its bond that the target is missed, or it cannot place
 * its orders and is fined. Returns what an auction must be held for, if anything.
 */
export function findLiquidityShortage(
  network: Network,
  block: SimulatedBlock,
  market: Market,
): AuctionTrigger | null {
  const { random } = network;
  const last = market.providers.at(-1);
  if (last && random.oneIn(200)) {
    transfer(block, last.bond, finesOf(market), last.bond.balance / 50n);
    return 'AUCTION_TRIGGER_UNABLE_TO_DEPLOY_LP_ORDERS';
  }
  const spare = suppliedStake(market) - targetStake(market);
  if (last && spare > 0n && random.oneIn(120)) {
    transferUpTo(block, last.bond, generalAccount(block, last.party, market.asset), spare + 1n);
  }
  return suppliedStake(market) < targetStake(market) ? 'AUCTION_TRIGGER_LIQUIDITY_TARGET_NOT_MET' : null;
}

/** The providers fill their bonds up as far as they can, the first of them to beyond the target. */
export function endLiquidityShortage(block: SimulatedBlock, market: Market): void {
  for (const { party, bond } of market.providers) {
    const missing = initialStake(market) - bond.balance;
    if (missing > 0n) transferUpTo(block, generalAccount(block, party, market.asset), bond, missing);
  }
  const first = market.providers[0];
  const missing = (targetStake(market) * 6n) / 5n - suppliedStake(market);
  if (!first || missing <= 0n) return;
  transferUpTo(block, generalAccount(block, first.party, market.asset), first.bond, missing);
}

/** Pays the bonds back to the providers, of whom the market then has none. */
export function returnLiquidity(block: SimulatedBlock, market: Market): void {
  for (const { party, bond } of market.providers) {
    transfer(block, bond, generalAccount(block, party, market.asset), bond.balance);
  }
  market.providers = [];
}

/** Where fines go: a spot has no insurance. */
function finesOf(market: Market): Account {
  const { settling, liquidityFees } = accountsOf(market);
  return settling?.insurance ?? market.asset.newer?.treasury ?? liquidityFees;
}

function initialStake(market: Market): bigint {
  return market.asset.wealth / 20n + 1n;
}
