import { expect, test } from 'vitest';
import { ROWS_BY_POSITION } from '../../src/data/history/partitions.ts';
import { openDatabase } from '../../src/data/servers/client.ts';
import { tableToCome } from '../../src/data/servers/unavailable.ts';
import { raw } from '../../src/data/sql.ts';
import { unkept } from '../../src/data/templates.ts';
import { gatewayErrorOf } from '../../src/errors.ts';
import { createTestDatabase } from '../support/database.ts';
import { ask } from '../support/state.ts';

test('whoever asks for rows of a table that is put aside is told so, over Prisma, too', async () => {
  await using database = await createTestDatabase();
  await using reading = openDatabase({ url: database.url, readOnly: true });
  const { prisma } = reading;
  const readers: Readonly<Record<string, () => Promise<unknown>>> = {
    rewards: () => prisma.reward.findMany(),
    trades: () => prisma.trade.findMany(),
  };
  expect(Object.keys(readers)).toEqual([...ROWS_BY_POSITION]);
  for (const [table, read] of Object.entries(readers)) {
    // What was prepared before is not there any more either.
    expect(await read()).toEqual([]);
    await ask(database.url, `ALTER TABLE "${table}" RENAME TO "${table}_to_come"`);
    const error = await read().catch((thrown: unknown) => thrown);
    expect(tableToCome(error)).toBe(table);
    expect(gatewayErrorOf(error)).toMatchObject({
      code: 'UNAVAILABLE',
      message: expect.stringContaining(table),
    });
    await ask(database.url, `ALTER TABLE "${table}_to_come" RENAME TO "${table}"`);
    expect(await read()).toEqual([]);
  }
  const other = await ask(database.url, 'SELECT FROM nowhere').catch((thrown: unknown) => thrown);
  expect([tableToCome(other), gatewayErrorOf(other)]).toEqual([null, undefined]);
});

test('a refusal costs no connection', async () => {
  await using database = await createTestDatabase();
  await using reading = openDatabase({ url: database.url, readOnly: true, maxConnections: 1 });
  const { statements } = reading;
  const pidOf = async () => (await statements.texts(unkept(raw('SELECT pg_backend_pid()'))))[0]?.[0];
  const pid = await pidOf();
  await ask(database.url, 'ALTER TABLE rewards RENAME TO rewards_to_come');
  const read = () => statements.texts(unkept(raw('SELECT amount FROM rewards LIMIT 1')));
  for (let time = 0; time < 10; time += 1)
    await expect(read()).rejects.toSatisfy((error) => tableToCome(error) === 'rewards');
  expect(await pidOf()).toBe(pid);
  await ask(database.url, 'ALTER TABLE rewards_to_come RENAME TO rewards');
  expect(await read()).toEqual([]);
});
