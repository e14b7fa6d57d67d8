import { dirname, join } from 'node:path';
import { pino } from 'pino';
import type { Config } from './config.ts';
import { openPlace, openReadingPlace } from './data/open.ts';
import { defaultDataDir } from './data/postgres.ts';
import { runIngest } from './ingest/run.ts';
import { openSimulation, type SimulationOptions } from './ingest/simulation/simulate.ts';
import { startGateway } from './server.ts';

/** The network of the demo as it stands when it is first served; from there on it produces a block a second. */
export const DEMO: SimulationOptions = { seed: 7, blocks: 150, parties: 40, markets: 4 };

/** Serves a simulated network that goes on, until the signal is aborted. */
export async function runDemo(config: Config, signal: AbortSignal): Promise<void> {
  // A simulated network must not get in the way of a real one.
  const dataDir = config.database.dataDir ?? join(dirname(defaultDataDir()), 'demo');
  await using place = await openPlace({ ...config.database, dataDir });
  const { historyBlocks } = config.ingest;
  const ingest = { databaseUrl: place.url, historyBlocks, signal, output: process.stderr };
  await runIngest({ ...ingest, source: openSimulation(DEMO), pace: 'max' });
  if (signal.aborted) return;
  // A person watches the terminal: requests are not worth a line there.
  const logger = pino({ level: config.log.level === 'info' ? 'warn' : config.log.level });
  await using reading = await openReadingPlace({ ...config.database, dataDir });
  await using gateway = await startGateway({ config, databaseUrl: reading.url, logger });
  process.stdout.write(describeDemo(gateway.url, place.name));
  const endless = openSimulation({ ...DEMO, blocks: Number.POSITIVE_INFINITY });
  await runIngest({ ...ingest, source: endless, pace: 'realtime' });
}

function describeDemo(url: string, place: string): string {
  return `
  A simulated network is being served; it produces a block a second. Stop it with Ctrl-C.

    GraphiQL   ${url}/graphql
    REST       ${url}/api/v2/deposits?pagination.first=3&pretty
               ${url}/api/v2/accounts?filter.accountTypes=ACCOUNT_TYPE_GENERAL&pretty
               ${url}/votes?pretty
    Live       curl -N ${url}/api/v2/stream/accounts
    Health     ${url}/health/ready
    Database   ${place}

`;
}
