import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Logger } from 'pino';
import type { Config } from '../config.ts';
import { GatewayError } from '../errors.ts';
import { createEntrance, createRequestHandler } from '../http/entrance.ts';
import { type ClientAddresses, createClientAddresses } from '../http/limits/client-address.ts';
import { isOnlyThisMachine } from '../http/limits/rate-limiter.ts';
import { Turns } from '../http/limits/turns.ts';
import { HEALTH_PATHS, type Health } from '../http/pages/health.ts';
import { type HttpServer, startHttpServer } from '../http/server/listen.ts';
import { METRICS_SETTINGS } from '../http/server/port.ts';
import { AnswerWriter } from '../http/write/answer-writer.ts';
import { quotedPath } from '../http/write/error-body.ts';
import type { Exchange } from '../http/write/exchange.ts';
import {
  createMetrics,
  type Metrics,
  type MetricsSnapshot,
  OPENMETRICS_TYPE,
  TEXT_TYPE,
  writeMetrics,
} from './metrics.ts';

export type { Health };

export const METRICS_PATH = '/metrics';
/** Who measures a gateway has a connection or two. */
const MOST_CONNECTIONS = 50;
const STOP_LIMIT_MS = 1_000;
const STALL_MS = 10_000;

/** The metrics of a process, and where they are served by themselves. Whoever opens them closes them. */
export interface OpenMetrics extends Metrics, AsyncDisposable {
  /** The address on METRICS_PORT; null where that is not set. */
  readonly url: string | null;
  /** Serves those of other processes there, too. */
  include(readOthers: ReadAll): void;
}

/** Whether PORT has the metrics: where only this machine can ask there, and nobody is let through by a proxy. */
export function isOnPublicPort({ http, metrics }: Config): boolean {
  return metrics.port === null && isOnlyThisMachine(http.host) && http.trustedProxies === null;
}

/**
 * Makes the metrics of a process, and serves them on METRICS_PORT where that is set; with its health where it has no port of
 * another kind.
 */
export async function openMetrics(
  config: Config,
  version: string,
  logger: Logger,
  health: Health | null = null,
): Promise<OpenMetrics> {
  const metrics = createMetrics(version);
  let readOthers: ReadAll = async () => [];
  try {
    const server = await startMetricsServer(
      config,
      async () => [await metrics.read(), ...(await readOthers())],
      { logger, health },
    );
    const close = async () => {
      await server?.close({ graceMs: 0, deadlineMs: STOP_LIMIT_MS });
      metrics[Symbol.dispose]();
    };
    const url = server && `${server.url}${METRICS_PATH}`;
    const include = (read: ReadAll) => {
      readOthers = read;
    };
    return { ...metrics, url, include, [Symbol.asyncDispose]: close };
  } catch (error) {
    metrics[Symbol.dispose]();
    throw error;
  }
}

async function startMetricsServer(
  { http, metrics }: Config,
  read: ReadAll,
  { logger, health }: { readonly logger: Logger; readonly health: Health | null },
): Promise<HttpServer | null> {
  const { port, host } = metrics;
  if (port === null) return null;
  const clients = createClientAddresses(null, logger);
  return startHttpServer({
    ...http,
    port,
    host,
    settings: METRICS_SETTINGS,
    maxConnections: MOST_CONNECTIONS,
    maxConnectionsPerClient: MOST_CONNECTIONS,
    app: createMetricsApp(read, { logger, clients, health }),
    clients,
    logger,
  });
}

/** Reads the metrics of all processes that are one gateway. */
type ReadAll = () => Promise<readonly MetricsSnapshot[]>;

interface MetricsAppOptions {
  readonly logger: Logger;
  readonly clients: ClientAddresses;
  readonly health: Health | null;
}

/** Serves nothing but the metrics, and the health that is given; all else is answered with the documented error body. */
function createMetricsApp(read: ReadAll, { logger, clients, health }: MetricsAppOptions): RequestListener {
  const answer = createMetricsHandler(read);
  const writer = new AnswerWriter({ logger, corsOrigin: [], stallMs: STALL_MS, clients, limiter: null });
  const take = async (exchange: Exchange) => {
    const { request, response } = exchange;
    writer.setHead(exchange);
    const path = request.url?.split('?', 1)[0];
    const healthPath = health === null ? undefined : HEALTH_PATHS.find((one) => one === path);
    if (path !== METRICS_PATH && healthPath === undefined) {
      const others = health === null ? '' : ` and ${HEALTH_PATHS.join(', ')}`;
      throw new GatewayError(
        'NOT_FOUND',
        `There is nothing at ${quotedPath(request)}, only ${METRICS_PATH}${others}.`,
      );
    }
    if (request.method !== 'GET' && request.method !== 'HEAD') {
      response.setHeader('Allow', 'GET, HEAD');
      throw new GatewayError('UNIMPLEMENTED', `${path} takes GET, HEAD, not ${request.method}.`);
    }
    if (health !== null && healthPath !== undefined) await health.answer(healthPath, request, response);
    else await answer(request, response);
  };
  return createRequestHandler({
    writer,
    enter: createEntrance({ clients, limiter: null, waitForBlock: () => null }),
    turns: new Turns(WAIT_MS),
    watch: null,
    take: (exchange) => void take(exchange).catch((error) => writer.fail(exchange, error)),
  });
}

/** How long a question for metrics may wait for a turn of the event loop. */
const WAIT_MS = 1000;

/** Answers with the metrics, as OpenMetrics where those are asked for, else as Prometheus' own text. */
export function createMetricsHandler(
  read: ReadAll,
): (request: IncomingMessage, response: ServerResponse) => Promise<void> {
  return async (request, response) => {
    const type = chooseType(request.headers.accept ?? '');
    const text = await writeMetrics(await read(), type);
    response.setHeader('Content-Type', type);
    response.setHeader('Cache-Control', 'no-store');
    response.setHeader('Vary', 'Accept');
    response.end(request.method === 'HEAD' ? undefined : text);
  };
}

/** What is asked for by name, and as much as the other or more. */
function chooseType(accept: string): typeof TEXT_TYPE | typeof OPENMETRICS_TYPE {
  const wanted = (name: string) => {
    const range = accept.split(',').find((one) => one.split(';', 1)[0]?.trim().toLowerCase() === name);
    if (range === undefined) return 0;
    const quality = /;\s*q=([\d.]+)/i.exec(range)?.[1];
    return quality === undefined ? 1 : Number(quality);
  };
  const open = wanted('application/openmetrics-text');
  return open > 0 && open >= wanted('text/plain') ? OPENMETRICS_TYPE : TEXT_TYPE;
}
