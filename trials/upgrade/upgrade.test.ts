import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createEmptyDatabase, type TestDatabase } from '../../test/support/database.ts';
import { HANG_MS } from '../../test/support/limits.ts';
import { type Ended, readListening, startProgram } from '../../test/support/program.ts';
import { ask, readHeight, readState } from '../../test/support/state.ts';

// An older version's database is brought up to date while that version writes to it, and the way back is taken. The older
// version is a built checkout: OLDER_BUILD=../older npx vitest run trials/upgrade
const OLDER_BUILD = process.env['OLDER_BUILD'];
const NEWER = 'dist/bundle/cli.js';
const OLDER = OLDER_BUILD === undefined ? NEWER : resolve(OLDER_BUILD, NEWER);

const NETWORK = ['--seed', '5', '--parties', '60', '--markets', '4'];
const LISTS = ['accounts', 'assets', 'deposits', 'markets', 'proposals', 'rewards', 'votes'];

let database: TestDatabase;
let restored: TestDatabase;
let folder: string;

beforeAll(async () => {
  database = await createEmptyDatabase();
  restored = await createEmptyDatabase();
  folder = await mkdtemp(join(tmpdir(), 'periscope-upgrade-'));
});

afterAll(async () => {
  await database?.[Symbol.asyncDispose]();
  await restored?.[Symbol.asyncDispose]();
  if (folder !== undefined) await rm(folder, { recursive: true });
});

test('an upgrade leaves counts equal and the older writer out, and the way back has what was before', async ({
  skip,
}) => {
  if (OLDER_BUILD === undefined) skip('no older version: OLDER_BUILD names its built checkout');
  await succeed(OLDER, ['migrate']);
  await succeed(OLDER, ['ingest', 'simulate', ...NETWORK, '--blocks', '300']);
  expect(await countByGateway(OLDER, database.url)).toEqual(await countByTables(database.url));
  const before = await readState(database.url);
  const copy = join(folder, 'before.sql.gz');
  await succeed(OLDER, ['backup', copy]);

  const writing = run(OLDER, ['ingest', 'simulate', ...NETWORK, '--blocks', '100000', '--pace', '50']);
  await expect.poll(() => readHeight(database.url)).toBeGreaterThan(320);
  await succeed(NEWER, ['migrate']);
  const cutOff = await writing;
  expect(cutOff.code, cutOff.stderr).toBe(1);
  console.info(`the writer of the older version, while its database is migrated: ${reasonOf(cutOff)}`);
  const height = await readHeight(database.url);
  expect(await countByGateway(NEWER, database.url)).toEqual(await countByTables(database.url));

  for (const args of [['ingest', 'simulate', ...NETWORK, '--blocks', '2000'], ['serve'], ['migrate']]) {
    const refused = await run(OLDER, args);
    expect(refused.code, `${args[0]} of the older version`).toBe(1);
    console.info(`${args[0]} of the older version, afterwards: ${reasonOf(refused)}`);
  }
  expect(await readHeight(database.url)).toBe(height);
  await succeed(NEWER, ['ingest', 'simulate', ...NETWORK, '--blocks', `${height + 500}`]);
  expect(await readHeight(database.url)).toBe(height + 500);
  const counts = await countByTables(database.url);
  expect(await countByGateway(NEWER, database.url)).toEqual(counts);
  console.info(`counts at block ${height + 500}: ${JSON.stringify(counts).slice(0, 200)}`);

  await succeed(OLDER, ['restore', copy], restored.url);
  expect(await readState(restored.url)).toEqual(before);
  await succeed(OLDER, ['ingest', 'simulate', ...NETWORK, '--blocks', '400'], restored.url);
  expect(await countByGateway(OLDER, restored.url)).toEqual(await countByTables(restored.url));
});

function run(program: string, args: readonly string[], url = database.url): Promise<Ended> {
  return startProgram(args, { DATABASE_URL: url, PORT: '0' }, HANG_MS, program).ended;
}

async function succeed(program: string, args: readonly string[], url?: string) {
  const { code, stderr } = await run(program, args, url);
  expect(code, `${args.join(' ')}: ${stderr}`).toBe(0);
}

/** What the gateway of a version says that each list holds, as a whole and of each asset. */
async function countByGateway(program: string, url: string): Promise<unknown> {
  await using gateway = startProgram(['serve'], { DATABASE_URL: url, PORT: '0' }, HANG_MS, program);
  const address = await readListening(gateway.process.stdout as never);
  if (address === null) throw new Error((await gateway.ended).stderr);
  const counted = LISTS.map((list) => `${list} { totalCount }`).join(' ');
  const query = `{ ${counted} ofAssets: assets(first: 50) { edges { node { id rewards { totalCount } } } } }`;
  const response = await fetch(`${address}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ query }),
  });
  const { data, errors } = (await response.json()) as { data: Answer; errors?: unknown };
  if (data === null || data === undefined) throw new Error(JSON.stringify(errors));
  const { ofAssets, ...lists } = data;
  return {
    ...Object.fromEntries(Object.entries(lists).map(([list, { totalCount }]) => [list, totalCount])),
    rewardsOfAssets: ofAssets.edges.map(({ node }) => [node.id, node.rewards.totalCount]).sort(),
  };
}

type Answer = Readonly<Record<string, { readonly totalCount: number }>> & {
  readonly ofAssets: {
    readonly edges: readonly {
      readonly node: { readonly id: string; readonly rewards: { readonly totalCount: number } };
    }[];
  };
};

/** The same, counted by PostgreSQL. */
async function countByTables(url: string): Promise<unknown> {
  const counts: [string, unknown][] = [];
  for (const list of LISTS) {
    const [row] = await ask<{ count: string }>(url, `SELECT count(*) FROM ${list}`);
    counts.push([list, Number(row?.count)]);
  }
  const ofAssets = await ask<{ id: string; count: string }>(
    url,
    'SELECT id, (SELECT count(*) FROM rewards WHERE asset_id = assets.id) FROM assets',
  );
  return {
    ...Object.fromEntries(counts),
    rewardsOfAssets: ofAssets.map(({ id, count }) => [id, Number(count)]).sort(),
  };
}

/** The reason that a run ended with: the message above a stack, where there is one. */
function reasonOf({ stderr }: Ended): string {
  return stderr.split('\n').find((line) => /^(periscope|\w*[eE]rror)\b/.test(line)) ?? stderr.slice(0, 300);
}
