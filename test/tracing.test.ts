import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, createServer as createTcpServer, type Socket } from 'node:net';
import type { Readable } from 'node:stream';
import { describe, expect, test } from 'vitest';
import { startTestGateway } from './support/gateway.ts';
import { readListening, startProgram } from './support/program.ts';
import { createSimulatedDatabase } from './support/simulated.ts';

interface SentSpan {
  readonly name: string;
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly attributes: readonly { readonly key: string; readonly value: { readonly stringValue?: string } }[];
}

/** Receives traces as OTLP over HTTP with JSON. */
async function receiveTraces() {
  const spans: SentSpan[] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const { resourceSpans } = JSON.parse(Buffer.concat(chunks).toString());
    if (request.url === '/v1/traces')
      for (const { scopeSpans } of resourceSpans)
        for (const { spans: sent } of scopeSpans) spans.push(...sent);
    response.setHeader('Content-Type', 'application/json').end('{}');
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { spans, url, [Symbol.asyncDispose]: async () => void server.close().closeAllConnections() };
}

const TRACE = '0af7651916cd43dd8448eb211c80319c';
const PARENT = 'b7ad6b7169203331';
const headers = { traceparent: `00-${TRACE}-${PARENT}-01` };

/** Asks a gateway of its own, and gives the spans of that trace. */
async function trace(ask: (url: string) => Promise<unknown>): Promise<SentSpan[]> {
  await using database = await createSimulatedDatabase({ seed: 3, blocks: 3, parties: 3, markets: 1 });
  await using receiver = await receiveTraces();
  using _ = setEndpoint(receiver.url);
  const gateway = await startTestGateway(database.url, { OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url });
  await ask(gateway.url);
  await gateway.close();
  return receiver.spans.filter(({ traceId }) => traceId === TRACE);
}

/** Where the address is, OpenTelemetry's own package reads. */
function setEndpoint(url: string): Disposable {
  process.env['OTEL_EXPORTER_OTLP_ENDPOINT'] = url;
  return { [Symbol.dispose]: () => void delete process.env['OTEL_EXPORTER_OTLP_ENDPOINT'] };
}

const QUERY = 'query Deposits { deposits(first: 2) { edges { node { id party { id } } } } }';

/** Every way to ask that has a span of its own: what it sends, and what the span of the request is called. */
const WAYS = {
  REST: [(url: string) => fetch(`${url}/api/v2/deposits`, { headers }), 'GET /api/v2/deposits'],
  'GraphQL by POST': [
    (url: string) =>
      fetch(`${url}/graphql`, {
        method: 'POST',
        headers: { ...headers, 'Content-Type': 'application/json' },
        body: JSON.stringify({ query: QUERY }),
      }),
    'POST /graphql',
  ],
  'GraphQL by GET': [
    (url: string) => fetch(`${url}/graphql?query=${encodeURIComponent(QUERY)}`, { headers }),
    'GET /graphql',
  ],
} as const;

test.each(Object.entries(WAYS))(
  'a span is sent for each request, operation and statement, and the trace of the caller goes on: %s',
  async (way, [ask, name]) => {
    const spans = await trace(async (url) => {
      const answer = await ask(url);
      expect([answer.status, await answer.text()]).toEqual([200, expect.stringContaining('"edges":[{')]);
    });
    const requests = spans.filter((span) => span.name === name);
    expect(requests.map(({ parentSpanId }) => parentSpanId)).toEqual([PARENT]);
    const operations = spans.filter((span) => span.name === 'operation');
    expect(operations.map(({ parentSpanId }) => parentSpanId)).toEqual([requests[0]?.spanId]);
    if (way !== 'REST') expect(attributeOf(operations[0], 'graphql.operation.name')).toBe('Deposits');
    const statements = spans.filter((span) => /^(SELECT|WITH) postgresql$/.test(span.name));
    expect(statements.length).toBeGreaterThan(0);
    for (const statement of statements) {
      expect(statement.parentSpanId).toBe(operations[0]?.spanId);
      expect(attributeOf(statement, 'db.query.text')).toMatch(/^(SELECT|WITH)/);
    }
  },
);

const attributeOf = (span: SentSpan | undefined, wanted: string) =>
  span?.attributes.find(({ key }) => key === wanted)?.value.stringValue;

/** Takes connections and what comes on them, and never answers. */
async function receiveInSilence() {
  const sockets = new Set<Socket>();
  const server = createTcpServer((socket) => {
    sockets.add(socket.on('error', () => {}).resume());
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const close = async () => {
    server.close();
    for (const socket of sockets) socket.destroy();
  };
  return { url, sockets, [Symbol.asyncDispose]: close };
}

describe('a receiver that never answers', () => {
  /** Less than the exporter's own limit of ten seconds, and more than a busy machine takes besides. */
  const SOON_MS = 7_000;

  test('holds the stop of a gateway for two seconds and not for longer', async () => {
    await using database = await createSimulatedDatabase({ seed: 3, blocks: 3, parties: 3, markets: 1 });
    await using receiver = await receiveInSilence();
    using _ = setEndpoint(receiver.url);
    const gateway = await startTestGateway(database.url, { OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url });
    await gateway.rest('/api/v2/deposits');
    const start = performance.now();
    await gateway.close();
    expect(performance.now() - start).toBeLessThan(SOON_MS);
    expect(receiver.sockets.size).toBe(1);
  });

  test('does not keep the process that was stopped', async () => {
    await using database = await createSimulatedDatabase({ seed: 3, blocks: 3, parties: 3, markets: 1 });
    await using receiver = await receiveInSilence();
    await using program = startProgram(['serve'], {
      ...{ PORT: '0', DATABASE_URL: database.url, SHUTDOWN_GRACE_MS: '0' },
      OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url,
    });
    const url = await readListening(program.process.stdout as Readable);
    await (await fetch(`${url}/api/v2/deposits`, { headers: { Connection: 'close' } })).text();
    const start = performance.now();
    program.process.kill('SIGTERM');
    const { code, signal } = await program.ended;
    expect([code, signal]).toEqual([0, null]);
    expect(performance.now() - start).toBeLessThan(SOON_MS);
    expect(receiver.sockets.size).toBe(1);
  });
});
