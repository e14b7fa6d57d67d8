import { ARCHIVED_ROWS, MIXED_ARCHIVE } from '../history/archives.ts';
import { packedRow } from '../history/packed.ts';
import { atOneBlock } from '../history/past-texts.ts';
import type { PartColumn } from './columns.ts';
import type { PartTable } from './tables.ts';

/** Positions: those after one, and up to another. */
export interface PositionRange {
  readonly after: bigint;
  readonly upTo: bigint;
}

/** Up to where versions are packed, and behind which position those begin that are packed with the first of a range. */
export interface Packed {
  readonly upTo: bigint;
  readonly after: bigint;
}

/** Where versions are, and from which position on all of them are kept: 0 is all there were. */
export interface Kept {
  readonly packed: Packed;
  readonly from: bigint;
}

/**
 * What came to a table within a range, in the order of positions, as COPY sends it. Where versions are forgotten, those are instead that
 * rows had at the first position that is kept, in the range that this is in. Numbers stand in it as they are: COPY takes no values.
 */
export function copyWithin(
  table: PartTable,
  columns: readonly PartColumn[],
  range: PositionRange,
  { packed, from }: Kept,
): string {
  const select = (source: string) => `SELECT ${columns.map(selectExactly).join(', ')} FROM ${source}`;
  const order = `ORDER BY t.${table.position}`;
  if (table.history === 'added' || from === 0n || from <= range.after)
    return copyOf(`${select(SOURCES[table.history](table, range, packed))} ${order}`);
  if (from > range.upTo) return copyOf(`${select(`"${table.table}" AS t`)} WHERE FALSE`);
  const names = columns.map(({ name }) => `t."${name}"`).join(', ');
  const kept = `SELECT ${names} FROM ${SOURCES[table.history](table, { ...range, after: from }, packed)}`;
  const first = atOneBlock(`SELECT ${names} FROM ${table.table} AS t`, 0, 'leaves out');
  const both = `(${first.replaceAll('$1::bigint', `${from}::bigint`)} UNION ALL ${kept}) AS t`;
  return copyOf(`${select(both)} ${order}`);
}

/** All rows of a table, in an order of their own. */
export function copyAll(table: string, columns: readonly PartColumn[]): string {
  return copyOf(
    `SELECT ${columns.map(selectExactly).join(', ')} FROM "${table}" AS t ORDER BY ${orderOf(columns)}`,
  );
}

function copyOf(select: string): string {
  return `COPY (${select}) TO STDOUT (FORMAT binary)`;
}

/** By where rows came; what has no position is small. */
function orderOf(columns: readonly PartColumn[]): string {
  const position = columns.find(({ name }) => name === 'created_position' || name === 'updated_position');
  return position === undefined ? columns.map((_, index) => index + 1).join(', ') : `t."${position.name}"`;
}

function selectExactly({ name, type, form }: PartColumn): string {
  if (type.endsWith('[]')) return `to_json(t."${name}")::text`;
  return form === 'text' && type !== 'text' ? `t."${name}"::text` : `t."${name}"`;
}

const SOURCES: Readonly<
  Record<PartTable['history'], (table: PartTable, range: PositionRange, packed: Packed) => string>
> = {
  added: ({ table, position }, range) => `(SELECT * FROM ${table} WHERE ${isWithin(position, range)}) AS t`,
  rows: ({ table }, range, packed) => `(
    SELECT row FROM changes WHERE noun = '${table}' AND ${isUnpacked(range, packed)}
    UNION ALL
    SELECT ${packedRow('version.position')} FROM ${packedRowsOf(table)} AS packed
    CROSS JOIN LATERAL unnest(coalesce(packed.positions, ARRAY[packed.position])) AS version (position)
    WHERE ${isPacked(range, packed)}
      AND (packed.positions IS NOT NULL OR packed.row ->> 'updated_position' = packed.position::text)
  ) AS change CROSS JOIN LATERAL jsonb_populate_record(NULL::${table}, change.row) AS t`,
  balances: (_, range, packed) => `(
    SELECT account.created_position, change.position AS updated_position, account.owner, account.asset_id, account.market_id,
      account.type, change.balance
    FROM (
      SELECT position, account_position, balance FROM balance_changes WHERE ${isUnpacked(range, packed)}
      UNION ALL
      SELECT version.position, packed.account_position, version.balance FROM archived_balances AS packed
      CROSS JOIN LATERAL unnest(coalesce(packed.positions, ARRAY[packed.position]),
        coalesce(packed.balances, ARRAY[packed.balance])) AS version (position, balance)
      WHERE ${isPacked(range, packed)} AND packed.since IS NULL
    ) AS change JOIN accounts AS account ON account.created_position = change.account_position OFFSET 0
  ) AS t`,
};

/** What is packed of a table's rows. Older versions packed all nouns together: what is of this one has a row of it. */
function packedRowsOf(table: string): string {
  const columns = ['row_position', 'position', 'row', 'positions', 'columns'];
  const ofMixed = columns.map((column) => `mixed.${column}`).join(', ');
  return `(
      SELECT ${columns.join(', ')} FROM ${ARCHIVED_ROWS} WHERE noun = '${table}'
      UNION ALL
      SELECT ${ofMixed} FROM ${MIXED_ARCHIVE} AS mixed JOIN ${table} AS known ON known.created_position = mixed.row_position
    )`;
}

function isWithin(position: string, { after, upTo }: PositionRange): string {
  return `${position} > ${after} AND ${position} <= ${upTo}`;
}

/** What is packed is dropped from where it was a while later. */
function isUnpacked(range: PositionRange, packed: Packed): string {
  return `${isWithin('position', range)} AND position > ${packed.upTo}`;
}

/** What an older version was carried over from has another position. */
function isPacked(range: PositionRange, packed: Packed): string {
  return `packed.position > ${packed.after} AND packed.position <= ${range.upTo}
    AND ${isWithin('version.position', range)} AND version.position <= ${packed.upTo}`;
}
