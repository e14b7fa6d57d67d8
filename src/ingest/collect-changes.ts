import type { BlockChanges } from '../data/block-changes.ts';
import type {
  Account,
  Deposit,
  MarginLevel,
  Party,
  Prisma,
  Reward,
  Vote,
} from '../data/generated/prisma/client.ts';
import { positionOf } from '../domain/positions.ts';
import type { Block } from './blocks.ts';
import type { KeptEvent } from './events.ts';

/**
 * Reduces a block's events to the rows that it leaves behind: for each key the last event, created at the
 * position of its first. The network names a party wherever it acts, so every party named is a row too.
 */
export function collectChanges(block: Block): BlockChanges {
  const rows = {
    parties: new LatestRows<Party>(),
    assets: new LatestRows<BlockChanges['assets'][number]>(),
    markets: new LatestRows<BlockChanges['markets'][number]>(),
    riskFactors: new LatestRows<BlockChanges['riskFactors'][number]>(),
    marketData: new LatestRows<BlockChanges['marketData'][number]>(),
    accounts: new LatestRows<Account>(),
    deposits: new LatestRows<Deposit>(),
    rewards: [] as Reward[],
    proposals: new LatestRows<BlockChanges['proposals'][number]>(),
    votes: new LatestRows<Vote>(),
    marginLevels: new LatestRows<MarginLevel>(),
  };

  for (const { index, event } of block.events) {
    const position = BigInt(positionOf(block.height, index));
    const written = { createdPosition: position, updatedPosition: position };
    const party = partyOf(event);
    if (party !== null) rows.parties.put(party, { id: party, createdPosition: position });
    switch (event.type) {
      case 'party':
        break;
      case 'asset': {
        const { type: _, ...asset } = event;
        rows.assets.put(asset.id, { ...asset, ...written });
        break;
      }
      case 'market': {
        const { type: _, ...market } = event;
        rows.markets.put(market.id, { ...market, tags: [...market.tags], ...written });
        break;
      }
      case 'riskFactor': {
        const { type: _, ...factor } = event;
        rows.riskFactors.put(factor.marketId, { ...factor, updatedPosition: position });
        break;
      }
      case 'marketData': {
        const { type: _, priceMonitoringBounds, liquidityProviderFeeShare, ...data } = event;
        rows.marketData.put(data.marketId, {
          ...data,
          // Prisma's JSON type knows no readonly arrays.
          priceMonitoringBounds: priceMonitoringBounds as unknown as Prisma.JsonArray,
          liquidityProviderFeeShare: liquidityProviderFeeShare as unknown as Prisma.JsonArray,
          ...written,
        });
        break;
      }
      case 'account': {
        const { owner, assetId, marketId, accountType: type, balance } = event;
        const key = keyOf(owner, assetId, marketId, type);
        rows.accounts.put(key, { owner, assetId, marketId, type, balance, ...written });
        break;
      }
      case 'deposit': {
        const { type: _, ...deposit } = event;
        rows.deposits.put(deposit.id, { ...deposit, updatedTimestamp: block.timestamp, ...written });
        break;
      }
      case 'reward': {
        const { type: _, ...reward } = event;
        rows.rewards.push({ ...reward, createdPosition: position });
        break;
      }
      case 'proposal': {
        const { type: _, ...proposal } = event;
        rows.proposals.put(proposal.id, { ...proposal, ...written });
        break;
      }
      case 'vote': {
        const { type: _, ...vote } = event;
        rows.votes.put(keyOf(vote.proposalId, vote.partyId), { ...vote, ...written });
        break;
      }
      case 'marginLevels': {
        const { type: _, ...levels } = event;
        const key = keyOf(levels.partyId, levels.marketId, levels.assetId);
        rows.marginLevels.put(key, { ...levels, ...written });
        break;
      }
    }
  }

  return {
    parties: rows.parties.list(),
    assets: rows.assets.list(),
    markets: rows.markets.list(),
    riskFactors: rows.riskFactors.list(),
    marketData: rows.marketData.list(),
    accounts: rows.accounts.list(),
    deposits: rows.deposits.list(),
    rewards: rows.rewards,
    proposals: rows.proposals.list(),
    votes: rows.votes.list(),
    marginLevels: rows.marginLevels.list(),
  };
}

/** The last row of each key, in the order of the keys' first mention. */
class LatestRows<Row> {
  readonly #rows = new Map<string, Row>();

  /** A row that comes later keeps the position that the first was created at. */
  put(key: string, row: Row): void {
    const first = this.#rows.get(key);
    const kept =
      isCreated(first) && isCreated(row) ? { ...row, createdPosition: first.createdPosition } : row;
    this.#rows.set(key, kept);
  }

  list(): readonly Row[] {
    return [...this.#rows.values()];
  }
}

function isCreated(row: unknown): row is { readonly createdPosition: bigint } {
  return typeof row === 'object' && row !== null && 'createdPosition' in row;
}

/** Ids hold any character but U+0000. */
function keyOf(...ids: readonly string[]): string {
  return ids.join('\0');
}

function partyOf(event: KeptEvent): string | null {
  if (event.type === 'party') return event.id;
  if (event.type === 'account') return event.owner;
  return 'partyId' in event ? event.partyId : null;
}
