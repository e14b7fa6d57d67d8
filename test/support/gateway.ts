import { pino } from 'pino';
import { readConfig } from '../../src/config.ts';
import { type Gateway, type GatewayCounters, startGateway } from '../../src/server.ts';
import { createTestDatabase, readerUrlOf } from './database.ts';
import { HANG_MS } from './limits.ts';

/** A gateway of the test's own, with what a test asks of it. */
export interface TestGateway extends Gateway {
  /** GETs a path. */
  rest(path: string): Promise<RestAnswer>;
  /** POSTs an operation to `/graphql`. */
  graphql(query: string, variables?: Readonly<Record<string, unknown>>): Promise<GraphqlAnswer>;
}

export interface RestAnswer {
  readonly status: number;
  readonly headers: Headers;
  /** The body as it came, and as it reads. */
  readonly text: string;
  // biome-ignore lint/suspicious/noExplicitAny: a test says of each answer what it must be.
  readonly body: any;
}

export interface GraphqlAnswer {
  readonly status: number;
  // biome-ignore lint/suspicious/noExplicitAny: a test says of each answer what it must be.
  readonly data: any;
  readonly errors: readonly GraphqlError[] | undefined;
}

export interface GraphqlError {
  readonly message: string;
  readonly path?: readonly (string | number)[];
  readonly extensions: { readonly code: string; readonly details?: readonly unknown[] };
}

/** A machine with much else to do is no reason for an answer of 503. */
const PATIENT = { ADMISSION_WAIT_MS: '60000', POOL_WAIT_MS: '60000', STATEMENT_TIMEOUT_MS: '60000' };

/** Starts the real gateway over a test's database, as the role that only reads, on a free port, without a log. */
export async function startTestGateway(
  databaseUrl: string,
  settings: Readonly<Record<string, string>> = {},
  counters?: GatewayCounters,
): Promise<TestGateway> {
  const gateway = await startGateway({
    // Its clients are the test's own, and know that it stops.
    config: readConfig({ PORT: '0', SHUTDOWN_GRACE_MS: '0', ...PATIENT, ...settings }),
    databaseUrl: readerUrlOf(databaseUrl),
    logger: pino({ level: 'silent' }),
    ...(counters === undefined ? {} : { counters }),
  });
  // Assigned, not spread: what changes with the gateway stays a getter.
  return Object.assign(gateway, {
    rest: (path: string) => getJson(`${gateway.url}${path}`),
    async graphql(query: string, variables: Readonly<Record<string, unknown>> = {}) {
      const answer = await getJson(`${gateway.url}/graphql`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json', Accept: 'application/graphql-response+json' },
        body: JSON.stringify({ query, variables }),
      });
      return { status: answer.status, data: answer.body.data, errors: answer.body.errors };
    },
  });
}

/** As `startTestGateway`, over a database of its own that `fill` writes to first; both end together. */
export async function startOwnGateway(
  fill: (databaseUrl: string) => Promise<unknown> = async () => {},
): Promise<TestGateway> {
  const database = await createTestDatabase();
  await fill(database.url);
  const gateway = await startTestGateway(database.url);
  return Object.assign(gateway, {
    async [Symbol.asyncDispose]() {
      await gateway.close();
      await database[Symbol.asyncDispose]();
    },
  });
}

export async function getJson(url: string, init: RequestInit = {}): Promise<RestAnswer> {
  const response = await fetch(url, { signal: AbortSignal.timeout(HANG_MS), ...init });
  const text = await response.text();
  return { status: response.status, headers: response.headers, text, body: JSON.parse(text) };
}
