import { expect, test } from 'vitest';
import { Dependencies, tagOf } from '../../src/cache/cache-tags.ts';
import { scopeModels } from '../../src/data/models/client.ts';
import { relationBy } from '../../src/data/models/relations.ts';
import { nouns } from '../../src/data/nouns/index.ts';
import { type Database, openDatabase } from '../../src/data/servers/client.ts';
import { isUnavailable } from '../../src/data/servers/unavailable.ts';
import { LightSignal } from '../../src/signal.ts';
import { createTestDatabase } from '../support/database.ts';
import { forAllTests } from '../support/for-all-tests.ts';
import { ask } from '../support/state.ts';
import { countStatements } from '../support/statements.ts';

const place = await forAllTests(createTestDatabase());
const database = await forAllTests(openDatabase({ url: place.url, readOnly: true }));
await ask(place.url, "INSERT INTO parties VALUES ('a', 1), ('b', 2)");

const failure = (work: Promise<unknown>) => work.then(() => undefined).catch((error: unknown) => error);
const SLEEPING = `SELECT query FROM pg_stat_activity
  WHERE application_name = 'periscope' AND datname = current_database() AND wait_event_type = 'Lock'`;

/** The client of an operation, what its answer depends on, and how whoever asks leaves. */
function operation() {
  const leaving = new LightSignal();
  const dependencies = new Dependencies();
  const statements = database.statements.until(leaving);
  const models = scopeModels(database.prisma, { statements, shared: database.statements, dependencies });
  return { models, dependencies, leave: () => leaving.abort(new Error('left')) };
}

test('what is asked for somebody who leaves ends on the server too, and nothing else does', async () => {
  await using writer = await lockParties();
  const [staying, leaving] = [operation(), operation()];
  // Prisma asks when its answer is wanted.
  const stayed = staying.models.party.findMany().then((rows) => rows);
  const left = failure(leaving.models.party.findMany({ include: { accounts: true } }));
  await expect.poll(async () => (await ask(place.url, SLEEPING)).length).toBe(2);
  leaving.leave();
  expect(await left).toEqual(new Error('left'));
  await expect.poll(async () => (await ask(place.url, SLEEPING)).length).toBe(1);
  await writer.release();
  expect(await stayed).toHaveLength(2);
});

test('what is found by its key is asked for together, and does not end with one of those who ask', async () => {
  await using writer = await lockParties();
  const statements = countStatements();
  const [staying, leaving] = [operation(), operation()];
  const found = [leaving, staying].map(({ models }, index) =>
    models.party.findUnique({ where: { id: index === 0 ? 'a' : 'b' } }),
  );
  const both = Promise.all(found);
  await expect.poll(async () => (await ask(place.url, SLEEPING)).length).toBe(1);
  leaving.leave();
  await writer.release();
  expect((await both).map((party) => party?.id)).toEqual(['a', 'b']);
  expect(statements.texts.filter((text) => text.includes('"parties"'))).toHaveLength(1);
  statements.stop();
});

test('an answer depends on every model that a query reads, those that it includes too', async () => {
  const { models, dependencies } = operation();
  await models.deposit.findMany({ include: { party: { include: { profile: true } } } });
  await models.asset.findUnique({ where: { id: 'a' }, select: { id: true, rewards: { take: 1 } } });
  const { deposit, party, partyProfile, asset, reward } = nouns;
  const read = [deposit, party, partyProfile, asset, reward].map(tagOf);
  expect(dependencies.tags()?.toSorted()).toEqual(read.toSorted());
  await models.block.findFirst();
  await models.rowCount.findFirst({ where: { noun: 'votes' } });
  expect(dependencies.tags()).toHaveLength(read.length + 2);
});

test.each<[string, (models: Database['prisma']) => Promise<unknown>]>([
  ['rows of no noun', (models) => models.network.findFirst()],
  ['counts of whatever nouns', (models) => models.rowCount.findMany()],
  ['what is not known', (models) => models.party.findMany({ include: { _count: true } })],
])('an answer that is made of %s is not kept', async (_, ask) => {
  const { models, dependencies } = operation();
  await ask(models);
  expect(dependencies.tags()).toBe(null);
});

test('more keys than PostgreSQL takes with a statement are asked for in several, and in no transaction', async () => {
  const statements = countStatements();
  const keys = Array.from({ length: 40_000 }, (_, index) => `stranger ${index}`);
  const found = await operation().models.party.findMany({ where: { id: { in: ['a', ...keys, 'b'] } } });
  expect(found.map(({ id }) => id).sort()).toEqual(['a', 'b']);
  expect(statements.texts.filter((text) => !text.startsWith('SELECT'))).toEqual([]);
  statements.stop();
});

test('what fails fails as the driver says it', async () => {
  const { models } = operation();
  const error = await failure(models.party.findMany({ where: { id: '\0' } }));
  expect(error).toMatchObject({ code: '22021', message: expect.stringMatching(/^invalid byte sequence/) });
  const slow = openDatabase({ url: place.url, readOnly: true, statementTimeoutMs: 50 });
  await using _writer = await lockParties();
  const { statements } = slow;
  const dependencies = new Dependencies();
  const scoped = scopeModels(slow.prisma, { statements, shared: statements, dependencies });
  const cutOff = await failure(scoped.party.findMany());
  expect([isUnavailable(cutOff), String(cutOff)]).toEqual([
    true,
    expect.stringContaining('statement timeout'),
  ]);
  await slow.close();
});

test('a list that hangs off an object is a relation of its model', () => {
  expect(relationBy('Account', 'owner')).toEqual({ model: 'Party', name: 'accounts' });
  expect(relationBy('Market', 'parentMarketId')).toEqual({ model: 'Market', name: 'successorMarkets' });
  expect(() => relationBy('Account', 'balance')).toThrow('Account.balance names no rows');
});

/** Holds the parties, so that whoever reads them waits. */
async function lockParties() {
  const pg = (await import('pg')).default;
  const client = new pg.Client({ connectionString: place.url });
  await client.connect();
  await client.query('BEGIN; LOCK TABLE parties');
  let ended: Promise<void> | undefined;
  const release = () => {
    ended ??= client.end();
    return ended;
  };
  return { release, [Symbol.asyncDispose]: release };
}
