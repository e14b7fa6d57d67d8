import { expect, test } from 'vitest';
import { rollUpSome } from '../../src/data/series/rollups.ts';
import { openDatabase } from '../../src/data/servers/client.ts';
import { openSimulation } from '../../src/simulation/simulate.ts';
import { bytesOf, runBy } from '../engine/executors.ts';
import { createPackedNetwork, type PackedNetwork } from '../support/packed-network.ts';
import { chooseRandom, seed } from '../support/seed.ts';
import { ask, withClient } from '../support/state.ts';

const BLOCKS = 300;
const PACKED = 190;
const VALUES = ['MARK_PRICE', 'BEST_BID_PRICE', 'OPEN_INTEREST', 'TRADE_PRICE'];

test('series are the same where the changes that they are made of are packed', async () => {
  const random = chooseRandom('series of the archive');
  const network = () => openSimulation({ seed: seed + 4, blocks: BLOCKS, parties: 8, markets: 3 });
  await using plain = await createPackedNetwork(network());
  await using packed = await createPackedNetwork(network());
  while (await packed.packSome(PACKED, 2_000));
  await packed.forgetBefore(0);
  const [{ from = '0', to = '0' } = {}] = await ask<{ from: string; to: string }>(
    plain.url,
    'SELECT min(timestamp)::text AS from, max(timestamp)::text AS to FROM blocks',
  );
  const time = () =>
    BigInt(from) + (BigInt(random.below(1_000_001)) * (BigInt(to) - BigInt(from))) / 1_000_000n;
  for (const isRolledUp of [false, true]) {
    for (const one of [plain, packed]) await rollUp(one, isRolledUp);
    let changed = 0;
    for (let n = 0; n < 40; n += 1) {
      const [one, other] = [time(), time()];
      const range = `from: "${one < other ? one : other}", to: "${one < other ? other : one}"`;
      const width = random.pick(['every: "PT1M"', 'every: "PT7S"', 'points: 40', 'every: "PT1H"']);
      const args = `${range}, ${width}`;
      const buckets = random.pick(['start end open high low close isComplete', 'start end open close']);
      const text = random.pick([
        `markets { edges { node { id series(${args}, of: ${random.pick(VALUES)}) { ${buckets} volume trades } } } }`,
        `accounts(first: 30) { edges { node { owner series(${args}) { ${buckets} } } } }`,
        `accounts { series(${args}, by: [ASSET]) { key { asset { id } } buckets { ${buckets} } } }`,
      ]);
      const height = random.between(2, BLOCKS - 1);
      const question = random.oneIn(2) ? `{ ${text} }` : `{ asOf(height: "${height}") { ${text} } }`;
      const answers = await Promise.all([plain, packed].map(({ url }) => answerOf(url, question)));
      expect(answers[1], question).toBe(answers[0]);
      if (/"close":"\d*[1-9]/.test(answers[0] ?? '')) changed += 1;
    }
    expect(changed).toBeGreaterThan(10);
  }
});

test('a market that has been quiet since before what is kept says when its data were last, and not since when they are kept', async () => {
  const QUIET_FROM = 20;
  const network = () => {
    const all = openSimulation({ seed: seed + 4, blocks: BLOCKS, parties: 8, markets: 3 });
    return {
      ...all,
      async *events(signal: AbortSignal) {
        let height = 0;
        for await (const one of all.events(signal)) {
          if (one.event.type === 'beginBlock') height = one.event.height;
          if (one.event.type !== 'marketData' || height < QUIET_FROM) yield one;
        }
      },
    };
  };
  await using plain = await createPackedNetwork(network());
  await using packed = await createPackedNetwork(network());
  while (await packed.packSome(PACKED, 2_000));
  await packed.forgetBefore(PACKED - 10);
  const [{ from = '', to = '' } = {}] = await ask<{ from: string; to: string }>(
    plain.url,
    `SELECT min(timestamp)::text AS from, max(timestamp)::text AS to FROM blocks WHERE height >= ${PACKED}`,
  );
  const text = `{ markets { nodes { series(from: "${from}", to: "${to}", points: 5) { close lastUpdate } } } }`;
  const answers = await Promise.all([plain, packed].map(({ url }) => answerOf(url, text)));
  expect(answers[1]).toBe(answers[0]);
  const [{ last = '' } = {}] = await ask<{ last: string }>(
    plain.url,
    `SELECT timestamp::text AS last FROM blocks WHERE height = (SELECT max(updated_position) >> 20 FROM market_data)`,
  );
  expect(answers[0]).toContain(`"lastUpdate":"${last}"`);
});

async function rollUp({ url }: PackedNetwork, isRolledUp: boolean): Promise<void> {
  await ask(url, 'TRUNCATE rollups, trade_rollups, rollup_levels');
  if (isRolledUp)
    await withClient(url, async (client) => {
      while (await rollUpSome(client, 64n));
    });
}

async function answerOf(url: string, text: string): Promise<string> {
  const database = openDatabase({ url, readOnly: true });
  try {
    return bytesOf((await runBy(database, { text, variables: {} }, true)).answer);
  } finally {
    await database.close();
  }
}
