import type pg from 'pg';
import { columnOf } from '../columns.ts';
import { type KeptSums, type Noun, SPAN_BITS } from '../noun.ts';

type Summed = Pick<Noun, 'table' | 'history' | 'sums'>;

/**
 * What brings the sums of a noun up to date beside its rows, as further parts of the WITH whose part `changed` writes these: what
 * the rows are now is added, and what they were is taken away. All parts of a statement see the tables as they were before it.
 */
export function keepSums({ table, history, sums }: Summed): string {
  if (sums === null) return '';
  return sums.kept
    .map((kept, index) => {
      const columns = columnsOf(kept);
      const read = [...kept.by, ...(kept.spansOf === undefined ? [] : [kept.spansOf]), sums.amount].map(
        columnOf,
      );
      const parts = [`SELECT 1 AS sign, ${read.join(', ')} FROM changed`];
      if (history !== 'added')
        parts.push(`SELECT -1, before.* FROM changed CROSS JOIN LATERAL (
          SELECT ${read.join(', ')} FROM ${table.name.text} WHERE created_position = changed.created_position OFFSET 0
        ) AS before`);
      const values = valuesOf(kept).join(', ');
      return `, summed_${index} AS (
    INSERT INTO ${kept.table} (${columns.join(', ')}, rows, amount)
    SELECT ${values}, sum(sign), sum(sign * ${columnOf(sums.amount)}::numeric)
    FROM (${parts.join(' UNION ALL ')}) AS each GROUP BY ${values}
    ON CONFLICT (${columns.join(', ')}) DO UPDATE
    SET rows = ${kept.table}.rows + EXCLUDED.rows, amount = ${kept.table}.amount + EXCLUDED.amount)`;
    })
    .join('');
}

/** Removes sums of what no row has any more, as the deposits of a time that were open. An index has these alone. */
export function emptySums({
  name,
  history,
  sums,
}: Pick<Noun, 'name' | 'history' | 'sums'>): readonly pg.QueryConfig[] {
  const changing = history === 'rows' ? (sums?.kept ?? []) : [];
  return changing.map(({ table }) => ({
    name: `empty sums of ${name}`,
    text: `DELETE FROM ${table} WHERE rows = 0`,
  }));
}

/** Adds up anew all that is kept of a noun. */
export async function sumAnew(client: pg.ClientBase, { table, sums }: Summed): Promise<void> {
  for (const kept of sums?.kept ?? []) {
    const values = valuesOf(kept).join(', ');
    await client.query(`DELETE FROM ${kept.table}`);
    await client.query(`INSERT INTO ${kept.table} (${columnsOf(kept).join(', ')}, rows, amount)
      SELECT ${values}, count(*), sum(${columnOf(sums?.amount ?? '')}::numeric) FROM ${table.name.text} GROUP BY ${values}`);
  }
}

function columnsOf({ by, spansOf }: KeptSums): readonly string[] {
  return [...by.map(columnOf), ...(spansOf === undefined ? [] : ['span'])];
}

/** The values of these columns, of a row of the noun. */
function valuesOf({ by, spansOf }: KeptSums): readonly string[] {
  return [...by.map(columnOf), ...(spansOf === undefined ? [] : [`${columnOf(spansOf)} >> ${SPAN_BITS}`])];
}
