import { expect, test } from 'vitest';
import { archivedRows } from '../../src/data/history/archives.ts';
import { coverHeight } from '../../src/data/history/coverage.ts';
import { positionsOf } from '../../src/domain/positions.ts';
import { createDisposableDatabase } from '../support/database.ts';
import { withClient } from '../support/state.ts';

const BLOCKS = 4_000;
const SPAN = 1_024n;
const ROW = 7n;

interface Plan {
  readonly 'Node Type': string;
  readonly 'Relation Name'?: string;
  readonly 'Actual Rows': number;
  readonly 'Actual Loops': number;
  readonly Plans?: readonly Plan[];
}

function flatten(plan: Plan): readonly Plan[] {
  return [plan, ...(plan.Plans ?? []).flatMap(flatten)];
}

test('of all that is packed of a row, what held at a position is found by the key alone', async () => {
  await using database = await createDisposableDatabase();
  await withClient(database.url, async (client) => {
    for (let height = 0n; height < BLOCKS; height += SPAN)
      await coverHeight(client, ['archived_rows_market_data', 'archived_changes'], height, SPAN);
    const { first } = positionsOf(1n);
    await client.query(
      `INSERT INTO archived_rows (noun, row_position, position, row)
       SELECT 'market_data', row, height * ${first} + row, '{}' FROM generate_series(1::bigint, ${BLOCKS}) AS height, generate_series(1::bigint, 9) AS row`,
    );
    await client.query('VACUUM ANALYZE');
    const archive = archivedRows('market_data');
    const newest = (at: string) =>
      `SELECT position FROM ${archive} AS packed WHERE packed.row_position = $1 AND packed.position <= ${at} ORDER BY packed.position DESC LIMIT 1`;
    const texts = [
      newest('$2::bigint'),
      `SELECT max(position) AS position FROM ${archive} AS packed WHERE packed.row_position = $1 AND packed.position <= $2::bigint`,
      `SELECT max(packed.position) AS position FROM ${archive} AS packed WHERE packed.row_position = $1 AND packed.position <= $2::bigint
        AND packed.position >= coalesce((${newest('$2::bigint - 1')}), 0)`,
    ];
    const middle = positionsOf(BigInt(BLOCKS / 2)).first + ROW;
    // As all readers plan: without looking at the values.
    await client.query('SET plan_cache_mode = force_generic_plan');
    for (const [place, text] of texts.entries()) {
      await client.query(`PREPARE asked_${place} (bigint, bigint) AS ${text}`);
      const asked = `EXECUTE asked_${place}(${ROW}, ${middle})`;
      expect((await client.query(asked)).rows, text).toEqual([{ position: `${middle}` }]);
      const { rows } = await client.query(`EXPLAIN (ANALYZE, TIMING OFF, FORMAT JSON) ${asked}`);
      const nodes = flatten(rows[0]['QUERY PLAN'][0].Plan);
      const read = nodes.reduce(
        (sum, node) =>
          sum + (node['Relation Name'] === undefined ? 0 : node['Actual Rows'] * node['Actual Loops']),
        0,
      );
      expect(read, JSON.stringify(nodes)).toBeLessThan(10);
    }
  });
});
