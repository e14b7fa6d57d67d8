import { columnOf } from '../columns.ts';
import { fieldsIn, type Noun } from '../noun.ts';
import type { TypeOfColumn } from './column-types.ts';
import type { PageRead } from './row-sets.ts';
import { describeColumn } from './upsert.ts';

type Read = Pick<Noun, 'name' | 'table' | 'key' | 'party' | 'either' | 'indexes' | 'history'>;

/** Null where rows are of no party, and so few: their pages are at hand anyway. */
export function pageReadOf(noun: Read, typeOf: TypeOfColumn): PageRead | null {
  const { name, table, key, history } = noun;
  if (noun.party === null || !table.fields.includes('createdPosition')) return null;
  const isAlwaysNew = key.join() === 'createdPosition';
  const scattered = scatteredIndexes(noun);
  if (isAlwaysNew && scattered.length === 0) return null;
  const fields = [...new Set([...(isAlwaysNew ? [] : key), ...scattered.flat()])];
  const columns = fields.map((field) => describeColumn(field, typeOf(table.name.text, columnOf(field))));
  const wanted = columns.map(({ column, unpack }, index) => `${unpack(index + 1)} AS ${column}`).join(', ');
  const before = `$${columns.length + 1}::bigint`;
  const parts = [
    ...(isAlwaysNew ? [] : [theRow(table.name.text, key)]),
    ...(isAlwaysNew ? [] : itsHistory(table.name.text, history, before)),
    ...scattered.map((index, place) => itsPlace(table.name.text, index, { place, isAlwaysNew, before })),
  ];
  return {
    name: `read pages of ${name}`,
    text: `
      SELECT ${parts.map(({ alias }) => `count(${alias}.touched)`).join(', ')}
      FROM (SELECT ${wanted}) AS wanted${parts
        .map(
          ({ alias, text }) => `
      LEFT JOIN LATERAL (${text}) AS ${alias} ON true`,
        )
        .join('')}`,
    encode: (rows) => columns.map(({ encode }) => encode(rows)),
  };
}

interface Part {
  readonly alias: string;
  readonly text: string;
}

function theRow(table: string, key: readonly string[]): Part {
  return {
    alias: 'held',
    // What no index has, so that the row itself is read.
    text: `SELECT t.created_position, t.xmin AS touched FROM ${table} AS t WHERE ${sameIn(key)} LIMIT 1`,
  };
}

/** Where its next version goes. */
function itsHistory(table: string, history: Noun['history'], before: string): readonly Part[] {
  const ofRow = {
    added: null,
    rows: `changes AS h WHERE h.noun = '${table}' AND h.row_position = held.created_position`,
    balances: 'balance_changes AS h WHERE h.account_position = held.created_position',
  }[history];
  if (ofRow === null) return [];
  const text = `SELECT h.position AS touched FROM ${ofRow} AND h.position > ${before} ORDER BY h.position DESC LIMIT 1`;
  return [{ alias: 'history', text }];
}

/** Where a new row goes in an index. */
function itsPlace(
  table: string,
  index: readonly string[],
  { place, isAlwaysNew, before }: { place: number; isAlwaysNew: boolean; before: string },
): Part {
  const isNew = isAlwaysNew ? '' : 'held.created_position IS NULL AND ';
  return {
    alias: `place_${place}`,
    text: `SELECT t.created_position AS touched FROM ${table} AS t
        WHERE ${isNew}${sameIn(index)} AND t.created_position > ${before} ORDER BY t.created_position DESC LIMIT 1`,
  };
}

function sameIn(fields: readonly string[]): string {
  return fields.map((field) => `t.${columnOf(field)} = wanted.${columnOf(field)}`).join(' AND ');
}

/** The indexes that begin with a party: others have few ends that rows are added at. */
function scatteredIndexes({ party, either, indexes }: Read): readonly (readonly string[])[] {
  if (party === null) return [];
  const ofParty = fieldsIn({ either }, party);
  return indexes.filter(([first]) => first !== undefined && ofParty.includes(first));
}
