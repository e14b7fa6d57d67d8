import { PassThrough } from 'node:stream';
import { describe, expect, test } from 'vitest';
import { accountTypes } from '../../src/domain/enumerations.ts';
import { openByteFile } from '../../src/ingest/bytes.ts';
import { decodeEvent } from '../../src/ingest/decode.ts';
import { RecordCutter } from '../../src/ingest/frames.ts';
import { IngestCounts } from '../../src/ingest/ingest-counts.ts';
import { openRecordedFile } from '../../src/ingest/recorded-file.ts';
import { runIngest } from '../../src/ingest/run.ts';
import { createTestDatabase } from '../support/database.ts';
import { newerRecordings } from '../support/newer-networks.ts';
import { ask } from '../support/state.ts';

describe.skipIf(newerRecordings.length === 0)('networks of release 0.79 (../shared/data)', () => {
  test.each(newerRecordings)(
    '$name decodes whole, and nothing in it is unknown',
    async ({ path, expected }) => {
      const cutter = new RecordCutter();
      let events = 0;
      const unknown: string[] = [];
      for await (const chunk of (await openByteFile(path)).chunks()) {
        for (const { payload } of cutter.cut(chunk)) {
          unknown.push(...(decodeEvent(payload).unknownFields ?? []));
          events += 1;
        }
      }
      cutter.end();
      expect(events).toBe(expected.events);
      expect([...new Set(unknown)]).toEqual([]);
    },
  );

  test.each(newerRecordings)('$name loads whole, with every balance', async ({ path, expected }) => {
    await using database = await createTestDatabase();
    const counts = new IngestCounts();
    const summary = await runIngest({
      source: await openRecordedFile(path),
      databaseUrl: database.url,
      pace: 'max',
      signal: new AbortController().signal,
      output: new PassThrough().resume(),
      counts,
    });
    expect(summary).toMatchObject({ applied: expected.blocks, events: expected.eventsOfWholeBlocks });
    expect([...counts.unknowns.numbers]).toEqual([]);
    const rows = await ask<{ owner: string; market: string; asset: string; type: number; balance: string }>(
      database.url,
      'SELECT owner, market_id AS market, asset_id AS asset, type, balance FROM accounts',
    );
    const balances = rows.map(
      ({ owner, market, asset, type, balance }) =>
        [`${owner}|${market}|${asset}|${accountTypes.nameOf(type)}`, balance] as const,
    );
    expect(Object.fromEntries(balances)).toEqual(expected.accounts);
    expect(await count(database.url, 'rewards')).toBe(expected.rewards);
    expect(await count(database.url, 'margin_levels')).toBe(expected.marginLevels);
  });
});

async function count(url: string, table: string): Promise<number> {
  const [row] = await ask<{ count: number }>(url, `SELECT count(*)::int AS count FROM "${table}"`);
  return row?.count ?? 0;
}
