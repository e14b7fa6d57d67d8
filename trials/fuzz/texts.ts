import fc from 'fast-check';
import { writeCursor } from '../../src/domain/cursors.ts';
import { accountTypes } from '../../src/domain/enumerations.ts';
import type { SimulatedDatabase } from '../../test/support/simulated.ts';
import { anyText } from '../../test/support/texts.ts';

/** What is asked for: ids and positions that are there, so that valid questions find something. */
export interface Known {
  readonly ids: readonly string[];
  readonly cursors: readonly string[];
}

const OF_EACH = 4;

export async function readKnown(simulated: SimulatedDatabase): Promise<Known> {
  const ids: string[] = [];
  const cursors: string[] = [];
  for (const table of ['parties', 'assets', 'markets', 'deposits', 'proposals']) {
    const rows = await simulated.readTable(table);
    ids.push(...rows.slice(0, OF_EACH).map(({ id }) => String(id)));
  }
  for (const list of ['deposits', 'accounts', 'rewards', 'votes', 'blocks']) {
    const rows = list === 'blocks' ? [] : await simulated.readTable(list);
    for (const { created_position } of rows.slice(0, OF_EACH))
      cursors.push(writeCursor({ list, position: BigInt(created_position ?? 0) }));
  }
  return { ids, cursors };
}

const NUMBERS = [
  '0',
  '1',
  '-1',
  '+05',
  '-0',
  '2',
  '7',
  '20',
  '999',
  '1000',
  '5000',
  '5001',
  '2147483647',
  '2147483648',
  '-2147483649',
  '9007199254740993',
  '9223372036854775807',
  '9223372036854775808',
  '-9223372036854775808',
  '-9223372036854775809',
  '18446744073709551615',
  '18446744073709551616',
  '1678444070985185748',
  '1678444070',
  '2023-03-10',
  '1.5',
  '1e2',
  '1e400',
  '1e99999',
  '-1e-400',
  '0x10',
  ' 1',
  '1 ',
  '1_000',
  '１',
  'NaN',
  'Infinity',
  '.',
  '-',
  '1.',
  '.5',
  '9'.repeat(400),
  '9'.repeat(401),
  `0.${'1'.repeat(399)}`,
  (2n ** 255n - 1n).toString(),
  (2n ** 255n).toString(),
];

const WORDS = [
  '',
  'true',
  'false',
  'T',
  'yes',
  'null',
  'undefined',
  'none',
  'network',
  '*',
  '!',
  '__proto__',
  'constructor',
  'toString',
  'a'.repeat(256),
  'a'.repeat(257),
  'é'.repeat(256),
  '\0',
  'a\0b',
  "'; --",
  '"',
  '\\',
  '<script>',
  '%',
  '%00',
  '../../etc/passwd',
  '.',
  '..',
  '/',
  '💥',
  '\ud83d\udca5'.repeat(200),
  '\u2028',
  '{"a":1}',
  '[]',
  'STATUS_OPEN',
  'ACCOUNT_TYPE_NONE',
  'account_type_general',
  'ACCOUNT_TYPE_99',
  'ACCOUNT_TYPE_2147483647',
  'ACCOUNT_TYPE_2147483648',
  'ACCOUNT_TYPE_04',
  ...accountTypes.names,
];

/** Every text that is trouble somewhere, those that are there, and any. */
export function interestingTexts({ ids, cursors }: Known): readonly string[] {
  const bent = cursors.flatMap((cursor) => [
    `${cursor}=`,
    cursor.slice(1),
    `${cursor}A`,
    cursor.toLowerCase(),
  ]);
  return [
    ...NUMBERS,
    ...WORDS,
    ...ids,
    ...ids.map((id) => id.toUpperCase()),
    ...ids.slice(0, 4).map((id) => `trades_candle_1_hour_${id}`),
    ...cursors,
    ...bent.slice(0, 8),
  ];
}

export function textsOf(known: Known): fc.Arbitrary<string> {
  return fc.oneof(
    { weight: 6, arbitrary: fc.constantFrom(...interestingTexts(known)) },
    { weight: 1, arbitrary: anyText({ maxLength: 20 }) },
    { weight: 1, arbitrary: fc.bigInt({ min: -(2n ** 70n), max: 2n ** 70n }).map(String) },
  );
}

/** A change of a text or of bytes: so much is cut out at a place, and this is put there. */
export interface Edit {
  readonly at: number;
  readonly cut: number;
  readonly put: string;
}

/** None in most texts, else a few. */
export function editsOf(pieces: readonly string[], most = 3, untouched = 2): fc.Arbitrary<readonly Edit[]> {
  const edit = fc.record({
    at: fc.nat({ max: 4000 }),
    cut: fc.oneof(fc.constant(0), fc.nat({ max: 12 })),
    put: fc.oneof(fc.constant(''), fc.constantFrom(...pieces)),
  });
  return fc.oneof(
    { weight: untouched, arbitrary: fc.constant([]) },
    { weight: 1, arbitrary: fc.array(edit, { minLength: 1, maxLength: most }) },
  );
}

export function editText(text: string, edits: readonly Edit[]): string {
  return edits.reduce((so, { at, cut, put }) => {
    const place = at % (so.length + 1);
    return so.slice(0, place) + put + so.slice(place + cut);
  }, text);
}

/** The same of bytes; what is put is one character a byte. */
export function editBytes(bytes: Uint8Array, edits: readonly Edit[]): Buffer {
  return Buffer.from(editText(Buffer.from(bytes).toString('latin1'), edits), 'latin1');
}
