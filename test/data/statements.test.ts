import { expect, test } from 'vitest';
import { openDatabase } from '../../src/data/servers/client.ts';
import { sql } from '../../src/data/sql.ts';
import { unkept } from '../../src/data/templates.ts';
import { createTestDatabase } from '../support/database.ts';

test('a statement that comes again has a name, and one plan for all its values', async () => {
  await using place = await createTestDatabase();
  await using database = openDatabase({ url: place.url, readOnly: true, maxConnections: 1 });
  const { statements } = database;
  for (const value of ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'])
    await statements.texts(
      unkept(sql`SELECT id FROM deposits WHERE id = ANY (${[value, 'x', 'y']}::text[])`),
    );
  const known = sql`SELECT name, generic_plans, custom_plans FROM pg_prepared_statements WHERE statement LIKE '%deposits%'`;
  expect(await statements.rows(unkept(known))).toEqual([
    { name: 'periscope 0', generic_plans: 7n, custom_plans: 0n },
  ]);
});

test('texts are as PostgreSQL writes them, of a statement that has a name and of one that has none yet', async () => {
  await using place = await createTestDatabase();
  await using database = openDatabase({ url: place.url, readOnly: true, maxConnections: 1 });
  const { statements } = database;
  const given = ['é\u{10348}"\\', null, 9007199254740993n, ['a,"b', '{}'], true, 7] as const;
  const ask = () =>
    statements.texts(
      unkept(
        sql`SELECT ${given[0]}::text, ${given[1]}::text, ${given[2]}::bigint, ${given[3]}::text[], ${given[4]}::boolean, ${given[5]}::int, n FROM generate_series(1, 2) AS n`,
      ),
    );
  const row = ['é\u{10348}"\\', null, '9007199254740993', '{"a,\\"b","{}"}', 't', '7'];
  for (let time = 0; time < 3; time += 1)
    expect(await ask()).toEqual([
      [...row, '1'],
      [...row, '2'],
    ]);
  expect(await statements.texts(unkept(sql`SELECT 1 WHERE FALSE`))).toEqual([]);
  expect(await statements.texts(unkept(sql``))).toEqual([]);
});

test('a statement that fails when it is prepared can be asked again', async () => {
  await using place = await createTestDatabase();
  await using database = openDatabase({ url: place.url, readOnly: true, maxConnections: 1 });
  const { statements } = database;
  for (let time = 0; time < 3; time += 1)
    await expect(statements.texts(unkept(sql`SELECT nothing FROM nowhere`))).rejects.toMatchObject({
      code: '42P01',
    });
  expect(await statements.texts(unkept(sql`SELECT 1`))).toEqual([['1']]);
});
