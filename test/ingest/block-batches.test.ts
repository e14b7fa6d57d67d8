import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { BLOCK_CHANNEL } from '../../src/data/servers/connect.ts';
import type { PreparedBlock } from '../../src/data/writing/prepared-block.ts';
import { Writer } from '../../src/data/writing/writer.ts';
import { accountTypes, depositStatuses } from '../../src/domain/enumerations.ts';
import { applySource } from '../../src/ingest/apply.ts';
import type { EventSource, NetworkEvent } from '../../src/ingest/events.ts';
import { openSimulation } from '../../src/simulation/simulate.ts';
import { createTestDatabase } from '../support/database.ts';
import { GOLD, sourceOf } from '../support/events.ts';
import { ask, readHeight, readState, withClient } from '../support/state.ts';

const never = new AbortController().signal;

describe('blocks that are written together', () => {
  test('leave what they leave one at a time, whatever comes together: rows, histories, touches, counts', async () => {
    const network = { seed: 11, blocks: 90, parties: 7, markets: 2 };
    await using alone = await createTestDatabase();
    await applyAlone(alone.url, openSimulation(network));
    const wanted = await readState(alone.url);
    const sizes = fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 5 });
    for (const cut of fc.sample(sizes, { numRuns: 4, seed: 1 })) {
      await using together = await createTestDatabase();
      await applyTogether(together.url, openSimulation(network), cut);
      expect(await readState(together.url)).toEqual(wanted);
    }
  });

  test('leave the same where a history is bounded, and where a height begins again', async () => {
    const again = Array.from({ length: 150 }, (_, index) => {
      const height = Math.floor(index / 2) + 1;
      return block(height, [accountOf('alice', `${index}`), accountOf(`p${index % 7}`, `${index}`)]);
    }).flat();
    await using alone = await createTestDatabase();
    await applyAlone(alone.url, sourceOf(again), 20);
    await using together = await createTestDatabase();
    await applyTogether(together.url, sourceOf(again), [64], 20);
    expect(await readState(together.url)).toEqual(await readState(alone.url));
    expect((await ask(together.url, 'SELECT FROM networks WHERE history_from > 0')).length).toBe(1);
  });

  test('leave a deposit with its party, whichever of them sends it again with another', async () => {
    const sent = ['a', 'b', 'b', 'a'].map((partyId, index) => depositOf(partyId, `${index}`));
    const events = () => sourceOf(sent.flatMap((event, index) => block(index + 1, [event])));
    await using alone = await createTestDatabase();
    await applyAlone(alone.url, events());
    for (const sizes of [[4], [1, 3], [2]]) {
      await using together = await createTestDatabase();
      await applyTogether(together.url, events(), sizes);
      expect(await readState(together.url)).toEqual(await readState(alone.url));
    }
    expect(await ask(alone.url, 'SELECT party_id, amount FROM deposits')).toEqual([
      { party_id: 'a', amount: '3' },
    ]);
  });

  test('leave a deposit with its first party as well where one block names others', async () => {
    const parties = fc.array(fc.constantFrom('a', 'b', 'c'), { minLength: 1, maxLength: 5 });
    for (const sent of fc.sample(fc.array(parties, { minLength: 2, maxLength: 4 }), {
      numRuns: 5,
      seed: 1,
    })) {
      const deposits = sent.map((some, height) => some.map((party, n) => depositOf(party, `${height}${n}`)));
      const first = sent[0]?.[0] as string;
      const kept = deposits.flat().filter(({ row }) => row.partyId === first);
      const events = () => sourceOf(deposits.flatMap((some, index) => block(index + 1, some)));
      for (const sizes of [[1], [4], [1, 3]]) {
        await using database = await createTestDatabase();
        await applyTogether(database.url, events(), sizes);
        expect(await ask(database.url, 'SELECT party_id, amount FROM deposits')).toEqual([
          { party_id: first, amount: kept.at(-1)?.row.amount },
        ]);
        expect(
          await ask(database.url, `SELECT DISTINCT row ->> 'party_id' AS party_id FROM changes`),
        ).toEqual([{ party_id: first }]);
      }
    }
  });

  test('are told of one by one', async () => {
    await using database = await createTestDatabase();
    await withClient(database.url, async (client) => {
      const heard: string[] = [];
      client.on('notification', ({ payload }) => heard.push(payload ?? ''));
      await client.query(`LISTEN ${BLOCK_CHANNEL}`);
      await applyTogether(database.url, sourceOf([1, 2, 3].flatMap((height) => block(height))), [3]);
      await expect.poll(() => heard).toEqual(['1', '2', '3']);
    });
  });

  test('are kept up to one that cannot be written', async () => {
    await using database = await createTestDatabase();
    const impossible = { type: 'asset', row: { ...GOLD, decimals: 2 ** 40 } } as const;
    const source = sourceOf([...block(1), ...block(2), ...block(3, [impossible]), ...block(4)]);
    await expect(applyTogether(database.url, source, [4])).rejects.toThrow('out of range');
    expect(await readHeight(database.url)).toBe(2);
  });
});

test('blocks that come while one is being written are written in one transaction after it', async () => {
  await using database = await createTestDatabase();
  const writer = await Writer.open(database.url);
  const sizes = noteSizes(writer);
  let read = 0;
  const blocks = sourceOf(Array.from({ length: 600 }, (_, index) => block(index + 1)).flat());
  const source: EventSource = {
    ...blocks,
    async *events(signal) {
      for await (const one of blocks.events(signal)) {
        if (one.event.type === 'endBlock') read += 1;
        yield one;
      }
    },
  };
  try {
    await withClient(database.url, async (client) => {
      await client.query('BEGIN; LOCK TABLE blocks IN SHARE MODE');
      const applying = applySource(source, writer, { pace: 'max', signal: never });
      // One is being written, as many wait behind it as may, and one more is ready.
      await expect.poll(() => read).toBe(514);
      await client.query('ROLLBACK');
      await applying;
    });
  } finally {
    await writer.close();
  }
  expect(sizes.slice(0, 2)).toEqual([1, 512]);
  expect(await readHeight(database.url)).toBe(600);
  const together = await ask(database.url, 'SELECT FROM blocks GROUP BY xmin::text HAVING count(*) = 512');
  expect(together).toHaveLength(1);
});

/** How many blocks are written at a time. */
function noteSizes(writer: Writer): readonly number[] {
  const sizes: number[] = [];
  const write = writer.writePrepared.bind(writer);
  writer.writePrepared = (blocks, onWritten) => {
    sizes.push(blocks.length);
    return write(blocks, onWritten);
  };
  return sizes;
}

function applyAlone(url: string, source: EventSource, historyBlocks: number | null = null): Promise<void> {
  return applyTogether(url, source, [1], historyBlocks);
}

/** Applies a source by as many blocks at a time as `sizes` says, again and again. */
async function applyTogether(
  url: string,
  source: EventSource,
  sizes: readonly number[],
  historyBlocks: number | null = null,
): Promise<void> {
  await using writer = await Writer.open(url, { historyBlocks, pastBlocks: historyBlocks });
  const write = writer.writePrepared.bind(writer);
  const held: PreparedBlock[] = [];
  let turn = 0;
  const flush = async () => {
    for (; held.length > 0; turn += 1) await write(held.splice(0, sizes[turn % sizes.length]));
  };
  writer.writePrepared = async (blocks, onWritten) => {
    held.push(...blocks);
    for (const block of blocks) onWritten?.(block);
  };
  await applySource(source, writer, { pace: 'max', signal: never });
  await flush();
}

function block(height: number, events: readonly NetworkEvent[] = []): readonly NetworkEvent[] {
  const timestamp = BigInt(height);
  return [
    { type: 'beginBlock', height, timestamp, hash: `hash-${height}` },
    ...events,
    { type: 'endBlock', height },
  ];
}

function accountOf(owner: string, balance: string): NetworkEvent {
  const type = accountTypes.numbers.ACCOUNT_TYPE_GENERAL;
  return { type: 'account', row: { owner, assetId: 'gold', marketId: '', type, balance } };
}

function depositOf(partyId: string, amount: string) {
  const times = { createdTimestamp: 1n, creditedTimestamp: 0n };
  const row = {
    id: 'one',
    partyId,
    assetId: 'gold',
    amount,
    status: depositStatuses.numbers.STATUS_OPEN,
    txHash: '',
    ...times,
  } as const;
  return { type: 'deposit', row } as const;
}
