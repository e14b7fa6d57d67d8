import { withClient } from '../support/state.ts';

/** Every character that JSON can escape, and some that it leaves alone. */
const ODD = `"\\/<>&' ${Array.from({ length: 31 }, (_, code) => String.fromCharCode(code + 1)).join('')}\u007f\u0080\u2028\u2029\ufeff\uffff\u{10348}é`;

const UPDATES = [
  'UPDATE deposits SET tx_hash = $1 || tx_hash WHERE created_position % 3 = 0',
  'UPDATE deposits SET id = $1 || id WHERE created_position % 5 = 0',
  'UPDATE assets SET name = $1, symbol = $1',
  "UPDATE markets SET tags = ARRAY[$1, '', 'a b', 'NULL', '{}'], instrument_name = $1",
  'UPDATE proposals SET reference = $1, error_details = $1 WHERE created_position % 2 = 0',
  "UPDATE trades SET buy_order = $1 || buy_order, seller_fee = ',,5' WHERE created_position % 2 = 0",
  'UPDATE rewards SET reward_type = $1 WHERE created_position % 2 = 0',
  `UPDATE market_data SET liquidity_provider_fee_share =
    jsonb_build_array(jsonb_build_object('party', $1::text, 'equityLikeShare', '1', 'averageEntryValuation', '2', 'averageScore', '3'))`,
];

/** Puts texts that are trouble elsewhere wherever the network can put any. */
export async function writeOddTexts(url: string): Promise<void> {
  await withClient(url, async (client) => {
    for (const update of UPDATES) await client.query(update, [ODD]);
  });
}
