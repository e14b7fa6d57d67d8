import { setTimeout as sleep } from 'node:timers/promises';
import { pino } from 'pino';
import { describe, expect, test } from 'vitest';
import { readConfig } from '../../src/config.ts';
import { type DecodeEvent, decodeEvent } from '../../src/ingest/decode.ts';
import { skippingDamaged } from '../../src/ingest/skip-damaged.ts';
import type { SocketIngest } from '../../src/ingest/socket/run.ts';
import { startGateway } from '../../src/server.ts';
import { readMetrics, sumOf } from '../metrics/exposition.ts';
import { createTestDatabase, readerUrlOf } from '../support/database.ts';
import { accountOf } from '../support/events.ts';
import { startTestGateway } from '../support/gateway.ts';
import { ask, readHeight, readState, readTable } from '../support/state.ts';
import { createSpoolPlace, eventsOf, reachHeight, stateFromFile, until } from './core-network.ts';
import { CoreNode, dialUntilTaken } from './core-node.ts';
import { encodeAt, encodeNewerAccount, makeBlocks, replaceEvent } from './network-blocks.ts';

/** Where the event stands that this version cannot read, in a network of thirty blocks. */
const HEIGHT = 11;
const INDEX = 2;
const newer = encodeNewerAccount(HEIGHT, INDEX, 77);
const same = encodeAt(accountOf('newer', '77'), HEIGHT, INDEX);
const blocks = replaceEvent(makeBlocks(1, 30), HEIGHT, INDEX, newer);
/** The same network for who understands that event. */
const understood = replaceEvent(blocks, HEIGHT, INDEX, same);
const REASON = `event account (type 6, id ${HEIGHT}-${INDEX}): Account.balance has wire type 0 instead of 2`;
const HELD_UP = `held up at block ${HEIGHT}: ${REASON}`;

/** What a later version of the program reads. */
const decodeNewer: DecodeEvent = (bytes) => decodeEvent(Buffer.from(newer).equals(bytes) ? same : bytes);

const between = (first: number, last: number) =>
  eventsOf(blocks.filter(({ height }) => height >= first && height <= last));

describe('at an event that it cannot read', () => {
  test('ingest stops before its block; readiness, metrics, the log and the database say where and why', async () => {
    await using database = await createTestDatabase();
    await using place = await createSpoolPlace();
    await using gateway = await startTestGateway(database.url);
    await using patient = await startTestGateway(database.url, { READY_WHILE_HELD_UP: 'on' });
    await using ingest = await place.start(database.url);
    await using core = await CoreNode.dial(ingest.url);
    await core.send(between(1, 10));
    await reachHeight(database.url, 10);
    expect((await gateway.rest('/health/ready')).body).toEqual({ status: 'ready' });
    await core.send(between(11, 20));
    await noteHeldUp(database.url);

    const ready = await gateway.rest('/health/ready');
    expect(ready.status).toBe(503);
    expect(ready.body.message).toBe(`Not ready: ingest ${HELD_UP}.`);
    expect(ready.body.ingest).toMatch(`${HELD_UP}. A newer Periscope that understands it goes on from there`);
    expect(ready.body.ingest).toContain('--skip-damaged passes over such events');
    expect(ready.text).not.toContain(place.folder);
    expect((await gateway.rest('/health')).status).toBe(503);
    expect((await gateway.rest('/health/live')).status).toBe(200);
    const serves = async () => {
      const { status, headers } = await gateway.rest('/api/v2/accounts');
      return [status, headers.get('X-Block-Height')];
    };
    // On a busy machine the gateway may hear of the block a little later.
    await expect.poll(serves).toEqual([200, '10']);

    const forReads = await patient.rest('/health/ready');
    expect([forReads.status, forReads.body.status]).toEqual([200, 'ready']);
    expect(forReads.body.ingest).toBe(ready.body.ingest);
    expect(await (await fetch(`${patient.url}/health`)).text()).toBe('ok');

    const told = await readMetrics(gateway.metricsUrl);
    expect(sumOf(told, 'periscope_ingest_held_up')).toBe(1);
    expect(sumOf(told, 'periscope_ingest_held_up_block')).toBe(HEIGHT);
    expect(ingest.counts).toMatchObject({ isHeldUp: true, heldUpBlock: BigInt(HEIGHT) });
    expect(place.logged.join('\n')).toContain(`INGEST IS ${HELD_UP.toUpperCase()}`);
    expect(await readTable(database.url, 'hold_ups')).toEqual([
      {
        chain_id: 'test-chain',
        height: `${HEIGHT}`,
        reason: REASON,
        place: expect.stringMatching(`^${place.folder}/[-0-9]+.evt, byte \\d+$`),
        kind: 'account',
        field: 'Account.balance',
        value: null,
        is_skippable: true,
        since: expect.stringMatching(/^\d{19}$/),
        version: '1.2.3',
      },
    ]);
  });

  test('it holds all that comes, and a version that reads it goes on from the spool without a gap', async () => {
    await using database = await createTestDatabase();
    await using place = await createSpoolPlace();
    const since: unknown[] = [];
    {
      await using ingest = await place.start(database.url, { segmentSize: 500 });
      const core = await CoreNode.dial(ingest.url);
      await core.send(between(1, 25));
      await core.finish();
      await noteHeldUp(database.url);
      const kept = await place.segments();
      expect(kept.length).toBeGreaterThan(3);
      // The core falls back, and comes no further than what is known; then it goes on where it was.
      await sendAll(ingest, between(8, 9));
      await sendAll(ingest, between(26, 30));
      await until(() => place.logged.some((line) => line.includes('LATER EVENTS')), 'the last are read');
      expect(await place.segments()).toEqual(expect.arrayContaining(kept));
      since.push((await readTable(database.url, 'hold_ups'))[0]?.['since']);
    }
    {
      // The same version comes no further.
      await using ingest = await place.start(database.url);
      await until(() => ingest.counts.heldUp !== null && place.logged.length > 0, 'it is held up again');
      await until(
        () => place.logged.filter((line) => line.startsWith('INGEST IS')).length === 2,
        'it says so',
      );
      expect(await readHeight(database.url)).toBe(HEIGHT - 1);
      since.push((await readTable(database.url, 'hold_ups'))[0]?.['since']);
    }
    expect(since[1]).toBe(since[0]);
    await using gateway = await startTestGateway(database.url);
    await using ingest = await place.start(database.url, { decode: decodeNewer });
    await reachHeight(database.url, 30);
    expect(await readState(database.url)).toEqual(await stateFromFile(understood));
    expect(await readTable(database.url, 'hold_ups')).toEqual([]);
    expect(ingest.counts.heldUp).toBeNull();
    expect(ingest.counts).toMatchObject({ isHeldUp: false, heldUpBlock: null });
    expect((await gateway.rest('/health/ready')).body).toEqual({ status: 'ready' });
    const told = await readMetrics(gateway.metricsUrl);
    expect(sumOf(told, 'periscope_ingest_held_up')).toBe(0);
    expect(told.get('periscope_ingest_held_up_block')?.samples ?? []).toEqual([]);
    await until(async () => (await place.segments()).length <= 2, 'the spool is trimmed');
  });

  test('the core waits where the spool is full, and is not sent away', async () => {
    await using database = await createTestDatabase();
    await using place = await createSpoolPlace();
    const limit = 3 * 2 ** 20;
    const large = replaceEvent(makeBlocks(1, 60, { others: 400 }), HEIGHT, INDEX, newer);
    {
      await using ingest = await place.start(database.url, { segmentSize: 2 ** 20, limit });
      await using core = await CoreNode.dial(ingest.url);
      let sent = false;
      let closed = false;
      void core.closed.then(() => {
        closed = true;
      });
      void core.send(eventsOf(large)).then(() => {
        sent = true;
      });
      await noteHeldUp(database.url);
      await until(async () => (await place.size()) >= limit, 'the spool is full');
      // Long enough for a core that need not wait.
      await sleep(1_000);
      expect([sent, closed]).toEqual([false, false]);
    }
    await using ingest = await place.start(database.url, { decode: decodeNewer });
    await sendAll(ingest, eventsOf(large.slice(HEIGHT)));
    await reachHeight(database.url, 60);
    const whole = replaceEvent(large, HEIGHT, INDEX, same);
    expect(await readState(database.url)).toEqual(await stateFromFile(whole));
  });

  test('it goes on where the core begins again at an earlier block, and sends it whole', async () => {
    await using database = await createTestDatabase();
    await using place = await createSpoolPlace();
    await using ingest = await place.start(database.url);
    await sendAll(ingest, between(1, 20));
    await noteHeldUp(database.url);
    await sendAll(ingest, eventsOf(understood.slice(7)));
    await reachHeight(database.url, 30);
    expect(await readState(database.url)).toEqual(await stateFromFile(understood));
  });

  test('it goes on without that event where it is to pass over such, and tells how many there were', async () => {
    await using database = await createTestDatabase();
    await using place = await createSpoolPlace();
    await using gateway = await startTestGateway(database.url);
    await using ingest = await place.start(database.url, { decode: skippingDamaged(decodeEvent) });
    await sendAll(ingest, between(1, 30));
    await reachHeight(database.url, 30);
    const skipped = await readTable(database.url, 'skipped_events');
    expect(skipped).toEqual([
      {
        position: `${HEIGHT * 2 ** 20 + INDEX - 1}`,
        kind: 'account',
        reason: 'Account.balance has wire type 0 instead of 2',
      },
    ]);
    const { skipped_events: _, networks, ...state } = await readState(database.url);
    const without = replaceEvent(blocks, HEIGHT, INDEX, encodeAt(null, HEIGHT, INDEX));
    const { skipped_events: none, networks: others, ...wanted } = await stateFromFile(without);
    expect(none).toEqual([]);
    expect(state).toEqual(wanted);
    expect(networks?.[0]).toContain('"skipped_events": 1');
    expect(others?.[0]).toContain('"skipped_events": 0');
    expect(ingest.counts).toMatchObject({ skippedEvents: 1, isHeldUp: false });
    expect((await gateway.rest('/health/ready')).body).toEqual({ status: 'ready', skippedEvents: '1' });
    expect(place.logged.some((line) => line.startsWith('PASSED OVER'))).toBe(true);
  });

  test('that the database has passed over, it is not held up again where it is to pass over none any more', async () => {
    await using database = await createTestDatabase();
    await using place = await createSpoolPlace();
    {
      await using ingest = await place.start(database.url, { decode: skippingDamaged(decodeEvent) });
      await sendAll(ingest, between(1, 20));
      await reachHeight(database.url, 20);
    }
    // The spool has it still.
    await using ingest = await place.start(database.url);
    await until(() => ingest.counts.skipped === 20, 'the spool is read up to its end');
    expect(ingest.counts).toMatchObject({ skippedEvents: 0, isHeldUp: false });
    expect(await readTable(database.url, 'hold_ups')).toEqual([]);
  });

  test('of a height that begins again it is held up at what the database does not have', async () => {
    await using database = await createTestDatabase();
    await using place = await createSpoolPlace();
    const again = blocks.filter(({ height }) => height === HEIGHT);
    {
      await using ingest = await place.start(database.url);
      await sendAll(ingest, eventsOf(understood.slice(0, HEIGHT)));
      await reachHeight(database.url, HEIGHT);
    }
    await using ingest = await place.start(database.url);
    await sendAll(ingest, eventsOf([...understood.slice(0, HEIGHT), ...again]));
    await noteHeldUp(database.url);
    expect(ingest.counts).toMatchObject({ isHeldUp: true, heldUpBlock: BigInt(HEIGHT) });
  });
});

test('blocks that are missing are told in the same way, until the core begins again at an earlier one', async () => {
  await using database = await createTestDatabase();
  await using place = await createSpoolPlace();
  await using gateway = await startTestGateway(database.url);
  await using ingest = await place.start(database.url);
  await sendAll(ingest, [...between(1, 2), ...between(5, 7)]);
  await noteHeldUp(database.url);
  const { status, body } = await gateway.rest('/health/ready');
  expect(status).toBe(503);
  expect(body.ingest).toMatch(
    /^held up at block 3: .*: blocks are missing between them\. It goes on by itself/,
  );
  expect(body.ingest).not.toContain('--skip-damaged');
  await sendAll(ingest, between(2, 9));
  await reachHeight(database.url, 9);
  expect((await gateway.rest('/health/ready')).status).toBe(200);
});

test('a block that the database refuses for what it holds is told in the same way, and not taken for a database that is away', async () => {
  await using database = await createTestDatabase();
  await using place = await createSpoolPlace();
  await ask(database.url, "ALTER TABLE accounts ADD CONSTRAINT no_such CHECK (balance <> '3000')");
  await using ingest = await place.start(database.url);
  await sendAll(ingest, between(1, 4));
  await noteHeldUp(database.url);
  expect(await readTable(database.url, 'hold_ups')).toMatchObject([
    {
      height: '3',
      reason: expect.stringMatching(/^the database refuses what it holds: new row .*no_such/),
      place: 'the core node, block 3',
      is_skippable: false,
    },
  ]);
  expect(await readHeight(database.url)).toBe(2);
  await using gateway = await startTestGateway(database.url);
  expect((await gateway.rest('/health/ready')).body.ingest).toMatch(
    /no_such"\. What the database refuses is to be seen to there; /,
  );
  expect(place.logged.join('\n')).not.toContain('CANNOT BE WRITTEN TO');
  await ask(database.url, 'ALTER TABLE accounts DROP CONSTRAINT no_such');
  // What came meanwhile is in the spool: the core goes on behind it.
  await sendAll(ingest, between(5, 5));
  await reachHeight(database.url, 5);
});

test('a process that takes in and serves is not ready either where the database could not be told', async () => {
  await using database = await createTestDatabase();
  const hindrance = {
    ...{ height: 5n, reason: 'why', place: '/there', kind: 'vote', field: null, value: null },
    isSkippable: false,
  };
  await using gateway = await startGateway({
    config: readConfig({ PORT: '0', SHUTDOWN_GRACE_MS: '0' }),
    databaseUrl: readerUrlOf(database.url),
    logger: pino({ level: 'silent' }),
    findHindrance: () => hindrance,
  });
  const answer = await fetch(`${gateway.url}/health/ready`);
  expect(answer.status).toBe(503);
  expect(await answer.json()).toMatchObject({ ingest: expect.stringContaining('held up at block 5: why.') });
});

test('of events that are passed over the newest are kept, and all are counted', async () => {
  await using database = await createTestDatabase();
  await using place = await createSpoolPlace();
  await using ingest = await place.start(database.url, { decode: skippingDamaged(decodeEvent) });
  const many = makeBlocks(1, 7, { accounts: 200 }).map(({ height, events }) =>
    events.map((event, at) => (at % 201 === 0 ? event : encodeNewerAccount(height, at + 1, at))),
  );
  await sendAll(ingest, many.flat());
  await reachHeight(database.url, 7);
  const [kept] = await ask<{ count: string; first: string }>(
    database.url,
    'SELECT count(*), min(position) AS first FROM skipped_events',
  );
  expect(kept).toEqual({ count: '1000', first: `${3 * 2 ** 20 + 1}` });
  expect(ingest.counts.skippedEvents).toBe(1400);
  expect(await readTable(database.url, 'networks')).toMatchObject([{ skipped_events: '1400' }]);
});

async function sendAll(ingest: SocketIngest, events: readonly Uint8Array[]): Promise<void> {
  const core = await dialUntilTaken(ingest.url);
  await core.send(events);
  await core.finish();
}

async function noteHeldUp(url: string): Promise<void> {
  await until(async () => (await readTable(url, 'hold_ups')).length > 0, 'the database has the hold-up');
}
