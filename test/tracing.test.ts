import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { startTestGateway } from './support/gateway.ts';
import { createSimulatedDatabase } from './support/simulated.ts';

interface SentSpan {
  readonly name: string;
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
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

test('a span is sent for each request, operation and statement, and the trace of the caller goes on', async () => {
  await using database = await createSimulatedDatabase({ seed: 3, blocks: 3, parties: 3, markets: 1 });
  await using receiver = await receiveTraces();
  // Where the address is, OpenTelemetry's own package reads.
  process.env['OTEL_EXPORTER_OTLP_ENDPOINT'] = receiver.url;
  try {
    const gateway = await startTestGateway(database.url, { OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url });
    const traceId = '0af7651916cd43dd8448eb211c80319c';
    const parent = 'b7ad6b7169203331';
    const headers = { traceparent: `00-${traceId}-${parent}-01` };
    await (await fetch(`${gateway.url}/api/v2/deposits`, { headers })).text();
    await gateway.close();
    const ours = receiver.spans.filter((span) => span.traceId === traceId);
    const [request] = ours.filter(({ name }) => name === 'GET /api/v2/deposits');
    expect(request?.parentSpanId).toBe(parent);
    const [operation] = ours.filter(({ name }) => name === 'operation');
    expect(operation?.parentSpanId).toBe(request?.spanId);
    const statements = ours.filter(({ name }) => /^(SELECT|WITH) postgresql$/.test(name));
    expect(statements.length).toBeGreaterThan(0);
    expect(statements.map(({ parentSpanId }) => parentSpanId)).toEqual(
      statements.map(() => operation?.spanId),
    );
  } finally {
    delete process.env['OTEL_EXPORTER_OTLP_ENDPOINT'];
  }
});
