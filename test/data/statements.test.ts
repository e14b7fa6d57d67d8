import { expect, test } from 'vitest';
import { openDatabase } from '../../src/data/client.ts';
import { sql } from '../../src/data/sql.ts';
import { createTestDatabase } from '../support/database.ts';

test('a statement that comes again has a name, and one plan for all its values', async () => {
  await using place = await createTestDatabase();
  await using database = openDatabase({ url: place.url, readOnly: true, maxConnections: 1 });
  const { statements } = database;
  for (const value of ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'])
    await statements.texts(sql`SELECT id FROM deposits WHERE id = ANY (${[value, 'x', 'y']}::text[])`);
  const known = sql`SELECT name, generic_plans, custom_plans FROM pg_prepared_statements WHERE statement LIKE '%deposits%'`;
  expect(await statements.rows(known)).toEqual([
    { name: 'periscope 0', generic_plans: 7n, custom_plans: 0n },
  ]);
});
