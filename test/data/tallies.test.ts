import { expect, test } from 'vitest';
import { readFeeDiscounts } from '../../src/data/queries/fee-discounts.ts';
import { readTallies } from '../../src/data/queries/tallies.ts';
import type { Statements } from '../../src/data/servers/statements.ts';

test.each([
  ['tallies', readTallies, 'proposalId'],
  ['discounts', readFeeDiscounts, 'partyId'],
] as const)('%s of many are found by one look at each row', async (_, read, name) => {
  const ids = Array.from({ length: 1000 }, (_, index) => `${index}`);
  let looks = 0;
  const rows = ids.flatMap((id) =>
    [1, 2].map((value) => ({
      value,
      get [name]() {
        looks += 1;
        return id;
      },
    })),
  );
  const found = await read({ rows: async () => rows } as unknown as Statements, ids);
  expect(looks).toBe(rows.length);
  expect([found.size, found.get('7')]).toEqual([1000, rows.slice(14, 16)]);
});
