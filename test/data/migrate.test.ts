import pg from 'pg';
import { expect, test } from 'vitest';
import { createTestDatabase } from '../support/database.ts';

test('a test database has the tables', async () => {
  const t0 = performance.now();
  await using database = await createTestDatabase();
  console.log('create', performance.now() - t0);
  const client = new pg.Client(database.url);
  await client.connect();
  expect((await client.query('select * from deposits')).rowCount).toBe(0);
  expect((await client.query('select * from _prisma_migrations')).rows).toMatchObject([
    { applied_steps_count: 1 },
  ]);
  await client.end();
});
