import type pg from 'pg';
import { archiveSome } from '../../../src/data/history/archive.ts';
import { coverHeight, spanOf } from '../../../src/data/history/coverage.ts';
import { HISTORIES } from '../../../src/data/history/partitions.ts';
import { positionsOf } from '../../../src/domain/positions.ts';
import type { PastSizes, TableSizes } from '../size.ts';
import { fill } from './fill.ts';
import { EVENTS_PER_BLOCK, pastHeights, START_TIME } from './rows.ts';

/**
 * Fills a database whose accounts have a history: behind the blocks that bring them, as many blocks as are asked for change
 * some balances each. What the first half of these changed is in the archive, as the writer would have packed it.
 */
export async function fillPast(client: pg.Client, sizes: TableSizes, past: PastSizes): Promise<void> {
  const { first, middle, last } = pastHeights(sizes, past);
  const span = spanOf('changes', null);
  await fill(client, sizes, {
    prepare: () => coverHeight(client, HISTORIES, BigInt(last), span),
    statements: changesOf(sizes, past),
  });
  await client.query('UPDATE networks SET past_from = $1, history_from = $2, archived_to = 0', [
    positionsOf(BigInt(first)).first,
    positionsOf(BigInt(middle)).last,
  ]);
  await client.query("SET work_mem = '64MB'");
  while (await archiveSome(client, () => spanOf('archive', null)));
  await client.query('DELETE FROM balance_changes WHERE position <= (SELECT archived_to FROM networks)');
  await client.query('VACUUM FULL ANALYZE balance_changes');
  await client.query('VACUUM ANALYZE');
}

/** Each block changes as many accounts as another; no account twice, as long as there are enough. */
function changesOf(sizes: TableSizes, { blocks, changes }: PastSizes): readonly string[] {
  const perBlock = Math.ceil(changes / blocks);
  const { first, last } = pastHeights(sizes, { blocks, changes });
  return [
    `INSERT INTO blocks (height, hash, timestamp, last_position)
     SELECT height, upper(encode(sha256(convert_to('block ' || height, 'UTF8')), 'hex')), ${START_TIME} + height * 1000000000::bigint,
       height * ${EVENTS_PER_BLOCK}::bigint + ${perBlock}
     FROM generate_series(${first}::bigint, ${last}) AS height`,
    `CREATE TEMPORARY TABLE numbered AS
     SELECT row_number() OVER (ORDER BY created_position) - 1 AS n, created_position FROM accounts`,
    'CREATE UNIQUE INDEX ON numbered (n) INCLUDE (created_position)',
    `INSERT INTO balance_changes (position, account_position, balance)
     SELECT (${first} + c / ${perBlock}) * ${EVENTS_PER_BLOCK}::bigint + c % ${perBlock} + 1, created_position, (2000000 + c * 13)::text
     FROM generate_series(0::bigint, ${blocks * perBlock - 1}) AS c JOIN numbered ON n = c * 7919 % ${sizes.accounts}`,
    `UPDATE accounts SET updated_position = change.position, balance = change.balance
     FROM (SELECT DISTINCT ON (account_position) * FROM balance_changes ORDER BY account_position, position DESC) AS change
     WHERE created_position = account_position AND updated_position < change.position`,
    'DROP TABLE numbered',
  ];
}
