import { createHash } from 'node:crypto';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { describe, expect, test } from 'vitest';
import { marketStates } from '../../src/domain/enumerations.ts';
import type { NetworkEvent, SourceEvent } from '../../src/ingest/events.ts';
import { openSimulation, type SimulationOptions } from '../../src/simulation/simulate.ts';
import { withNames } from '../support/named-rows.ts';
import { collect, eventsOf } from './simulated-events.ts';

const SMALL: SimulationOptions = { seed: 7, blocks: 10, parties: 3, markets: 1 };

describe('the event stream', () => {
  test('is the same, byte for byte, each time and on every machine', async () => {
    const source = openSimulation({ ...SMALL, blocks: 60 });
    const first = await fingerprint(source.events(new AbortController().signal));
    expect(await fingerprint(source.events(new AbortController().signal))).toBe(first);
    expect(first).toBe('6869caa2410d3ce5ce5aae19f5a62b7c5ebae92c93f12e6b1e054dc769891e13');
  });

  test('is the same over the whole life of markets, with updates that come too late for theirs', async () => {
    const run = { seed: 3, blocks: 1500, parties: 60, markets: 12 };
    expect(await fingerprint(eventsOf(run))).toBe(
      'a11eb6e6dc99c091afe53f887d8c973bb29fa96f63ae630cacb5529809ded374',
    );
  });

  test('differs for another seed, and so does the name of the network for every other setting', async () => {
    expect(await fingerprint(eventsOf(SMALL))).not.toBe(await fingerprint(eventsOf({ ...SMALL, seed: 8 })));
    expect(openSimulation(SMALL).chainId).toBe('simulated-7-3p-1m');
    expect(openSimulation({ ...SMALL, blocks: 99 }).chainId).toBe('simulated-7-3p-1m');
    expect(openSimulation({ ...SMALL, startTime: 5n }).chainId).toBe('simulated-7-3p-1m-5');
  });

  test('names the kinds of events that are not kept by their numbers', async () => {
    const kinds = (await collect(SMALL)).flatMap(({ event }) => (event.type === 'other' ? [event.kind] : []));
    expect(new Set(kinds)).toEqual(new Set([5, 31]));
  });

  test('of a longer run begins with that of a shorter one', async () => {
    const short = await collect(SMALL);
    const long = await collect({ ...SMALL, blocks: 40 });
    expect(long.slice(0, short.length)).toEqual(short);
  });

  test('begins and ends every block, a second after the one before', async () => {
    let open: Extract<NetworkEvent, { type: 'beginBlock' }> | null = null;
    let [height, time] = [0, 0n];
    const hashes = new Set<string>();
    for (const { event, height: held } of await collect({ ...SMALL, blocks: 200 })) {
      if (event.type === 'beginBlock') {
        expect(open).toBeNull();
        expect(event.height).toBe(height + 1);
        expect(event.timestamp / 1_000_000_000n).toBe(1_767_225_600n + BigInt(height));
        expect(event.timestamp).toBeGreaterThan(time);
        hashes.add(event.hash);
        [open, height, time] = [event, event.height, event.timestamp];
      }
      expect(open?.height).toBe(held);
      if (event.type !== 'endBlock') continue;
      expect(event.height).toBe(height);
      open = null;
    }
    expect([open, height, hashes.size]).toEqual([null, 200, 200]);
  });

  test('holds rewards of an epoch and a trading market within ten blocks of three parties', async () => {
    const events = await collect(SMALL);
    const types = new Set(events.map(({ event }) => event.type));
    expect([...types]).toEqual(expect.arrayContaining(['reward', 'vote', 'marginLevel', 'riskFactor']));
    expect(
      events.some(
        ({ event }) => event.type === 'market' && event.row.state === marketStates.numbers.STATE_ACTIVE,
      ),
    ).toBe(true);
  });

  test.each([
    { parties: 1, markets: 1, blocks: 200 },
    { parties: 2, markets: 0, blocks: 100 },
    { parties: 4, markets: 40, blocks: 60 },
  ])('runs for $blocks blocks with parties: $parties, markets: $markets', async (options) => {
    expect((await collect({ seed: 3, ...options })).at(-1)?.event).toEqual({
      type: 'endBlock',
      height: options.blocks,
    });
  });
});

describe('reading', () => {
  test('counts blocks, of which an endless run has no total', async () => {
    const source = openSimulation({ ...SMALL, blocks: Number.POSITIVE_INFINITY });
    for await (const { event } of source.events(new AbortController().signal)) {
      if (event.type === 'beginBlock' && event.height === 51) break;
    }
    expect(source.progress()).toEqual({ done: 50, total: null, unit: 'blocks' });
    expect(openSimulation(SMALL).progress()).toEqual({ done: 0, total: 10, unit: 'blocks' });
  });

  test('stops with the reason when it is aborted', async () => {
    const abort = new AbortController();
    const reading = async () => {
      for await (const { event } of openSimulation(SMALL).events(abort.signal)) {
        if (event.type === 'endBlock' && event.height === 3) abort.abort(new Error('enough'));
        if (event.type === 'beginBlock' && event.height === 5) throw new Error('read on');
      }
    };
    await expect(reading()).rejects.toThrow('enough');
  });

  test('lets the process do other things although its reader never waits', async () => {
    let ticks = 0;
    const timer = setInterval(() => ticks++, 1);
    for await (const _ of eventsOf({ ...SMALL, blocks: 2000 }));
    clearInterval(timer);
    expect(ticks).toBeGreaterThan(3);
  });

  test.each([
    [{ seed: -1 }, 'seed -1'],
    [{ seed: 0.5 }, 'seed 0.5'],
    [{ blocks: Number.NaN }, 'blocks NaN'],
    [{ parties: 0 }, 'parties 0'],
    [{ markets: 1001 }, 'markets 1001'],
    [{ startTime: -1n }, 'startTime -1'],
  ])('refuses %o, naming it', (wrong, message) => {
    expect(() => openSimulation({ ...SMALL, ...wrong })).toThrow(message);
  });
});

test('what it remembers does not grow with the blocks', async () => {
  setFlagsFromString('--expose-gc');
  const collectGarbage = runInNewContext('gc') as () => void;
  const heapAt = new Map<number, number>();
  let events = 0;
  const start = performance.now();
  for await (const { event } of eventsOf({ seed: 5, blocks: 6000, parties: 40, markets: 4 })) {
    events++;
    if (event.type !== 'endBlock' || event.height % 2000 !== 0) continue;
    collectGarbage();
    heapAt.set(event.height, process.memoryUsage().heapUsed);
  }
  const seconds = (performance.now() - start) / 1000;
  console.log(
    `simulated ${events} events in ${seconds.toFixed(1)} s, ${Math.round(events / seconds)} a second`,
  );
  expect((heapAt.get(6000) ?? 0) - (heapAt.get(2000) ?? 0)).toBeLessThan(1_000_000);
});

async function fingerprint(events: ReturnType<typeof eventsOf>): Promise<string> {
  const hash = createHash('sha256');
  for await (const event of events) {
    hash.update(
      JSON.stringify(flatten(event), (field, value) => {
        if (typeof value === 'bigint') return `${value}n`;
        return isSince(field, value) ? undefined : value;
      }),
    );
  }
  return hash.digest('hex');
}

/**
 * An event in the form that the fingerprint was first taken of: its row's fields beside its type, enumerations by name,
 * and nothing of what rows have got since, which says nothing in a network of release 0.71.
 */
function flatten({ event, at }: SourceEvent): object {
  if (event.type === 'other') return { event: { type: 'other' }, at };
  if (!('row' in event)) return { event, at };
  const fields = Object.entries(event.row).filter(([field, value]) => !isSince(field, value));
  const row = withNames(event.type, Object.fromEntries(fields));
  if (event.type === 'marginLevel') return { event: { type: 'marginLevels', ...row }, at };
  if (event.type !== 'account') return { event: { type: event.type, ...row }, at };
  const { owner, assetId, marketId, type: accountType, balance } = row;
  return { event: { type: 'account', owner, assetId, marketId, accountType, balance }, at };
}

/** Whether a field came later, and has nothing to say. Deeper within rows what came later is left out as well. */
function isSince(field: string, value: unknown): boolean {
  return SINCE.has(field) && JSON.stringify(SINCE.get(field)) === JSON.stringify(value);
}

const SINCE: ReadonlyMap<string, unknown> = new Map<string, unknown>([
  ['product', 'FUTURE'],
  ['enableTransactionReordering', false],
  ['allowedEmptyAmmLevels', '0'],
  ['allowedSellers', []],
  ...[
    ...['baseAssetId', 'quoteAssetId', 'cap', 'funding', 'internalCompositePrice', 'tickSize', 'treasuryFee'],
    ...['buyBackFee', 'liquidityFeeSettings', 'fullyCollateralised', 'riskFactorOverride', 'liquiditySla'],
    ...[
      'liquidationStrategy',
      'markPriceConfiguration',
      'parentMarketId',
      'insurancePoolFraction',
      'chainId',
    ],
    ...['marketGrowth', 'productData', 'liquidityProviderSla', 'nextNetworkCloseout', 'markPriceType'],
    ...['markPriceState', 'activeProtocolAutomatedPurchase', 'orderMargin', 'marginMode', 'marginFactor'],
    ...['lockedUntilEpoch', 'quantumAmount', 'gameId', 'terms', 'batchTerms', 'batchId', 'elsPerMarket'],
    ...['active', 'virtualStake'],
  ].map((field) => [field, null] as const),
]);
