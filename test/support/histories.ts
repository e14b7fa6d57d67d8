import { coverHeight } from '../../src/data/history/coverage.ts';
import { HISTORIES, ROWS_BY_POSITION } from '../../src/data/history/partitions.ts';
import { withClient } from './state.ts';

/** Moves the boundaries of a database behind the last block up to a height, as its writer does. */
export async function forgetUpTo(url: string, height: bigint): Promise<void> {
  await withClient(url, (client) =>
    client.query(
      `UPDATE networks SET history_from = last_position, past_from = last_position FROM blocks
       WHERE blocks.height = (SELECT max(height) FROM blocks WHERE height <= $1)`,
      [height],
    ),
  );
}

/** Makes partitions for what a test writes into tables that have some itself. */
export async function makeRoom(url: string, height: bigint): Promise<void> {
  await withClient(url, (client) =>
    coverHeight(client, [...HISTORIES, ...ROWS_BY_POSITION], height, height + 1n),
  );
}
