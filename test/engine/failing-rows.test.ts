import { parse } from 'graphql';
import { expect, onTestFinished, test, vi } from 'vitest';
import { openDatabase } from '../../src/data/servers/client.ts';
import { Engine } from '../../src/engine/engine.ts';
import { prepareOperation } from '../../src/engine/run/prepared.ts';
import { TextWriter } from '../../src/engine/text/writer.ts';
import { Rejection } from '../../src/errors.ts';
import { createContext } from '../../src/graphql/context.ts';
import { type NodeId, readNodeId, writeNodeId } from '../../src/graphql/node-ids.ts';
import { RateLimiter } from '../../src/http/limits/rate-limiter.ts';
import { NOBODY } from '../../src/http/request-scope.ts';
import { engineParts } from '../support/engine.ts';
import { startTestGateway } from '../support/gateway.ts';
import { createSimulatedDatabase } from '../support/simulated.ts';
import { NO_FEED } from './executors.ts';

test('what fails of some rows, while others have their turn, is an error of the answer and ends no process', async () => {
  await using database = await createSimulatedDatabase({ seed: 6, blocks: 5, parties: 300, markets: 2 });
  await using gateway = await startTestGateway(database.url);
  const unhandled = vi.fn();
  process.on('unhandledRejection', unhandled);
  onTestFinished(() => void process.off('unhandledRejection', unhandled));
  for (const field of ['series(every: "bogus") { close }', 'history(first: -1) { nodes { balance } }']) {
    const { errors } = await gateway.graphql(`{ accounts(first: 1000) { nodes { ${field} } } }`);
    expect(errors?.[0]?.extensions.code).toBe('INVALID_ARGUMENT');
  }
  expect(unhandled).not.toHaveBeenCalled();
});

test('what is read again as of a block, since a part of it failed, is charged again, and nothing else is', async () => {
  await using database = await createSimulatedDatabase({ seed: 6, blocks: 5, parties: 30, markets: 2 });
  const past = openDatabase({ url: database.url, readOnly: true });
  onTestFinished(() => past.close());
  let charged = 0;
  const add = (_: string, cost: number) => {
    charged += cost;
    return { isAllowed: true, limit: 0, remaining: 0, resetSeconds: 0, retrySeconds: 1 };
  };
  const budget = {
    take: add,
    spend: (client: string, cost: number) => void add(client, cost),
    look: add as never,
  };
  const limiter = new RateLimiter({ perSecond: 1, burst: 1 }, budget);
  const engine = new Engine({ ...engineParts({ ...past, feed: NO_FEED }), limiter });
  const ask = async (query: string) => {
    charged = 0;
    const operation = engine.price(parse(query), {}, 'http');
    const outcome = await engine.run(operation, NOBODY);
    const times = charged / operation.price.cost;
    return { times, errors: outcome.kind === 'result' ? (outcome.result.errors?.length ?? 0) : 0 };
  };
  const lists = 'accounts(first: 200) { nodes { balance } } deposits(first: 100) { nodes { status } }';
  const id = Buffer.from('Party:nobody').toString('base64');
  for (const [name, blocks] of [
    ['asOf', 'asOf(height: "4")'],
    ['asOfEach', 'asOfEach(from: "3", to: "4", every: "1")'],
  ]) {
    const askWith = (nodeId: string) =>
      ask(`{ ${blocks} { ${lists} nodes(nodeIds: ["${nodeId}"]) { id } } }`);
    expect([name, await askWith(id)]).toEqual([name, { times: 1, errors: 0 }]);
    expect([name, await askWith('no global ID')]).toMatchObject([name, { times: 2 }]);
  }
});

test('a sum for which there is no room waits once, by itself and as of a block, and is charged once', async () => {
  await using database = await createSimulatedDatabase({ seed: 6, blocks: 5, parties: 30, markets: 2 });
  const opened = openDatabase({ url: database.url, readOnly: true });
  onTestFinished(() => opened.close());
  const inTurn = vi.fn(() => Promise.reject(new Rejection('UNAVAILABLE', 'too much')));
  const charge = vi.fn();
  const services = { ...opened, counts: { ...opened.counts, inTurn }, feed: NO_FEED };
  const sums = 'rewards { sums(by: [ASSET, EPOCH, PARTY]) { amount } }';
  for (const query of [`{ ${sums} }`, `{ asOf(height: "4") { ${sums} } }`]) {
    inTurn.mockClear();
    const outcome = await prepareOperation(parse(query), null).run(
      {},
      { ...createContext(services), charge },
    );
    expect(outcome).toMatchObject({ result: { errors: [{ message: 'too much' }] } });
    expect([query, inTurn.mock.calls.length, charge.mock.calls.length]).toEqual([query, 1, 0]);
  }
});

test('nodes are read once where one of them is of a block that is not there', async () => {
  await using database = await createSimulatedDatabase({ seed: 6, blocks: 5, parties: 30, markets: 2 });
  await using gateway = await startTestGateway(database.url);
  const { data } = await gateway.graphql('{ accounts(first: 20) { nodes { nodeId balance } } }');
  const [first, ...others] = data.accounts.nodes;
  const asText = vi.spyOn(TextWriter.prototype, 'writeRowsByKey');
  onTestFinished(() => asText.mockRestore());
  const askWith = (nodeId: string) =>
    gateway.graphql('query ($ids: [ID!]!) { nodes(nodeIds: $ids) { ... on Account { nodeId balance } } }', {
      ids: [nodeId, ...others.map((one: { readonly nodeId: string }) => one.nodeId)],
    });
  expect((await askWith(first.nodeId)).data.nodes).toEqual([first, ...others]);
  expect(asText).toHaveBeenCalledTimes(1);
  const node = readNodeId(first.nodeId) as NodeId;
  const { errors } = await askWith(writeNodeId({ ...node, asOf: 1000n }));
  expect(errors).toMatchObject([{ extensions: { code: 'OUT_OF_RANGE' } }]);
  expect(asText).toHaveBeenCalledTimes(1);
});
