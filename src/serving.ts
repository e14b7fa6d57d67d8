import type { Logger } from 'pino';
import { type Config, ConfigError } from './config.ts';
import type { StopRequest } from './data/embedded/postgres.ts';
import type { Hindrance } from './data/writing/hold-ups.ts';
import { DisposableStack } from './disposable-stack.ts';
import { readOperationList } from './engine/documents/operation-list.ts';
import { METRICS_SETTINGS, tryPort } from './http/server/port.ts';
import type { OpenMetrics } from './metrics/serve.ts';

/** What serves: this process, or several. Whoever starts it closes it. */
export interface Serving extends AsyncDisposable {
  readonly url: string;
  /** Where its metrics are; null where they are nowhere. */
  readonly metricsUrl: string | null;
  /** How many processes serve. */
  readonly workers: number;
  /** Rejects when it cannot go on. */
  readonly failed: Promise<never>;
}

interface ServingOptions {
  readonly config: Config;
  readonly databaseUrl: string;
  readonly logger: Logger;
  readonly stop: StopRequest;
  /** Those of this process; whoever opened them closes them. */
  readonly metrics: OpenMetrics;
  /** What hinders the ingest of this process, where it has one, also while the database could not be told. */
  readonly findHindrance?: () => Hindrance | null;
}

const NEVER = new Promise<never>(() => {});

/**
 * Looks at what else but the database it takes to serve: a port, and a list of operations. For those who have much to do
 * before they serve. Throws a ConfigError.
 */
export async function checkServing({ http, metrics, graphql }: Config): Promise<void> {
  await tryPort(http);
  const { host, port } = metrics;
  if (port !== null) await tryPort({ host, port, settings: METRICS_SETTINGS });
  if (graphql.operationList === null) return;
  try {
    readOperationList(graphql.operationList);
  } catch (error) {
    throw new ConfigError((error as Error).message);
  }
}

/** Serves a database by as many processes as are wanted. */
export async function startServing(options: ServingOptions): Promise<Serving> {
  if (options.config.scrub.rowsPerSecond === 0) return startProcesses(options);
  const { startScrubbing } = await import('./scrubbing.ts');
  const opened = new DisposableStack();
  const serving = opened.use(await startProcesses(options));
  opened.use(startScrubbing(options));
  return { ...serving, [Symbol.asyncDispose]: () => opened.close() };
}

async function startProcesses({ stop, ...options }: ServingOptions): Promise<Serving> {
  if (options.config.workers.count !== 1) return startWorkers({ stop, ...options });
  const { startGateway } = await import('./server.ts');
  const { url, metricsUrl, close } = await startGateway(options);
  return { url, metricsUrl, workers: 1, failed: NEVER, [Symbol.asyncDispose]: close };
}

async function startWorkers({ stop, ...options }: ServingOptions): Promise<Serving> {
  const { config, metrics } = options;
  const { startCluster, METRICS_PATH, isOnPublicPort, addMetrics, defineRefusedConnections } =
    await loadWorkers();
  const cluster = await startCluster({ ...options, readOwnMetrics: metrics.read, addMetrics });
  metrics.include(cluster.readMetrics);
  defineRefusedConnections(metrics.registry, () => cluster.refused);
  const letGo = stop.hold(cluster.kill);
  const { url, workers, failed } = cluster;
  const metricsUrl = metrics.url ?? (isOnPublicPort(config) ? `${url}${METRICS_PATH}` : null);
  return { url, metricsUrl, workers, failed, [Symbol.asyncDispose]: () => cluster.close().finally(letGo) };
}

/** Loads what serves while there is something else to wait for. */
export function loadServing({ workers }: Config): void {
  const loading = workers.count === 1 ? import('./server.ts') : loadWorkers();
  loading.catch(() => {});
}

async function loadWorkers() {
  const [{ startCluster }, { METRICS_PATH, isOnPublicPort }, { addMetrics }, { defineRefusedConnections }] =
    await Promise.all([
      import('./cluster/cluster.ts'),
      import('./metrics/serve.ts'),
      import('./metrics/metrics.ts'),
      import('./metrics/http.ts'),
    ]);
  return { startCluster, METRICS_PATH, isOnPublicPort, addMetrics, defineRefusedConnections };
}
