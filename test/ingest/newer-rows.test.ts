import { readFileSync } from 'node:fs';
import { PassThrough } from 'node:stream';
import { gunzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { openRecordedFile } from '../../src/ingest/recorded-file.ts';
import { runIngest } from '../../src/ingest/run.ts';
import { createTestDatabase } from '../support/database.ts';
import { startTestGateway } from '../support/gateway.ts';
import { newerRecordings } from '../support/newer-networks.ts';
import { readTable } from '../support/state.ts';
import { NEWER_READERS } from './newer-rows.ts';
import type { Row } from './recorded-readers.ts';
import { readEvents } from './recorded-state.ts';

const END_BLOCK = 149;
const MARGIN_MODE_ISOLATED_MARGIN = 2;

describe.skipIf(newerRecordings.length === 0)('what release 0.79 tells besides (../shared/data)', () => {
  test.each(newerRecordings)('of $name is kept, and served', async ({ path, expected }) => {
    await using database = await createTestDatabase();
    await runIngest({
      source: await openRecordedFile(path),
      databaseUrl: database.url,
      pace: 'max',
      signal: new AbortController().signal,
      output: new PassThrough().resume(),
    });
    const told = reduceWholeBlocks(gunzipSync(readFileSync(path)));
    for (const { table } of NEWER_READERS) {
      const rows = (await readTable(database.url, table)).map(withinRow);
      const wanted = [...(told.get(table)?.values() ?? [])];
      expect(rows).toHaveLength(wanted.length);
      expect(rows).toEqual(expect.arrayContaining(wanted.map((row) => expect.objectContaining(row))));
    }
    const levels = await readTable(database.url, 'margin_levels');
    const isolated = levels.filter((row) => row['margin_mode'] === MARGIN_MODE_ISOLATED_MARGIN);
    expect(isolated).toHaveLength(expected.isolatedMarginLevels);

    await using gateway = await startTestGateway(database.url);
    for (const [marketId, wanted] of Object.entries(expected.marketData)) {
      const { body } = await gateway.rest(`/api/v2/market/data/${encodeURIComponent(marketId)}/latest`);
      const { productData, ...data } = body.marketData;
      expect({ ...data, ...productData?.perpetualData }).toMatchObject(wanted);
      expect(productData === undefined).toBe(!('fundingRate' in wanted));
    }
  });

  test('has each of these in some recording', () => {
    const all = newerRecordings.flatMap(({ path }) => {
      const told = reduceWholeBlocks(gunzipSync(readFileSync(path)));
      return [...told.values()].flatMap((rows) => [...rows.values()]);
    });
    const columns = [
      ...[
        'market_growth',
        'product_data',
        'liquidity_provider_sla',
        'next_network_closeout',
        'mark_price_type',
      ],
      ...['mark_price_state', 'active_protocol_automated_purchase', 'order_margin', 'margin_mode'],
      ...['margin_factor', 'locked_until_epoch', 'quantum_amount', 'game_id', 'asset_price'],
    ];
    const present = (column: string) => all.some((row) => (row[column] ?? null) !== null);
    expect(columns.filter((column) => !present(column))).toEqual([]);
  });
});

/** The last event of each key within whole blocks, by table. */
function reduceWholeBlocks(recording: Uint8Array): ReadonlyMap<string, ReadonlyMap<string, Row>> {
  const tables = new Map<string, Map<string, Row>>();
  let block: (() => void)[] = [];
  for (const event of readEvents(recording)) {
    for (const { table, field, keyOf, read } of NEWER_READERS) {
      if (!event.has(field)) continue;
      const message = event.message(field);
      block.push(() => {
        const rows = tables.get(table) ?? new Map<string, Row>();
        tables.set(table, rows.set(keyOf(message), read(message)));
      });
    }
    if (!event.has(END_BLOCK)) continue;
    for (const put of block) put();
    block = [];
  }
  return tables;
}

/** A row with what its lists have besides, as the readers have it. */
function withinRow(row: Readonly<Record<string, unknown>>): Row {
  const { price_monitoring_bounds: bounds, liquidity_provider_fee_share: shares } = row;
  if (!Array.isArray(bounds) || !Array.isArray(shares)) return { ...row };
  return {
    ...row,
    active: bounds.map(({ active }) => active),
    virtual_stake: shares.map(({ virtualStake }) => virtualStake),
  };
}
