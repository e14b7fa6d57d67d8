import type { NetworkEvent } from '../../src/ingest/events.ts';
import type { SentPayload } from '../support/events.ts';
import { encodeAt, type SentBlock } from './network-blocks.ts';

/**
 * A block of a simulated network as a core node sends it. Nouns whose messages are all but their rows are sent; the place of each
 * other event is taken by one that nobody keeps.
 */
export function encodeBlock(height: number, events: readonly NetworkEvent[], chainId: string): SentBlock {
  return {
    height,
    events: events.map((event, index) => encodeAt(payloadOf(event), height, index + 1, chainId)),
  };
}

function payloadOf(event: NetworkEvent): SentPayload | null {
  switch (event.type) {
    case 'beginBlock': {
      const { height, timestamp, hash } = event;
      return { case: 'beginBlock', value: { height: BigInt(height), timestamp, hash } };
    }
    case 'endBlock':
      return { case: 'endBlock', value: { height: BigInt(event.height) } };
    case 'party':
      return { case: 'party', value: event.row };
    case 'account': {
      const { assetId: asset, owner, marketId, ...row } = event.row;
      const names = { owner: owner === 'network' ? '*' : owner, marketId: marketId || '!' };
      return { case: 'account', value: { ...row, ...names, asset } };
    }
    case 'deposit': {
      const { assetId: asset, ...row } = event.row;
      return { case: 'deposit', value: { ...row, asset } };
    }
    case 'marginLevel': {
      const { assetId: asset, orderMargin: _, marginMode: __, marginFactor: ___, ...row } = event.row;
      return { case: 'marginLevels', value: { ...row, asset } };
    }
    case 'vote': {
      const { elsPerMarket: _, ...row } = event.row;
      return { case: 'vote', value: row };
    }
    case 'reward': {
      const { partyId, assetId, marketId, epoch, amount, percentageOfTotal, receivedAt, rewardType } =
        event.row;
      const names = { party: partyId, asset: assetId, market: marketId, epochSeq: `${epoch}` };
      const sums = { amount, percentOfTotalReward: percentageOfTotal, timestamp: receivedAt };
      return { case: 'rewardPayout', value: { ...names, ...sums, rewardType } };
    }
    case 'trade': {
      const { id, marketId, price, size, buyer, seller, aggressor, type } = event.row;
      return {
        case: 'trade',
        value: { id, marketId, price, size: BigInt(size), buyer, seller, aggressor, type },
      };
    }
    default:
      return null;
  }
}
