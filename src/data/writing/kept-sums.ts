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
  const amount = `${columnOf(sums.amount)}::numeric`;
  const values = new Map(sums.kept.flatMap(valuesOf));
  const columns = [...values.keys()].join(', ');
  const read = [...values].map(([column, value]) => `${value} AS ${column}`).join(', ');
  const before =
    history === 'added'
      ? ''
      : `UNION ALL SELECT ${[...values.keys()].map((column) => `before.${column}`).join(', ')}, -1, -before.amount
        FROM changed CROSS JOIN LATERAL (
          SELECT ${read}, ${amount} AS amount FROM ${table.name.text}
          WHERE created_position = changed.created_position OFFSET 0
        ) AS before`;
  const kept = sums.kept.map((one, index) => {
    const by = valuesOf(one)
      .map(([column]) => column)
      .join(', ');
    return `, kept_${index} AS (
    INSERT INTO ${one.table} (${by}, rows, amount)
    SELECT ${by}, sum(rows), sum(amount) FROM summed GROUP BY ${by} HAVING sum(rows) <> 0 OR sum(amount) <> 0
    ON CONFLICT (${by}) DO UPDATE
    SET rows = ${one.table}.rows + EXCLUDED.rows, amount = ${one.table}.amount + EXCLUDED.amount)`;
  });
  return `, summed AS (
    SELECT ${columns}, sum(rows) AS rows, sum(amount) AS amount
    FROM (SELECT ${read}, 1 AS rows, ${amount} AS amount FROM changed ${before}) AS each GROUP BY ${columns})${kept.join('')}`;
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

/** Of whoever counts and adds up anew; a writer's own limit is for a block. */
export const MOST_MS = 3_600_000;

/** Adds up anew all that is kept of a noun, within a transaction that may take so long. */
export async function sumAnew(client: pg.ClientBase, { table, sums }: Summed): Promise<void> {
  for (const kept of sums?.kept ?? []) {
    const [columns, values] = [0, 1].map((place) =>
      valuesOf(kept)
        .map((one) => one[place])
        .join(', '),
    );
    const sum = `INSERT INTO ${kept.table} (${columns}, rows, amount)
        SELECT ${values}, count(*), sum(${columnOf(sums?.amount ?? '')}::numeric) FROM ${table.name.text} GROUP BY ${values}`;
    for (const text of [`DELETE FROM ${kept.table}`, sum])
      await client.query({ text, query_timeout: MOST_MS } as pg.QueryConfig);
  }
}

/** The columns that tell sums apart, and what each is of a row of the noun. */
function valuesOf({ by, spansOf }: KeptSums): readonly (readonly [column: string, value: string])[] {
  const fields = by.map((field) => [columnOf(field), columnOf(field)] as const);
  return spansOf === undefined ? fields : [...fields, ['span', `${columnOf(spansOf)} >> ${SPAN_BITS}`]];
}
