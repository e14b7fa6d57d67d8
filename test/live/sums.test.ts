import { setTimeout as sleep } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { expect, test } from 'vitest';
import { createTestDatabase } from '../support/database.ts';
import { startTestGateway, type TestGateway } from '../support/gateway.ts';
import { openGraphqlSse } from '../support/http-clients.ts';
import { HANG_MS } from '../support/limits.ts';
import { chooseRandom } from '../support/seed.ts';
import { openGraphqlWs } from '../support/socket-clients.ts';
import { ask } from '../support/state.ts';
import { countStatements } from '../support/statements.ts';
import { type LiveNetwork, openNetwork } from './live-network.ts';
import { WriterProcess } from './restarted-processes.ts';

const OPTIONS = { seed: 11, blocks: 80, parties: 30, markets: 2 };
const FIRST_BLOCKS = 30;
/** Slow enough that a busy machine tells most of them by themselves. */
const BLOCKS_A_SECOND = 4;

/** What is followed, and how the same is asked for. */
interface Followed {
  readonly field: string;
  readonly args: string;
  readonly selection: string;
  readonly asked: string;
  /** The value of a message, or of an answer. */
  readonly read: (value: never) => unknown;
}

type Message = Readonly<Record<string, never>>;

const ofSums = (
  name: 'account' | 'deposit' | 'reward',
  args: string,
  filter: string,
  key: string,
): Followed => {
  const isComplete = name === 'reward' ? ' isComplete' : '';
  const selection = `key { ${key} } amount count hasNextPage${isComplete}`;
  const list = `${name}s`;
  return {
    field: `${name}Sums`,
    args: [args, filter].filter(Boolean).join(', '),
    selection: `sums { ${selection} }`,
    asked: `${list}${filter && `(${filter})`} { sums(${args}) { ${selection} } }`,
    read: (value: Message) => value['sums'] ?? (value[list] as unknown as Message)?.['sums'],
  };
};

const TALLY =
  'yes { votes tokens weight } no { votes tokens } majority liquidityProviderParticipation requiredMajority';

const ofTally = (id: string): Followed => ({
  field: 'proposalTally',
  args: `proposalId: "${id}"`,
  selection: `tally { ${TALLY} }`,
  asked: `proposal(id: "${id}") { tally { ${TALLY} } }`,
  read: (value: Message) => value['tally'] ?? (value['proposal'] as unknown as Message)?.['tally'],
});

test('sums and tallies are, as of each block that changes them, what is asked for as of it, through cuts and a writer that is killed', async () => {
  const network = await openNetwork(OPTIONS);
  await using database = await createTestDatabase();
  await network.write(database.url, FIRST_BLOCKS, 'max');
  await using gateway = await startTestGateway(database.url);
  const { asset, proposal } = await findBusy(network);
  const all = [
    ofSums('account', 'by: [ASSET]', '', 'assetId asset { symbol }'),
    ofSums('account', 'by: [ASSET, TYPE], first: 3, orderBy: KEY', '', 'assetId type'),
    ofSums('account', 'by: [TYPE]', `filter: { assetIds: ["${asset}"] }`, 'type'),
    ofSums('deposit', 'by: [ASSET, STATUS]', '', 'assetId status'),
    ofSums('reward', 'by: [ASSET, EPOCH], first: 5, orderBy: KEY_DESC', '', 'assetId epoch'),
    ofTally(proposal),
  ];
  await using writer = WriterProcess.simulating(database.url, OPTIONS, BLOCKS_A_SECOND);
  const stopped = new AbortController();
  const followers = all.map((followed): Follower => ({ followed, last: null }));
  const following = followers.map((one) => follow(gateway, one, stopped.signal));
  await sleep(2_000);
  writer.kill();
  await writer.done;
  // Each comes to the end in its own time on a busy machine.
  for (const one of followers) {
    const isAtEnd = async () => isDeepStrictEqual(one.last, await askAs(gateway, one.followed, null));
    await expect.poll(isAtEnd, { timeout: HANG_MS, message: one.followed.field }).toBe(true);
  }
  stopped.abort();
  const told = await Promise.all(following);
  expect(writer.starts).toBeGreaterThan(1);
  for (const [index, messages] of told.entries())
    expect(messages, JSON.stringify(all[index])).toBeGreaterThan(1);
  expect(told.reduce((sum, one) => sum + one, 0)).toBeGreaterThan(OPTIONS.blocks - FIRST_BLOCKS);
});

/** Who follows, and what was told last. */
interface Follower {
  readonly followed: Followed;
  last: unknown;
}

/** The asset whose accounts, and the proposal whose votes, change most in the blocks that are followed. */
async function findBusy(
  network: LiveNetwork,
): Promise<{ readonly asset: string; readonly proposal: string }> {
  await using known = await createTestDatabase();
  await network.write(known.url, OPTIONS.blocks, 'max');
  const [busy] = await ask<{ asset: string; proposal: string }>(
    known.url,
    `SELECT (SELECT asset_id FROM accounts JOIN balance_changes ON account_position = created_position
         WHERE position >> 20 > ${FIRST_BLOCKS} GROUP BY 1 ORDER BY count(*) DESC LIMIT 1) AS asset,
       (SELECT proposal_id FROM votes WHERE updated_position >> 20 > ${FIRST_BLOCKS} + 5
         GROUP BY 1 ORDER BY count(*) DESC LIMIT 1) AS proposal`,
  );
  if (busy === undefined) throw new Error('nothing changes');
  return busy;
}

/**
 * Follows on one connection after another, and holds each message to what is asked for as of its block, and the last to what is asked
 * for at the end. Gives how many came.
 */
async function follow(gateway: TestGateway, one: Follower, signal: AbortSignal): Promise<number> {
  const { field, args, selection, read } = one.followed;
  const random = chooseRandom(`${field} ${args}`);
  const query = `subscription($after: String) { ${field}(${args}, after: $after) { block { height } cursor ${selection} } }`;
  const aborted = new Promise<null>((resolve) => {
    signal.addEventListener('abort', () => resolve(null), { once: true });
  });
  let [messages, height, after] = [0, -1, null as string | null];
  while (!signal.aborted) {
    await using client = await random.pick([openGraphqlWs, openGraphqlSse])(gateway.url, query, { after });
    for (let left = random.between(2, 9); left > 0 && !signal.aborted; left -= 1) {
      const next = await Promise.race([client.next(), aborted]);
      if (next === null) break;
      expect(next.errors).toBeUndefined();
      const message = next.data[field];
      expect(Number(message.block.height)).toBeGreaterThanOrEqual(height);
      [height, after, messages] = [Number(message.block.height), message.cursor, messages + 1];
      one.last = read(message as never);
      const asked = await askAs(gateway, one.followed, message.block.height);
      expect(one.last, `${field}(${args}) at ${height}`).toEqual(asked);
    }
  }
  expect(one.last, `${field}(${args}) at the end`).toEqual(await askAs(gateway, one.followed, null));
  return messages;
}

/** What is asked for as of a block, the newest where none is given. */
async function askAs(
  gateway: TestGateway,
  { asked, read }: Followed,
  height: string | null,
): Promise<unknown> {
  const answer = await gateway.graphql(
    `{ asOf${height === null ? '' : `(height: "${height}")`} { ${asked} } }`,
  );
  expect(answer.errors).toBeUndefined();
  return read(answer.data.asOf as never);
}

test('equal ones are read once for a block, and a block that changes nothing of them is not read for', async () => {
  const network = await openNetwork(OPTIONS);
  await using database = await createTestDatabase();
  await network.write(database.url, FIRST_BLOCKS, 'max');
  await using gateway = await startTestGateway(database.url);
  const query = 'subscription { accountSums(by: [ASSET]) { block { height } sums { amount } } }';
  const clients = await Promise.all(Array.from({ length: 12 }, () => openGraphqlWs(gateway.url, query)));
  const quiet = await openGraphqlWs(
    gateway.url,
    'subscription { proposalTally(proposalId: "no such proposal") { block { height } tally { majority } } }',
  );
  try {
    expect((await quiet.next()).data.proposalTally.tally).toBeNull();
    for (const client of clients) await client.next();
    const counting = countStatements();
    await network.write(database.url, FIRST_BLOCKS + 1, 'max');
    const told = await Promise.all(clients.map((client) => client.next()));
    await sleep(300);
    counting.stop();
    expect(new Set(told.map((one) => JSON.stringify(one))).size).toBe(1);
    expect(told[0]?.data.accountSums.block.height).toBe(`${FIRST_BLOCKS + 1}`);
    expect(counting.texts.filter((text) => text.includes('grouped AS MATERIALIZED'))).toHaveLength(1);
    expect(counting.texts.filter((text) => text.includes('"proposals"'))).toEqual([]);
  } finally {
    for (const client of [...clients, quiet]) await client[Symbol.asyncDispose]();
  }
});

test.each([
  ['accountSums(by: [TYPE])', 'by is [TYPE]: amounts of different assets are never summed.'],
  ['accountSums(by: [ASSET, ASSET])', 'by has ASSET more than once.'],
  ['accountSums(by: [ASSET], first: 101)', 'first takes a number from 1 to 100, not 101.'],
  ['accountSums(by: [ASSET], filter: { balanceFrom: "1" })', 'choose by what never changes.'],
  ['rewardSums(by: [ASSET], after: "x")', 'after takes a cursor that a stream of rewardSums gave, not "x".'],
])('%s is refused', async (asked, message) => {
  const network = await openNetwork(OPTIONS);
  await using database = await createTestDatabase();
  await network.write(database.url, 3, 'max');
  await using gateway = await startTestGateway(database.url);
  const query = `subscription { ${asked} { cursor } }`;
  const answer = await fetch(`${gateway.url}/graphql?${new URLSearchParams({ query })}`, {
    headers: { Accept: 'text/event-stream' },
  });
  expect([answer.status, await answer.text()]).toEqual([
    400,
    expect.stringContaining(JSON.stringify(message).slice(1, -1)),
  ]);
});
