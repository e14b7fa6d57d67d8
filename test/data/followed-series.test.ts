import { expect, test } from 'vitest';
import type { Block } from '../../src/data/generated/prisma/client.ts';
import { readBalanceSeries } from '../../src/data/series/balance-series.ts';
import { keepFinding, readMarketSeries } from '../../src/data/series/market-series.ts';
import { keepBuckets } from '../../src/data/series/requests.ts';
import { openDatabase } from '../../src/data/servers/client.ts';
import { readWidth } from '../../src/domain/durations.ts';
import { openNetwork } from '../live/live-network.ts';
import { createTestDatabase } from '../support/database.ts';
import { chooseRandom } from '../support/seed.ts';
import { countStatements } from '../support/statements.ts';

const BLOCKS = 60;
/** A block of the network is a second: buckets of one block, of several, and of all. */
const WIDTHS = [
  ['PT1S', 'UTC'],
  ['PT7S', 'UTC'],
  ['PT15S', 'Europe/Berlin'],
  ['PT1M', 'Asia/Kathmandu'],
  ['P1D', 'America/New_York'],
] as const;

test('what a series that is followed keeps from block to block is what it would find anew', async () => {
  await using database = await createTestDatabase();
  const network = await openNetwork({ seed: 11, blocks: BLOCKS, parties: 20, markets: 2 });
  await network.write(database.url, BLOCKS, 'max');
  await using reader = openDatabase({ url: database.url, readOnly: true });
  const { statements } = reader;
  const rows = <Row>(text: string) => statements.rows<Row>({ text, values: [], dependsOn: 'nothing' });
  const blocks = await rows<Block>(
    'SELECT height, hash, timestamp, last_position AS "lastPosition", digest FROM blocks ORDER BY height',
  );
  const [market] = await rows<{ id: string }>('SELECT market_id AS id FROM market_data');
  const accounts = await rows<{ key: bigint }>('SELECT created_position AS key FROM accounts');
  const [ids, groups] = [[market?.id ?? ''], [accounts.map(({ key }) => key)]];
  const question = { of: 'MARK_PRICE', hasTraded: true, hasUpdates: true } as const;
  const random = chooseRandom('followed series');
  for (const [width, zone] of WIDTHS) {
    const [find, buckets] = [keepFinding(), keepBuckets()];
    let since = blocks[0]?.timestamp ?? 0n;
    let ended = 0n;
    // Some blocks are read together.
    for (let index = 0; index < blocks.length; index += random.pick([1, 1, 1, 2, 9])) {
      const at = blocks[index] as Block;
      const request = { from: since, to: null, width: readWidth(width), points: null, zone };
      const balances = { ...request, hasExtremes: true };
      const sent = countStatements();
      const ofMarket = await readMarketSeries(statements, ids, question, request, at, find);
      const ofBalances = await readBalanceSeries(statements, groups, balances, at, buckets);
      sent.stop();
      expect(ofMarket).toEqual(await readMarketSeries(statements, ids, question, request, at));
      expect(ofBalances).toEqual(await readBalanceSeries(statements, groups, balances, at));
      // What changed is read in any case: of trades, of market data, and of balances.
      if (at.timestamp < ended) expect(sent.count()).toBe(3);
      ended = ofMarket.get(ids[0] ?? '')?.buckets.at(-1)?.end ?? 0n;
      since = at.timestamp;
    }
  }
});
