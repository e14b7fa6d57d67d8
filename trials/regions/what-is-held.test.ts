import { describe, expect, test } from 'vitest';
import type { StreamRow } from '../../test/live/live-transports.ts';
import type { Failure } from '../replicas/mixed-asker.ts';
import { compareStores } from './compare-stores.ts';
import { Killings } from './killings.ts';

describe('a store that is not what the table is', () => {
  const row = (owner: string, balance: string): StreamRow => ({
    ...{ owner, balance, marketId: '', asset: 'gold', type: 'ACCOUNT_TYPE_GENERAL' },
  });
  const filter = { owners: ['ann', 'bob'], markets: [], assets: [], types: [] };
  const table = [row('ann', '1'), row('bob', '2'), row('cid', '3')];
  const compare = (held: readonly StreamRow[]) => compareStores([{ live: new Set(held), filter }], table);

  test.each([
    ['lacks a row', [row('ann', '1')]],
    ['has another balance', [row('ann', '1'), row('bob', '20')]],
    ['has a row that nobody asked for', table],
  ])('%s', (_, held) => {
    expect(compare(held)).toHaveLength(1);
  });

  test('and one that is what it is, is found to be', () => {
    expect(compare([row('bob', '2'), row('ann', '1')])).toEqual([]);
  });
});

describe('a request that failed', () => {
  const failed = (gateway: string | null): Failure => {
    const now = performance.now();
    return { from: now - 1, to: now + 1, reason: 'it failed', gateway };
  };

  test.each([
    ['on the gateway that was killed', 'gateway1', 'gateway1', true],
    ['on another one', 'gateway1', 'gateway2', false],
    ['on one that nobody names, while a gateway was killed', 'gateway1', null, true],
    ['on one that nobody names, while the proxy was killed', null, null, true],
    ['on a gateway, while the proxy was killed', null, 'gateway1', false],
  ])('%s', (_, killed, on, isExplained) => {
    const killings = new Killings();
    killings.begin(killed)();
    expect(killings.explainNot([failed(on)])).toHaveLength(isExplained ? 0 : 1);
  });

  test('for another reason than the one that is known', () => {
    const killings = new Killings();
    killings.begin('gateway1', /OUT_OF_RANGE/)();
    expect(killings.explainNot([failed('gateway1')])).toHaveLength(1);
    expect(killings.explainNot([{ ...failed('gateway1'), reason: '400 OUT_OF_RANGE' }])).toEqual([]);
  });

  test('before anything was killed', () => {
    const early = failed('gateway1');
    const killings = new Killings();
    killings.begin('gateway1')();
    expect(killings.explainNot([{ ...early, from: early.from - 9_000, to: early.to - 9_000 }])).toEqual([
      expect.stringContaining('gateway1, within 2 ms: it failed'),
    ]);
  });
});
