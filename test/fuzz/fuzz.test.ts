import { expect, test } from 'vitest';
import { readerUrlOf } from '../support/database.ts';
import { startMeasuredGateway } from '../support/measured-gateway.ts';
import { seed } from '../support/seed.ts';
import { createSimulatedDatabase } from '../support/simulated.ts';
import { type Campaign, campaign, describeOutcome, type Outcome } from './campaign.ts';
import { graphqlKind } from './graphql.ts';
import { HttpClient } from './http-client.ts';
import { ndjsonKind, protobufKind } from './ingest.ts';
import { rawHttpKind } from './raw-http.ts';
import { restKind } from './rest.ts';
import { readKnown } from './texts.ts';
import { webSocketKind } from './web-sockets.ts';

/** A few thousand in every run of the tests, a million by `npm run fuzz`. */
const INPUTS = Number(process.env['FUZZ_INPUTS'] ?? 3000);
/** How much more the heap may hold when all is over: what is kept on purpose, such as documents, is far less. */
const HEAP_GROWTH = 48 * 2 ** 20;
/** Those to the database, where it is reached over TCP. */
const OWN_SOCKETS = 12;
const WARM_UP = 0.1;

const SETTINGS = {
  // A machine with much else to do is no reason for an answer of 503.
  ADMISSION_WAIT_MS: '60000',
  POOL_WAIT_MS: '60000',
  STATEMENT_TIMEOUT_MS: '60000',
  // What is never finished ends soon.
  HEADERS_TIMEOUT_MS: '1500',
  REQUEST_TIMEOUT_MS: '1500',
  STREAM_HEARTBEAT_MS: '1000',
};

test(
  'no input makes the gateway fail, tell of its inside or keep anything',
  async () => {
    await using simulated = await createSimulatedDatabase({ seed: 3, blocks: 80, parties: 12, markets: 2 });
    await using gateway = await startMeasuredGateway(readerUrlOf(simulated.url), SETTINGS);
    const known = await readKnown(simulated);
    using client = new HttpClient(gateway.url);
    const port = Number(new URL(gateway.url).port);
    const kinds: readonly Campaign[] = [
      campaign(restKind(client, known)),
      campaign(graphqlKind(client, known)),
      campaign(rawHttpKind(port)),
      campaign(webSocketKind(port, known)),
      campaign(protobufKind()),
      campaign(ndjsonKind(known)),
    ];
    // All kinds at once: some wait most of the time, for what ends what is never finished.
    const runAll = (inputs: number, from: number): Promise<readonly Outcome[]> =>
      Promise.all(
        kinds.map(async (kind) => {
          const count = Math.ceil((inputs * kind.share) / 100);
          const outcome = await kind.run(count, from, () => gateway.end !== null);
          console.info(describeOutcome(outcome));
          return outcome;
        }),
      );
    await runAll(INPUTS * WARM_UP, seed + 1);
    const before = await gateway.measure();
    const outcomes = await runAll(INPUTS, seed);
    console.info(`fuzz ended with SEED=${seed}`);
    expect(outcomes.flatMap(({ faults }) => faults)).toEqual([]);
    expect(gateway.end).toBeNull();
    client[Symbol.dispose]();
    // What a client that left had open is let go.
    await expect.poll(async () => (await gateway.measure()).openStreams).toBe(0);
    await expect
      .poll(async () => (await gateway.measure()).handles['TCPSocketWrap'] ?? 0)
      .toBeLessThanOrEqual(OWN_SOCKETS);
    const after = await gateway.measure();
    console.info(`heap ${before.heapUsed} bytes, then ${after.heapUsed}; ${JSON.stringify(after.handles)}`);
    expect(after.heapUsed - before.heapUsed).toBeLessThan(HEAP_GROWTH);
    expect(after.warnings).toEqual([]);
  },
  300_000 + INPUTS * 60,
);
