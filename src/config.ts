import { bucket } from './config/bucket.ts';
import { database } from './config/database.ts';
import { http } from './config/http.ts';
import { ingest } from './config/ingest.ts';
import { log, metrics, scrub, tracing } from './config/observation.ts';
import type { Option, Options } from './config/option.ts';
import { answers, graphql, mcp, workers } from './config/serving.ts';
import { streams } from './config/streams.ts';

/** Every variable that the gateway reads, in the order of the documentation. One that is set to nothing counts as not set. */
export const configOptions = {
  http,
  workers,
  answers,
  database,
  ingest,
  bucket,
  graphql,
  mcp,
  streams,
  metrics,
  scrub,
  tracing,
  log,
} as const;

type Groups = typeof configOptions;

/** The settings of a gateway process: read once from the environment, checked, frozen, grouped by who uses them. */
export type Config = {
  readonly [Group in keyof Groups]: {
    readonly [Key in keyof Groups[Group]]: Groups[Group][Key] extends Option<infer Value> ? Value : never;
  };
};

/** Settings that cannot be used. The message names every bad variable with its value, and is for a person. */
export class ConfigError extends Error {
  override name = 'ConfigError';
}

/** Reads and checks the settings. Throws one ConfigError that names all bad variables. */
export function readConfig(env: Readonly<Record<string, string | undefined>>): Config {
  const problems: string[] = [];
  const config = mapEntries(configOptions, (group) =>
    mapEntries(group as Options, (opt) => readOption(opt, env, problems)),
  ) as Config;
  if (config.http.headersTimeoutMs > config.http.requestTimeoutMs) {
    problems.push(
      `HEADERS_TIMEOUT_MS is ${config.http.headersTimeoutMs}, more than REQUEST_TIMEOUT_MS, ${config.http.requestTimeoutMs}`,
    );
  }
  if (isMoreThanPool(config)) problems.push(describeWorkers(config));
  if (config.database.readerUrl && config.database.url === null) {
    problems.push('DATABASE_READER_URL is set, and DATABASE_URL is not: it would go with that');
  }
  if (config.database.replicaUrls && config.database.url === null) {
    problems.push('DATABASE_REPLICA_URLS is set, and DATABASE_URL is not: they would repeat its writes');
  }
  if (problems.length > 0) throw new ConfigError(problems.join('\n'));
  return config;
}

/** Gives the settings another number of workers. Throws a ConfigError where they cannot be had. */
export function withWorkers(config: Config, count: number | 'auto'): Config {
  const changed = { ...config, workers: { ...config.workers, count } };
  if (isMoreThanPool(changed)) throw new ConfigError(describeWorkers(changed));
  return changed;
}

/**
 * The servers that are read, one that may be the primary, and replicas: of the settings where these have replicas, since the server
 * that was opened may be one of those.
 */
export function readPlaces(
  { database: { url, readerUrl, replicaUrls } }: Config,
  opened: string,
): { readonly url: string; readonly replicaUrls: readonly string[] } {
  return replicaUrls === null
    ? { url: opened, replicaUrls: [] }
    : { url: readerUrl ?? url ?? opened, replicaUrls };
}

/** What serves listens on both ports. Throws a ConfigError where they are one. */
export function refuseSamePort({ http, metrics }: Config): void {
  const { port } = metrics;
  if (port === null || port === 0 || port !== http.port) return;
  const [one, other] = [http.host, metrics.host].map((host) => (host === 'localhost' ? '127.0.0.1' : host));
  // Another address of this machine has ports of its own.
  if (one !== other && !EVERY_ADDRESS.has(`${one}`) && !EVERY_ADDRESS.has(`${other}`)) return;
  throw new ConfigError(
    `METRICS_PORT is ${port}, as PORT is; set one of them to another, or METRICS_PORT to nothing.`,
  );
}

const EVERY_ADDRESS: ReadonlySet<string> = new Set(['0.0.0.0', '::']);

function isMoreThanPool({ workers, database }: Config): boolean {
  return Number(workers.count) > database.poolSize;
}

function describeWorkers({ workers, database }: Config): string {
  return `WORKERS is ${workers.count}, more than POOL_SIZE, ${database.poolSize}, of which each needs one`;
}

function readOption(
  opt: Option<unknown>,
  env: Readonly<Record<string, string | undefined>>,
  problems: string[],
) {
  const text = env[opt.name] || opt.default;
  try {
    return opt.parse(text);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    problems.push(`${opt.name} is ${JSON.stringify(opt.show(text ?? ''))}; it takes ${opt.takes}`);
    return undefined;
  }
}

function mapEntries<V, W>(
  record: Readonly<Record<string, V>>,
  map: (value: V) => W,
): Readonly<Record<string, W>> {
  return Object.freeze(Object.fromEntries(Object.entries(record).map(([key, value]) => [key, map(value)])));
}
