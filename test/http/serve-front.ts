import { type Logger, pino } from 'pino';
import { onTestFinished } from 'vitest';
import { createHttpApp } from '../../src/http/app.ts';
import { FastPath } from '../../src/http/fast-path.ts';
import { createFront } from '../../src/http/front.ts';
import { createClientAddresses } from '../../src/http/limits/client-address.ts';
import { createMinBlock, createWaitForBlock } from '../../src/http/limits/min-block.ts';
import { RateLimit, type RateLimits } from '../../src/http/limits/rate-limit.ts';
import { RateLimiter } from '../../src/http/limits/rate-limiter.ts';
import { Rejection } from '../../src/http/limits/rejection.ts';
import { createHealth } from '../../src/http/pages/health.ts';
import type { PlainRequestOptions, Question } from '../../src/http/plain-requests.ts';
import { createScopeOf } from '../../src/http/request-scope.ts';
import { startHttpServer } from '../../src/http/server/listen.ts';
import { RequestTimes } from '../../src/http/watch/request-times.ts';
import { Answer } from '../../src/http/write/answer.ts';
import { createHeadWriter, readyHeaders } from '../../src/http/write/ready-head.ts';

export interface FrontSetup {
  readonly isFast?: boolean;
  readonly corsOrigin?: '*' | readonly string[];
  readonly limits?: RateLimits;
  readonly stallMs?: number;
  readonly keepAliveTimeoutMs?: number;
  /** Whether there is no room for a client. */
  readonly isCrowded?: (client: string) => boolean;
}

export const SMALL = { a: ['<é>'] };
/** Kept under `/kept/large`: more than a connection holds of it for a reader that takes nothing. */
export const LARGE_BYTES = 16 * 2 ** 20;
/** Large enough to be compressed, and to be copied behind its head. */
const MIDDLING = JSON.stringify(Array.from({ length: 200 }, (_, index) => ({ index, text: `row ${index}` })));
export const POSTED = '{"query":"{ kept }"}';

const BUSY = new Rejection('UNAVAILABLE', 'There is more to do than can be done. Try again in a second.');

/**
 * A server with the front and its fast path before it: `/kept/…` and the operation POSTED are kept, `/made/…` and any other
 * operation are made anew.
 */
export async function serveFront(setup: FrontSetup = {}) {
  const { isFast = true, corsOrigin = '*', limits, stallMs = 10_000, keepAliveTimeoutMs = 65_000 } = setup;
  const log: Record<string, unknown>[] = [];
  const logger = pino({ level: 'debug' }, { write: (line: string) => void log.push(JSON.parse(line)) });
  const limiter = limits === undefined ? null : new RateLimiter(limits, new RateLimit(limits, () => 0));
  const clients = createClientAddresses(1, logger);
  const times = new RequestTimes(['/kept/{name}', '/made/{name}', '/graphql']);
  const plain: PlainRequestOptions = {
    ...{ logger, corsOrigin, stallMs, clients, limiter },
    heads: createHeadWriter(),
    kept: keep(),
    rejectionFor: (client) => (setup.isCrowded?.(client) ? BUSY : null),
    gets: {
      nameBlock: () => readyHeaders(['X-Block-Height', '7']),
      find: (url) => (/^\/(?:made|kept)\//.test(url) ? () => make(url) : null),
    },
    posts: {
      path: '/graphql',
      formOf: ({ 'content-type': type }) => (type === 'application/json' ? 'application/json' : null),
      read: (body) => (body.includes('query') ? make(body.toString()) : null),
      noteKept: () => {},
      noteFailure: () => {},
    },
  };
  const newest = { height: () => 7n, reach: async () => false };
  const front = createFront({
    ...plain,
    app: createApp(logger, corsOrigin),
    bodyLimit: 65_536,
    scopeOf: createScopeOf(clients),
    minBlock: createMinBlock(createWaitForBlock(newest)),
    watch: null,
  });
  const fastPath = isFast ? new FastPath({ ...plain, note: (answered) => times.count(answered) }) : null;
  const running = await startHttpServer({
    ...{ app: front, logger, clients, corsOrigin, host: '127.0.0.1', port: 0 },
    ...{ headersTimeoutMs: 2000, requestTimeoutMs: 4000, keepAliveTimeoutMs },
    ...{ maxConnections: 100, maxConnectionsPerClient: 100 },
    onAnswered: (response, ms) => times.add(response, ms),
    fastPathFor: () => fastPath,
  });
  onTestFinished(async () => void (await running.close({ graceMs: 0, deadlineMs: 0 })));
  let read = 0;
  for (const event of ['request', 'checkContinue', 'checkExpectation', 'clientError'])
    running.server.on(event, () => {
      read += 1;
    });
  return {
    ...running,
    ...{ log, times },
    port: Number(new URL(running.url).port),
    get connections() {
      return running.connections;
    },
    /** How many requests Node has read, those counted that it could not. */
    get read() {
      return read;
    },
  };
}

function createApp(logger: Logger, corsOrigin: '*' | readonly string[]) {
  const health = createHealth([], logger, { timeoutMs: 200 });
  return createHttpApp({ logger, health, corsOrigin, bodyLimit: 65_536, mount: () => {} });
}

function keep(): PlainRequestOptions['kept'] {
  const answers = new Map(
    Object.entries({
      '/kept/small': JSON.stringify(SMALL),
      '/kept/middling': MIDDLING,
      '/kept/large': 'x'.repeat(LARGE_BYTES),
      [`application/json ${POSTED}`]: '{"data":{"kept":true}}',
    }).map(([key, text]) => [key, new Answer('application/json', text)]),
  );
  for (const answer of answers.values()) answer.keep(() => {});
  return {
    find: (key) => answers.get(key),
    ask: async (key, ask) => answers.get(key) ?? (await ask({} as never)).value,
  };
}

function make(text: string): Question {
  return {
    head: [],
    make: async () => ({
      value: new Answer('application/json', JSON.stringify({ made: text })),
      cacheTags: null,
    }),
  };
}
