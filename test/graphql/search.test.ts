import fc from 'fast-check';
import { expect, test } from 'vitest';
import { openDatabase } from '../../src/data/servers/client.ts';
import { bytesOf, runBy } from '../engine/executors.ts';
import { forAllTests } from '../support/for-all-tests.ts';
import { createSimulatedDatabase, type TableRow } from '../support/simulated.ts';
import { ask } from '../support/state.ts';

/** The kinds in their order, where they are, and the columns that are looked at. */
const KINDS = [
  ['BLOCK', 'blocks', [['HEIGHT', 'height']]],
  ['EPOCH', 'epochs', [['NUMBER', 'seq']]],
  ['PARTY', 'parties', [['ID', 'id']]],
  [
    'ASSET',
    'assets',
    [
      ['ID', 'id'],
      ['SYMBOL', 'symbol'],
      ['NAME', 'name'],
    ],
  ],
  [
    'MARKET',
    'markets',
    [
      ['ID', 'id'],
      ['CODE', 'instrument_code'],
      ['NAME', 'instrument_name'],
    ],
  ],
  [
    'PROPOSAL',
    'proposals',
    [
      ['ID', 'id'],
      ['REFERENCE', 'reference'],
    ],
  ],
  ['DEPOSIT', 'deposits', [['ID', 'id']]],
] as const;

type Kind = (typeof KINDS)[number][0];
type Tables = Readonly<Record<Kind, readonly TableRow[]>>;

/** What a test writes over names that the simulation gives: alike, long, of other letters, and with signs of SQL. */
const NAMES = ['100%_x', 'Ünit', 'ünit', 'Unit of long standing', `${'l'.repeat(300)}`, 'it\\s', '42'];

const [THEN, NOW] = [45, 70];

const simulated = await forAllTests(
  createSimulatedDatabase({ seed: 4, blocks: THEN, parties: 12, markets: 4 }),
);
await tellEpochs([1, 20], [2, 40]);
const then = await readAll();
await simulated.advanceTo(NOW);
await tellEpochs([3, 60]);
for (const [index, name] of NAMES.entries())
  await ask(
    simulated.url,
    `UPDATE proposals SET reference = $$${name}$$ WHERE created_position > ${THEN + 1} * 1048576::bigint
       AND created_position % ${NAMES.length} = ${index}`,
  );
const now = await readAll();
const database = await forAllTests(openDatabase({ url: simulated.url, readOnly: true }));

/** Epochs that began in some blocks: the simulation tells of none. */
async function tellEpochs(...begun: readonly (readonly [seq: number, height: number])[]): Promise<void> {
  for (const [seq, height] of begun)
    await ask(
      simulated.url,
      `INSERT INTO epochs (seq, created_position, updated_position, start_timestamp, expiry_timestamp, end_timestamp)
       SELECT ${seq}, last_position, last_position, timestamp, timestamp + 1, 0 FROM blocks WHERE height = ${height}`,
    );
}

async function readAll(): Promise<Tables> {
  const tables: Record<string, readonly TableRow[]> = {};
  for (const [kind, table] of KINDS) tables[kind] = await simulated.readTable(table);
  return tables as Tables;
}

interface Result {
  readonly kind: Kind;
  readonly id: string;
  readonly matched: string;
  readonly value: string;
  readonly isExact: boolean;
}

/** The same by its own rule: everything that begins with the text, in order, each thing once. */
function expected(tables: Tables, text: string, kinds: readonly Kind[], first: number): readonly Result[] {
  const all = KINDS.flatMap(([kind, , columns]) =>
    columns.flatMap(([matched, column]) =>
      tables[kind].flatMap((row) => {
        const value = row[column] ?? '';
        const isId = ['ID', 'HEIGHT', 'NUMBER'].includes(matched);
        const needles = isId
          ? [text, ...(/^[0-9a-f]+$/i.test(text) ? [text.toLowerCase()] : [])]
          : [text.toLowerCase()];
        const held = isId ? value : value.toLowerCase();
        const isExact = needles.includes(held);
        if (kind === 'BLOCK' || kind === 'EPOCH' ? !isExact : !needles.some((one) => held.startsWith(one)))
          return [];
        const id = row['id'] ?? value;
        return [
          {
            result: { kind, id, matched, value, isExact },
            held,
            position: BigInt(row['created_position'] ?? 0),
          },
        ];
      }),
    ),
  );
  // The sort is stable: kinds and columns stay in their order.
  const placeOf = ({ kind, matched }: Result) =>
    KINDS.findIndex(([one]) => one === kind) * 10 + ORDER.indexOf(matched);
  const sorted = all
    .filter(({ result }) => kinds.length === 0 || kinds.includes(result.kind))
    .sort(
      (a, b) =>
        Number(b.result.isExact) - Number(a.result.isExact) ||
        placeOf(a.result) - placeOf(b.result) ||
        Buffer.compare(Buffer.from(a.held), Buffer.from(b.held)) ||
        (a.position < b.position ? -1 : 1),
    );
  const seen = new Set<string>();
  return sorted
    .map(({ result }) => result)
    .filter(({ kind, id }) => !seen.has(`${kind} ${id}`) && seen.add(`${kind} ${id}`))
    .slice(0, first);
}

const ORDER = ['ID', 'SYMBOL', 'CODE', 'NAME', 'REFERENCE', 'HEIGHT', 'NUMBER'];

test('finds what begins with a text, exact ones first, in a total order, as of a block too', async () => {
  const texts = Object.values(now).flatMap((rows) =>
    rows.flatMap((row) =>
      ['id', 'height', 'seq', 'symbol', 'name', 'instrument_code', 'instrument_name', 'reference'].flatMap(
        (column) => row[column] ?? [],
      ),
    ),
  );
  const needles = fc
    .tuple(
      fc.constantFrom(...texts.filter((text) => text !== ''), ...NAMES, 'none', 'b'),
      fc.oneof(fc.integer({ min: 1, max: 2 }), fc.integer({ min: 1, max: 70 })),
      fc.constantFrom('as it is', 'upper', 'lower'),
    )
    .map(([text, length, form]) => {
      const begin = [...text].slice(0, length).join('');
      return form === 'upper' ? begin.toUpperCase() : form === 'lower' ? begin.toLowerCase() : begin;
    });
  const kinds = fc.option(fc.subarray(KINDS.map(([kind]) => kind)), { nil: [] });
  let found = 0;
  await fc.assert(
    fc.asyncProperty(
      needles,
      kinds,
      fc.integer({ min: 1, max: 50 }),
      fc.boolean(),
      async (text, some, first, isPast) => {
        const results = await find({ text, kinds: some, first }, isPast ? THEN : null);
        expect(results).toEqual(expected(isPast ? then : now, text, some, first));
        found += results.length;
      },
    ),
    { numRuns: 300 },
  );
  expect(found).toBeGreaterThan(500);
});

test('gives each thing itself, in the field that is called as its kind', async () => {
  const [asset] = now.ASSET;
  const { data } = await run(
    `{ search(text: ${JSON.stringify(asset?.['id'])}) { kind block { height } party { id } asset { id symbol markets(first: 1) { nodes { id } } } } }`,
  );
  expect(data.search).toMatchObject([
    { kind: 'ASSET', block: null, party: null, asset: { id: asset?.['id'], symbol: asset?.['symbol'] } },
  ]);
  expect((await run('{ search(text: "45") { block { height } } }')).data.search[0]).toEqual({
    block: { height: '45' },
  });
  const [epoch] = now.EPOCH;
  const found = await run(
    `{ search(text: "${epoch?.['seq']}", kinds: [EPOCH]) { kind epoch { seq startTimestamp } } }`,
  );
  expect(found.data.search).toEqual([
    {
      kind: 'EPOCH',
      epoch: { seq: epoch?.['seq'], startTimestamp: epoch?.['start_timestamp'] },
    },
  ]);
});

test('refuses a text or a number that is out of bounds by its name', async () => {
  for (const [args, field] of [
    ['text: ""', 'text'],
    [`text: "${'x'.repeat(257)}"`, 'text'],
    ['text: "\\u0000"', 'text'],
    ['text: "x", first: 0', 'first'],
    ['text: "x", first: 51', 'first'],
  ]) {
    const { errors } = await run(`{ search(${args}) { kind } }`);
    const { extensions } = JSON.parse(errors[0]);
    expect([extensions.code, extensions.details[0].fieldViolations[0].field]).toEqual([
      'INVALID_ARGUMENT',
      field,
    ]);
  }
});

async function find(
  { text, kinds, first }: { readonly text: string; readonly kinds: readonly Kind[]; readonly first: number },
  asOf: number | null,
): Promise<readonly Result[]> {
  const search = `search(text: ${JSON.stringify(text)}, kinds: [${kinds.join(', ')}], first: ${first}) { kind id: objectId matched value isExact }`;
  const { data, errors } = await run(
    asOf === null ? `{ ${search} }` : `{ asOf(height: "${asOf}") { ${search} } }`,
  );
  expect(errors).toBeUndefined();
  return asOf === null ? data.search : data.asOf.search;
}

async function run(text: string) {
  return JSON.parse(bytesOf((await runBy(database, { text, variables: {} }, true)).answer));
}
