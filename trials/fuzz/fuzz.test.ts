import { expect, test } from 'vitest';
import { readerUrlOf } from '../../test/support/database.ts';
import { startMeasuredGateway } from '../../test/support/measured-gateway.ts';
import { seed } from '../../test/support/seed.ts';
import { createSimulatedDatabase } from '../../test/support/simulated.ts';
import { type Campaign, type Orders, type Outcome, startCampaign } from './campaign.ts';
import { graphqlKind } from './graphql.ts';
import { HttpClient } from './http-client.ts';
import { ndjsonKind, protobufKind } from './ingest.ts';
import { rawHttpKind } from './raw-http.ts';
import { restKinds } from './rest.ts';
import { readKnown } from './texts.ts';
import { webSocketKind } from './web-sockets.ts';

/** A few thousand in every run of the tests, a million by `npm run fuzz`. */
const INPUTS = Number(process.env['FUZZ_INPUTS'] ?? 3000);
/**
 * How much more the heap may hold when all is over: what is kept on purpose, each within its own bound, which a million inputs
 * come near. Documents take 32 MiB of it, persisted operations and fields of heads 4 each, what is known of kept answers the rest.
 */
const HEAP_GROWTH = 64 * 2 ** 20;
/** Those to the database, where it is reached over TCP. */
const OWN_SOCKETS = 12;
/** What the gateway keeps on purpose, such as documents, it has kept by then. */
const WARM_UP = Math.min(INPUTS, 20_000) / 10;
const PROGRESS_MS = 20_000;

const SETTINGS = {
  // A machine with much else to do is no reason for an answer of 503.
  ADMISSION_WAIT_MS: '60000',
  POOL_WAIT_MS: '60000',
  STATEMENT_TIMEOUT_MS: '60000',
  // Each lane may ask for a page of 5000 markets.
  ADMITTED_COST: '10000000',
  // What is never finished ends soon.
  HEADERS_TIMEOUT_MS: '1500',
  REQUEST_TIMEOUT_MS: '1500',
  // Where the last request, which says that it is the last, was taken for a trailer.
  KEEP_ALIVE_TIMEOUT_MS: '10000',
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
    const isOver = () => gateway.end !== null;
    // All kinds at once: some wait most of the time, for what ends what is never finished.
    const runAll = async (orders: Orders): Promise<readonly Outcome[]> => {
      const campaigns = [
        ...restKinds(client, known).map((kind) => startCampaign(kind, orders)),
        startCampaign(graphqlKind(client, known), orders),
        startCampaign(rawHttpKind(port), orders),
        startCampaign(webSocketKind(port, known), orders),
        startCampaign(protobufKind(), orders),
        startCampaign(ndjsonKind(known), orders),
      ];
      using _ = tellProgress(campaigns, orders.inputs);
      return await Promise.all(campaigns.map(({ outcome }) => outcome));
    };
    const first = await runAll({ inputs: WARM_UP, seed: seed + 1, isOver });
    const before = await gateway.measure('heap');
    const outcomes = await runAll({ inputs: INPUTS, seed, isOver });
    for (const { figures, faults } of outcomes)
      console.info(`${figures.describe()}\n  ${faults.length} faults`);
    console.info(`fuzz ended with SEED=${seed}`);
    expect([...first, ...outcomes].flatMap(({ faults }) => faults)).toEqual([]);
    expect(gateway.end).toBeNull();
    client[Symbol.dispose]();
    // What a client that left had open is let go.
    await expect.poll(async () => (await gateway.measure('heap')).openStreams).toBe(0);
    await expect
      .poll(async () => (await gateway.measure('heap')).handles['TCPSocketWrap'] ?? 0)
      .toBeLessThanOrEqual(OWN_SOCKETS);
    const after = await gateway.measure('heap');
    console.info(`heap ${before.heapUsed} bytes, then ${after.heapUsed}; ${JSON.stringify(after.handles)}`);
    expect(after.heapUsed - before.heapUsed).toBeLessThan(HEAP_GROWTH);
    expect(after.warnings).toEqual([]);
  },
  300_000 + INPUTS * 20,
);

/** Says now and then how far it is. */
function tellProgress(campaigns: readonly Campaign[], inputs: number): Disposable {
  const start = performance.now();
  const tell = () => {
    const sent = campaigns.reduce((sum, { figures }) => sum + figures.sent, 0);
    const seconds = (performance.now() - start) / 1000;
    const each = campaigns.map(({ figures }) => `${figures.name} ${figures.sent}`);
    console.info(`${sent} of ${inputs} inputs, ${Math.round(sent / seconds)} a second: ${each.join(', ')}`);
  };
  const timer = setInterval(tell, PROGRESS_MS);
  return { [Symbol.dispose]: () => clearInterval(timer) };
}
