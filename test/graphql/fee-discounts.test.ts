import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { Writer } from '../../src/data/writing/writer.ts';
import { applySource } from '../../src/ingest/apply.ts';
import { decodeEvent } from '../../src/ingest/decode.ts';
import type { NetworkEvent } from '../../src/ingest/events.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { marketEvents, marketIdOf } from '../support/estimate-markets.ts';
import { encodeEvent, type SentPayload, sourceOf } from '../support/events.ts';
import { startTestGateway, type TestGateway } from '../support/gateway.ts';
import { readTable } from '../support/state.ts';

const MARKET = marketEvents('spot', {
  assetDecimals: 0,
  marketDecimals: 0,
  positionDecimalPlaces: 0,
  makerFee: '1',
  market: { treasuryFee: '0', buyBackFee: '0' },
});
const [STARTS, ENDS] = [1, 2];
/** What the network says of the end of an epoch that has just begun. */
const NO_TIME = -6_795_364_578_871_345_152n;

let database: TestDatabase;
let writer: Writer;
let gateway: TestGateway;
let height: number;

beforeEach(async () => {
  database = await createTestDatabase();
  writer = await Writer.open(database.url);
  height = 0;
  await applyBlock([epoch(7n, STARTS)], MARKET);
  gateway = await startTestGateway(database.url);
});

afterEach(async () => {
  await gateway?.close();
  await writer?.close();
  await database?.[Symbol.asyncDispose]();
});

/** Applies a block of events as the network sends them. */
async function applyBlock(sent: readonly SentPayload[], others: readonly NetworkEvent[] = []): Promise<void> {
  height += 1;
  const begin = { height, timestamp: BigInt(height) * 1_000_000_000n, hash: `hash-${height}` };
  const events = sent.map((payload) => decodeEvent(encodeEvent(payload)).event);
  const source = sourceOf([
    { type: 'beginBlock', ...begin },
    ...others,
    ...events,
    { type: 'endBlock', height },
  ]);
  await applySource(source, writer, { pace: 'max', signal: new AbortController().signal });
}

function epoch(seq: bigint, action: number): SentPayload {
  const endTime = action === ENDS ? seq * 10n + 9n : NO_TIME;
  return {
    case: 'epochEvent',
    value: { seq, action, startTime: seq * 10n, expireTime: seq * 10n + 8n, endTime },
  };
}

const factors = (maker: string) => ({ maker, infrastructure: '0.10', liquidity: '' });

function volume(atEpoch: bigint, maker: Readonly<Record<string, string>>): SentPayload {
  const stats = Object.entries(maker).map(([partyId, factor]) => ({
    partyId,
    discountFactors: factors(factor),
  }));
  return { case: 'volumeDiscountStatsUpdated', value: { atEpoch, stats } };
}

function referral(atEpoch: bigint, partyId: string, maker: string): SentPayload {
  const refereesStats = [{ partyId, discountFactors: factors(maker) }, { partyId: 'of an older release' }];
  return { case: 'referralSetStatsUpdated', value: { setId: 'set', atEpoch, refereesStats } };
}

/** What a party pays of a maker fee of 1000, by REST at the newest block. */
async function paidBy(party: string): Promise<string> {
  const answer = await gateway.rest(
    `/api/v2/estimate/fee?marketId=${marketIdOf('spot')}&price=1000&size=1&party=${party}`,
  );
  return answer.body.fee.makerFee;
}

/** The same once the gateway has the newest block. */
async function expectPaid(amounts: Readonly<Record<string, string>>): Promise<void> {
  await expect
    .poll(async () => (await gateway.rest('/api/v2/deposits')).headers.get('x-block-height'))
    .toBe(`${height}`);
  for (const [party, amount] of Object.entries(amounts))
    expect([party, await paidBy(party)]).toEqual([party, amount]);
}

test('an event that tells of many parties is a row of each, in the place that it takes', async () => {
  const { event } = decodeEvent(encodeEvent(volume(7n, { alice: '0.1', bob: '0.20' })));
  const row = { kind: 'VOLUME', epoch: 7n, infrastructure: '0.1', liquidity: '0' };
  expect(event).toEqual({
    type: 'several',
    events: [
      { type: 'feeDiscount', row: { ...row, partyId: 'alice', maker: '0.1' } },
      { type: 'feeDiscount', row: { ...row, partyId: 'bob', maker: '0.2' } },
    ],
  });
  await applyBlock([volume(7n, { alice: '0.1', bob: '0.20' }), epoch(7n, ENDS)]);
  const rows = await readTable(database.url, 'fee_discounts');
  const position = `${2 * 2 ** 20 + 1}`;
  expect(rows.map((one) => [one['party_id'], one['updated_position']])).toEqual([
    ['alice', position],
    ['bob', position],
  ]);
  expect(await readTable(database.url, 'epochs')).toEqual([
    {
      seq: '7',
      created_position: `${2 ** 20 + 5}`,
      updated_position: `${2 * 2 ** 20 + 2}`,
      start_timestamp: '70',
      expiry_timestamp: '78',
      end_timestamp: '79',
    },
  ]);
});

describe('a party that is named', () => {
  test('pays less by what the epoch before found, from the block on that the next begins in', async () => {
    await expectPaid({ alice: '1000', bob: '1000' });
    await applyBlock([epoch(7n, ENDS), volume(7n, { alice: '0.1' }), referral(7n, 'alice', '0.5')]);
    // The seventh goes on until there is another.
    await expectPaid({ alice: '1000', bob: '1000' });
    await applyBlock([epoch(8n, STARTS)]);
    await expectPaid({ alice: '450', bob: '1000' });
    // What the eighth finds does not count before the ninth, and takes nothing from what does.
    await applyBlock([epoch(8n, ENDS), volume(8n, { bob: '1' })]);
    await expectPaid({ alice: '450', bob: '1000' });
    await applyBlock([epoch(9n, STARTS)]);
    await expectPaid({ alice: '1000', bob: '0' });
  });

  test('shows what it is let off, and the epoch that goes on', async () => {
    await applyBlock([
      epoch(7n, ENDS),
      volume(7n, { alice: '0.1' }),
      referral(7n, 'alice', '0.5'),
      epoch(8n, STARTS),
    ]);
    await applyBlock([{ case: 'party', value: { id: 'alice' } }]);
    await expectPaid({ alice: '450' });
    const { data } = await gateway.graphql(`{
      feeDiscounts(partyId: "alice") { kind epoch maker infrastructure liquidity }
      currentEpoch { seq startTimestamp expiryTimestamp endTimestamp }
    }`);
    const common = { epoch: '7', infrastructure: '0.1', liquidity: '0' };
    expect(data.feeDiscounts).toEqual([
      { kind: 'REFERRAL', ...common, maker: '0.5' },
      { kind: 'VOLUME', ...common, maker: '0.1' },
    ]);
    expect(data.currentEpoch).toEqual({
      seq: '8',
      startTimestamp: '80',
      expiryTimestamp: '88',
      endTimestamp: '0',
    });
  });

  test('is let off nothing while the network has told of no epoch', async () => {
    await using empty = await createTestDatabase();
    const own = await startTestGateway(empty.url);
    const { data } = await own.graphql('{ currentEpoch { seq } }').finally(() => own.close());
    expect(data).toEqual({ currentEpoch: null });
  });
});
