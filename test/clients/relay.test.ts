import { execFile } from 'node:child_process';
import { createRequire } from 'node:module';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { forAllTests } from '../support/for-all-tests.ts';
import { startTestGateway } from '../support/gateway.ts';
import { HANG_MS } from '../support/limits.ts';
import { createSimulatedDatabase } from '../support/simulated.ts';
import { startExample } from './example.ts';
import { findPastBalances } from './past.ts';

const require = createRequire(import.meta.url);
/** The package exports the path of its program. */
const RELAY_COMPILER: string = require('relay-compiler');
const FOLDER = 'test/clients/relay';

const simulated = await forAllTests(
  createSimulatedDatabase({ seed: 3, blocks: 150, parties: 3, markets: 2 }),
);
const gateway = await forAllTests(startTestGateway(simulated.url));
const { stdout } = await promisify(execFile)(RELAY_COMPILER, [], { cwd: FOLDER, timeout: HANG_MS });
expect(stdout).toContain('Compilation completed.');

test('with the documented configuration a pagination fragment turns five rows into ten', async () => {
  const party = await partyOfMostDeposits();
  await using example = startExample(`${FOLDER}/walk-pages.mjs`, gateway.url, party);
  const { edges } = (
    await gateway.graphql(
      'query ($party: ID!) { deposits(partyId: $party, first: 10) { edges { node { id } } } }',
      {
        party,
      },
    )
  ).data.deposits;
  const ids: readonly string[] = edges.map(({ node }: { node: { id: string } }) => node.id);
  expect(idsOf(await example.next())).toEqual(ids.slice(0, 5));
  expect(idsOf(await example.next())).toEqual(ids);
  expect([ids.length, await example.ended, example.complaints]).toEqual([10, 0, '']);
});

test('its store is not overwritten by an answer about the past, and has both', async () => {
  const parties = (await simulated.readTable('parties')).map(({ id }) => `${id}`);
  const { party, height, shown } = await findPastBalances(gateway, parties, '30');
  await using example = startExample(`${FOLDER}/past.mjs`, gateway.url, party, height);
  expect(await example.next()).toEqual(shown);
  expect([await example.ended, example.complaints]).toEqual([0, '']);
});

function idsOf(rows: readonly { readonly id: string }[]): readonly string[] {
  return rows.map(({ id }) => id);
}

async function partyOfMostDeposits(): Promise<string> {
  const rows = await simulated.readTable('deposits');
  const counts = new Map<string, number>();
  for (const { party_id: party = '' } of rows) counts.set(`${party}`, (counts.get(`${party}`) ?? 0) + 1);
  const [[party, count] = ['', 0]] = [...counts].sort(([, a], [, b]) => b - a);
  expect(count).toBeGreaterThanOrEqual(10);
  return party;
}
