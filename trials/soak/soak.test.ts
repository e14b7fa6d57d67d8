import { expect, test } from 'vitest';
import { readerUrlOf } from '../../test/support/database.ts';
import { type MeasuredGateway, startMeasuredGateway } from '../../test/support/measured-gateway.ts';
import { chooseRandom, seed } from '../../test/support/seed.ts';
import { createSimulatedDatabase } from '../../test/support/simulated.ts';
import { ask } from '../../test/support/state.ts';
import { runClients } from './clients.ts';
import { grows, type Tolerance } from './growth.ts';

/** A few readings of few clients in every run of the tests; `npm run soak` has minutes of them. */
const MINUTES = Number(process.env['SOAK_MINUTES'] ?? 0);
const LEAST_READINGS = 6;
const CLIENTS_A_READING = MINUTES > 0 ? 600 : 40;
/** What is made once, and kept, is made by then. */
const WARM_UP = 2 * CLIENTS_A_READING;
const FIRST_BLOCKS = 60;

/**
 * What may differ between two readings of a gateway that keeps nothing: Node's own use of memory goes up and down, and so
 * do the kept connections of clients (8) and to PostgreSQL (11), each with timers. One client in ten that left something
 * behind would be far more.
 */
const TOLERANCES: Readonly<Record<string, Tolerance>> = {
  heap: { part: 0.15, least: 4 * 2 ** 20 },
  rss: { part: 0.3, least: 64 * 2 ** 20 },
  handles: { part: 0, least: 40 },
  functions: { part: 0.02, least: 400 },
  generators: { part: 0, least: 4 },
  promises: { part: 0.1, least: 100 },
  sockets: { part: 0, least: 40 },
  timers: { part: 0, least: 40 },
  signals: { part: 0, least: 6 },
  backends: { part: 0, least: 11 },
};

test(
  'a gateway keeps nothing of the clients that come and go while blocks are applied',
  async () => {
    const random = chooseRandom('soak');
    await using simulated = await createSimulatedDatabase({
      seed: 5,
      blocks: FIRST_BLOCKS,
      parties: 30,
      markets: 2,
    });
    await using gateway = await startMeasuredGateway(readerUrlOf(simulated.url), {
      STREAM_HEARTBEAT_MS: '1000',
    });
    await runClients(gateway.url, WARM_UP, random);
    const readings: Readonly<Record<string, number>>[] = [];
    const end = performance.now() + MINUTES * 60_000;
    for (let height = FIRST_BLOCKS; readings.length < LEAST_READINGS || performance.now() < end; ) {
      height += 1;
      await Promise.all([runClients(gateway.url, CLIENTS_A_READING, random), simulated.advanceTo(height)]);
      readings.push(await read(gateway, simulated.url));
    }
    console.info(describe(readings));
    const growing = Object.keys(TOLERANCES).filter((name) => {
      return grows(
        readings.map((reading) => reading[name] ?? 0),
        TOLERANCES[name] as Tolerance,
      );
    });
    expect(growing).toEqual([]);
  },
  600_000 + MINUTES * 120_000,
);

/** What the gateway holds when nobody is there any more. */
async function read(
  gateway: MeasuredGateway,
  databaseUrl: string,
): Promise<Readonly<Record<string, number>>> {
  await expect.poll(async () => (await gateway.measure()).openStreams).toBe(0);
  const { heapUsed, rss, handles, objects, warnings } = await gateway.measure();
  expect(warnings).toEqual([]);
  const [connections] = await ask<{ count: number }>(
    databaseUrl,
    "SELECT count(*)::int AS count FROM pg_stat_activity WHERE datname = current_database() AND application_name LIKE 'periscope%'",
  );
  const all = Object.values(handles).reduce((sum, count) => sum + count, 0);
  return { heap: heapUsed, rss, handles: all, ...objects, backends: connections?.count ?? 0 };
}

function describe(readings: readonly Readonly<Record<string, number>>[]): string {
  const rows = Object.keys(TOLERANCES).map((name) => {
    const [first = 0, middle = 0, last = 0] = [0, readings.length >> 1, -1].map(
      (n) => readings.at(n)?.[name],
    );
    return [name.padEnd(12), ...[first, middle, last].map((value) => String(value).padStart(12))].join('');
  });
  const head = `soak with SEED=${seed}: ${readings.length} readings, each after ${CLIENTS_A_READING} clients; first, middle and last`;
  return [head, ...rows].join('\n');
}
