import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { tagOf, tagOfEveryValue, tagOfValue } from '../../src/cache/cache-tags.ts';
import { columnOf } from '../../src/data/columns.ts';
import type { AnyNoun } from '../../src/data/noun.ts';
import { nouns } from '../../src/data/nouns/index.ts';
import { findLatestBlock } from '../../src/data/queries/blocks.ts';
import { type Database, openDatabase } from '../../src/data/servers/client.ts';
import type { Statements } from '../../src/data/servers/statements.ts';
import type { Statement } from '../../src/data/templates.ts';
import { mendCounts } from '../../src/data/writing/row-counts.ts';
import { MAX_DIGITS } from '../../src/domain/decimals.ts';
import { fromBlock, NO_BLOCK } from '../../src/feed/events.ts';
import type { EventSource, KeptEvent } from '../../src/ingest/events.ts';
import { openSimulation } from '../../src/simulation/simulate.ts';
import { bytesOf, runBy } from '../engine/executors.ts';
import { seed } from '../support/seed.ts';
import { createSimulatedDatabase, type SimulatedDatabase } from '../support/simulated.ts';
import { ask, withClient } from '../support/state.ts';
import { reduce, SummedNetwork, type SumQuestion, sumQuestions, walk } from './sum-questions.ts';

const BLOCKS = 130;
const QUESTIONS = 150;

describe.each(['0.71', '0.79'] as const)('of release %s,', (release) => {
  const options = { seed: seed + 5, parties: 20, markets: 4, release, blocks: BLOCKS } as const;
  let simulated: SimulatedDatabase;
  let database: Database;
  let network: SummedNetwork;

  beforeAll(async () => {
    simulated = await createSimulatedDatabase(options);
    database = openDatabase({ url: simulated.url, readOnly: true });
    network = await SummedNetwork.of(openSimulation(options));
  });

  afterAll(async () => {
    await database?.close();
    await simulated?.[Symbol.asyncDispose]();
  });

  test('sums are those of the events, page after page, now and as of a block', async () => {
    let groups = 0;
    const heights = fc.option(fc.integer({ min: 1, max: BLOCKS }), { freq: 3 });
    const property = fc.asyncProperty(sumQuestions(network), heights, async (question, height) => {
      const expected = reduce(network.rowsAt(question.noun, height ?? BLOCKS), question);
      expect((await walk(database, question, height)) ?? []).toEqual(expected);
      groups += expected.length;
    });
    await fc.assert(property, { numRuns: QUESTIONS, endOnFailure: true, seed });
    expect(groups).toBeGreaterThan(QUESTIONS);
  });

  test('a tally is that of the events, now and as of each block', async () => {
    const chain = await readVotes(openSimulation(options));
    let found = 0;
    for (let height = 1; height <= BLOCKS; height += 9) {
      const votes = chain.filter((one) => one.height <= height).map(({ vote }) => vote);
      const proposals = `proposals(first: 50) { edges { node { id requiredMajority tally { ${TALLY} } } } }`;
      const text =
        height + 9 > BLOCKS
          ? `{ at: asOf { ${proposals} } }`
          : `{ at: asOf(height: "${height}") { ${proposals} } }`;
      const at = height + 9 > BLOCKS ? chain.map(({ vote }) => vote) : votes;
      for (const asText of [true, false]) {
        const { answer } = await runBy(database, { text, variables: {} }, asText);
        const { data, errors } = JSON.parse(bytesOf(answer));
        expect(errors).toBeUndefined();
        for (const { node } of data.at.proposals.edges) {
          expect(node.tally).toEqual({ ...tallyOf(at, node.id), requiredMajority: node.requiredMajority });
          found += node.tally.yes.votes;
        }
      }
    }
    expect(found).toBeGreaterThan(50);
  });

  test('a tally answers though an older version took in fractions of tokens', async () => {
    await using older = await createSimulatedDatabase({ ...options, blocks: 60 });
    await ask(older.url, "UPDATE votes SET total_governance_token_balance = '10.5'");
    const reading = openDatabase({ url: older.url, readOnly: true });
    const text =
      '{ proposals(first: 50) { nodes { tally { majority yes { votes tokens } no { votes tokens } } } } }';
    const { answer } = await runBy(reading, { text, variables: {} }, true);
    await reading.close();
    const { nodes } = JSON.parse(bytesOf(answer)).data.proposals;
    const tallies: readonly VotedTally[] = nodes.map(({ tally }: { tally: VotedTally }) => tally);
    const tokens = ({ votes }: { readonly votes: number }) => Math.floor(votes * 10.5);
    for (const one of tallies.flatMap(({ yes, no }) => [yes, no])) expect(one.tokens).toBe(`${tokens(one)}`);
    const shares = tallies.map(({ yes, no }) => tokens(yes) / (tokens(yes) + tokens(no)) || 0);
    expect(tallies.map(({ majority }) => Number(majority).toFixed(9))).toEqual(
      shares.map((share) => share.toFixed(9)),
    );
    expect(Math.max(...shares)).toBeGreaterThan(0);
  });

  test('a tally is exact where weights have as many digits as are taken in', async () => {
    await using simulated = await createSimulatedDatabase({ ...options, blocks: 60 });
    const weight = '7'.repeat(MAX_DIGITS);
    await ask(simulated.url, `UPDATE votes SET total_equity_like_share_weight = '0.${weight}'`);
    const reading = openDatabase({ url: simulated.url, readOnly: true });
    const text = `{ proposals(first: 50) { nodes { tally { ${TALLY} } } } }`;
    const { answer } = await runBy(reading, { text, variables: {} }, true);
    await reading.close();
    const { data, errors } = JSON.parse(bytesOf(answer));
    expect(errors).toBeUndefined();
    let most = 0;
    for (const { tally } of data.proposals.nodes) {
      const votes = tally.yes.votes + tally.no.votes;
      most = Math.max(most, votes);
      const [whole, fraction = ''] = tally.liquidityProviderParticipation.split('.');
      expect(BigInt(whole + fraction.padEnd(MAX_DIGITS, '0'))).toBe(BigInt(votes) * BigInt(weight));
    }
    // So that the sum has more digits than each.
    expect(most).toBeGreaterThan(1);
  });

  test('what the writer keeps is what the rows come to, and is made anew where somebody else wrote', async () => {
    await using fresh = await createSimulatedDatabase({ ...options, blocks: 60 });
    await fresh.advanceTo(90);
    await expectKept(fresh.url);
    for (const { sums } of SUMMED)
      for (const { table } of sums?.kept ?? [])
        await ask(fresh.url, `UPDATE ${table} SET rows = 7, amount = 7`);
    await ask(fresh.url, "DELETE FROM row_counts WHERE noun IN ('rewards', 'accounts', 'deposits')");
    // Until it is made anew, the rows themselves are read.
    await using reading = openDatabase({ url: fresh.url, readOnly: true });
    const some: SumQuestion = { ...QUESTION, by: ['ASSET', 'TYPE'] };
    const expected = reduce(network.rowsAt('rewards', 90), some);
    expect(await walk(reading, some, null)).toEqual(expected);
    await withClient(fresh.url, mendCounts);
    await expectKept(fresh.url);
    expect(await walk(reading, some, null)).toEqual(expected);
  });
});

describe('on a small network,', () => {
  let simulated: SimulatedDatabase;
  let database: Database;
  let texts: string[];

  beforeAll(async () => {
    simulated = await createSimulatedDatabase({ seed: seed + 6, parties: 12, markets: 2, blocks: 70 });
    const opened = openDatabase({ url: simulated.url, readOnly: true });
    texts = [];
    const rows = <Row>(statement: Statement) => {
      texts.push(statement.text);
      return opened.statements.rows<Row>(statement);
    };
    const statements: Statements = { ...opened.statements, rows, until: () => statements };
    database = { ...opened, statements };
  });

  afterAll(async () => {
    await database?.close();
    await simulated?.[Symbol.asyncDispose]();
  });

  const run = async (text: string, latest = NO_BLOCK) => {
    texts.length = 0;
    const { answer, context } = await runBy(database, { text, variables: {} }, true, latest);
    return { ...JSON.parse(bytesOf(answer)), tags: context.dependencies.tags() };
  };
  const errorOf = async (text: string) => {
    const { errors } = await run(text);
    const [error] = errors;
    const { message, extensions } = JSON.parse(error);
    const { code, details } = extensions;
    return [code, details[0]?.fieldViolations[0].field, message];
  };

  test('what is kept is read, and not the rows', async () => {
    for (const [list, keys, table] of [
      ['rewards', 'ASSET, TYPE', 'reward_sums'],
      ['rewards', 'ASSET, EPOCH', 'reward_epoch_asset_sums'],
      ['rewards(fromEpoch: "2", marketId: "")', 'ASSET', 'reward_epoch_sums'],
      ['accounts(filter: {accountTypes: [ACCOUNT_TYPE_GENERAL]})', 'ASSET, MARKET', 'account_sums'],
      ['deposits', 'ASSET, STATUS', 'deposit_sums'],
    ] as const) {
      const { errors } = await run(`{ ${list} { sums(by: [${keys}]) { amount } } }`);
      expect([list, errors, texts.length]).toEqual([list, undefined, 1]);
      expect(texts[0]).toContain(`FROM ${table} AS t`);
      expect(texts[0]).not.toMatch(/FROM (ONLY )?(rewards|accounts|deposits) AS t/);
    }
  });

  test('the sums of many objects are one statement', async () => {
    const sums = 'sums(by: [ASSET, EPOCH]) { key { epoch asset { id } } amount count }';
    const { data } = await run(
      `{ parties(first: 9) { edges { node { id rewards { totalCount ${sums} } } } } }`,
    );
    expect(texts.filter((text) => text.includes('grouped AS'))).toHaveLength(1);
    const whole = await run(
      `{ rewards { sums(by: [ASSET, EPOCH, PARTY], first: 1000) { key { partyId } amount } } }`,
    );
    const amounts = new Map<string, bigint>();
    for (const { key, amount } of whole.data.rewards.sums)
      amounts.set(key.partyId, (amounts.get(key.partyId) ?? 0n) + BigInt(amount));
    for (const { node } of data.parties.edges) {
      const sum = node.rewards.sums.reduce(
        (all: bigint, { amount }: { amount: string }) => all + BigInt(amount),
        0n,
      );
      expect([node.id, sum]).toEqual([node.id, amounts.get(node.id) ?? 0n]);
      expect(node.rewards.sums.every((one: { key: { asset: unknown } }) => one.key.asset !== null)).toBe(
        true,
      );
    }
  });

  test('amounts of different assets are never summed', async () => {
    const refused = 'by is [EPOCH]: amounts of different assets are never summed.';
    expect(await errorOf('{ rewards { sums(by: [EPOCH]) { amount } } }')).toEqual([
      ...['INVALID_ARGUMENT', 'by', expect.stringContaining(refused)],
    ]);
    expect((await errorOf('{ accounts { sums(by: []) { amount } } }'))[0]).toBe('INVALID_ARGUMENT');
    const [party, asset] = (
      await run('{ rewards(first: 1) { edges { node { partyId assetId } } } }')
    ).data.rewards.edges.flatMap(({ node }: { node: { partyId: string; assetId: string } }) => [
      node.partyId,
      node.assetId,
    ]);
    const two = `assetIds: ["${asset}", "other"]`;
    expect((await errorOf(`{ rewards(${two}) { sums(by: [TYPE]) { amount } } }`))[0]).toBe(
      'INVALID_ARGUMENT',
    );
    expect((await errorOf(`{ party(id: "${party}") { rewards { sums(by: [TYPE]) { amount } } } }`))[0]).toBe(
      'INVALID_ARGUMENT',
    );
    expect(
      (await run(`{ asset(id: "${asset}") { rewards { sums(by: []) { count } } } }`)).data.asset.rewards.sums,
    ).toHaveLength(1);
  });

  test('groups are bounded, and pages go on after cursors of the same groups and block alone', async () => {
    const rewards = (args: string, at = '') =>
      `{ ${at} rewards { sums(${args}) { cursor amount } } ${at === '' ? '' : '}'} }`;
    const cursorOf = async (text: string) => {
      const { data } = await run(text);
      return (data.rewards ?? data.asOf.rewards).sums[0].cursor as string;
    };
    const cursor = await cursorOf(rewards('by: [ASSET, TYPE], first: 1'));
    const past = await cursorOf(rewards('by: [ASSET, TYPE], first: 1', 'asOf(height: "60") {'));
    const forge = (by: readonly string[], key: readonly string[]) =>
      Buffer.from(JSON.stringify(['sums1', 'rewards.sums', by, '1', key])).toString('base64url');
    for (const [args, field] of [
      ['by: [ASSET, TYPE], first: 0', 'first'],
      ['by: [ASSET, TYPE], first: 1001', 'first'],
      ['by: [ASSET, ASSET]', 'by'],
      [`by: [TYPE, ASSET], after: "${cursor}"`, 'after'],
      [`by: [ASSET, TYPE], after: "${past}"`, 'after'],
      [`by: [ASSET, TYPE], after: "${cursor}x"`, 'after'],
      [`by: [EPOCH, ASSET], after: "${forge(['EPOCH', 'ASSET'], ['1e3', 'a'])}"`, 'after'],
      [`by: [ASSET, TYPE], after: "${forge(['ASSET', 'TYPE'], ['a', 'b\0'])}"`, 'after'],
      [`by: [ASSET, TYPE], after: "${forge(['ASSET', 'TYPE'], ['\ud800', 'b'])}"`, 'after'],
    ] as const)
      expect([args, ...(await errorOf(rewards(args))).slice(0, 2)]).toEqual([
        args,
        'INVALID_ARGUMENT',
        field,
      ]);
    // The types of rewards are texts of any length.
    for (const after of [cursor, forge(['ASSET', 'TYPE'], ['a', 'b'.repeat(300)])])
      expect((await run(rewards(`by: [ASSET, TYPE], after: "${after}"`))).errors).toBeUndefined();
  });

  test('what would read too many rows is refused before it is read', async () => {
    await ask(simulated.url, 'UPDATE reward_epoch_asset_sums SET rows = rows + 1000000');
    try {
      const error = await errorOf('{ rewards(fromEpoch: "1") { sums(by: [ASSET, PARTY]) { amount } } }');
      expect(error).toEqual([
        'FAILED_PRECONDITION',
        undefined,
        expect.stringContaining('more than 1000000 rows of rewards'),
      ]);
      expect(texts.filter((text) => text.includes('FROM rewards AS t'))).toEqual([]);
    } finally {
      await ask(simulated.url, 'UPDATE reward_epoch_asset_sums SET rows = rows - 1000000');
    }
  });

  test('an answer depends on the rows that it is of', async () => {
    const { tags } = await run('{ rewards(partyId: "a") { sums(by: [ASSET]) { amount } } }');
    expect(tags).toEqual([tagOfEveryValue(nouns.reward), tagOfValue(nouns.reward, 'partyId', 'a')]);
    expect((await run('{ accounts { sums(by: [ASSET]) { amount } } }')).tags).toEqual([tagOf(nouns.account)]);
    const newest = await findLatestBlock(database.statements);
    const past = '{ asOf(height: "3") { accounts { sums(by: [ASSET]) { amount } } } }';
    expect((await run(past, newest === null ? NO_BLOCK : fromBlock(newest))).tags).toEqual([]);
  });
});

const QUESTION: SumQuestion = {
  ...{ noun: 'rewards', parent: null, filter: '', passes: () => true },
  ...{ by: [], orderBy: 'AMOUNT_DESC', first: 100 },
};

const SUMMED: readonly AnyNoun[] = [nouns.reward, nouns.account, nouns.deposit];

/** Holds what is kept of each noun to its rows. */
async function expectKept(url: string): Promise<void> {
  for (const { sums, table, name } of SUMMED) {
    for (const kept of sums?.kept ?? []) {
      const by = kept.by.map((field) => columnOf(field)).join(', ');
      const span =
        kept.spansOf === undefined
          ? ''
          : `floor(${columnOf(kept.spansOf)} / 35184372088832.0)::bigint AS span, `;
      const found = await ask(
        url,
        `SELECT ${span === '' ? '' : 'span, '}${by}, rows, amount FROM ${kept.table} ORDER BY ${by}, 1, 2`,
      );
      const wanted = await ask(
        url,
        `SELECT ${span}${by}, count(*) AS rows, sum(${columnOf(sums?.amount ?? '')}::numeric) AS amount
         FROM ${table.name.text} GROUP BY ${span === '' ? '' : 'span, '}${by} ORDER BY ${by}, 1, 2`,
      );
      expect([name, found]).toEqual([name, wanted]);
      expect(found.length).toBeGreaterThan(0);
    }
  }
}

type VoteRow = Extract<KeptEvent, { readonly type: 'vote' }>['row'];

async function readVotes(
  source: EventSource,
): Promise<readonly { readonly height: number; readonly vote: VoteRow }[]> {
  const votes: { readonly height: number; readonly vote: VoteRow }[] = [];
  let height = 0;
  for await (const { event } of source.events(new AbortController().signal)) {
    if (event.type === 'beginBlock') height = event.height;
    else if (event.type === 'vote') votes.push({ height, vote: event.row });
  }
  return votes;
}

const TALLY = `requiredMajority majority liquidityProviderParticipation liquidityProviderMajority
  yes { votes tokens weight equityLikeShareWeight } no { votes tokens weight equityLikeShareWeight }`;

/** Of each party the last vote counts. */
interface VotedTally {
  readonly majority: string | null;
  readonly yes: { readonly votes: number; readonly tokens: string };
  readonly no: { readonly votes: number; readonly tokens: string };
}

function tallyOf(votes: readonly VoteRow[], proposalId: string) {
  const last = new Map(votes.filter((one) => one.proposalId === proposalId).map((one) => [one.partyId, one]));
  const counted = (value: number) => {
    const some = [...last.values()].filter((one) => one.value === value);
    const sum = (of: (one: VoteRow) => string) => some.reduce((all, one) => add(all, of(one)), '0');
    return {
      votes: some.length,
      tokens: sum((one) => one.totalGovernanceTokenBalance),
      weight: sum((one) => one.totalGovernanceTokenWeight),
      equityLikeShareWeight: sum((one) => one.totalEquityLikeShareWeight),
    };
  };
  const [yes, no] = [counted(2), counted(1)];
  const liquidity = add(yes.equityLikeShareWeight, no.equityLikeShareWeight);
  return {
    ...{ yes, no, majority: share(yes.tokens, add(yes.tokens, no.tokens)) },
    liquidityProviderParticipation: liquidity,
    liquidityProviderMajority: share(yes.equityLikeShareWeight, liquidity),
  };
}

/** Decimals here are whole numbers of 10^-60. */
const PLACES = 60;

function scaled(text: string): bigint {
  const [whole = '', fraction = ''] = text.split('.');
  return BigInt(whole + fraction.padEnd(PLACES, '0'));
}

function unscaled(value: bigint): string {
  const digits = `${value}`.padStart(PLACES + 1, '0');
  return `${digits.slice(0, -PLACES)}.${digits.slice(-PLACES)}`.replace(/\.?0+$/, '');
}

function add(one: string, other: string): string {
  return unscaled(scaled(one) + scaled(other));
}

/** To 16 places, halves up. */
function share(part: string, whole: string): string | null {
  if (scaled(whole) === 0n) return null;
  const rounded = (scaled(part) * 2n * 10n ** 16n + scaled(whole)) / (scaled(whole) * 2n);
  return unscaled(rounded * 10n ** 44n);
}
