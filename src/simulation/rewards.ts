import type { AccountType } from '../domain/enumerations.ts';
import { credit, debit, transfer, transferUpTo } from './accounts.ts';
import { percentage, scaled } from './amounts.ts';
import { GOVERNANCE_ASSET } from './assets.ts';
import { openDeposit } from './deposits.ts';
import { FOUNDATION_WEALTH, generalAccount, generalBalance } from './parties.ts';
import { accountsOf, type Market } from './state/markets.ts';
import { isNewer, type Network, type SimulatedBlock } from './state/network.ts';
import type { Account, Asset, Party } from './state/parties.ts';

const BLOCKS_PER_EPOCH = 10;
/** Where in an epoch the foundation looks after its reserves, and sends money to the reward pools. */
const REFILL_AT = 1;
const SEND_AT = 5;
const ARRIVE_AT = 6;

/** An epoch in the life of the rewards: the foundation provides, the pools fill, and at its end they are paid out. */
export function advanceRewards(network: Network, block: SimulatedBlock): void {
  const phase = block.height % BLOCKS_PER_EPOCH;
  if (phase === REFILL_AT && block.height > REFILL_AT) refillReserves(network, block);
  if (phase === SEND_AT) sendToPools(network, block);
  if (phase === ARRIVE_AT) arriveInPools(network, block);
  if (phase === 0) payRewards(network, block);
}

function refillReserves(network: Network, block: SimulatedBlock): void {
  const foundation = network.parties[0];
  if (!foundation) return;
  for (const asset of network.assets) {
    const reserve = asset.wealth * FOUNDATION_WEALTH;
    if (generalBalance(foundation, asset) * 2n >= reserve) continue;
    openDeposit(network, block, foundation, asset, reserve, 'STATUS_FINALIZED');
  }
}

function sendToPools(network: Network, block: SimulatedBlock): void {
  const { parties, assets, random } = network;
  const [foundation, governance] = [parties[0], assets[GOVERNANCE_ASSET]];
  if (!foundation || !governance) return;
  const send = (asset: Asset, pool: Account) => {
    const amount = (asset.wealth * BigInt(random.between(100, 200))) / 1000n;
    const sent = transferUpTo(
      block,
      generalAccount(block, foundation, asset),
      asset.pendingTransfers,
      amount,
    );
    network.rewards.push({ asset, pool, amount: sent });
  };
  send(governance, governance.globalReward);
  for (const market of openMarkets(network)) {
    const { rewards } = accountsOf(market);
    send(governance, rewards.makerPaid);
    send(market.asset, rewards.makerReceived);
    send(governance, rewards.liquidity);
    send(governance, rewards.proposers);
  }
}

function arriveInPools(network: Network, block: SimulatedBlock): void {
  for (const { asset, pool, amount } of network.rewards)
    transfer(block, asset.pendingTransfers, pool, amount);
  network.rewards = [];
}

/** Nearly every party is paid four rewards an epoch, so these outgrow everything else that the network makes. */
function payRewards(network: Network, block: SimulatedBlock): void {
  const { parties, assets, markets } = network;
  const governance = assets[GOVERNANCE_ASSET];
  const epoch = BigInt(block.height / BLOCKS_PER_EPOCH);
  const collected = assets[Number(epoch % BigInt(assets.length))];
  block.events.push({ type: 'other', kind: 31 });
  if (!governance || !collected) return;
  const pay = (asset: Asset, pool: Account, shares: readonly Share[], type = pool.accountType) =>
    payOut(block, { asset, pool, epoch, type }, shares);

  pay(governance, governance.globalReward, sharesByPlan(parties));
  pay(collected, collected.infrastructureFees, sharesByStake(parties));
  for (const [slot, market] of markets.entries()) {
    if (!market?.accounts) continue;
    const { makerPaid, makerReceived, liquidity, proposers } = market.accounts.rewards;
    const traders = everyNth(parties, markets.length, slot);
    pay(governance, makerPaid, sharesByStake(traders));
    pay(market.asset, makerReceived, sharesByStake(traders));
    pay(governance, liquidity, equalShares(market.providers.map(({ party }) => party)));
    pay(governance, proposers, equalShares([market.proposal.party]));
  }
}

interface Share {
  readonly party: Party;
  readonly weight: bigint;
}

interface Payment {
  readonly asset: Asset;
  readonly pool: Account;
  readonly epoch: bigint;
  readonly type: AccountType;
}

/** Empties a pool, but for what does not divide. Who would get nothing gets no reward. */
function payOut(
  block: SimulatedBlock,
  { asset, pool, epoch, type }: Payment,
  shares: readonly Share[],
): void {
  const total = shares.reduce((sum, { weight }) => sum + weight, 0n);
  let paid = 0n;
  for (const { party, weight } of shares) {
    const amount = (pool.balance * weight) / total;
    if (amount === 0n) continue;
    paid += amount;
    credit(block, generalAccount(block, party, asset), amount);
    block.events.push({
      type: 'reward',
      row: {
        partyId: party.id,
        assetId: asset.row.id,
        marketId: isNewer(block) ? '' : pool.marketId,
        epoch,
        amount: amount.toString(),
        percentageOfTotal: percentage(weight, total),
        receivedAt: block.timestamp,
        rewardType: type,
        lockedUntilEpoch: isNewer(block) ? epoch : null,
        quantumAmount: isNewer(block) ? quanta(amount, asset) : null,
        gameId: null,
      },
    });
  }
  if (paid > 0n) debit(block, pool, paid);
}

/** An amount by the quantum of its asset, cut to six places. */
function quanta(amount: bigint, { row }: Asset): string {
  return scaled((amount * 1_000_000n) / BigInt(row.quantum), 6);
}

/** The parties whose first market is in this slot. */
function everyNth(parties: readonly Party[], step: number, from: number): readonly Party[] {
  const found: Party[] = [];
  for (let index = from; index < parties.length; index += step) found.push(parties[index] as Party);
  return found;
}

function sharesByStake(parties: readonly Party[]): readonly Share[] {
  return parties.map((party) => ({ party, weight: BigInt(party.stake) }));
}

function equalShares(parties: readonly Party[]): readonly Share[] {
  return parties.map((party) => ({ party, weight: 1n }));
}

/** By stake, but the second party has one part in ten million and the foundation takes what is left. */
function sharesByPlan(parties: readonly Party[]): readonly Share[] {
  const whole = 10_000_000_000n;
  const each = whole / BigInt(parties.length * 2000);
  let left = whole;
  const shares = parties.slice(1).map((party, index) => {
    const weight = index === 0 ? whole / 10_000_000n : BigInt(party.stake) * each;
    left -= weight;
    return { party, weight };
  });
  return parties
    .slice(0, 1)
    .map((party) => ({ party, weight: left }))
    .concat(shares);
}

function openMarkets({ markets }: Network): readonly Market[] {
  return markets.filter((market) => market !== null).filter(({ accounts }) => accounts !== null);
}
