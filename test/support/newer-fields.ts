import { withClient } from './state.ts';

/** A game and a batch that some rows are of. */
const GAME = 'e611e1ed5eb228a73139816ada49c99423b556482932063ff093f301d2b6aaaa';
const BATCH = 'b4c38655ef49ba197dd8210442293d3dc197ceaf63a36b8e900a2f898a0068c5';

/** A number that no enumeration has. */
const UNKNOWN = 4242;

const SOURCES = { priceSources: [{ priceSource: 'price<From>Trades', price: '40', lastUpdated: '-5' }] };

const PERPETUAL = {
  fundingPayment: '-22000000000000',
  fundingRate: '-0.0022517911975435',
  internalTwap: '9792000000000000',
  externalTwap: '9770000000000000',
  seqNum: '18446744073709551615',
  startTime: '1575072007000000000',
  internalCompositePrice: '989',
  nextInternalCompositePriceCalc: '-6795364578871345152',
  internalCompositePriceType: UNKNOWN,
  underlyingIndexPrice: '9770000000000000',
  internalCompositePriceState: { priceSources: [] },
};

/** As release 0.73 tells it. */
const OLD_PERPETUAL = {
  ...PERPETUAL,
  seqNum: null,
  startTime: null,
  internalCompositePrice: null,
  nextInternalCompositePriceCalc: null,
  internalCompositePriceType: null,
  underlyingIndexPrice: null,
  internalCompositePriceState: null,
};

const SLA = {
  party: 'lpprov',
  currentEpochFractionOfTimeOnBook: '0.1666666666666667',
  lastEpochFractionOfTimeOnBook: '1',
  lastEpochFeePenalty: '1',
  lastEpochBondPenalty: '0.5',
  hysteresisPeriodFeePenalties: ['1', '0.25'],
  requiredLiquidity: '3905000000000000',
  notionalVolumeBuys: '1952000000000',
  notionalVolumeSells: '12688000000000',
};

const MARKET_DATA = [
  {
    product_data: { perpetualData: PERPETUAL },
    liquidity_provider_sla: [SLA, { ...SLA, hysteresisPeriodFeePenalties: [] }],
    mark_price_state: SOURCES,
    active_protocol_automated_purchase: null,
    active: true,
    virtualStake: '3666666.66666666685',
  },
  {
    product_data: { perpetualData: OLD_PERPETUAL },
    liquidity_provider_sla: [],
    mark_price_state: { priceSources: [] },
    active_protocol_automated_purchase: { id: '12345', orderId: null },
    active: false,
    virtualStake: null,
  },
  {
    product_data: null,
    liquidity_provider_sla: null,
    mark_price_state: null,
    active_protocol_automated_purchase: { id: '12345', orderId: 'order,"orderId":null' },
    active: null,
    virtualStake: '0',
  },
];

/**
 * Gives some rows all that the network's newer releases tell, some a part of it, and leaves others as releases before
 * them have it.
 */
export async function writeNewerFields(url: string): Promise<void> {
  await withClient(url, async (client) => {
    for (const [index, { active, virtualStake, ...columns }] of MARKET_DATA.entries()) {
      const set = Object.keys(columns).map((column, n) => `${column} = $${n + 4}::jsonb`);
      await client.query(
        `UPDATE market_data AS t SET ${set.join(', ')}, market_growth = '-0.25', mark_price_type = 3,
           next_network_closeout = 1575072012000000000,
           price_monitoring_bounds = (SELECT coalesce(jsonb_agg(one || jsonb_build_object('active', $2::boolean)), '[]')
             FROM jsonb_array_elements(price_monitoring_bounds) AS one),
           liquidity_provider_fee_share = (SELECT coalesce(jsonb_agg(one || jsonb_build_object('virtualStake', $3::text)), '[]')
             FROM jsonb_array_elements(liquidity_provider_fee_share) AS one)
         FROM (SELECT market_id, row_number() OVER (ORDER BY created_position) AS number FROM market_data) AS numbered
         WHERE numbered.market_id = t.market_id AND number % 3 = $1`,
        [index, active, virtualStake, ...Object.values(columns).map(jsonOf)],
      );
    }
    await client.query(`
      UPDATE margin_levels SET order_margin = '600', margin_mode = 1 + created_position % 2, margin_factor = '0.5'
      WHERE created_position % 3 > 0`);
    await client.query(
      `UPDATE rewards SET locked_until_epoch = epoch + 1, quantum_amount = '571.4',
         game_id = CASE WHEN created_position % 2 = 0 THEN $1 END
       WHERE created_position % 3 > 0`,
      [GAME],
    );
    await client.query(`UPDATE votes SET els_per_market = $1::jsonb WHERE created_position % 2 = 0`, [
      jsonOf([{ marketId: 'm,"elsPerMarket":null', els: '0.5' }]),
    ]);
    await client.query(
      `UPDATE proposals SET terms = $1::jsonb, batch_id = $2 WHERE created_position % 3 = 0`,
      [jsonOf({ ...TIMES, closingTimestamp: '5', change: 101 }), BATCH],
    );
    await client.query(`UPDATE proposals SET batch_terms = $1::jsonb WHERE created_position % 3 = 1`, [
      jsonOf({
        closingTimestamp: '5',
        changes: [
          { ...TIMES, change: UNKNOWN },
          { ...TIMES, change: null },
        ],
      }),
    ]);
  });
}

const TIMES = { enactmentTimestamp: '1686153600000000000', validationTimestamp: '0' };

function jsonOf(value: unknown): string | null {
  return value === null ? null : JSON.stringify(value);
}
