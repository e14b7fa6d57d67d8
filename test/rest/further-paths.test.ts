import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestGateway, type TestGateway } from '../support/gateway.ts';
import { createSimulatedDatabase, type SimulatedDatabase, type TableRow } from '../support/simulated.ts';
import { assetOf, marketOf } from './further-lists.ts';

describe.each(['0.71', '0.79'] as const)('the further paths on a network of release %s', (release) => {
  let simulated: SimulatedDatabase;
  let gateway: TestGateway;

  beforeAll(async () => {
    simulated = await createSimulatedDatabase({ seed: 8, blocks: 120, parties: 15, markets: 4, release });
    gateway = await startTestGateway(simulated.url);
  });

  afterAll(async () => {
    await gateway?.close();
    await simulated?.[Symbol.asyncDispose]();
  });

  test('give every row of their tables, each product and both risk models among them', async () => {
    const markets = await simulated.readTable('markets');
    const shown = markets.filter((row) => row['state'] !== 'STATE_REJECTED');
    expect(await nodesOf('markets')).toEqual(oldestLast(shown).map(marketOf));
    expect(shown.some((row) => row['simple_risk_model'] !== null)).toBe(true);
    expect(shown.some((row) => row['log_normal_risk_model'] !== null)).toBe(true);
    const products = release === '0.71' ? ['FUTURE'] : ['FUTURE', 'PERPETUAL', 'SPOT'];
    expect([...new Set(shown.map((row) => row['product']))].sort()).toEqual(products);

    expect(await nodesOf('assets')).toEqual(oldestLast(await simulated.readTable('assets')).map(assetOf));

    const profiles = await simulated.readTable('party_profiles');
    const parties = oldestLast(await simulated.readTable('parties')).map(({ id }) => {
      const profile = profiles.find((row) => row['party_id'] === id);
      return profile === undefined
        ? { id }
        : { id, alias: profile['alias'], metadata: JSON.parse(profile['metadata'] ?? '') };
    });
    expect(await nodesOf('parties')).toEqual(parties);
    expect(profiles.length > 0).toBe(release === '0.79');
  });

  test('walked in pages, either way, give each row once', async () => {
    const whole = (await gateway.rest('/api/v2/parties')).body.parties.edges;
    expect(whole.length).toBeGreaterThan(10);
    for (const newestFirst of [true, false]) {
      const walked = [];
      for (let after = ''; ; ) {
        const path = `/api/v2/parties?pagination.first=4&pagination.newestFirst=${newestFirst}${after}`;
        const { edges, pageInfo } = (await gateway.rest(path)).body.parties;
        walked.push(...edges);
        if (!pageInfo.hasNextPage) break;
        after = `&pagination.after=${pageInfo.endCursor}`;
      }
      expect(newestFirst ? walked : walked.reverse()).toEqual(whole);
    }
    const none = await gateway.rest('/api/v2/assets?assetId=nothing');
    expect(none.text).toBe(
      '{"assets":{"edges":[],"pageInfo":{"hasNextPage":false,"hasPreviousPage":false,"startCursor":"","endCursor":""}}}',
    );
  });

  test('name what they ignore, refuse it where that is preferred, and are not sent again', async () => {
    for (const path of ['/api/v2/assets', '/api/v2/markets', '/api/v2/parties', '/api/v2/markets/data']) {
      const address = `${gateway.url}${path}`;
      const lenient = await fetch(`${address}?stateful=1`);
      expect([path, lenient.status, lenient.headers.get('x-ignored-parameters')]).toEqual([
        ...[path, 200, 'stateful'],
      ]);
      await lenient.body?.cancel();
      const strict = await fetch(`${address}?stateful=1`, { headers: { Prefer: 'handling=strict' } });
      expect([path, strict.status, (await strict.json()).code]).toEqual([path, 400, 3]);
      const first = await fetch(address);
      await first.text();
      expect(first.headers.get('x-block-height')).toBe('120');
      const again = await fetch(address, { headers: { 'If-None-Match': first.headers.get('etag') ?? '' } });
      expect([path, again.status, await again.text()]).toEqual([path, 304, '']);
    }
  });

  async function nodesOf(field: string): Promise<readonly unknown[]> {
    const { body } = await gateway.rest(`/api/v2/${field}`);
    return body[field].edges.map(({ node }: { readonly node: unknown }) => node);
  }
});

function oldestLast(rows: readonly TableRow[]): readonly TableRow[] {
  const positionOf = (row: TableRow) => Number(row['created_position']);
  return rows.toSorted((a, b) => positionOf(b) - positionOf(a));
}
