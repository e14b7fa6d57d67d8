import { feeOf, type Row } from './recorded-readers.ts';
import type { Walked } from './wire-walker.ts';

/** What releases after 0.71 tell in market data, margin levels, trades and rewards, by the field numbers of their protocol alone. */
export const NEWER_READERS: readonly {
  readonly table: string;
  readonly field: number;
  readonly keyOf: (message: Walked) => string;
  readonly read: (message: Walked) => Row;
}[] = [
  {
    table: 'market_data',
    field: 111,
    keyOf: (m) => m.text(12),
    read: (m) => ({
      market_id: m.text(12),
      market_growth: textOf(m, 30),
      product_data: m.has(31) ? { perpetualData: readPerpetual(m.message(31).message(31)) } : null,
      liquidity_provider_sla: m.has(32) ? m.messages(32).map(readSla) : null,
      // None is sent as nothing, and a spot has none.
      next_network_closeout: m.has(34) ? String(m.signed(33)) : null,
      mark_price_type: m.has(34) ? Number(m.unsigned(34)) : null,
      mark_price_state: m.has(35) ? readSources(m.message(35)) : null,
      active_protocol_automated_purchase: m.has(36)
        ? { id: m.message(36).text(1), orderId: m.message(36).has(2) ? m.message(36).text(2) : null }
        : null,
      active: m.messages(24).map((bounds) => (bounds.has(5) ? bounds.unsigned(5) === 1n : null)),
      virtual_stake: m.messages(26).map((share) => textOf(share, 5)),
    }),
  },
  {
    table: 'margin_levels',
    field: 108,
    keyOf: (m) => `${m.text(5)} ${m.text(6)} ${m.text(7)}`,
    read: (m) => ({
      party_id: m.text(5),
      market_id: m.text(6),
      asset_id: m.text(7),
      order_margin: textOf(m, 9),
      margin_mode: m.has(10) ? Number(m.unsigned(10)) : null,
      margin_factor: textOf(m, 11),
    }),
  },
  {
    table: 'trades',
    field: 107,
    keyOf: (m) => m.text(1),
    read: (m) => ({
      id: m.text(1),
      market_id: m.text(2),
      price: m.text(3),
      size: String(m.unsigned(4)),
      buyer: m.text(5),
      seller: m.text(6),
      aggressor: Number(m.unsigned(7)),
      buy_order: m.text(8),
      sell_order: m.text(9),
      updated_timestamp: String(m.signed(10)),
      type: Number(m.unsigned(11)),
      buyer_fee: feeOf(m, 12, 12),
      seller_fee: feeOf(m, 13, 12),
      buyer_auction_batch: String(m.unsigned(14)),
      seller_auction_batch: String(m.unsigned(15)),
      asset_price: m.text(16),
    }),
  },
  {
    table: 'rewards',
    field: 134,
    keyOf: (m) => [1, 2, 3, 4, 7].map((number) => m.text(number)).join(' '),
    read: (m) => ({
      party_id: m.text(1),
      epoch: m.text(2),
      amount: m.text(4),
      market_id: m.text(8),
      locked_until_epoch: textOf(m, 9),
      quantum_amount: textOf(m, 10),
      game_id: textOf(m, 11),
    }),
  },
];

function readPerpetual(m: Walked) {
  return {
    fundingPayment: number(m.text(1)),
    fundingRate: number(m.text(2)),
    internalTwap: number(m.text(3)),
    externalTwap: number(m.text(4)),
    seqNum: String(m.unsigned(5)),
    startTime: String(m.signed(6)),
    internalCompositePrice: number(m.text(7)),
    nextInternalCompositePriceCalc: String(m.signed(8)),
    internalCompositePriceType: Number(m.unsigned(9)),
    underlyingIndexPrice: number(m.text(10)),
    internalCompositePriceState: m.has(11) ? readSources(m.message(11)) : null,
  };
}

function readSources(m: Walked) {
  return {
    priceSources: m.messages(1).map((source) => ({
      priceSource: source.text(1),
      price: number(source.text(2)),
      lastUpdated: String(source.signed(3)),
    })),
  };
}

function readSla(m: Walked) {
  return {
    party: m.text(1),
    currentEpochFractionOfTimeOnBook: number(m.text(2)),
    lastEpochFractionOfTimeOnBook: number(m.text(3)),
    lastEpochFeePenalty: number(m.text(4)),
    lastEpochBondPenalty: number(m.text(5)),
    hysteresisPeriodFeePenalties: m.texts(6).map(number),
    requiredLiquidity: number(m.text(7)),
    notionalVolumeBuys: number(m.text(8)),
    notionalVolumeSells: number(m.text(9)),
  };
}

function textOf(m: Walked, field: number): string | null {
  if (!m.has(field)) return null;
  const text = m.text(field);
  return /^-?\d+\.\d+$/.test(text) ? number(text) : text;
}

/** The numbers of the recordings are plain decimals: only zeros at the end, and no number at all, are told otherwise. */
function number(text: string): string {
  if (text === '') return '0';
  return text.includes('.') ? text.replace(/\.?0+$/, '') : text;
}
