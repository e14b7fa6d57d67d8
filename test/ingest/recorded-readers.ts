import type { Walked } from './wire-walker.ts';

export type Row = Record<string, unknown>;

export interface Reader {
  readonly table: string;
  /** The number of the event in the envelope. */
  readonly field: number;
  /** The columns that tell rows apart; none where each event is a row of its own. */
  readonly key: readonly string[];
  read(message: Walked, blockTime: string): Row;
}

const party = (text: string) => (text === '*' ? 'network' : text.toLowerCase());
const market = (text: string) => (text === '!' ? '' : text.toLowerCase());
const HEX = /^[0-9a-f]{64}$/i;
const id = (text: string) => (HEX.test(text) ? text.toLowerCase() : text);

/** The recording's numbers are plain decimals: only zeros at the end, and no number at all, are told otherwise. */
function number(text: string): string {
  if (text === '') return '0';
  if (!/^-?\d+(\.\d+)?$/.test(text)) throw new Error(`${text} is no plain decimal`);
  return text.includes('.') ? text.replace(/\.?0+$/, '') : text;
}

/** To 16 decimals, half away from zero; the recording has no negative factors. */
function factor(text: string): string {
  const [whole = '', fraction = ''] = number(text).split('.');
  const scaled = BigInt(`${whole}${fraction.padEnd(17, '0').slice(0, 17)}`);
  const digits = String((scaled + 5n) / 10n).padStart(17, '0');
  return number(`${digits.slice(0, -16)}.${digits.slice(-16)}`);
}

const DEPOSIT_STATUSES = ['UNSPECIFIED', 'OPEN', 'CANCELLED', 'FINALIZED'];
const TRADE_TYPES = ['UNSPECIFIED', 'DEFAULT', 'NETWORK_CLOSE_OUT_GOOD', 'NETWORK_CLOSE_OUT_BAD'];
const ASSET_STATUSES = ['UNSPECIFIED', 'PROPOSED', 'REJECTED', 'PENDING_LISTING', 'ENABLED'];
const VOTE_VALUES = ['UNSPECIFIED', 'NO', 'YES'];
const TRADING_MODES = [
  ...['UNSPECIFIED', 'CONTINUOUS', 'BATCH_AUCTION', 'OPENING_AUCTION', 'MONITORING_AUCTION', 'NO_TRADING'],
];
const MARKET_STATES = [
  ...['UNSPECIFIED', 'PROPOSED', 'REJECTED', 'PENDING', 'CANCELLED', 'ACTIVE', 'SUSPENDED', 'CLOSED'],
  ...['TRADING_TERMINATED', 'SETTLED'],
];
const PROPOSAL_STATES = [
  ...['UNSPECIFIED', 'FAILED', 'OPEN', 'PASSED', 'REJECTED', 'DECLINED', 'ENACTED', 'WAITING_FOR_NODE_VOTE'],
];
const TRIGGERS = [
  ...['UNSPECIFIED', 'BATCH', 'OPENING', 'PRICE', 'LIQUIDITY', 'LIQUIDITY_TARGET_NOT_MET'],
  'UNABLE_TO_DEPLOY_LP_ORDERS',
];
const ACCOUNT_TYPES = [
  ...['UNSPECIFIED', 'INSURANCE', 'SETTLEMENT', 'MARGIN', 'GENERAL', 'FEES_INFRASTRUCTURE', 'FEES_LIQUIDITY'],
  ...['FEES_MAKER', '', 'BOND', 'EXTERNAL', 'GLOBAL_INSURANCE', 'GLOBAL_REWARD', 'PENDING_TRANSFERS'],
  ...['REWARD_MAKER_PAID_FEES', 'REWARD_MAKER_RECEIVED_FEES', 'REWARD_LP_RECEIVED_FEES'],
  'REWARD_MARKET_PROPOSERS',
];

function name(prefix: string, names: readonly string[], value: bigint): string {
  const found = names[Number(value)];
  if (!found) throw new Error(`${prefix} has no number ${value}`);
  return `${prefix}_${found}`;
}

/** How each kind of event that is kept becomes a row, by the field numbers of the network's protocol. */
export const READERS: readonly Reader[] = [
  { table: 'parties', field: 106, key: ['id'], read: (m) => ({ id: party(m.text(1)) }) },
  {
    table: 'accounts',
    field: 105,
    key: ['owner', 'asset_id', 'market_id', 'type'],
    read: (m) => ({
      owner: party(m.text(2)),
      balance: number(m.text(3)),
      asset_id: id(m.text(4)),
      market_id: market(m.text(5)),
      type: name('ACCOUNT_TYPE', ACCOUNT_TYPES, m.unsigned(6)),
    }),
  },
  {
    table: 'margin_levels',
    field: 108,
    key: ['party_id', 'market_id', 'asset_id'],
    read: (m) => ({
      maintenance_margin: number(m.text(1)),
      search_level: number(m.text(2)),
      initial_margin: number(m.text(3)),
      collateral_release_level: number(m.text(4)),
      party_id: party(m.text(5)),
      market_id: id(m.text(6)),
      asset_id: id(m.text(7)),
      timestamp: String(m.signed(8)),
    }),
  },
  {
    table: 'proposals',
    field: 109,
    key: ['id'],
    read: (m) => ({
      id: id(m.text(1)),
      reference: m.text(2),
      party_id: party(m.text(3)),
      state: name('STATE', PROPOSAL_STATES, m.unsigned(4)),
      timestamp: String(m.signed(5)),
      reason: m.has(7) ? reason(m.unsigned(7)) : null,
      error_details: m.has(8) ? m.text(8) : null,
      required_participation: number(m.text(10)),
      required_majority: number(m.text(11)),
      required_liquidity_provider_participation: m.has(12) ? number(m.text(12)) : null,
      required_liquidity_provider_majority: m.has(13) ? number(m.text(13)) : null,
    }),
  },
  {
    table: 'votes',
    field: 110,
    key: ['proposal_id', 'party_id'],
    read: (m) => ({
      party_id: party(m.text(1)),
      value: name('VALUE', VOTE_VALUES, m.unsigned(2)),
      proposal_id: id(m.text(3)),
      timestamp: String(m.signed(4)),
      total_governance_token_balance: number(m.text(5)),
      total_governance_token_weight: number(m.text(6)),
      total_equity_like_share_weight: number(m.text(7)),
    }),
  },
  {
    table: 'market_data',
    field: 111,
    key: ['market_id'],
    read: (m) => ({
      mark_price: number(m.text(1)),
      best_bid_price: number(m.text(2)),
      best_bid_volume: String(m.unsigned(3)),
      best_offer_price: number(m.text(4)),
      best_offer_volume: String(m.unsigned(5)),
      best_static_bid_price: number(m.text(6)),
      best_static_bid_volume: String(m.unsigned(7)),
      best_static_offer_price: number(m.text(8)),
      best_static_offer_volume: String(m.unsigned(9)),
      mid_price: number(m.text(10)),
      static_mid_price: number(m.text(11)),
      market_id: id(m.text(12)),
      timestamp: String(m.signed(13)),
      open_interest: String(m.unsigned(14)),
      auction_end: String(m.signed(15)),
      auction_start: String(m.signed(16)),
      indicative_price: number(m.text(17)),
      indicative_volume: String(m.unsigned(18)),
      market_trading_mode: name('TRADING_MODE', TRADING_MODES, m.unsigned(19)),
      trigger: name('AUCTION_TRIGGER', TRIGGERS, m.unsigned(20)),
      extension_trigger: name('AUCTION_TRIGGER', TRIGGERS, m.unsigned(21)),
      target_stake: number(m.text(22)),
      supplied_stake: number(m.text(23)),
      price_monitoring_bounds: m.messages(24).map((bounds) => ({
        minValidPrice: number(bounds.text(1)),
        maxValidPrice: number(bounds.text(2)),
        trigger: bounds.has(3)
          ? {
              horizon: String(bounds.message(3).signed(1)),
              probability: number(bounds.message(3).text(2)),
              auctionExtension: String(bounds.message(3).signed(3)),
            }
          : null,
        referencePrice: number(bounds.text(4)),
      })),
      market_value_proxy: number(m.text(25)),
      liquidity_provider_fee_share: m.messages(26).map((share) => ({
        party: party(share.text(1)),
        equityLikeShare: number(share.text(2)),
        averageEntryValuation: number(share.text(3)),
        averageScore: number(share.text(4)),
      })),
      market_state: name('STATE', MARKET_STATES, m.unsigned(27)),
      next_mark_to_market: String(m.signed(28)),
      last_traded_price: number(m.text(29)),
    }),
  },
  ...[116, 125].map((field) => ({ table: 'markets', field, key: ['id'], read: readMarket })),
  {
    table: 'assets',
    field: 117,
    key: ['id'],
    read: (m) => {
      const details = m.message(2);
      const token = details.has(102) ? details.message(102) : null;
      return {
        id: id(m.text(1)),
        name: details.text(1),
        symbol: details.text(2),
        decimals: Number(details.unsigned(4)),
        quantum: number(details.text(5)),
        status: name('STATUS', ASSET_STATUSES, m.unsigned(3)),
        max_faucet_amount: details.has(101) ? number(details.message(101).text(1)) : null,
        contract_address: token?.text(1) ?? null,
        lifetime_limit: token && number(token.text(2)),
        withdraw_threshold: token && number(token.text(3)),
      };
    },
  },
  {
    table: 'deposits',
    field: 120,
    key: ['id'],
    read: (m, blockTime) => ({
      id: id(m.text(1)),
      status: name('STATUS', DEPOSIT_STATUSES, m.unsigned(2)),
      party_id: party(m.text(3)),
      asset_id: id(m.text(4)),
      amount: number(m.text(5)),
      tx_hash: m.text(6),
      credited_timestamp: String(m.signed(7)),
      created_timestamp: String(m.signed(8)),
      updated_timestamp: blockTime,
    }),
  },
  {
    table: 'risk_factors',
    field: 122,
    key: ['market_id'],
    read: (m) => ({ market_id: id(m.text(1)), short: factor(m.text(2)), long: factor(m.text(3)) }),
  },
  {
    table: 'trades',
    field: 107,
    key: [],
    read: (m, blockTime) => ({
      id: id(m.text(1)),
      market_id: id(m.text(2)),
      price: number(m.text(3)),
      size: String(m.unsigned(4)),
      buyer: party(m.text(5)),
      seller: party(m.text(6)),
      aggressor: name('SIDE', ['UNSPECIFIED', 'BUY', 'SELL'], m.unsigned(7)),
      buy_order: id(m.text(8)),
      sell_order: id(m.text(9)),
      updated_timestamp: blockTime,
      type: name('TYPE', TRADE_TYPES, m.unsigned(11)),
      buyer_fee: feeOf(m, 12),
      seller_fee: feeOf(m, 13),
    }),
  },
  {
    table: 'rewards',
    field: 134,
    key: [],
    read: (m) => ({
      party_id: party(m.text(1)),
      epoch: m.text(2),
      asset_id: id(m.text(3)),
      amount: number(m.text(4)),
      percentage_of_total: number(m.text(5)),
      received_at: String(m.signed(6)),
      reward_type: m.text(7),
      market_id: market(m.text(8)),
    }),
  },
];

/** Its parts in their order, those that are none left out; the recording's release has three. */
export function feeOf(trade: Walked, field: number, parts = 3): string {
  if (!trade.has(field)) return '';
  const amounts = Array.from({ length: parts }, (_, part) => number(trade.message(field).text(part + 1)));
  return amounts
    .map((amount) => (amount === '0' ? '' : amount))
    .join(',')
    .replace(/,*$/, '');
}

/** The one reason for refusing that the recording has. */
function reason(value: bigint): string {
  if (value !== 5n) throw new Error(`there is no reason ${value} in the recording`);
  return 'PROPOSAL_ERROR_INSUFFICIENT_TOKENS';
}

function readMarket(m: Walked): Row {
  const instrument = m.message(2).message(1);
  const future = instrument.message(100);
  const scaling = m.message(2).message(2).message(1);
  const fees = m.message(4).message(1);
  const times = m.message(10);
  return {
    id: id(m.text(1)),
    instrument_id: id(instrument.text(1)),
    instrument_code: instrument.text(2),
    instrument_name: instrument.text(3),
    tags: instrument.message(4).texts(1),
    settlement_asset_id: id(future.text(1)),
    quote_name: future.text(2),
    decimal_places: Number(m.unsigned(3)),
    position_decimal_places: Number(m.signed(11)),
    maker_fee: number(fees.text(1)),
    infrastructure_fee: number(fees.text(2)),
    liquidity_fee: number(fees.text(3)),
    search_level: String(scaling.double(1)),
    initial_margin: String(scaling.double(2)),
    collateral_release: String(scaling.double(3)),
    lp_price_range: number(m.text(12)),
    ...readMonitoring(m),
    ...readRiskModel(m.message(2)),
    linear_slippage_factor: m.text(13) === '' ? null : number(m.text(13)),
    quadratic_slippage_factor: m.text(14) === '' ? null : number(m.text(14)),
    trading_mode: name('TRADING_MODE', TRADING_MODES, m.unsigned(8)),
    state: name('STATE', MARKET_STATES, m.unsigned(9)),
    proposed_timestamp: String(times.signed(1)),
    pending_timestamp: String(times.signed(2)),
    open_timestamp: String(times.signed(3)),
    close_timestamp: String(times.signed(4)),
  };
}

function readMonitoring(m: Walked): Row {
  const auction = m.message(5);
  const liquidity = m.message(7);
  const stake = liquidity.message(1);
  return {
    opening_auction: { duration: String(auction.signed(1)), volume: String(auction.unsigned(2)) },
    price_monitoring_triggers: m
      .message(6)
      .message(1)
      .messages(1)
      .map((trigger) => ({
        horizon: String(trigger.signed(1)),
        probability: number(trigger.text(2)),
        auctionExtension: String(trigger.signed(3)),
      })),
    liquidity_monitoring: {
      targetStakeParameters: {
        timeWindow: String(stake.signed(1)),
        scalingFactor: double(stake, 2),
      },
      triggeringRatio: liquidity.text(2) === '' ? null : number(liquidity.text(2)),
      auctionExtension: String(liquidity.signed(3)),
    },
  };
}

function readRiskModel(instrument: Walked): Row {
  const [logNormal, simple] = [instrument.message(100), instrument.message(101)];
  const [params, given] = [logNormal.message(3), simple.message(1)];
  return {
    log_normal_risk_model: instrument.has(100)
      ? {
          riskAversionParameter: double(logNormal, 1),
          tau: double(logNormal, 2),
          mu: double(params, 1),
          r: double(params, 2),
          sigma: double(params, 3),
        }
      : null,
    simple_risk_model: instrument.has(101)
      ? {
          factorLong: double(given, 1),
          factorShort: double(given, 2),
          maxMoveUp: double(given, 3),
          minMoveDown: double(given, 4),
          probabilityOfTrading: double(given, 5),
        }
      : null,
  };
}

/** The recording's doubles are none that are written with an exponent. */
function double(m: Walked, field: number): string {
  return number(String(m.double(field)));
}
