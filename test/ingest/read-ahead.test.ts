import { once } from 'node:events';
import { describe, expect, test } from 'vitest';
import { Writer } from '../../src/data/writing/writer.ts';
import { applySource } from '../../src/ingest/apply.ts';
import type { EventSource, NetworkEvent } from '../../src/ingest/events.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { GOLD, sourceOf } from '../support/events.ts';
import { ask, readHeight, withClient } from '../support/state.ts';

const never = new AbortController().signal;

describe('while a block is being written', () => {
  test('those after it are read, and written only when it is there', async () => {
    await using database = await createTestDatabase();
    const { source, read } = watch(sourceOf([...block(1), ...block(2), ...block(3)]));
    await whileHeld(
      database,
      () => apply(database, source),
      async () => {
        await expect.poll(() => read.at(-1)).toBe('end of 3');
        expect(await readHeight(database.url)).toBe(0);
      },
    );
    expect(await readHeight(database.url)).toBe(3);
  });

  test('nothing is read of a source for which asking for more says that all so far is in the database', async () => {
    await using database = await createTestDatabase();
    const { source, read } = watch(sourceOf([...block(1), ...block(2)]));
    const careful: EventSource = { ...source, needsAllApplied: true };
    await whileHeld(
      database,
      () => apply(database, careful),
      async () => {
        expect(read).toEqual(['begin of 1', 'end of 1']);
      },
    );
    expect(read.at(-1)).toBe('end of 2');
    expect(await readHeight(database.url)).toBe(2);
  });

  test('a stop leaves that block, and none that is ready', async () => {
    await using database = await createTestDatabase();
    const { source, read } = watch(sourceOf([...block(1), ...block(2), ...block(3)]));
    const stop = new AbortController();
    let applied: number | undefined;
    const applying = async () => {
      applied = (await apply(database, source, stop.signal)).applied;
    };
    await whileHeld(database, applying, async () => {
      await expect.poll(() => read.at(-1)).toBe('end of 3');
      stop.abort();
    });
    expect(applied).toBe(1);
    expect(await readHeight(database.url)).toBe(1);
  });
});

test('a block that cannot be written ends the ingest, though its source waits for more', async () => {
  await using database = await createTestDatabase();
  const impossible: NetworkEvent = { type: 'asset', row: { ...GOLD, decimals: 2 ** 40 } };
  const events = [...block(1), ...block(2, [impossible])];
  const waiting: EventSource = {
    ...sourceOf(events),
    async *events(signal) {
      yield* sourceOf(events).events(signal);
      if (!signal.aborted) await once(signal, 'abort');
      signal.throwIfAborted();
    },
  };
  await expect(apply(database, waiting)).rejects.toThrow('out of range');
  expect(await readHeight(database.url)).toBe(1);
});

test('the fault of a source behind a block that is being written is told once that block is there', async () => {
  await using database = await createTestDatabase();
  const overlapping = sourceOf([...block(1), ...block(3)]);
  await expect(apply(database, overlapping)).rejects.toThrow('blocks are missing');
  expect(await readHeight(database.url)).toBe(1);
});

/** Has a block wait for its table while `look` looks, then lets it go on and waits for the end. */
async function whileHeld(
  { url }: TestDatabase,
  begin: () => Promise<unknown>,
  look: () => Promise<void>,
): Promise<void> {
  await withClient(url, async (client) => {
    await client.query('BEGIN; LOCK TABLE blocks IN SHARE MODE');
    const applying = begin();
    const waiting = `
      SELECT FROM pg_stat_activity
      WHERE application_name = 'periscope writer' AND datname = current_database() AND wait_event_type = 'Lock'`;
    await expect.poll(async () => (await ask(url, waiting)).length).toBe(1);
    try {
      await look();
    } finally {
      await client.query('ROLLBACK');
      await applying;
    }
  });
}

async function apply({ url }: TestDatabase, source: EventSource, signal = never) {
  await using writer = await Writer.open(url);
  return await applySource(source, writer, { pace: 'max', signal });
}

/** A source that notes which begins and ends of blocks were asked for. */
function watch(source: EventSource): { readonly source: EventSource; readonly read: readonly string[] } {
  const read: string[] = [];
  const watched: EventSource = {
    ...source,
    async *events(signal) {
      for await (const one of source.events(signal)) {
        const { event } = one;
        if (event.type === 'beginBlock') read.push(`begin of ${event.height}`);
        if (event.type === 'endBlock') read.push(`end of ${event.height}`);
        yield one;
      }
    },
  };
  return { source: watched, read };
}

function block(height: number, events: readonly NetworkEvent[] = []): readonly NetworkEvent[] {
  const timestamp = BigInt(height);
  return [
    { type: 'beginBlock', height, timestamp, hash: `hash-${height}` },
    ...events,
    { type: 'endBlock', height },
  ];
}
