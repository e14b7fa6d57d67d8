import { afterAll, beforeAll, expect, test } from 'vitest';
import { createDisposableDatabase } from '../support/database.ts';
import { runProgram } from '../support/program.ts';
import { createSimulatedDatabase, type SimulatedDatabase } from '../support/simulated.ts';
import { ask } from '../support/state.ts';

/** What `digest` and `verify` do not begin with, and what they say then. */

const BLOCKS = 30;
const NETWORK = { seed: 12, blocks: BLOCKS, parties: 10, markets: 1 };

let network: SimulatedDatabase;

beforeAll(async () => {
  network = await createSimulatedDatabase(NETWORK);
});

afterAll(() => network[Symbol.asyncDispose]());

test('a base that is not whole is not called the same, is given no digest, and is not up to date', async () => {
  await using half = await createDisposableDatabase();
  await ask(half.url, 'CREATE TABLE base_ingest (kind text, name text, value text)');
  for (const [args, url] of [
    [['verify', half.url], network.url],
    [['verify', half.url, '--blocks'], network.url],
    [['verify', network.url], half.url],
    [['digest'], half.url],
    [['migrate'], half.url],
  ] as const)
    expect(await run(args, url), args.join(' ')).toMatchObject({
      ...{ code: 1, stdout: '' },
      stderr: expect.stringMatching(/^periscope: A base was begun to be taken into this database/),
    });
});

function run(args: readonly string[], url = network.url) {
  return runProgram(args, { DATABASE_URL: url });
}
