import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { NEWEST_WRITES } from '../../src/data/migrate.ts';
import { nouns } from '../../src/data/nouns/index.ts';
import { openDatabase } from '../../src/data/servers/client.ts';
import { BLOCK_CHANNEL, createConnection } from '../../src/data/servers/connect.ts';
import { runTogether } from '../../src/data/writing/run-together.ts';
import { Writer } from '../../src/data/writing/writer.ts';
import {
  accountTypes,
  auctionTriggers,
  depositStatuses,
  marketStates,
  marketTradingModes,
} from '../../src/domain/enumerations.ts';
import { applySource } from '../../src/ingest/apply.ts';
import type { EventSource, NetworkEvent } from '../../src/ingest/events.ts';
import { openSimulation } from '../../src/simulation/simulate.ts';
import { createDisposableDatabase, createTestDatabase, type TestDatabase } from '../support/database.ts';
import {
  beginBlock,
  changes,
  createFolder,
  encodeEvent,
  endBlock,
  GOLD,
  PLAIN_FUTURE,
  recordingOf,
  sourceOf,
} from '../support/events.ts';
import { startTestGateway, type TestGateway } from '../support/gateway.ts';
import { within } from '../support/message-queue.ts';
import { runProgram } from '../support/program.ts';
import { takeValue } from '../support/shared-values.ts';
import { ask, readState, readTable, withClient } from '../support/state.ts';
import { FreezingProxy } from './freezing-proxy.ts';

const never = new AbortController().signal;

/** Every table that blocks write to. */
const TABLES = ['assets', 'unknown_numbers', 'parties', 'blocks', 'accounts', 'balance_changes', 'markets', 'risk_factors', 'party_profiles', 'market_data', 'deposits', 'changes', 'proposals', 'votes', 'margin_levels', 'trades', 'rewards', 'reward_epochs', 'reward_sums', 'reward_epoch_asset_sums', 'reward_epoch_sums', 'account_sums', 'deposit_sums', 'epochs', 'fee_discounts', 'block_touches', 'row_counts']; // biome-ignore format: a list

const CANCEL_WAITING = `
  SELECT pg_cancel_backend(pid) FROM pg_stat_activity
  WHERE application_name = 'periscope writer' AND datname = current_database() AND wait_event_type = 'Lock'`;

/** Less than the statements of the test take in sum, and far more than one of them does. */
const ANSWER_MS = 6_000;

/** What a cut connection is known by: it depends on who of both is quicker. */
const CUT = /terminat|ECONNRESET|EPIPE/;

describe('a writer', () => {
  test('makes all of a block visible at once, or nothing of it', async () => {
    await using database = await createTestDatabase();
    await using writer = await Writer.open(database.url);
    await writer.write(blockRow(1n), changes({ party: [{ id: 'a', createdPosition: 1n }] }));
    const before = await readState(database.url);
    const impossible = { party: [{ id: 'b', createdPosition: 1n }] };
    await expect(writer.write(blockRow(2n), changes(impossible))).rejects.toThrow('created_position');
    expect(await readState(database.url)).toEqual(before);
    expect(writer.lastBlock).toMatchObject(blockRow(1n));
    await writer.write(blockRow(2n), changes({ party: [{ id: 'b', createdPosition: 2n }] }));
    expect(await readTable(database.url, 'parties')).toHaveLength(2);
  });

  test('is refused by the database once a newer version has migrated it', async () => {
    await using database = await createDisposableDatabase();
    await using writer = await Writer.open(database.url);
    await writer.write(blockRow(1n), changes({ party: [{ id: 'a', createdPosition: 1n }] }));
    const newer = `'99999999999999_newer' COLLATE "C"`;
    await ask(
      database.url,
      `ALTER TABLE blocks DROP CONSTRAINT ${NEWEST_WRITES}, ADD CONSTRAINT ${NEWEST_WRITES}
       CHECK (coalesce(current_setting('periscope.migration', true), '') >= ${newer}) NOT VALID`,
    );
    const before = await readState(database.url);
    const block = changes({ party: [{ id: 'b', createdPosition: 2n }] });
    await expect(writer.write(blockRow(2n), block)).rejects.toThrow('writes to it no more');
    expect(await readState(database.url)).toEqual(before);
  });

  test('of a version that says nothing of itself is refused by the database', async () => {
    await using database = await createTestDatabase();
    const insert = `INSERT INTO blocks (height, hash, timestamp, last_position) VALUES (1, '', 1, 1)`;
    await expect(ask(database.url, insert)).rejects.toThrow(NEWEST_WRITES);
  });

  test('counts anew what somebody has written without counting it', async () => {
    await using database = await createTestDatabase();
    {
      await using writer = await Writer.open(database.url);
      expect(writer.mended).toEqual([]);
      await writer.write(blockRow(1n), changes({ party: [{ id: 'a', createdPosition: 1n }] }));
    }
    await ask(database.url, `INSERT INTO parties (id, created_position) VALUES ('b', 2)`);
    await using reader = openDatabase({ url: database.url, readOnly: true });
    const count = () => takeValue(reader.counts.count(nouns.party, {}));
    expect(await count()).toBe(2);
    await using writer = await Writer.open(database.url);
    expect(writer.mended).toEqual(['parties']);
    await writer.write(blockRow(2n), changes({ party: [{ id: 'c', createdPosition: 3n }] }));
    expect(await count()).toBe(3);
    expect(await readTable(database.url, 'row_counts')).toEqual([
      { noun: 'parties', key: '', rows: '3', position: '3' },
    ]);
  });

  test('applies each block whole or not at all, whichever of its statements is cancelled', async () => {
    const network = { seed: 3, blocks: 60, parties: 5, markets: 2, release: '0.79' } as const;
    const applyWith = (writer: Writer) =>
      applySource(withRarities(openSimulation(network)), writer, { pace: 'max', signal: never });
    await using undisturbed = await createTestDatabase();
    {
      await using writer = await Writer.open(undisturbed.url);
      await applyWith(writer);
    }
    const whole = await readState(undisturbed.url);
    const others = [
      'networks',
      'hold_ups',
      'skipped_events',
      'archived_parts',
      'archived_rows',
      'archived_balances',
      'archived_changes',
      'repeated_heights',
    ];
    expect(Object.keys(whole).sort()).toEqual([...TABLES, ...others].sort());
    for (const table of TABLES) {
      // Each begins anew: how far the blocks before come depends on how many are written together.
      await using database = await createTestDatabase();
      await using writer = await Writer.open(database.url);
      await withClient(database.url, async (client) => {
        // The block that comes to write there waits, and meanwhile it is cancelled.
        await client.query(`BEGIN; LOCK TABLE ${table} IN SHARE MODE`);
        const cancelled = expect(applyWith(writer), table).rejects.toThrow('canceling statement');
        const cancel = async () => (await ask(database.url, CANCEL_WAITING)).length;
        await Promise.all([cancelled, expect.poll(cancel, { interval: 2, message: table }).toBe(1)]);
        await client.query('ROLLBACK');
      });
      await applyWith(writer);
      expect(await readState(database.url), table).toEqual(whole);
    }
  });

  test('ends a hold-up and notes what was passed over with the block that goes on, or not at all', async () => {
    await using database = await createTestDatabase();
    await using writer = await Writer.open(database.url);
    await writer.claimNetwork('net');
    const event = { kind: 'vote', field: 'Vote.value', value: '\0', isSkippable: true };
    await writer.holdUp({ height: 1n, reason: 'a\0b', place: 'file, byte 1', ...event }, '1.2.3');
    const before = await readState(database.url);
    expect(before['hold_ups']).toEqual([expect.stringContaining(String.raw`"reason": "a\\0b"`)]);
    const skipped = [{ position: 1n, kind: 'vote', reason: 'c\0d' }];
    await writer.write(blockRow(1n), changes({ party: [{ id: 'a', createdPosition: 1n }] }));
    expect([writer.heldUp, await readTable(database.url, 'hold_ups')]).toEqual([null, []]);

    await writer.holdUp({ height: 2n, reason: 'again', place: '', ...event }, '1.2.3');
    const impossible = changes({ party: [{ id: 'b', createdPosition: 1n }] });
    const held = await readState(database.url);
    await expect(
      writer.writePrepared([writer.prepare(blockRow(2n), impossible, { unknown: [], skipped })]),
    ).rejects.toThrow('created_position');
    expect(await readState(database.url)).toEqual(held);
    expect(writer.heldUp).toMatchObject({ height: 2n, reason: 'again', version: '1.2.3' });
    await writer.writePrepared([writer.prepare(blockRow(2n), changes({}), { unknown: [], skipped })]);
    expect(await readTable(database.url, 'hold_ups')).toEqual([]);
    expect(await readTable(database.url, 'skipped_events')).toEqual([
      { position: '1', kind: 'vote', reason: String.raw`c\0d` },
    ]);
  });

  test('writes a block with more rows than one statement takes', async () => {
    await using database = await createTestDatabase();
    await using writer = await Writer.open(database.url);
    const parties = Array.from({ length: 25_000 }, (_, n) => ({ id: `p${n}`, createdPosition: BigInt(n) }));
    await writer.write(blockRow(1n), changes({ party: parties }));
    await writer.write(blockRow(2n), changes({ party: [{ id: 'last', createdPosition: 25_000n }] }));
    expect(await readTable(database.url, 'parties')).toHaveLength(25_001);
  });

  test('knows the block of a height that it has just written, also where the height begins again', async () => {
    await using database = await createTestDatabase();
    await using writer = await Writer.open(database.url);
    expect(await writer.findBlock(1n)).toBeUndefined();
    await writer.write(blockRow(1n), changes({}));
    expect(await writer.findBlock(1n)).toMatchObject(blockRow(1n));
    const again = { ...blockRow(1n), lastPosition: 2n };
    await writer.write(again, changes({}));
    expect(await writer.findBlock(1n)).toMatchObject(again);
    expect(await readTable(database.url, 'repeated_heights')).toEqual([{ height: '1' }]);
  });

  test.each([
    ['has a row twice', { asset: [ASSET, ASSET] }, '21000'],
    ['has a number that is too large', { party: [{ id: 'b', createdPosition: 2n ** 63n }] }, '22003'],
    ['has a position that another row has', { party: [{ id: 'b', createdPosition: 1n }] }, '23505'],
    ['has a key that no index takes', { party: [{ id: NO_KEY, createdPosition: 3n }] }, '54000'],
  ])('writes those before a block that %s, and not the block', async (_, made, code) => {
    await using database = await createTestDatabase();
    await using writer = await Writer.open(database.url);
    await writer.write(blockRow(1n), changes({ party: [{ id: 'a', createdPosition: 1n }] }));
    const blocks = [
      writer.prepare(blockRow(2n), changes({ party: [{ id: 'c', createdPosition: 2n }] })),
      writer.prepare(blockRow(3n), changes(made)),
    ];
    const written: bigint[] = [];
    const writing = writer.writePrepared(blocks, ({ block }) => written.push(block.height));
    await expect(writing).rejects.toMatchObject({ code });
    expect([written, writer.lastBlock]).toMatchObject([[2n], blockRow(2n)]);
    const rows = await readTable(database.url, 'parties');
    expect(rows.map(({ id }) => id).sort()).toEqual(['a', 'c']);
  });

  test('names the height of each block to those who listen, once it can be seen', async () => {
    await using database = await createTestDatabase();
    await using writer = await Writer.open(database.url);
    await withClient(database.url, async (client) => {
      const heard: string[] = [];
      client.on('notification', ({ payload }) => heard.push(payload ?? ''));
      await client.query(`LISTEN ${BLOCK_CHANNEL}`);
      await writer.write(blockRow(1n), changes({}));
      await writer.write(blockRow(2n), changes({}));
      await expect.poll(() => heard).toEqual(['1', '2']);
    });
  });

  test('is the only one: the second is refused, in words, and the first goes on', async () => {
    await using database = await createTestDatabase();
    await using writer = await Writer.open(database.url);
    const simulate = ['ingest', 'simulate', '--blocks', '5', '--parties', '3', '--markets', '1'];
    const { code, stderr } = await runProgram(simulate, { DATABASE_URL: database.url });
    expect(stderr).toBe(
      'periscope: Another process is ingesting into this database. There can be one at a time.\n',
    );
    expect(code).toBe(1);
    await writer.write(blockRow(1n), changes({}));
    expect(await readTable(database.url, 'blocks')).toHaveLength(1);
  });

  test('waits for the lock of one that is just ending', async () => {
    await using database = await createTestDatabase();
    const first = await Writer.open(database.url);
    const second = Writer.open(database.url);
    await sleep(300);
    await first.write(blockRow(1n), changes({}));
    await first.close();
    await using writer = await second;
    expect(writer.lastBlock).toMatchObject(blockRow(1n));
  });

  test('whose connection is cut fails, writes nothing more, and the next goes on', async () => {
    await using database = await createTestDatabase();
    const first = await Writer.open(database.url);
    await first.write(blockRow(1n), changes({}));
    await withClient(database.url, (client) =>
      client.query(
        `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
         WHERE application_name = 'periscope writer' AND datname = current_database()`,
      ),
    );
    await expect(first.write(blockRow(2n), changes({}))).rejects.toThrow(CUT);
    await expect(first.write(blockRow(2n), changes({}))).rejects.toThrow(CUT);
    await first.close();
    await using second = await Writer.open(database.url);
    expect(second.lastBlock).toMatchObject(blockRow(1n));
    await second.write(blockRow(2n), changes({}));
    expect(await readTable(database.url, 'blocks')).toHaveLength(2);
  });

  test('waits for one statement after the other, however many there are, and not for a server that is silent', async () => {
    await using database = await createTestDatabase();
    await using proxy = await FreezingProxy.start(database.url);
    const limits = { purpose: 'writer', query_timeout: ANSWER_MS, pipeline: true } as const;
    const client = createConnection(proxy.url, limits);
    try {
      await client.connect();
      const lingering = Array.from({ length: 8 }, (_, n) => ({ text: `SELECT ${n} FROM pg_sleep(1)` }));
      expect(await runTogether(client, ANSWER_MS, lingering)).toHaveLength(8);
      const running = runTogether(client, ANSWER_MS, lingering);
      proxy.freeze();
      await expect(within(running, 'the end')).rejects.toThrow('Connection terminated');
    } finally {
      await client.end();
    }
  });

  test('tells apart keys that hold whatever separates them', async () => {
    await using database = await createTestDatabase();
    await using writer = await Writer.open(database.url);
    const account = { marketId: '', type: accountTypes.numbers.ACCOUNT_TYPE_GENERAL } as const;
    const events: NetworkEvent[] = [
      { type: 'account', row: { ...account, owner: 'a', assetId: 'b/c', balance: '1' } },
      { type: 'account', row: { ...account, owner: 'a/b', assetId: 'c', balance: '2' } },
    ];
    await applySource(sourceOf(inBlock(events)), writer, { pace: 'max', signal: never });
    const rows = await readTable(database.url, 'accounts');
    expect(rows.map(({ owner, balance }) => [owner, balance]).sort()).toEqual([
      ['a', '1'],
      ['a/b', '2'],
    ]);
  });
});

describe('values go in and come out unchanged', () => {
  const amounts = [10n ** 78n, -(10n ** 78n), 10n ** 399n, 2n ** 256n - 1n, 9_007_199_254_740_993n].map(
    String,
  );
  const times = ['1767225600123456789', '1', '9223372036854775807', '-6795364578871345152'];
  let database: TestDatabase;
  let gateway: TestGateway;

  /** Through the whole way: the bytes of a recording, the program, the database, both surfaces. */
  beforeAll(async () => {
    database = await createTestDatabase();
    await using folder = await createFolder();
    const path = await folder.write(
      recordingOf([
        encodeEvent(beginBlock(1)),
        ...amounts.flatMap((amount) => [
          encodeEvent(depositOf(idOf(amount), { amount })),
          encodeEvent({ case: 'account', value: { ...ACCOUNT, owner: idOf(amount), balance: amount } }),
        ]),
        ...times.map((time) =>
          encodeEvent(
            depositOf(idOf(time), { createdTimestamp: BigInt(time), creditedTimestamp: BigInt(time) }),
          ),
        ),
        encodeEvent(depositOf(idOf('zero'), { txHash: 'be\0fore' })),
        encodeEvent(depositOf(idOf('after'), { txHash: '\u{1F680}' })),
        encodeEvent(endBlock(1)),
      ]),
    );
    const { code, stderr } = await runProgram(['ingest', 'file', path], { DATABASE_URL: database.url });
    expect(stderr).toContain('Applied 1 block ');
    expect(code).toBe(0);
    gateway = await startTestGateway(database.url);
  });

  afterAll(async () => {
    await gateway?.close();
    await database?.[Symbol.asyncDispose]();
  });

  test.each(amounts)('the amount and the balance %s', async (amount) => {
    const id = idOf(amount);
    expect((await gateway.rest(`/api/v2/deposit/${id}`)).body.deposit.amount).toBe(amount);
    const accounts = await gateway.rest(`/api/v2/accounts?filter.partyIds=${id}`);
    expect(accounts.body.accounts.edges[0].node.balance).toBe(amount);
    const { data } = await gateway.graphql(
      `{ deposit(id: "${id}") { amount } accounts(filter: { partyIds: ["${id}"] }) { edges { node { balance } } } }`,
    );
    expect(data).toEqual({ deposit: { amount }, accounts: { edges: [{ node: { balance: amount } }] } });
  });

  test.each(times)('the time %s', async (time) => {
    const wanted = { createdTimestamp: time, creditedTimestamp: time };
    const id = idOf(time);
    expect((await gateway.rest(`/api/v2/deposit/${id}`)).body.deposit).toMatchObject(wanted);
    const { data } = await gateway.graphql(`{ deposit(id: "${id}") { createdTimestamp creditedTimestamp } }`);
    expect(data.deposit).toEqual(wanted);
  });

  test('but for the zero character, which becomes the replacement character and stops nothing', async () => {
    expect((await gateway.rest(`/api/v2/deposit/${idOf('zero')}`)).body.deposit.txHash).toBe('be\uFFFDfore');
    expect((await gateway.rest(`/api/v2/deposit/${idOf('after')}`)).body.deposit.txHash).toBe('\u{1F680}');
  });

  test('text of any characters, in columns, in lists and within JSON', async () => {
    await using fresh = await createTestDatabase();
    await using writer = await Writer.open(fresh.url);
    const nasty = [
      'NULL',
      '',
      ' ',
      '"',
      '\\',
      '\\"',
      '{}',
      ',',
      '{"a","b"}',
      'a\nb\tc',
      "'",
      '\\\\',
      '\u{1F680}"',
    ];
    const texts = [...nasty, ...fc.sample(fc.string({ unit: 'grapheme' }), { numRuns: 200, seed: 7 })];
    const bounds = texts.map((text) => ({
      minValidPrice: text,
      maxValidPrice: '',
      referencePrice: '',
      trigger: null,
    }));
    const events = [
      ...texts.map((name, index) => ({
        type: 'asset',
        row: { ...GOLD, id: `${index}`, name, symbol: name },
      })),
      { type: 'market', row: { ...MARKET, id: 'm', tags: texts } },
      { type: 'market', row: { ...MARKET, id: 'none', tags: [] } },
      { type: 'marketData', row: { ...MARKET_DATA, marketId: 'm', priceMonitoringBounds: bounds } },
    ] as NetworkEvent[];
    await applySource(sourceOf(inBlock(events)), writer, { pace: 'max', signal: never });
    const assets = await readTable(fresh.url, 'assets');
    expect(new Map(assets.map(({ id, name }) => [Number(id), name]))).toEqual(new Map(texts.entries()));
    const markets = await readTable(fresh.url, 'markets');
    expect(new Map(markets.map(({ id, tags }) => [id, tags]))).toEqual(new Map([['m', texts], ['none', []]])); // biome-ignore format: pairs
    expect(await readTable(fresh.url, 'market_data')).toMatchObject([{ price_monitoring_bounds: bounds }]);
  });

  test('texts of any length, and the longest ids in one key', async () => {
    await using fresh = await createTestDatabase();
    await using writer = await Writer.open(fresh.url);
    const longest = (first: number) =>
      String.fromCharCode(...Array.from({ length: 256 }, (_, n) => first + ((n * 7919) % 20_000)));
    const [owner, assetId, marketId] = [longest(0x3000), longest(0x4000), longest(0x5000)];
    const codes = ['a', 'b'].map((last) => `\u{1F680}${NO_KEY}${last}`);
    const events = [
      { type: 'asset', row: { ...GOLD, id: assetId, name: NO_KEY, symbol: NO_KEY } },
      ...codes.map((code) => ({
        type: 'market',
        row: { ...MARKET, id: code.slice(-1), instrumentCode: code, instrumentName: code, tags: [code] },
      })),
      { type: 'account', row: { type: ACCOUNT.type, owner, assetId, marketId, balance: '1' } },
    ] as NetworkEvent[];
    await applySource(sourceOf(inBlock(events)), writer, { pace: 'max', signal: never });
    await using reader = await startTestGateway(fresh.url);
    const asked =
      'query ($codes: [String!]) { markets(filter: { codes: $codes }) { nodes { id } totalCount } }';
    const found = async (codes: readonly string[]) => (await reader.graphql(asked, { codes })).data.markets;
    expect(await found(codes)).toEqual({ nodes: [{ id: 'b' }, { id: 'a' }], totalCount: 2 });
    expect(await found(codes.slice(1))).toEqual({ nodes: [{ id: 'b' }], totalCount: 1 });
    expect(await found([NO_KEY])).toEqual({ nodes: [], totalCount: 0 });
  });

  test('and for half a surrogate pair, in columns and within JSON', async () => {
    await using fresh = await createTestDatabase();
    await using writer = await Writer.open(fresh.url);
    const events: NetworkEvent[] = [
      { type: 'asset', row: { ...GOLD, id: 'gold', name: 'G\ud800', symbol: '\0\udc00' } },
      { type: 'market', row: { ...MARKET, id: 'm', tags: ['a\udfff', 'b\0', '\u{1F680}'] } },
    ];
    await applySource(sourceOf(inBlock(events)), writer, { pace: 'max', signal: never });
    expect(await readTable(fresh.url, 'assets')).toMatchObject([{ name: 'G\uFFFD', symbol: '\uFFFD\uFFFD' }]);
    expect(await readTable(fresh.url, 'markets')).toMatchObject([
      { tags: ['a\uFFFD', 'b\uFFFD', '\u{1F680}'] },
    ]);
  });
});

/** An id of the network's form. */
function idOf(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

const ACCOUNT = {
  id: '',
  asset: 'gold',
  marketId: '!',
  type: accountTypes.numbers.ACCOUNT_TYPE_GENERAL,
} as const;

const MARKET = {
  instrumentId: '',
  instrumentCode: '',
  instrumentName: '',
  ...PLAIN_FUTURE,
  settlementAssetId: 'gold',
  decimalPlaces: 5,
  positionDecimalPlaces: 3,
  makerFee: '0',
  infrastructureFee: '0',
  liquidityFee: '0',
  searchLevel: '1.1',
  initialMargin: '1.2',
  collateralRelease: '1.4',
  linearSlippageFactor: '0',
  quadraticSlippageFactor: '0',
  lpPriceRange: '1',
  state: marketStates.numbers.STATE_ACTIVE,
  tradingMode: marketTradingModes.numbers.TRADING_MODE_CONTINUOUS,
  proposedTimestamp: 0n,
  pendingTimestamp: 0n,
  openTimestamp: 0n,
  closeTimestamp: 0n,
} as const;

/** Every number is 0. */
const MARKET_DATA = {
  ...Object.fromEntries(nouns.marketData.table.fields.map((field) => [field, '0'])),
  liquidityProviderFeeShare: [],
  marketState: marketStates.numbers.STATE_ACTIVE,
  marketTradingMode: marketTradingModes.numbers.TRADING_MODE_CONTINUOUS,
  trigger: auctionTriggers.numbers.AUCTION_TRIGGER_UNSPECIFIED,
  extensionTrigger: auctionTriggers.numbers.AUCTION_TRIGGER_UNSPECIFIED,
};

type Deposit = Extract<Parameters<typeof encodeEvent>[0], { case: 'deposit' }>['value'];

function depositOf(id: string, fields: Partial<Deposit>): Parameters<typeof encodeEvent>[0] {
  const value = {
    id,
    status: depositStatuses.numbers.STATUS_OPEN,
    partyId: 'a',
    asset: 'gold',
    amount: '1',
    txHash: '',
    creditedTimestamp: 0n,
    createdTimestamp: 0n,
  } as const;
  return { case: 'deposit', value: { ...value, ...fields } };
}

/** The same source, whose insurance accounts are of a type that nobody knows, with an epoch and a discount in each block. */
function withRarities(source: EventSource): EventSource {
  return {
    ...source,
    async *events(signal) {
      for await (const { event, at } of source.events(signal)) {
        if (event.type === 'endBlock') for (const rare of RARITIES) yield { at, event: rare };
        const isInsurance = event.type === 'account' && event.row.type === INSURANCE;
        yield { at, event: isInsurance ? { ...event, row: { ...event.row, type: 99 } } : event };
      }
    },
  };
}

const RARITIES: readonly NetworkEvent[] = [
  { type: 'epoch', row: { seq: 1n, startTimestamp: 1n, expiryTimestamp: 2n, endTimestamp: 0n } },
  {
    type: 'feeDiscount',
    row: {
      partyId: 'a',
      kind: 'VOLUME',
      epoch: 1n,
      maker: '0',
      infrastructure: '0',
      liquidity: '0',
    },
  },
];
const INSURANCE = accountTypes.numbers.ACCOUNT_TYPE_INSURANCE;

function inBlock(events: readonly NetworkEvent[]): readonly NetworkEvent[] {
  return [
    { type: 'beginBlock', height: 1, timestamp: 1n, hash: 'hash' },
    ...events,
    { type: 'endBlock', height: 1 },
  ];
}

const ASSET = { ...GOLD, createdPosition: 3n, updatedPosition: 3n };

/** More than a page of an index takes, and it cannot be made smaller. */
const NO_KEY = Array.from({ length: 200 }, (_, n) =>
  createHash('sha512').update(`${n}`).digest('base64'),
).join('');

function blockRow(height: bigint) {
  return { height, hash: `hash-${height}`, timestamp: height, lastPosition: height };
}
