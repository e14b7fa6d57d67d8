import { describe, expect, test } from 'vitest';
import { marketStates, marketTradingModes } from '../../src/domain/enumerations.ts';
import { readBlocks } from '../../src/ingest/blocks.ts';
import type { EventRow } from '../../src/ingest/events.ts';
import { openRecordedFile } from '../../src/ingest/recorded-file.ts';
import { createTestDatabase } from '../support/database.ts';
import { startTestGateway } from '../support/gateway.ts';
import { type ExpectedMarket, newerRecordings } from '../support/newer-networks.ts';
import { runProgram } from '../support/program.ts';

describe.skipIf(newerRecordings.length === 0)('the markets of release 0.79 (../shared/data)', () => {
  test.each(newerRecordings)('of $name are what an independent reading gives', async ({ path, expected }) => {
    const read = await readMarkets(path);
    expect(Object.fromEntries([...read].map(([id, row]) => [id, inExpectedTerms(row)]))).toEqual(
      expected.markets,
    );
  });

  test('are of each kind, with and without a cap', () => {
    const all = newerRecordings.flatMap(({ expected }) => Object.values(expected.markets));
    expect(new Set(all.map(({ product, cap }) => `${product}${cap ? ' with a cap' : ''}`))).toEqual(
      new Set(['future', 'future with a cap', 'perpetual', 'spot']),
    );
  });

  test.each(['future', 'future with a cap', 'perpetual', 'spot'])('are served: a %s', async (kind) => {
    const isOfKind = ({ product, cap }: ExpectedMarket) => `${product}${cap ? ' with a cap' : ''}` === kind;
    const found = newerRecordings.find(({ expected }) => Object.values(expected.markets).some(isOfKind));
    const { path, expected } = found ?? expect.fail();
    await using database = await createTestDatabase();
    const { code, stderr } = await runProgram(['ingest', 'file', path], { DATABASE_URL: database.url });
    expect(code, stderr).toBe(0);
    await using gateway = await startTestGateway(database.url);
    const { data } = await gateway.graphql(SERVED);
    const nodes: readonly Served[] = data.markets.edges.map(({ node }: { readonly node: Served }) => node);
    const served = nodes.map(({ id, funding, product, ...rest }) => {
      const given = Object.entries({ ...rest, ...funding }).filter(([, value]) => value !== null);
      return [id, { ...Object.fromEntries(given), product: product.toLowerCase() }];
    });
    const wanted = Object.entries(expected.markets).map(
      ([id, { decimalPlaces, positionDecimalPlaces, ...rest }]) => {
        return [
          id,
          {
            ...rest,
            decimalPlaces: Number(decimalPlaces),
            positionDecimalPlaces: Number(positionDecimalPlaces),
          },
        ];
      },
    );
    expect(Object.fromEntries(served)).toEqual(Object.fromEntries(wanted));
  });
});

const SERVED = `{ markets { edges { node {
  id product settlementAsset baseAsset quoteAsset quoteName decimalPlaces positionDecimalPlaces state tradingMode
  cap { maxPrice binarySettlement fullyCollateralised } funding { marginFundingFactor }
} } } }`;

interface Served {
  readonly id: string;
  readonly product: string;
  readonly funding: object | null;
}

/** The last row of each market at the end of the last whole block. */
async function readMarkets(path: string): Promise<ReadonlyMap<string, EventRow<'market'>>> {
  const source = await openRecordedFile(path);
  const rows = new Map<string, EventRow<'market'>>();
  for await (const { events } of readBlocks(source, new AbortController().signal))
    for (const { event } of events) if (event.type === 'market') rows.set(event.row.id, event.row);
  return rows;
}

function inExpectedTerms(row: EventRow<'market'>): ExpectedMarket {
  const { product, settlementAssetId, quoteName, baseAssetId, quoteAssetId, cap, funding } = row;
  const common = {
    state: marketStates.nameOf(row.state),
    tradingMode: marketTradingModes.nameOf(row.tradingMode),
    decimalPlaces: `${row.decimalPlaces}`,
    positionDecimalPlaces: `${row.positionDecimalPlaces}`,
    product: (product ?? 'none').toLowerCase() as ExpectedMarket['product'],
  };
  const given = {
    settlementAsset: settlementAssetId,
    quoteName,
    marginFundingFactor: funding?.marginFundingFactor ?? null,
    baseAsset: baseAssetId,
    quoteAsset: quoteAssetId,
    cap,
  };
  return {
    ...common,
    ...Object.fromEntries(Object.entries(given).filter(([, value]) => value !== null)),
  };
}
