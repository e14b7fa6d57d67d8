import { idOf } from '../database/rows.ts';
import type { TableSizes } from '../size.ts';
import type { Event } from './block-writer.ts';

/** New data of every market, as of a block. */
export function marketDataEvents(height: number, { markets }: TableSizes): readonly Event[] {
  return Array.from({ length: markets }, (_, market) => ({
    type: 'marketData',
    data: {
      market: idOf('market', market),
      markPrice: String(2_300_000 + ((height * 37) % 10_000)),
      bestBidPrice: '2314900',
      bestOfferPrice: '2315100',
      lastTradedPrice: String(2_300_000 + ((height * 31) % 10_000)),
    },
  }));
}

/** New deposits, spread over the parties. */
export function depositEvents(
  height: number,
  count: number,
  { parties, assets }: TableSizes,
): readonly Event[] {
  return Array.from({ length: count }, (_, index) => ({
    type: 'deposit',
    data: {
      id: `bench-${height}-${index}`,
      partyId: idOf('party', (height * count + index) % parties),
      asset: idOf('asset', index % assets),
      amount: '1000',
      status: 'STATUS_FINALIZED',
    },
  }));
}

/** New balances of a party's general accounts in some assets. */
export function balanceEvents(height: number, party: number, assets: readonly number[]): readonly Event[] {
  return assets.map((asset) => ({
    type: 'account',
    data: {
      owner: idOf('party', party),
      asset: idOf('asset', asset),
      balance: String(1_000_000_000 + height),
      type: 'ACCOUNT_TYPE_GENERAL',
    },
  }));
}
