import { type GraphQLObjectType, getNullableType, isLeafType } from 'graphql';
import { expect, test } from 'vitest';
import { nouns } from '../../src/data/nouns/index.ts';
import { Decimal } from '../../src/domain/decimals.ts';
import { enumerations } from '../../src/domain/enumerations.ts';
import { schema } from '../../src/graphql/index.ts';
import { declaredSource } from '../../src/graphql/sources.ts';
import { readerUrlOf } from '../support/database.ts';
import { forAllTests } from '../support/for-all-tests.ts';
import { startTestGateway } from '../support/gateway.ts';
import { writeNewerFields } from '../support/newer-fields.ts';
import { writeOddMarkets } from '../support/odd-markets.ts';
import { createSimulatedDatabase } from '../support/simulated.ts';
import { ask } from '../support/state.ts';
import { writeUnknownNumbers } from '../support/unknown-numbers.ts';

const TABLES = [...Object.values(nouns).map(({ table }) => table.name.text), 'blocks'];

const simulated = await forAllTests(
  createSimulatedDatabase({
    seed: 5,
    blocks: 60,
    parties: 20,
    markets: 3,
    release: '0.79',
  }),
);
await writeNewerFields(simulated.url);
await writeUnknownNumbers(simulated.url);
await writeOddMarkets(simulated.url);
await ask(
  simulated.url,
  `INSERT INTO epochs (seq, created_position, updated_position, start_timestamp, expiry_timestamp, end_timestamp)
     VALUES (1, 7, 7, ${2n ** 62n}, 1, 0)`,
);
await ask(
  simulated.url,
  `INSERT INTO fee_discounts (party_id, kind, epoch, updated_position, maker, infrastructure, liquidity)
     VALUES ('p', 'VOLUME', 1, 7, '0.1', '0', '')`,
);
const gateway = await forAllTests(startTestGateway(simulated.url));

/** The rows of a view as the role reads that serves: each value as JSON has it, numbers as their digits. */
async function readView(table: string): Promise<readonly Readonly<Record<string, unknown>>[]> {
  const columns = await ask<{ name: string; type: string }>(
    simulated.url,
    `SELECT attname AS name, format_type(atttypid, NULL) AS type FROM pg_attribute
     WHERE attrelid = 'api_v1_${table}'::regclass AND attnum > 0 ORDER BY attnum`,
  );
  const read = columns.map(({ name, type }) => {
    if (type === 'timestamp with time zone')
      return `to_char(${name} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US') AS ${name}`;
    if (type === 'boolean') return `left(${name}::text, 1) AS ${name}`;
    return type === 'numeric' ? `trim_scale(${name})::text AS ${name}` : `${name}::text AS ${name}`;
  });
  return ask(readerUrlOf(simulated.url), `SELECT ${read.join()} FROM api_v1_${table}`);
}

test.each(TABLES)(
  'the view of %s has every row of the table, and every column by its name',
  async (table) => {
    const expected = await simulated.readTable(table);
    const found = await readView(table);
    expect(expected.length).toBeGreaterThan(0);
    const columns = Object.keys(expected[0] ?? {});
    const inOrder = (rows: readonly object[]) => rows.map((row) => JSON.stringify(row)).sort();
    const only = (row: Readonly<Record<string, unknown>>) =>
      Object.fromEntries(columns.map((name) => [name, canonical(row[name])]));
    expect(inOrder(found.map(only))).toEqual(inOrder(expected.map(only)));
  },
);

/** A number without zeros at its fraction's end, as a view has it; what is no number as it is. */
function canonical(value: unknown): unknown {
  if (value === undefined) return 'no such column';
  if (value === '' || value === null) return null;
  const text = String(value);
  return /^-?\d+\.\d+$/.test(text) ? text.replace(/\.?0+$/, '') : text;
}

test.each([
  ['rewards', {}],
  ['deposits', { asset: 'asset_id' }],
  ['accounts', { asset: 'asset_id' }],
] as const)('the view of %s says what the path says, in units too', async (table, renamed) => {
  const response = await fetch(`${gateway.url}/api/v2/${table}?format=ndjson&units=true`);
  const exported = (await response.text())
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line) as Readonly<Record<string, unknown>>);
  const columnOf = (name: string) =>
    (renamed as Readonly<Record<string, string>>)[name] ??
    name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  const view = [...(await readView(table))].sort((one, other) =>
    Number(BigInt(String(other['created_position'])) - BigInt(String(one['created_position']))),
  );
  expect(view.length).toBe(exported.length);
  for (const [index, row] of exported.entries())
    for (const [name, value] of Object.entries(row))
      expect([table, name, canonical(view[index]?.[columnOf(name)])]).toEqual([
        table,
        name,
        canonical(value),
      ]);
});

test.each(Object.values(nouns).filter(({ model }) => schema.getType(model) !== undefined))(
  'columns of the view of $name are called as the fields of GraphQL',
  async ({ model, table }) => {
    const [row = {}] = await readView(table.name.text);
    const type = schema.getType(model) as GraphQLObjectType;
    const names = Object.values(type.getFields())
      .filter((field) => isLeafType(getNullableType(field.type)) && declaredSource(field)?.kind !== 'nodeId')
      .map(({ name }) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`));
    expect(names.filter((name) => !(name in row) && !(`${name}_id` in row))).toEqual([]);
  },
);

test("what is in the smallest unit of a market's asset is there in whole ones", async () => {
  const markets = await readView('markets');
  const assets = new Map((await readView('assets')).map(({ id, decimals }) => [id, Number(decimals)]));
  const decimalsOf = new Map(
    markets.map((one) => [one['id'], assets.get(one['settlement_asset_id'] ?? one['quote_asset_id'])]),
  );
  let found = 0;
  for (const [table, ...columns] of [
    ['trades', 'asset_price'],
    ['market_data', 'market_value_proxy', 'supplied_stake', 'target_stake'],
  ] as const)
    for (const row of await readView(table))
      for (const column of columns) {
        const decimals = decimalsOf.get(row['market_id']);
        const isKnown = row[column] !== null && decimals !== undefined;
        const expected = isKnown ? Decimal.parse(`${row[column]}e-${decimals}`).toString() : null;
        expect([column, row[`${column}_in_units`]]).toEqual([column, expected]);
        if (isKnown && decimals > 0) found += 1;
      }
  expect(found).toBeGreaterThan(20);
});

test('an amount in units is exact whatever the decimals, which a market may have below 0', async () => {
  const [found] = await ask(
    simulated.url,
    `SELECT array_agg(api_v1_in_units(amount, decimals)::text) AS units
     FROM (VALUES ('15', -3), ('-15', -255), ('15', 0), ('15', 3), ('', -3), ('15', NULL)) AS given (amount, decimals)`,
  );
  expect(found).toEqual({ units: ['15000', `-15${'0'.repeat(255)}`, '15', '0.015', null, null] });
});

test('a time is that of its nanoseconds, to the microsecond', async () => {
  const rows = await readView('blocks');
  for (const { timestamp, time } of rows) {
    const nanoseconds = BigInt(String(timestamp));
    const whole = new Date(Number(nanoseconds / 1_000_000n)).toISOString().slice(0, -1);
    expect(time).toBe(whole + `${(nanoseconds / 1000n) % 1000n}`.padStart(3, '0'));
  }
  const [none] = await ask(simulated.url, 'SELECT api_v1_time(0) AS time');
  expect(none).toEqual({ time: null });
});

test('the names of numbers are those that this version knows, and others have the prefix', async () => {
  const [found] = await ask<{ names: Readonly<Record<string, object>> }>(
    simulated.url,
    'SELECT api_v1_names() AS names',
  );
  const known = Object.fromEntries(
    Object.values(enumerations).map(({ name, prefix, names, numbers }) => [
      name,
      {
        '': prefix,
        ...Object.fromEntries(names.map((one) => [(numbers as Readonly<Record<string, number>>)[one], one])),
      },
    ]),
  );
  for (const [name, names] of Object.entries(found?.names ?? {}))
    expect([name, names]).toEqual([name, known[name]]);
  const [other] = await ask(
    simulated.url,
    "SELECT api_v1_name('AccountType', 99) AS name, api_v1_name('AccountType', NULL) AS none",
  );
  expect(other).toEqual({ name: 'ACCOUNT_TYPE_99', none: null });
});
