import { type DepositStatus, depositStatuses } from '../domain/enumerations.ts';
import { credit, transfer } from './accounts.ts';
import { FOUNDATION_WEALTH, generalAccount, generalBalance } from './parties.ts';
import type { Network, PendingDeposit, SimulatedBlock } from './state/network.ts';
import type { Asset, Party } from './state/parties.ts';

/** At most this many deposits and withdrawals begin in a block. */
const DEPOSITS_IN_A_BLOCK = 2;

/** Ends the deposits that are due, then lets some parties deposit and some withdraw. */
export function advanceDeposits(network: Network, block: SimulatedBlock): void {
  const due = network.deposits.filter(({ dueAt }) => dueAt <= block.height);
  network.deposits = network.deposits.filter(({ dueAt }) => dueAt > block.height);
  for (const deposit of due) closeDeposit(block, deposit);

  const { random } = network;
  const deposits = random.below(DEPOSITS_IN_A_BLOCK + 1) * random.below(2);
  for (let made = 0; made < deposits; made++) beginRandomDeposit(network, block);
  if (random.oneIn(5)) makeRandomWithdrawal(network, block);
}

/** Announces a deposit. One whose outcome is STATUS_OPEN is never heard of again, as happens on bridges. */
export function openDeposit(
  { deposits, random }: Network,
  block: SimulatedBlock,
  party: Party,
  asset: Asset,
  amount: bigint,
  outcome: DepositStatus,
): void {
  const deposit: PendingDeposit = {
    party,
    asset,
    amount,
    outcome,
    id: random.id(),
    txHash: asset.row.contractAddress === null ? '' : `0x${random.id()}`,
    createdTimestamp: block.timestamp,
    dueAt: block.height + random.between(1, 3),
  };
  announce(block, deposit, 'STATUS_OPEN', 0n);
  if (outcome !== 'STATUS_OPEN') deposits.push(deposit);
}

function closeDeposit(block: SimulatedBlock, deposit: PendingDeposit): void {
  const credited = deposit.outcome === 'STATUS_FINALIZED';
  if (credited) credit(block, generalAccount(block, deposit.party, deposit.asset), deposit.amount);
  announce(block, deposit, deposit.outcome, credited ? block.timestamp : 0n);
}

function beginRandomDeposit(network: Network, block: SimulatedBlock): void {
  const { random } = network;
  const asset = random.pick(network.assets);
  const outcome = random.oneIn(12)
    ? 'STATUS_OPEN'
    : random.oneIn(8)
      ? 'STATUS_CANCELLED'
      : 'STATUS_FINALIZED';
  openDeposit(network, block, random.pick(network.parties), asset, depositAmount(network, asset), outcome);
}

/** Mostly an ordinary amount; now and then a single unit, or as much as the foundation holds. */
function depositAmount({ random }: Network, asset: Asset): bigint {
  if (random.oneIn(40)) return 1n;
  if (random.oneIn(60)) return asset.wealth * FOUNDATION_WEALTH;
  return 1n + random.belowLarge(asset.wealth);
}

/** Out of the network, to the account that stands for the world outside: half of a balance, or all of it. */
function makeRandomWithdrawal({ random, parties, assets }: Network, block: SimulatedBlock): void {
  const party = random.pick(parties);
  const asset = random.pick(assets);
  const balance = generalBalance(party, asset);
  if (balance === 0n || party.index === 0) return;
  const amount = random.oneIn(6) ? balance : random.belowLarge(balance / 2n + 1n);
  transfer(block, generalAccount(block, party, asset), asset.external, amount);
}

function announce(
  block: SimulatedBlock,
  deposit: PendingDeposit,
  status: DepositStatus,
  credited: bigint,
): void {
  block.events.push({
    type: 'deposit',
    row: {
      id: deposit.id,
      partyId: deposit.party.id,
      assetId: deposit.asset.row.id,
      amount: deposit.amount.toString(),
      status: depositStatuses.numbers[status],
      txHash: deposit.txHash,
      createdTimestamp: deposit.createdTimestamp,
      creditedTimestamp: credited,
    },
  });
}
