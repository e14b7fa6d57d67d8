import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { routes } from '../../src/rest/index.ts';
import type { Tables } from '../graphql/simulated-lists.ts';
import { startTestGateway, type TestGateway } from '../support/gateway.ts';
import { withoutBlock } from '../support/past-texts.ts';
import { chooseRandom, seed } from '../support/seed.ts';
import { createSimulatedDatabase, type SimulatedDatabase } from '../support/simulated.ts';
import { addParameter, addressesOf } from './addresses.ts';

const BLOCKS = 160;
const QUESTIONS = 8;

describe.each(['0.71', '0.79'] as const)('of release %s,', (release) => {
  const options = { seed: seed + 5, parties: 25, markets: 4, release } as const;
  const random = chooseRandom(`REST as of blocks of ${release}`);
  let whole: SimulatedDatabase;
  let growing: SimulatedDatabase;
  let now: TestGateway;
  let then: TestGateway;
  let addresses: Readonly<Record<string, readonly string[]>>;

  beforeAll(async () => {
    whole = await createSimulatedDatabase({ ...options, blocks: BLOCKS });
    growing = await createSimulatedDatabase({ ...options, blocks: 1 });
    [now, then] = [await startTestGateway(whole.url), await startTestGateway(growing.url)];
    const tables: Record<string, Tables[string]> = {};
    for (const name of ['deposits', 'accounts', 'assets', 'rewards', 'trades', 'markets', 'votes', 'blocks'])
      tables[name] = await whole.readTable(name);
    addresses = addressesOf(tables);
  });

  afterAll(async () => {
    for (const one of [now, then]) await one?.close();
    for (const one of [whole, growing]) await one?.[Symbol.asyncDispose]();
  });

  test('there is a question to every path', () => {
    expect(Object.keys(addresses).sort()).toEqual(routes.map(({ path }) => path).sort());
    for (const all of Object.values(addresses)) expect(all.length).toBeGreaterThan(0);
  });

  test('an answer as of a block is what a gateway says that has come no further', async () => {
    const found = new Map<string, Set<number>>();
    for (let height = 1 + random.below(9); height < BLOCKS; height += 1 + random.below(30)) {
      await growing.advanceTo(height);
      const block = await untilNamed(then, height);
      for (const [path, all] of Object.entries(addresses)) {
        for (const address of Array.from({ length: QUESTIONS }, () => random.pick(all))) {
          const at = random.oneIn(2) ? `asOf=${height}` : `asOfTime=${block.time}`;
          const status = await compare(address, at, block);
          found.set(path, (found.get(path) ?? new Set()).add(status));
        }
      }
    }
    // Nothing of this is empty: each path has answered, and some of what was asked for was not there yet.
    for (const [path, statuses] of found) expect([path, statuses.has(200)]).toEqual([path, true]);
    expect(found.get('/api/v2/deposit/:id')).toContain(404);
  });

  /** Compares the answers of both, and of a page that goes on the next page too; gives the status. */
  async function compare(address: string, at: string, block: NamedBlock): Promise<number> {
    const past = await now.rest(addParameter(address, at));
    const present = await then.rest(address);
    expect([address, at, past.status, withoutBlock(past.text)]).toEqual([
      ...[address, at, present.status, present.text],
    ]);
    expect([address, past.headers.get('x-block-height'), past.headers.get('x-block-timestamp')]).toEqual([
      ...[address, `${block.height}`, block.time],
    ]);
    const [pastPage, presentPage] = [past, present].map(({ body }) => pageInfoOf(body));
    if (pastPage?.hasNextPage) {
      const next = addParameter(address, `pagination.after=${pastPage.endCursor}`);
      const onwards = await now.rest(addParameter(next, at));
      const after = await then.rest(addParameter(address, `pagination.after=${presentPage?.endCursor}`));
      expect([next, withoutBlock(onwards.text)]).toEqual([next, after.text]);
    }
    return past.status;
  }
});

interface NamedBlock {
  readonly height: number;
  readonly time: string;
}

/** Waits until a gateway names a block. */
async function untilNamed(gateway: TestGateway, height: number): Promise<NamedBlock> {
  let time: string | null = null;
  const named = async () => {
    const { headers } = await gateway.rest('/api/v2/accounts?pagination.first=1');
    time = headers.get('x-block-timestamp');
    return headers.get('x-block-height');
  };
  await expect.poll(named, { interval: 10 }).toBe(`${height}`);
  return { height, time: `${time}` };
}

function pageInfoOf(body: Readonly<Record<string, { readonly pageInfo?: PageInfo }>>): PageInfo | undefined {
  return Object.values(body)[0]?.pageInfo;
}

interface PageInfo {
  readonly hasNextPage: boolean;
  readonly endCursor: string;
}
