import { once } from 'node:events';
import { request as httpRequest } from 'node:http';
import { connect } from 'node:net';
import type { Express } from 'express';
import { type Logger, pino } from 'pino';
import { onTestFinished } from 'vitest';
import { createHttpApp } from '../../src/http/app.ts';
import { createEntrance, createRequestHandler } from '../../src/http/entrance.ts';
import { createClientAddresses, type TrustedProxies } from '../../src/http/limits/client-address.ts';
import { onlyMethods } from '../../src/http/limits/methods.ts';
import { Turns } from '../../src/http/limits/turns.ts';
import type { UntakenLimits } from '../../src/http/limits/untaken-answers.ts';
import { createHealth, type ReadinessCheck } from '../../src/http/pages/health.ts';
import { startHttpServer } from '../../src/http/server/listen.ts';
import { AnswerWriter } from '../../src/http/write/answer-writer.ts';
import { writeJson } from '../../src/http/write/json.ts';

export interface Setup {
  readonly mount?: (app: Express, writer: AnswerWriter, logger: Logger) => void;
  readonly checks?: readonly ReadinessCheck[];
  /** How long each check may take. */
  readonly checkMs?: number;
  readonly corsOrigin?: '*' | readonly string[];
  readonly bodyLimit?: number;
  readonly headersTimeoutMs?: number;
  readonly requestTimeoutMs?: number;
  readonly maxConnections?: number;
  readonly maxConnectionsPerClient?: number;
  readonly trustedProxies?: TrustedProxies;
  readonly untaken?: UntakenLimits;
}

/** An answer large enough to be compressed. */
export const BIG = { rows: Array.from({ length: 500 }, (_, index) => ({ index, text: `row ${index} <&>` })) };

/** `/big` and `/small` give JSON, `/echo` the request's body. */
export const mount: NonNullable<Setup['mount']> = (app) => {
  app.all('/big', onlyMethods('GET'), (request, response) => writeJson(request, response, 200, BIG));
  app.all('/small', onlyMethods('GET'), (request, response) =>
    writeJson(request, response, 200, { a: ['<\u2028>'] }),
  );
  app.all('/echo', onlyMethods('GET', 'POST'), (request, response) => {
    writeJson(request, response, 200, { body: request.body?.toString() ?? null });
  });
};

/** A server of the test's own on a free port, closed with the test; `log` fills with what it logs. */
export async function serve(setup: Setup = {}) {
  const log: Record<string, unknown>[] = [];
  const logger = pino({ level: 'debug' }, { write: (line: string) => void log.push(JSON.parse(line)) });
  const health = createHealth(setup.checks ?? [], logger, { timeoutMs: setup.checkMs ?? 200 });
  const corsOrigin = setup.corsOrigin ?? '*';
  const clients = createClientAddresses(setup.trustedProxies ?? null, logger);
  const { untaken } = setup;
  const writer = new AnswerWriter({
    ...{ logger, corsOrigin, stallMs: 10_000, clients, limiter: null },
    ...(untaken === undefined ? {} : { untaken }),
  });
  const app = createHttpApp({
    writer,
    health,
    bodyLimit: setup.bodyLimit ?? 65536,
    mount: (root) => setup.mount?.(root, writer, logger),
  });
  const running = await startHttpServer({
    app: createRequestHandler({
      writer,
      enter: createEntrance({ clients, limiter: null, waitForBlock: () => null }),
      turns: new Turns(10_000),
      watch: null,
      take: ({ request, response }) => app(request, response),
    }),
    logger,
    clients,
    host: '127.0.0.1',
    port: 0,
    headersTimeoutMs: setup.headersTimeoutMs ?? 10_000,
    requestTimeoutMs: setup.requestTimeoutMs ?? 15_000,
    keepAliveTimeoutMs: 65_000,
    maxConnections: setup.maxConnections ?? 100,
    maxConnectionsPerClient: setup.maxConnectionsPerClient ?? 100,
    corsOrigin,
  });
  onTestFinished(async () => void (await running.close({ graceMs: 0, deadlineMs: 0 })));
  const port = Number(new URL(running.url).port);
  return {
    ...running,
    health,
    log,
    port,
    get: (path: string, init: RequestInit = {}) => fetch(`${running.url}${path}`, init),
    raw: (bytes: string) => exchange(port, bytes),
  };
}

/** Below the limits of the server itself, at which it would close the connection too. */
const KEPT_OPEN_MS = 8000;

/** Sends bytes over a connection of their own and gives everything that comes back until the server closes it. */
export async function exchange(port: number, bytes: string): Promise<string> {
  const socket = connect(port, '127.0.0.1').setEncoding('latin1').setTimeout(KEPT_OPEN_MS);
  let answer = '';
  socket.on('data', (chunk: string) => {
    answer += chunk;
  });
  socket.on('timeout', () =>
    socket.destroy(new Error(`the server kept the connection open after: ${answer}`)),
  );
  socket.write(bytes, 'latin1');
  await once(socket, 'close');
  return answer;
}

/** The parts of a raw answer. */
export function parseAnswer(answer: string) {
  const [head = '', body = ''] = answer.split('\r\n\r\n', 2);
  const [statusLine = '', ...lines] = head.split('\r\n');
  const headers = new Map(
    lines.map((line) => [
      line.slice(0, line.indexOf(':')).toLowerCase(),
      line.slice(line.indexOf(':') + 1).trim(),
    ]),
  );
  return { status: Number(statusLine.split(' ')[1]), headers, body };
}

/** As a client that does not decompress sees it. */
export async function getRaw(port: number, path: string, headers: Record<string, string>, method = 'GET') {
  return new Promise<{ status: number; headers: Record<string, unknown>; body: Buffer }>(
    (resolve, reject) => {
      httpRequest({ port, host: '127.0.0.1', path, headers, method }, async (response) => {
        const chunks: Buffer[] = [];
        for await (const chunk of response) chunks.push(chunk);
        resolve({ status: response.statusCode ?? 0, headers: response.headers, body: Buffer.concat(chunks) });
      })
        .on('error', reject)
        .end();
    },
  );
}
