import { archivedRows } from '../history/archives.ts';

/** A value of the data of a market whose course is asked for. Their order is that of the arrays of `rollups`: it never changes. */
export const MARKET_VALUES = [
  { name: 'MARK_PRICE', path: ['mark_price'] },
  { name: 'MID_PRICE', path: ['mid_price'] },
  { name: 'LAST_TRADED_PRICE', path: ['last_traded_price'] },
  { name: 'BEST_BID_PRICE', path: ['best_bid_price'] },
  { name: 'BEST_OFFER_PRICE', path: ['best_offer_price'] },
  { name: 'INDICATIVE_PRICE', path: ['indicative_price'] },
  { name: 'OPEN_INTEREST', path: ['open_interest'] },
  { name: 'FUNDING_RATE', path: ['product_data', 'perpetualData', 'fundingRate'] },
  { name: 'FUNDING_PAYMENT', path: ['product_data', 'perpetualData', 'fundingPayment'] },
] as const satisfies readonly MarketValue[];

const ARCHIVED = archivedRows('market_data');

interface MarketValue {
  readonly name: string;
  /** The column, and where in it the value is. */
  readonly path: readonly [column: string, ...within: string[]];
}

export type MarketValueName = (typeof MARKET_VALUES)[number]['name'];

/** How a value is read from what `changes` and the archive hold. */
interface Reading {
  /** Of the columns of a whole row, called `held`. */
  readonly whole: string;
  /** What its column held in each version of a row of the archive, called `packed`: none where it held the same in all. */
  readonly column: string;
  /** Of that, called `held`, or else of what is the same in all. */
  readonly held: string;
}

const readings = MARKET_VALUES.map(({ path: [column, ...within] }): Reading => {
  const path = `'{${within.join()}}'`;
  return {
    whole: `(held.${column} #>> ${path})::numeric`,
    column: `jsonb_array_elements(packed.columns -> '${column}')`,
    held: `(coalesce(HELD, packed.row -> '${column}') #>> ${path})::numeric`,
  };
});

/** The place of each value in the list of all. */
export function placeOfValue(name: MarketValueName): number {
  return MARKET_VALUES.findIndex((one) => one.name === name);
}

/**
 * The versions of rows of market data after one position and up to another, as SQL: `key`, `position`, and an array of the
 * values at some places. `keys` is a row source with the rows' positions as its column `key`. What is in the archive is read
 * there, since it may be nowhere else.
 */
export function versionsOf(keys: string, places: readonly number[], after: string, upTo: string): string {
  const archived = '(SELECT archived_to FROM networks)';
  return `
    SELECT keys.key, version.position, version.values FROM ${keys} AS keys (key) CROSS JOIN LATERAL (
      SELECT position, ARRAY[${wholeValues(places)}] AS values FROM changes CROSS JOIN LATERAL ${heldIn(places)}
      WHERE noun = 'market_data' AND row_position = keys.key
        AND position > greatest(${after}, ${archived}) AND position <= ${upTo}
      UNION ALL
      SELECT each.position, ARRAY[${heldValues(places)}] FROM ${ARCHIVED} AS packed
      CROSS JOIN LATERAL ${unpacked(places)}
      WHERE packed.row_position = keys.key AND packed.position <= least(${upTo}, ${archived})
        AND packed.position >= coalesce((
          SELECT max(first.position) FROM ${ARCHIVED} AS first
          WHERE first.row_position = keys.key AND first.position <= ${after}), 0)
        AND each.position > ${after} AND each.position <= ${upTo}
    ) AS version`;
}

/** What rows were at a position: their newest versions up to it, and maybe some before these. */
export function carriedOf(keys: string, places: readonly number[], at: string): string {
  return `
    SELECT keys.key, version.position, version.values FROM ${keys} AS keys (key) CROSS JOIN LATERAL (
      (SELECT position, ARRAY[${wholeValues(places)}] AS values FROM changes CROSS JOIN LATERAL ${heldIn(places)}
      WHERE noun = 'market_data' AND row_position = keys.key AND position <= ${at} ORDER BY position DESC LIMIT 1)
      UNION ALL
      SELECT ${sincePosition}, ARRAY[${heldValues(places)}] FROM (
        SELECT * FROM ${ARCHIVED} AS packed WHERE packed.row_position = keys.key AND packed.position <= ${at}
        ORDER BY packed.position DESC LIMIT 1
      ) AS packed CROSS JOIN LATERAL ${unpacked(places)} WHERE each.position <= ${at}
    ) AS version`;
}

/** The position of a change: what is carried into a partition stands where that begins, and says itself since when it is so. */
const sincePosition = `CASE WHEN packed.positions IS NULL
  THEN coalesce((packed.row ->> 'updated_position')::bigint, each.position) ELSE each.position END`;

function wholeValues(places: readonly number[]): string {
  return places.map((place) => readings[place]?.whole).join(', ');
}

function heldValues(places: readonly number[]): string {
  return places.map((place) => readings[place]?.held.replace('HELD', `each.held_${place}`)).join(', ');
}

/** The columns of a whole row that values are in: the row is unpacked once, whatever their number. */
function heldIn(places: readonly number[]): string {
  const columns = new Set(places.map((place) => MARKET_VALUES[place]?.path[0]));
  return `jsonb_to_record(row) AS held (${[...columns].map((column) => `${column} jsonb`).join(', ')})`;
}

/** The versions of a row of the archive: each place of its lists is looked up once. */
function unpacked(places: readonly number[]): string {
  const lists = places.map((place) => readings[place]?.column);
  const names = places.map((place) => `held_${place}`);
  return `ROWS FROM (unnest(coalesce(packed.positions, ARRAY[packed.position])), ${lists.join(', ')})
    AS each (position, ${names.join(', ')})`;
}
