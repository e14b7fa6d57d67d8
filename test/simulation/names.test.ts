import { expect, test } from 'vitest';
import { createNames } from '../../src/simulation/names.ts';
import type { SimulationOptions } from '../../src/simulation/simulate.ts';
import { collect } from './simulated-events.ts';

const NETWORK = { seed: 7, blocks: 600, parties: 60, markets: 10, release: '0.79' } as const;

test('no two markets, assets or parties of a network have one name', async () => {
  const { codes, names, symbols, assets, aliases } = await namesIn(NETWORK);
  for (const [kind, given] of Object.entries({ codes, names, symbols, assets, aliases })) {
    // Without as many of each as would have met before, it proves nothing.
    expect([kind, given.size > 15]).toEqual([kind, true]);
    expect([kind, new Set(given.values()).size]).toEqual([kind, given.size]);
  }
  expect([...codes.values()]).toContain('BTC/USD');
  expect([...codes.values()]).toContain('BTC/USD-2');
});

test('names are the same for a seed, and others for another', async () => {
  const first = await namesIn({ ...NETWORK, blocks: 100 });
  expect(await namesIn({ ...NETWORK, blocks: 100 })).toEqual(first);
  const other = await namesIn({ ...NETWORK, blocks: 100, seed: 8 });
  expect([...other.aliases.values()]).not.toEqual([...first.aliases.values()]);
});

test('names are numbered once all pairs of words are given', () => {
  const given = createNames('any');
  const aliases = Array.from({ length: 2_000 }, () => given.alias());
  const assets = Array.from({ length: 2_000 }, () => given.asset());
  expect(new Set(aliases).size).toBe(2_000);
  expect(new Set(assets.map(({ name }) => name)).size).toBe(2_000);
  expect(new Set(assets.map(({ symbol }) => symbol)).size).toBe(2_000);
  expect(aliases.filter((alias) => / [234]$/.test(alias))).toHaveLength(2_000 - 24 * 24);
});

/** What everything is called, by its id. */
async function namesIn(options: SimulationOptions) {
  const [codes, names, symbols, assets, aliases] = Array.from({ length: 5 }, () => new Map<string, string>());
  for (const { event } of await collect(options)) {
    if (event.type === 'market') {
      codes?.set(event.row.id, event.row.instrumentCode);
      names?.set(event.row.id, event.row.instrumentName);
    }
    if (event.type === 'asset') {
      symbols?.set(event.row.id, event.row.symbol);
      assets?.set(event.row.id, event.row.name);
    }
    if (event.type === 'partyProfile') aliases?.set(event.row.partyId, event.row.alias);
  }
  return { codes, names, symbols, assets, aliases } as Record<
    'codes' | 'names' | 'symbols' | 'assets' | 'aliases',
    Map<string, string>
  >;
}
