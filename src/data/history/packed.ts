/*
 * How the archive packs changes: several versions of a row are one row of it, with what they have in common once, and so that
 * the one of a position is found by the key and made without looking at the others.
 */

/** How many versions are packed together: more take less room, and longer to read one of. */
const PACKED_TOGETHER = 64;

/** What each version holds in each column: looked up once, and numbered, since numbers are sorted sooner than names. */
const EVERY_VALUE = `
  SELECT key, number, place, first, version -> key AS value
  FROM (
    SELECT key, number, rows[1] -> key AS first FROM jsonb_object_keys(rows[count]) WITH ORDINALITY AS each (key, number)
    WHERE count > 1 AND key <> 'updated_position' OFFSET 0
  ) AS keys CROSS JOIN unnest(rows) WITH ORDINALITY AS each (version, place) OFFSET 0`;

/** Packs the rows that changed after one position and up to another. */
export const PACK_ROWS = `
  INSERT INTO archived_rows (noun, row_position, position, row, positions, columns)
  SELECT noun, row_position, positions[1], rows[1] - ARRAY(SELECT jsonb_object_keys(columns)),
    CASE WHEN count > 1 THEN positions END, columns
  FROM (
    SELECT noun, row_position, count(*) AS count, array_agg(position ORDER BY position) AS positions,
      array_agg(row ORDER BY position) AS rows
    FROM (${inParts('changes', 'row_position', 'noun, row')}) AS moved GROUP BY noun, row_position, part
  ) AS packed
  CROSS JOIN LATERAL (
    SELECT jsonb_object_agg(key, held) AS columns FROM (
      SELECT min(key) AS key, jsonb_agg(value ORDER BY place) AS held FROM (${EVERY_VALUE}) AS every
      GROUP BY number HAVING bool_or(value IS DISTINCT FROM first)
    ) AS changing
  ) AS changing`;

/** Packs the balances that changed so. */
export const PACK_BALANCES = `
  INSERT INTO archived_balances (account_position, position, balance, positions, balances)
  SELECT account_position, positions[1], balances[1], CASE WHEN count > 1 THEN positions END,
    CASE WHEN count > 1 THEN balances END
  FROM (
    SELECT account_position, count(*) AS count, array_agg(position ORDER BY position) AS positions,
      array_agg(balance ORDER BY position) AS balances
    FROM (${inParts('balance_changes', 'account_position', 'balance')}) AS moved GROUP BY account_position, part
  ) AS packed`;

function inParts(table: string, key: string, values: string): string {
  return `
    SELECT ${key}, position, ${values}, (row_number() OVER (PARTITION BY ${key} ORDER BY position) - 1) / ${PACKED_TOGETHER} AS part
    FROM ${table} WHERE position > $1 AND position <= $2`;
}

/** What a row of the archive, called `packed`, holds as of a position that it reaches back to. */
export function packedRow(at: string): string {
  const place = `width_bucket(${at}, packed.positions)`;
  return `CASE WHEN packed.positions IS NULL THEN packed.row ELSE packed.row
    || coalesce((SELECT jsonb_object_agg(key, value -> (${place} - 1)) FROM jsonb_each(packed.columns)), '{}')
    || jsonb_build_object('updated_position', packed.positions[${place}]) END`;
}

/** The same of `archived_balances`: the balance, and since which position the account had it. */
export function packedBalance(at: string): { readonly balance: string; readonly since: string } {
  const place = `width_bucket(${at}, packed.positions)`;
  return {
    balance: `coalesce(packed.balances[${place}], packed.balance)`,
    since: `coalesce(packed.positions[${place}], packed.since, packed.position)`,
  };
}

/** A position behind all there are. */
const END_OF_ALL = '9223372036854775807';

/** Writes the last version of each row of a noun in a source of packed rows into the partition that begins at a position ($1). */
export function carryRows(noun: string, source: string): string {
  return `
    INSERT INTO archived_rows (noun, row_position, position, row)
    SELECT DISTINCT ON (row_position) '${noun}', row_position, $1::bigint, ${packedRow(END_OF_ALL)}
    FROM ${source} AS packed WHERE position < $1::bigint ORDER BY row_position, position DESC
    ON CONFLICT DO NOTHING`;
}

/** The same of balances. */
export function carryBalances(partition: string): string {
  const { balance, since } = packedBalance(END_OF_ALL);
  return `
    INSERT INTO archived_balances (account_position, position, since, balance)
    SELECT DISTINCT ON (account_position) account_position, $1::bigint, ${since}, ${balance}
    FROM "${partition}" AS packed ORDER BY account_position, position DESC
    ON CONFLICT DO NOTHING`;
}
