import { expect, test } from 'vitest';
import type { Settings } from '../../src/data/embedded/server-settings.ts';
import { createDisposableDatabase } from '../../test/support/database.ts';
import { seed } from '../../test/support/seed.ts';
import { ask, withClient } from '../bench/database/bench-database.ts';
import { fill } from '../bench/database/fill.ts';
import type { TableSizes } from '../bench/size.ts';
import { coolDown, createEmptyBeside, keepLargeDatabase, openLarge, standingOf } from './databases.ts';
import { type Measured, measureIngest, type Share } from './measure.ts';
import { openTraffic } from './traffic.ts';

// What ingest takes where the database is large: the same traffic into an empty one and into one of many rows, about few parties and
// about many. By itself this fills a database once, and measures in it: npm run size.
const REWARDS = Number(process.env['SIZE_REWARDS'] ?? 0);
const PARTIES = Number(process.env['SIZE_PARTIES'] ?? 2_000);
const BLOCKS = Number(process.env['SIZE_BLOCKS'] ?? 20);
const FEW = 300;
/** Settings of the server to measure with, each as POSTGRES_SETTINGS has it, with `|` in between: they take turns. */
const VARIANTS = (process.env['SIZE_SETTINGS'] ?? '').split('|');
/** Among them: that nothing is read ahead. */
const WITHOUT_READING = 'read_ahead=off';
const ROUNDS = Number(process.env['SIZE_ROUNDS'] ?? 1);

const HOURS_MS = 4 * 3_600_000;

test('what is taken in is there, whether the database is small or large', async () => {
  await using large = await createDisposableDatabase();
  const sizes = sizesOf(20_000, 2_000);
  await withClient(large.url, (client) => fill(client, sizes));
  const { height } = await standingOf(large.url);
  for (const parties of [FEW, 2_000]) {
    const measured = await ingest(large.url, { parties, blocks: 20, readsAhead: true });
    expect(measured.events).toBeGreaterThan(1_000);
    expect(measured.walBytes).toBeGreaterThan(100 * measured.events);
    expect(measured.waits.map(([name]) => name)).not.toEqual([]);
  }
  expect((await standingOf(large.url)).height).toBe(height + 40);
  const [row] = await ask<{ owners: string }>(
    large.url,
    `SELECT count(DISTINCT party_id) AS owners FROM rewards WHERE created_position > ${height + 20} * 1048576::bigint`,
  );
  // Two epochs of 300 parties each, of 2,000.
  expect(Number(row?.owners)).toBeGreaterThan(FEW);
});

test.runIf(REWARDS > 0)('a large database takes events in', { timeout: HOURS_MS }, async () => {
  await keepLargeDatabase(sizesOf(REWARDS, PARTIES), say);
  for (let round = 1; round <= ROUNDS; round += 1) {
    for (const variant of VARIANTS) {
      if (process.env['SIZE_WARM'] === undefined) await coolDown();
      await using postgres = await openLarge(settingsOf(variant));
      const readsAhead = !variant.includes(WITHOUT_READING);
      say(`round ${round}: ${variant || 'as it is'}`);
      // The second time pages of many parties are written whole already since the server started.
      for (const parties of [FEW, PARTIES, PARTIES]) {
        if (process.env['SIZE_EMPTY'] !== undefined) {
          await using empty = await createEmptyBeside(postgres.url, PARTIES);
          report(
            `empty, ${parties} parties`,
            await ingest(empty.url, { parties, blocks: BLOCKS, readsAhead }),
          );
        }
        report(
          `large, ${parties} parties`,
          await ingest(postgres.url, { parties, blocks: BLOCKS, readsAhead }),
        );
      }
    }
  }
});

interface Run {
  readonly parties: number;
  readonly blocks: number;
  readonly readsAhead: boolean;
}

async function ingest(url: string, { parties, blocks, readsAhead }: Run): Promise<Measured> {
  const standing = await standingOf(url);
  // Each run is other traffic.
  const source = await openTraffic(standing, { seed: seed + standing.height, blocks, parties });
  return measureIngest(url, source, { readsAhead });
}

function sizesOf(rewards: number, parties: number): TableSizes {
  return {
    ...{ rewards, parties, markets: 20, assets: 10 },
    blocks: Math.max(100, Math.ceil(rewards / 2_000)),
    accounts: 5 * parties,
    deposits: Math.ceil(rewards / 20),
  };
}

function settingsOf(variant: string): Settings {
  const pairs = variant.split(',').filter((pair) => pair !== '' && pair !== WITHOUT_READING);
  return Object.fromEntries(pairs.map((pair) => pair.split('=') as [string, string]));
}

function report(what: string, one: Measured): void {
  const { events, seconds, nodeUs, writerUs, othersUs, walBytes, fullPages, reads, writesOfBackends } = one;
  const each = (count: number) => (count / events).toFixed(2);
  say(
    `${what}: ${(events / seconds).toFixed(0)} events/s (${events} in ${seconds.toFixed(1)} s), CPU ${nodeUs.toFixed(0)} + ${writerUs.toFixed(0)} + ${othersUs.toFixed(0)} us, WAL ${(walBytes / events).toFixed(0)} bytes, full pages ${each(fullPages)}, reads ${each(reads)}, writes of backends ${each(writesOfBackends)} an event
  waits: ${describe(one.waits)}
  reads: ${describe(one.readsOf)}`,
  );
}

function describe(of: readonly Share[]): string {
  return of.map(([name, share]) => `${name} ${(share * 100).toFixed(0)} %`).join(', ');
}

function say(text: string): void {
  process.stderr.write(`${text}\n`);
}
