import { dirname, join } from 'node:path';
import { openProcessMetrics } from './commands/process-metrics.ts';
import { type Config, refuseSamePort } from './config.ts';
import { defaultDataDir, type StopRequest } from './data/embedded/postgres.ts';
import { type OpenPlace, openPlace, openReadingPlace } from './data/open.ts';
import { IngestCounts } from './ingest/ingest-counts.ts';
import { runIngest } from './ingest/run.ts';
import { createLogger } from './log.ts';
import { checkServing, loadServing, type Serving, startServing } from './serving.ts';
import { openSimulation, type SimulationOptions } from './simulation/simulate.ts';

/** The network of the demo as it stands when it is first served; from there on it produces a block a second. */
export const DEMO: SimulationOptions = {
  seed: 7,
  blocks: 150,
  parties: 40,
  markets: 4,
  release: '0.79',
};

/** Serves a simulated network that goes on, until it is asked to stop. */
export async function runDemo(config: Config, stop: StopRequest): Promise<void> {
  refuseSamePort(config);
  const dataDir = demoDataDir(config.database);
  const settings = { ...config.database, dataDir };
  const meanwhile = () => loadServing(config);
  await using place = await openPlace(settings, { stop, meanwhile });
  await using reading = await openReadingPlace(settings, { stop });
  await checkServing(config);
  try {
    await serveSimulation(config, place, reading.url, stop);
  } catch (error) {
    throw await place.explain(error);
  }
}

/** A simulated network must not get in the way of a real one. */
export function demoDataDir({ dataDir }: Config['database']): string {
  return dataDir ?? join(dirname(defaultDataDir()), 'demo');
}

async function serveSimulation(
  config: Config,
  place: OpenPlace,
  readingUrl: string,
  stop: StopRequest,
): Promise<void> {
  const { signal } = stop;
  const retention = config.ingest;
  const counts = new IngestCounts();
  const ingest = { databaseUrl: place.url, retention, signal, output: process.stderr, counts };
  if (signal.aborted) return;
  const describeNothingNew = (height: bigint) => `The simulated network goes on after block ${height}.`;
  await runIngest({ ...ingest, source: openSimulation(DEMO), pace: 'max', describeNothingNew });
  if (signal.aborted) return;
  // A person watches the terminal: requests are not worth a line there.
  const logger = createLogger(config.log.level === 'info' ? 'warn' : config.log.level);
  await using metrics = await openProcessMetrics(config, logger, place, () => counts);
  await using serving = await startServing({ config, databaseUrl: readingUrl, logger, stop, metrics });
  process.stdout.write(describeDemo(serving, place.name));
  const endless = openSimulation({ ...DEMO, blocks: Number.POSITIVE_INFINITY });
  const failing = new AbortController();
  const either = AbortSignal.any([signal, failing.signal]);
  const ingesting = runIngest({ ...ingest, source: endless, pace: 'realtime', signal: either });
  try {
    await Promise.race([ingesting, serving.failed]);
  } finally {
    // Nobody else ends it where nothing serves any more. What it fails by is told already.
    failing.abort();
    await ingesting.catch(() => {});
  }
}

function describeDemo({ url, metricsUrl }: Serving, place: string): string {
  return `
  A simulated network is being served; it produces a block a second. Stop it with Ctrl-C.

    Page       ${url}/
    Reference  ${url}/docs
    GraphiQL   ${url}/graphql
    REST       ${url}/api/v2/deposits?pagination.first=3&pretty
               ${url}/api/v2/accounts?filter.accountTypes=ACCOUNT_TYPE_GENERAL&pretty
               ${url}/votes?pretty
    Live       curl -N ${url}/api/v2/stream/accounts
    Health     ${url}/health/ready${metricsUrl === null ? '' : `\n    Metrics    ${metricsUrl}`}
    Database   ${place}

`;
}
