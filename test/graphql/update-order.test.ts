import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Database, openDatabase } from '../../src/data/servers/client.ts';
import { schema } from '../../src/graphql/index.ts';
import { bytesOf, runBy } from '../engine/executors.ts';
import { chooseRandom, seed } from '../support/seed.ts';
import { createSimulatedDatabase, type SimulatedDatabase } from '../support/simulated.ts';
import { expectWalk, type Row } from './ordered-walks.ts';
import {
  type Given,
  LISTS,
  readTables,
  type SimulatedList,
  type Tables,
  tablesOf,
} from './simulated-lists.ts';

const FIRST_BLOCKS = 40;
/** Of each list, by each executor. */
const WALKS = 5;

/** What changes in a row, and its column. */
const CHANGING: Readonly<Record<string, string>> = {
  assets: 'status',
  deposits: 'status',
  markets: 'state',
  proposals: 'state',
  votes: 'value',
};

const ORDERED = LISTS.filter(({ name, table, field, parent }) => {
  // Others have orders by values alone.
  if (CHANGING[table] === undefined || name === 'asset.deposits') return false;
  const type = schema.getType(parent === undefined ? 'Query' : capitalised(parent.field));
  const found = type !== undefined && 'getFields' in type ? type.getFields()[field] : undefined;
  return found !== undefined && 'args' in found && found.args.some(({ name }) => name === 'orderBy');
});

test('lists whose rows seldom change can be in the order of updates', () => {
  expect(ORDERED.map(({ name }) => name).sort()).toEqual([
    ...['asset.baseMarkets', 'asset.markets', 'asset.quoteMarkets', 'assets', 'deposits'],
    ...['market.successorMarkets', 'markets', 'party.deposits', 'party.proposals', 'party.votes'],
    ...['proposal.votes', 'proposals', 'votes'],
  ]);
});

describe.each(['0.71', '0.79'] as const)('in the order of updates, of release %s,', (release) => {
  const random = chooseRandom(`order of updates ${release}`);
  let simulated: SimulatedDatabase;
  let database: Database;
  let height = FIRST_BLOCKS;
  /** The tables whose rows moved under a walk, of either executor. */
  const moved = new Set<string>();

  beforeAll(async () => {
    simulated = await createSimulatedDatabase({
      ...{ seed: seed + 6, blocks: height, parties: 12, markets: 4, release },
    });
    database = openDatabase({ url: simulated.url, readOnly: true });
  });

  afterAll(async () => {
    await database?.close();
    await simulated?.[Symbol.asyncDispose]();
  });

  test.each([true, false])(
    'pages are those of the rows as of the first page while blocks arrive, as text: %s',
    async (asText) => {
      for (const list of ORDERED) {
        for (let walks = 0; walks < WALKS; walks++) {
          const tables = await readTables(simulated, tablesOf(list));
          const [given = {}] = fc.sample(list.filters(tables), { numRuns: 1, seed: random.below(1e6) });
          const [newestFirst, back] = [random.oneIn(2), random.oneIn(2)];
          const expected = rowsOf(list, given, tables, newestFirst);
          const size = random.pick([1, 2, Math.max(1, Math.ceil(expected.length / 3))]);
          const walk = {
            list,
            given,
            orderBy: 'UPDATED',
            newestFirst,
            value: changingIn(list),
            back,
            size,
            asText,
          };
          await expectWalk(database, walk, { rows: expected, height }, async () => {
            if (!random.oneIn(2)) return;
            height += random.between(1, 5);
            await simulated.advanceTo(height);
          });
          const now = rowsOf(list, given, await readTables(simulated, tablesOf(list)), newestFirst);
          if (JSON.stringify(now) !== JSON.stringify(expected)) moved.add(list.table);
        }
      }
      // Else it would not show that a walk stays at its block.
      expect(moved.size).toBeGreaterThan(0);
    },
    600_000,
  );

  test('a cursor goes on where it was given: in its order, and as of its block', async () => {
    const ask = async (text: string) => {
      const { answer } = await runBy(database, { text, variables: {} }, true);
      return JSON.parse(bytesOf(answer));
    };
    const page = async (args: string) => (await ask(`{ deposits(${args}) { pageInfo { endCursor } } }`)).data;
    const { endCursor: created } = (await page('first: 2')).deposits.pageInfo;
    const { endCursor: updated } = (await page('first: 2, orderBy: UPDATED')).deposits.pageInfo;
    const messageOf = async (text: string) => JSON.parse((await ask(text)).errors[0]).message;
    expect(await messageOf(`{ deposits(after: "${updated}") { totalCount } }`)).toContain(
      'after takes a cursor that a page of deposits gave',
    );
    expect(await messageOf(`{ deposits(after: "${created}", orderBy: UPDATED) { totalCount } }`)).toContain(
      'after takes a cursor that a page of deposits by UPDATED gave',
    );
    expect(
      await messageOf(
        `{ asOf(height: "3") { deposits(after: "${updated}", orderBy: UPDATED) { totalCount } } }`,
      ),
    ).toContain(
      `after takes a cursor of a page as of block 3 here; this one is of a page as of block ${height}`,
    );
  });

  test.each([true, false])('sums of a page that goes on are as of its walk, as text: %s', async (asText) => {
    const sums = 'totalCount sums(by: [STATUS, ASSET], orderBy: KEY) { amount count }';
    const ask = async (args: string) => {
      const text = `{ deposits(first: 1, ${args}) { ${sums} pageInfo { endCursor } } }`;
      return JSON.parse(bytesOf((await runBy(database, { text, variables: {} }, asText)).answer)).data
        .deposits;
    };
    const { pageInfo, ...first } = await ask('orderBy: UPDATED');
    height += 20;
    await simulated.advanceTo(height);
    const { pageInfo: _, ...second } = await ask(`orderBy: UPDATED, after: "${pageInfo.endCursor}"`);
    expect(second).toEqual(first);
    const { pageInfo: __, ...now } = await ask('orderBy: UPDATED');
    expect(now).not.toEqual(first);
  });

  test('a cursor of the present is refused below such a list alike by both executors', async () => {
    const cursors = await runBy(
      database,
      { text: '{ votes(first: 1) { pageInfo { endCursor } } }', variables: {} },
      true,
    );
    const { endCursor } = JSON.parse(bytesOf(cursors.answer)).data.votes.pageInfo;
    const text = `{ votes(first: 2, orderBy: UPDATED) {
      nodes { value proposal { votes(after: "${endCursor}") { totalCount } } }
    } }`;
    const asked = [true, false].map(async (asText) =>
      JSON.parse(bytesOf((await runBy(database, { text, variables: {} }, asText)).answer)),
    );
    const [written, resolved] = await Promise.all(asked);
    expect(written).toEqual(resolved);
    // A vote's proposal may be null, and its list of votes may not.
    expect(written.data.votes.nodes).toMatchObject([{ proposal: null }, { proposal: null }]);
    expect(written.errors[0]).toContain('after takes a cursor of a page as of block');
  });
});

/** What the list must hold, by nothing but the rows of the tables at that time. */
function rowsOf(list: SimulatedList, given: Given, tables: Tables, newestFirst: boolean): readonly Row[] {
  const sign = newestFirst ? -1 : 1;
  return (tables[list.table] ?? [])
    .filter((row) => given.passes?.(row) ?? true)
    .map((row) => ({ row, place: sign * Number(row['updated_position']) }))
    .sort((a, b) => a.place - b.place)
    .map(({ row }) => [String(row[list.key]), String(row[changingIn(list)])]);
}

function changingIn({ table }: SimulatedList): string {
  return CHANGING[table] ?? '';
}

function capitalised(name: string): string {
  return name.charAt(0).toUpperCase() + name.slice(1);
}
