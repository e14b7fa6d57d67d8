import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { describeComparison } from '../../src/commands/describe-comparison.ts';
import { gatewaySide } from '../../src/commands/gateway-side.ts';
import { checkBlocks } from '../../src/data/digests/block-checks.ts';
import { firstDigest } from '../../src/data/digests/block-digests.ts';
import { compareAt, type Side } from '../../src/data/digests/comparison.ts';
import { sideOf } from '../../src/data/digests/database-side.ts';
import { DIGEST_VERSION, digestedNouns } from '../../src/data/digests/digested.ts';
import { readStateDigest } from '../../src/data/digests/state-digests.ts';
import { type Database, openDatabase } from '../../src/data/servers/client.ts';
import type { Statements } from '../../src/data/servers/statements.ts';
import { Writer } from '../../src/data/writing/writer.ts';
import { applySource } from '../../src/ingest/apply.ts';
import { openSimulation } from '../../src/simulation/simulate.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { changes } from '../support/events.ts';
import { startTestGateway } from '../support/gateway.ts';
import { createSimulatedDatabase, type SimulatedDatabase } from '../support/simulated.ts';
import { ask } from '../support/state.ts';

const BLOCKS = 80;
const NETWORK = { seed: 11, blocks: BLOCKS, parties: 25, markets: 3, release: '0.79' } as const;

describe('the digest of a block', () => {
  test('is over the block before it, its rows and the parties that are new, as docs/digests.md says', async () => {
    await using database = await createTestDatabase();
    await using writer = await Writer.open(database.url);
    await writer.claimNetwork('c1');
    const party = { id: 'b"\n', createdPosition: 1_048_577n };
    const vote = voteOf(party.id, 1_048_577n);
    await writer.write(blockOf(1n, 1_048_578n), changes({ party: [party], vote: [vote] }));
    await writer.write(
      blockOf(2n, 2_097_153n),
      changes({ party: [{ ...party, createdPosition: 2_097_152n }] }),
    );

    const first = sha256(
      sha256('["periscope",1,"c1",null]\n'),
      sha256(`["blocks","1","hash-1","1","1048578"]\n${lineOf(party.id, 1_048_577n)}`),
      '["parties","b\\"\\n","1048577"]\n',
    );
    // The party is known by now.
    const second = sha256(first, sha256('["blocks","2","hash-2","2","2097153"]\n'));
    expect(await readDigests(database.url)).toEqual([first.toString('hex'), second.toString('hex')]);
  });

  test('goes on from that of the first part where a height begins again, and is not read back there', async () => {
    await using database = await createTestDatabase();
    await using writer = await Writer.open(database.url);
    const write = (lastPosition: bigint) =>
      writer.write(blockOf(1n, lastPosition), changes({ vote: [voteOf('a', lastPosition - 1n)] }));
    await write(1_048_578n);
    const first = writer.lastBlock?.digest as string;
    await write(1_048_580n);
    const lines = `["blocks","1","hash-1","1","1048580"]\n${lineOf('a', 1_048_579n)}`;
    const second = sha256(Buffer.from(first, 'hex'), sha256(lines)).toString('hex');
    expect(await readDigests(database.url)).toEqual([second]);
    await using reading = openDatabase({ url: database.url, readOnly: true });
    expect(await readChecks(reading)).toEqual([{ height: 1n, spoiled: [] }]);
  });

  test.each([0n, 7n])('begins behind block %s where that has none', (height) => {
    const first = sha256(`["periscope",1,"c1","${height}"]\n`).toString('hex');
    expect(firstDigest('c1', height)).toBe(first);
  });

  test('is over the same columns as long as its version is the same', () => {
    const columns = digestedNouns.map(({ kind, fields }) => [kind, ...fields].join());
    expect([DIGEST_VERSION, sha256(columns.join('\n')).toString('hex')]).toEqual([
      1,
      'f8256f0ced5c36d5e4cb86bb75fd7c557e6f11cd60a62c9bdc0b22b4212bc454',
    ]);
  });
});

const NO_DISCOUNT = { epoch: 1n, maker: '0', infrastructure: '0', liquidity: '0' };

test('the rows of one event are read whole, in one order, however many they are and wherever they lie', async () => {
  const position = 1_048_577n;
  const factors = { ...NO_DISCOUNT, updatedPosition: position };
  const discounts = Array.from({ length: 6_000 }, (_, n) => ({
    ...{ partyId: `${(n * 7) % 6_000}`.padStart(4, '0'), kind: 'VOLUME', ...factors },
  }));
  const states: unknown[] = [];
  for (const feeDiscount of [discounts, discounts.toReversed()]) {
    await using database = await createTestDatabase();
    await using writer = await Writer.open(database.url);
    await writer.claimNetwork('c1');
    await writer.write(blockOf(1n, position + 1n), changes({ feeDiscount }));
    await using reading = openDatabase({ url: database.url, readOnly: true });
    expect(await readChecks(reading)).toEqual([{ height: 1n, spoiled: [] }]);
    const state = await readStateDigest(reading.statements);
    expect(state.nouns.find(({ noun }) => noun === 'fee_discounts')?.rows).toBe(6_000);
    states.push([await readDigests(database.url), state]);
  }
  expect(states[1]).toEqual(states[0]);
});

test('of the rows of one event those that one of two lacks are named, and no other', async () => {
  await using first = await createTestDatabase();
  await using second = await createTestDatabase();
  const position = (1n << 20n) + 1n;
  const discounts = Array.from({ length: 30 }, (_, n) => ({
    ...{ partyId: `party-${n + 10}`, kind: 'VOLUME', ...NO_DISCOUNT, updatedPosition: position },
  }));
  for (const [{ url }, feeDiscount] of [[first, discounts] as const, [second, discounts.slice(1)] as const]) {
    await using writer = await Writer.open(url);
    await writer.claimNetwork('c1');
    await writer.write(blockOf(1n, position + 1n), changes({ feeDiscount }));
  }
  await using one = openDatabase({ url: first.url, readOnly: true });
  await using other = openDatabase({ url: second.url, readOnly: true });
  const sides = [sideOf('one', one.statements), sideOf('other', other.statements)] as const;
  const { differing } = await compareAt(...sides, 1n);
  expect(differing).toEqual([
    { noun: 'fee_discounts', onlyFirst: [expect.stringContaining('"party-10"')], onlySecond: [] },
  ]);
});

test('the digest of each kind in a state is over its rows, as docs/digests.md says', async () => {
  await using network = await createSimulatedDatabase(NETWORK);
  await using reading = openDatabase({ url: network.url, readOnly: true });
  const { nouns } = await readStateDigest(reading.statements);
  const docs = readFileSync('docs/digests.md', 'utf8');
  const table = docs.slice(docs.indexOf('<!-- digested -->'));
  const found: [kind: string, rows: number, digest: string][] = [];
  for (const [, kind = '', columns = ''] of table.matchAll(/^\| `(\w+)` \| (.+) \|$/gm)) {
    const listed = [...columns.matchAll(/`(\w+)`/g)].map(([, column]) => column as string);
    const isWhole = listed.includes('createdPosition') || kind === 'fee_discounts';
    const fields = isWhole
      ? listed
      : listed.flatMap((one) => (one === 'updatedPosition' ? ['createdPosition', one] : [one]));
    const snake = fields.map((field) => field.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`));
    const order = snake.includes('created_position') ? 'created_position' : 'updated_position';
    const rows = await ask<Record<string, unknown>>(
      network.url,
      `SELECT ${snake.map((column) => `t."${column}"`).join()} FROM ${kind} AS t ORDER BY ${order}`,
    );
    const lines = rows.map(
      (row) => `["${kind}",${snake.map((column) => writeColumn(row[column])).join()}]\n`,
    );
    found.push([kind, rows.length, sha256(lines.join('')).toString('hex')]);
  }
  expect(found).toEqual(nouns.map(({ noun, rows, digest }) => [noun, rows, digest]));
  const [{ booleans = 0 } = {}] = await ask<{ booleans: number }>(
    network.url,
    'SELECT count(enable_transaction_reordering)::int AS booleans FROM markets',
  );
  expect(booleans).toBeGreaterThan(0);
});

test.each([
  [
    'the balances of its block go',
    'accounts',
    `DELETE FROM balance_changes WHERE position < ${20n << 20n}`,
    `past_from_of = '{"accounts": ${20n << 20n}}'`,
    'What was at block 15 is forgotten',
  ],
  [
    'rewards go that are older than its block',
    'rewards',
    `DELETE FROM rewards WHERE created_position < ${10n << 20n}`,
    `kept_from_of = '{"rewards": ${10n << 20n}}', past_from_of = '{"rewards": ${10n << 20n}}'`,
    'The rewards before block 10 were dropped',
  ],
])(
  'there is no digest of a state, and no row, where %s while it is read',
  async (_, noun, drop, note, refusal) => {
    const forget = `BEGIN; ${drop}; UPDATE networks SET ${note}; COMMIT`;
    const readMeanwhile = async (read: (side: Side) => Promise<unknown>) => {
      await using network = await createSimulatedDatabase({ ...NETWORK, blocks: 25 });
      await using database = openDatabase({ url: network.url, readOnly: true });
      const statements = withFirstPageBehind(database.statements, () => ask(network.url, forget));
      return await read(sideOf('it', statements));
    };
    await expect(readMeanwhile((side) => side.stateAt(15n))).rejects.toThrow(refusal);
    const readPage = async ({ rows }: Side) => rows?.pagesOf(noun, 15n)[Symbol.asyncIterator]().next();
    await expect(readMeanwhile(readPage)).rejects.toThrow(refusal);
  },
);

/** Statements with something done before the first page of rows is read. */
function withFirstPageBehind(statements: Statements, work: () => Promise<unknown>): Statements {
  let isDone = false;
  return {
    ...statements,
    async rows<Row>(asked: Parameters<Statements['rows']>[0]) {
      if (!isDone && asked.text.includes('WITH TIES')) {
        isDone = true;
        await work();
      }
      return statements.rows<Row>(asked);
    },
  };
}

describe('two databases of one network', () => {
  let first: SimulatedDatabase;
  let second: SimulatedDatabase;
  let reading: readonly Database[];
  let sides: readonly [Side, Side];

  beforeAll(async () => {
    first = await createSimulatedDatabase(NETWORK);
    second = await createSimulatedDatabase({ ...NETWORK, blocks: 1 });
    // One block at a time, where the other takes in as many as there are.
    for (let height = 2; height <= BLOCKS; height += 1) await second.advanceTo(height);
    reading = [first, second].map(({ url }) => openDatabase({ url, readOnly: true }));
    const [one, other] = reading as [Database, Database];
    sides = [sideOf('one', one.statements), sideOf('other', other.statements)];
  });

  afterAll(async () => {
    for (const database of reading) await database.close();
    await first[Symbol.asyncDispose]();
    await second[Symbol.asyncDispose]();
  });

  test('have the same digest at every height, and the same state as of any', async () => {
    const digests = await readDigests(first.url);
    expect(new Set(digests).size).toBe(BLOCKS);
    expect(await readDigests(second.url)).toEqual(digests);
    for (const height of [1n, 33n, BigInt(BLOCKS)]) {
      const { chain, states, differing } = await compareAt(...sides, height);
      expect([chain, differing]).toEqual([{ isEqual: true }, []]);
      expect(states[0]).toEqual(states[1]);
      expect(states[0]?.nouns.find(({ noun }) => noun === 'accounts')?.rows).toBeGreaterThan(0);
    }
  });

  test('read again, have in their histories what their digests are over', async () => {
    const [database] = reading as [Database];
    const found = await readChecks(database);
    expect(found).toEqual([{ height: BigInt(BLOCKS), spoiled: [] }]);
  });

  test('differ where the balance of one was spoiled: the row is named', async () => {
    const [row] = await ask<{ owner: string; created_position: string }>(
      second.url,
      "UPDATE accounts SET balance = balance || '0' WHERE created_position = (SELECT max(created_position) FROM accounts) RETURNING owner, created_position",
    );
    const { chain, differing } = await compareAt(...sides, BigInt(BLOCKS));
    expect(chain).toEqual({ isEqual: true });
    expect(
      differing.map(({ noun, onlyFirst, onlySecond }) => [noun, onlyFirst.length, onlySecond.length]),
    ).toEqual([['accounts', 1, 1]]);
    expect(differing[0]?.onlyFirst[0]).toContain(`["accounts","${row?.created_position}"`);
    expect(differing[0]?.onlyFirst[0]).not.toBe(differing[0]?.onlySecond[0]);
  });

  test('differ from the first block on that one took in otherwise, and say what it changed there', async () => {
    await using forked = await createForked(41n);
    await using database = openDatabase({ url: forked.url, readOnly: true });
    const { chain } = await compareAt(sides[0], sideOf('forked', database.statements), 41n);
    expect(chain).toMatchObject({ isEqual: false, height: 41n });
    const at = (41n << 20n) + 1n;
    expect(chain?.isEqual === false && chain.onlySecond).toEqual([`["parties","stranger","${at}"]\n`]);
  });

  test.each([
    ['behind it', 'height = 45', 41n, 45n],
    ['before it and behind it', 'height % 10 <> 1', 41n, 2n],
    ['itself', 'height = 41', 42n, 41n],
  ])(
    'differ from the same block on where one lacks some %s, and say so',
    async (_, lacked, from, lacking) => {
      await using forked = await createForked(41n, 60n);
      await ask(forked.url, `DELETE FROM blocks WHERE ${lacked} AND height NOT IN (1, 60)`);
      await using database = openDatabase({ url: forked.url, readOnly: true });
      await using gateway = await startTestGateway(forked.url);
      const side = sideOf('forked', database.statements);
      const comparison = await compareAt(sides[0], side, 60n, { blocksOnly: true });
      expect(comparison.chain).toMatchObject({ isEqual: false, height: from });
      expect(describeComparison(comparison, [sides[0], side])).toContain(`forked has no block ${lacking}: `);
      const byGateway = gatewaySide(gateway.url, new AbortController().signal);
      const { chain } = await compareAt(byGateway, sides[0], 60n, { blocksOnly: true });
      expect(chain).toMatchObject({ isEqual: false, height: from });
    },
  );

  test.each([
    [
      'a balance',
      "UPDATE balance_changes SET balance = '1' WHERE position = (SELECT max(position) FROM balance_changes)",
    ],
    [
      'a reward',
      "UPDATE rewards SET amount = amount || '1' WHERE created_position = (SELECT max(created_position) FROM rewards)",
    ],
    [
      'a change of a row',
      `UPDATE changes SET row = row || '{"quantum":"9"}' WHERE position = (SELECT min(position) FROM changes WHERE noun = 'assets')`,
    ],
  ])('%s that was spoiled in a history is found by reading the blocks again', async (_, spoil) => {
    await using spoiled = await createSimulatedDatabase({ ...NETWORK, blocks: 50 });
    await using database = openDatabase({ url: spoiled.url, readOnly: true });
    const [row] = await ask<{ position: string }>(
      spoiled.url,
      `${spoil} RETURNING ${spoil.includes('UPDATE rewards') ? 'created_position AS position' : 'position'}`,
    );
    const checks = await readChecks(database);
    expect(checks).toEqual([{ height: 50n, spoiled: [BigInt(row?.position as string) >> 20n] }]);
  });
});

/** The network up to a block, which is another one and is followed by more up to a last. */
async function createForked(at: bigint, last = at): Promise<TestDatabase> {
  const forked = await createTestDatabase();
  await using writer = await Writer.open(forked.url);
  const signal = new AbortController().signal;
  const source = openSimulation({ ...NETWORK, blocks: Number(at) - 1 });
  await applySource(source, writer, { pace: 'max', signal });
  for (let height = at; height <= last; height += 1n) {
    const begin = height << 20n;
    const party = height === at ? [{ id: 'stranger', createdPosition: begin + 1n }] : [];
    const block = { height, hash: 'x', timestamp: 2n ** 62n + height, lastPosition: begin + 2n };
    await writer.write(block, changes({ party }));
  }
  return forked;
}

/** A column as a row has it: whole numbers as text, and JSON with its members in order. */
function writeColumn(value: unknown): string {
  if (typeof value === 'number') return `"${value}"`;
  return JSON.stringify(value, (_, part: unknown) =>
    typeof part !== 'object' || part === null || Array.isArray(part)
      ? part
      : Object.fromEntries(Object.entries(part).sort(([one], [other]) => (one < other ? -1 : 1))),
  );
}

function voteOf(partyId: string, updatedPosition: bigint) {
  return {
    ...{ proposalId: 'p', partyId, value: 2, timestamp: 5n, elsPerMarket: [{ b: 1, a: 'é' }] },
    ...{
      totalGovernanceTokenBalance: '7',
      totalGovernanceTokenWeight: '0.5',
      totalEquityLikeShareWeight: '',
    },
    ...{ createdPosition: updatedPosition, updatedPosition },
  };
}

/** That vote as its line. */
function lineOf(partyId: string, position: bigint): string {
  return `["votes","${position}","p",${JSON.stringify(partyId)},"2","5","7","0.5","",[{"a":"é","b":1}]]\n`;
}

function blockOf(height: bigint, lastPosition: bigint) {
  return { height, hash: `hash-${height}`, timestamp: height, lastPosition };
}

function sha256(...parts: readonly (string | Buffer)[]): Buffer {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(part);
  return hash.digest();
}

async function readDigests(url: string): Promise<readonly string[]> {
  const rows = await ask<{ digest: string }>(url, 'SELECT digest FROM blocks ORDER BY height');
  return rows.map(({ digest }) => digest);
}

async function readChecks({ statements }: Database) {
  const checks = [];
  for await (const { upTo, spoiled } of checkBlocks(statements, { after: null, upTo: 2n ** 62n }))
    checks.push({ height: upTo.height, spoiled });
  return checks;
}
