import { assetStatuses } from '../domain/enumerations.ts';
import type { EventRow } from '../ingest/events.ts';
import { openAccount } from './accounts.ts';
import type { AssetName } from './names.ts';
import { createRandom } from './random.ts';
import { isNewer, type SimulatedBlock } from './state/network.ts';
import type { Asset } from './state/parties.ts';

/** The asset that votes are weighed in; it settles no market. */
export const GOVERNANCE_ASSET = 0;

/** Five assets, from no decimals to eighteen, the last with so much of it that balances pass 10^30. */
const GENESIS = [
  { name: 'Governance Token', symbol: 'GOV', decimals: 18, wealth: 20_000n, bridged: true },
  { name: 'US Dollar (test)', symbol: 'tUSD', decimals: 6, wealth: 50_000n, bridged: false },
  { name: 'Dai (test)', symbol: 'tDAI', decimals: 18, wealth: 40_000n, bridged: true },
  { name: 'Japanese Yen (test)', symbol: 'tJPY', decimals: 0, wealth: 5_000_000n, bridged: false },
  { name: 'Inu (test)', symbol: 'tINU', decimals: 18, wealth: 20_000_000_000_000n, bridged: true },
] as const;

/** Every market settles in one of the assets that are not for voting. */
export const SETTLEMENT_ASSETS = GENESIS.length - 1;

/** Of the contracts of bridged assets. */
const CHAIN_ID = '1';

/** Announces the assets that the network begins with, and opens their accounts. */
export function announceAssets(block: SimulatedBlock, seed: string): readonly Asset[] {
  const random = createRandom(`${seed} assets`);
  return GENESIS.map(({ name, symbol, decimals, wealth, bridged }, index) => {
    const unit = 10n ** BigInt(decimals);
    const id = random.id();
    const row: EventRow<'asset'> = {
      id,
      name,
      symbol,
      decimals,
      quantum: unit.toString(),
      status: assetStatuses.numbers.STATUS_ENABLED,
      maxFaucetAmount: bridged ? null : (unit * wealth).toString(),
      contractAddress: bridged ? contractAddress(random.id()) : null,
      lifetimeLimit: bridged ? (unit * wealth * 1_000_000n).toString() : null,
      withdrawThreshold: bridged ? '1' : null,
      chainId: bridged && isNewer(block) ? CHAIN_ID : null,
    };
    block.events.push({ type: 'asset', row });
    return {
      index,
      row,
      wealth: unit * wealth,
      external: openAccount(block, 'ACCOUNT_TYPE_EXTERNAL', id),
      globalInsurance: openAccount(block, 'ACCOUNT_TYPE_GLOBAL_INSURANCE', id),
      globalReward: openAccount(block, 'ACCOUNT_TYPE_GLOBAL_REWARD', id),
      infrastructureFees: openAccount(block, 'ACCOUNT_TYPE_FEES_INFRASTRUCTURE', id),
      pendingTransfers: openAccount(block, 'ACCOUNT_TYPE_PENDING_TRANSFERS', id),
      newer: isNewer(block)
        ? {
            treasury: openAccount(block, 'ACCOUNT_TYPE_NETWORK_TREASURY', id),
            buyBackFees: openAccount(block, 'ACCOUNT_TYPE_BUY_BACK_FEES', id),
          }
        : null,
    };
  });
}

/** An asset that a proposal brings: announced once for each state it goes through, and used by nobody. */
export function proposedAsset(
  block: SimulatedBlock,
  id: string,
  { name, symbol }: AssetName,
  status: EventRow<'asset'>['status'],
): EventRow<'asset'> {
  return {
    id,
    name,
    symbol,
    decimals: Number.parseInt(id.slice(0, 1), 16),
    quantum: '1',
    status,
    maxFaucetAmount: null,
    contractAddress: contractAddress(id),
    lifetimeLimit: '1000000000000000000000000',
    withdrawThreshold: '1',
    chainId: isNewer(block) ? CHAIN_ID : null,
  };
}

function contractAddress(id: string): string {
  return `0x${id.slice(0, 40)}`;
}
