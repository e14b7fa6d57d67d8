import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { writeCursor } from '../../src/domain/cursors.ts';
import { accountTypes } from '../../src/domain/enumerations.ts';
import { GatewayError } from '../../src/errors.ts';
import { pageOf, pagination } from '../../src/rest/pagination.ts';
import { inPath, list, optional, parameterReader, required } from '../../src/rest/params.ts';
import { bool, enumOf, id, text, timestamp, uint64 } from '../../src/rest/value-types.ts';
import { anyText } from '../support/texts.ts';

const A = 'a'.repeat(64);
const B = 'b'.repeat(64);

const parameters = {
  partyId: optional(id, 'The party.'),
  'filter.assetId': optional(id, 'The asset.'),
  'filter.partyIds': list(id, 'The parties.'),
  'filter.accountTypes': list(enumOf(accountTypes), 'The types.'),
  'dateRange.startTimestamp': optional(timestamp, 'The start.'),
  fromEpoch: optional(uint64, 'The epoch.'),
  proposal: optional(text, 'The proposal.'),
  flag: optional(bool, 'The flag.'),
};
const reader = parameterReader(parameters);
const read = (query: string) => reader({}, query);

const nothing = { 'filter.partyIds': [], 'filter.accountTypes': [] };

describe('names', () => {
  test('may be in camelCase or snake_case, part by part', () => {
    for (const name of [
      'dateRange.startTimestamp',
      'date_range.startTimestamp',
      'dateRange.start_timestamp',
      'date_range.start_timestamp',
      'date%5Frange.start%54imestamp',
    ]) {
      expect(read(`${name}=5`)).toEqual({ ...nothing, 'dateRange.startTimestamp': '5' });
    }
  });

  test.each([
    'partyID',
    'PartyId',
    'partyid',
    'party-id',
    'foo',
    'filter.foo',
    'pagination',
    '__proto__',
    'x[y]',
    '',
    '.',
    'filter.',
  ])('that are not known are ignored: %j', (name) => {
    expect(read(`${name}=x`)).toEqual(nothing);
  });

  test.each([
    [
      'filter=x',
      'filter',
      'it takes no value itself, only filter.assetId, filter.partyIds, filter.accountTypes do',
    ],
    ['date_range=x', 'dateRange', 'only dateRange.startTimestamp do'],
    ['filter[partyIds]=x', 'filter', 'brackets have no meaning here'],
    ['filter[partyIds][]=x', 'filter', 'brackets have no meaning here'],
    ['filter.partyIds[]=x', 'filter.partyIds', 'brackets have no meaning here: write filter.partyIds=…'],
    ['filter.party_ids[]=x', 'filter.partyIds', '"filter.party_ids[]=x"'],
    ['partyId[]=x', 'partyId', 'brackets have no meaning here'],
    ['partyId.x=1', 'partyId', 'partyId has no parts'],
    ['filter.partyIds.0=x', 'filter.partyIds', 'filter.partyIds has no parts'],
  ])('that take a known one for what it is not are refused: %s', (query, field, reason) => {
    expectRefusal(() => read(query), field, 'x'.repeat(Number(query.endsWith('x'))), reason);
  });
});

describe('values', () => {
  test('of lists come in order of appearance, from repeats, commas and both spellings', () => {
    expect(
      read(`filter.partyIds=${A}&filter.party_ids=${B},network&filter.partyIds=${A.toUpperCase()}`)[
        'filter.partyIds'
      ],
    ).toEqual([A, B, 'network', A]);
    expect(read('filter.accountTypes=4%2CACCOUNT_TYPE_MARGIN')['filter.accountTypes']).toEqual([
      'ACCOUNT_TYPE_GENERAL',
      'ACCOUNT_TYPE_MARGIN',
    ]);
  });

  test('that are blank are not given, whatever the parameter', () => {
    for (const name of [
      ...Object.keys(parameters),
      'party_id',
      'filter.asset_id',
      'date_range.start_timestamp',
    ]) {
      for (const query of [name, `${name}=`, `${name}=&${name}=`, `${name}=&${name}`])
        expect([query, read(query)]).toEqual([query, nothing]);
    }
    // Beside one that is not, they count for nothing.
    expect(read('fromEpoch=&from_epoch=5&fromEpoch').fromEpoch).toBe('5');
  });

  test.each([
    ['filter.partyIds=,', []],
    [`filter.partyIds=${A},`, [A]],
    [`filter.partyIds=,${A},,${B}`, [A, B]],
    [`filter.partyIds=${A}&filter.partyIds`, [A]],
    [`filter.partyIds=%2C${A}%2C&filter.party_ids=`, [A]],
  ])('of lists that are blank are not given: %#', (query, expected) => {
    expect(read(query)['filter.partyIds']).toEqual(expected);
  });

  test('of groups that are blank are not given either', () => {
    for (const query of ['filter=', 'date_range', 'filter[partyIds]=', 'partyId.x'])
      expect(read(query)).toEqual(nothing);
  });

  test.each([
    ['2026-01-01', 'It is a date: 1767225600000000000 was probably meant.'],
    ['2026-01-01T00:00:00Z', 'It is a date: 1767225600000000000 was probably meant.'],
    ['1767225600.5', 'It looks like seconds: 1767225600500000000 was probably meant.'],
    ['1767225600000.5', 'It looks like milliseconds: 1767225600000500000 was probably meant.'],
  ])('of times say what they look like: %s', (given, hint) => {
    const { message } = refusalOf(() => read(`dateRange.startTimestamp=${given}`));
    expect(message).toBe(
      `Parameter dateRange.startTimestamp is "${given}"; it takes nanoseconds since 1970, a whole number from -9223372036854775808 to 9223372036854775807. ${hint}`,
    );
  });

  test('of times that are whole numbers are nanoseconds, whatever they look like', () => {
    for (const given of ['0', '-1', '1678443430', '1678443430000'])
      expect(read(`dateRange.startTimestamp=${given}`)['dateRange.startTimestamp']).toBe(given);
    expect(refusalOf(() => read('dateRange.startTimestamp=soon')).message).toMatch(/5807\.$/);
    // Other numbers are no times.
    expect(refusalOf(() => read('fromEpoch=2026-01-01')).message).toMatch(/1615\.$/);
  });

  test('given twice are refused, also in two spellings', () => {
    expectRefusal(
      () => read('fromEpoch=1&fromEpoch=2'),
      'fromEpoch',
      '"2"',
      'is given 2 times, as "1" and "2"',
    );
    expectRefusal(() => read('fromEpoch=1&from_epoch=1'), 'fromEpoch', '"1"', 'it takes one value');
  });

  test('that are long are cut in the message', () => {
    const { message } = refusalOf(() => read(`partyId=${'x'.repeat(9999)}`));
    expect(message).toContain(`"${'x'.repeat(80)}…" (9999 characters)`);
    expect(message).toContain('at most 256 characters');
    expect(message.length).toBeLessThan(300);
  });

  test('are read whole by any text, or refused by name and value and nothing else', () => {
    const names = fc.constantFrom(
      ...Object.keys(parameters),
      'from_epoch',
      'filter.party_ids',
      'filter',
      'x',
    );
    const values = fc.oneof(
      anyText(),
      fc.constantFrom(
        ...['', '0', '-1', 'true', A, `${A},${B}`, '4', '18446744073709551616', "' OR 1=1", '{}'],
        ...['x'.repeat(256), 'x'.repeat(257), '2026-01-01'],
      ),
    );
    fc.assert(
      fc.property(names, values, (name, value) => {
        const query = `${encodeURIComponent(name)}=${encodeURIComponent(value)}`;
        try {
          const given = Object.keys(read(query));
          expect(Object.keys(parameters)).toEqual(expect.arrayContaining(given));
          expect(given).toEqual(expect.arrayContaining(Object.keys(nothing)));
        } catch (error) {
          if (!(error instanceof GatewayError)) throw error;
          const field = name.replace(/_(.)/g, (_, letter: string) => letter.toUpperCase());
          expect(error.code).toBe('INVALID_ARGUMENT');
          expect(error.message).toContain(field);
          expect(error.details).toMatchObject([{ fieldViolations: [{ field, description: error.message }] }]);
          // One element of a list, the encoded form where the encoding is at fault, the beginning where it is long.
          const shown = [value, ...value.split(','), encodeURIComponent(value)].map((form) =>
            JSON.stringify(form.slice(0, 40)).slice(1, -1),
          );
          expect(shown.some((form) => error.message.includes(form))).toBe(true);
        }
      }),
      { numRuns: 1000 },
    );
  });
});

describe('paths', () => {
  const readDeposit = parameterReader({ id: inPath(id, 'The deposit.') });

  test('give their parameters, in which the query has no part', () => {
    expect(readDeposit({ id: A.toUpperCase() }, 'id=d2&x')).toEqual({ id: A });
  });

  test.each(['network', 'd1', A.slice(1), `${A} `, 'a/b', ' ', '😀', 'x'.repeat(256)])(
    'take any id: %j',
    (given) => {
      expect(readDeposit({ id: given }, '')).toEqual({ id: given });
    },
  );

  test.each(['', 'x\0', 'x\ud800'])('refuse %j', (given) => {
    expectRefusal(() => readDeposit({ id: given }, ''), 'id', JSON.stringify(given), 'it takes an id, which');
  });
});

test('a required parameter is missed by name', () => {
  const readMarket = parameterReader({ marketId: required(id, 'The market.') });
  for (const query of ['', 'marketId', 'marketId=', 'market_id=&marketId=', 'marketID=x'])
    expectRefusal(
      () => readMarket({}, query),
      'marketId',
      '',
      'Parameter marketId is missing; it takes an id',
    );
  expect(readMarket({}, `market_id=${A}`)).toEqual({ marketId: A });
});

describe('pages', () => {
  const readPage = parameterReader(pagination('deposits'));
  const page = (query: string) => pageOf(readPage({}, query));
  const cursor = writeCursor({ list: 'deposits', position: 5n });

  test.each([
    ['', { newestFirst: true, first: 1000 }],
    ['pagination.newestFirst=false', { newestFirst: false, first: 1000 }],
    ['pagination.newest_first=0&pagination.first=%2B7', { newestFirst: false, first: 7 }],
    ['pagination.first=5000', { newestFirst: true, first: 5000 }],
    ['pagination.last=1', { newestFirst: true, last: 1 }],
    [`pagination.after=${cursor}`, { newestFirst: true, first: 1000, after: cursor }],
    [`pagination.before=${cursor}`, { newestFirst: true, last: 1000, before: cursor }],
    [`pagination.first=2&pagination.after=${cursor}`, { newestFirst: true, first: 2, after: cursor }],
    [`pagination.last=2&pagination.before=${cursor}`, { newestFirst: true, last: 2, before: cursor }],
    ['pagination.zzz=1', { newestFirst: true, first: 1000 }],
    ['pagination.first=&pagination.after=', { newestFirst: true, first: 1000 }],
    ['pagination.last=&pagination.before=&pagination.newestFirst=', { newestFirst: true, first: 1000 }],
    ['pagination.first=&pagination.last=3', { newestFirst: true, last: 3 }],
    [`pagination.before=&pagination.after=${cursor}`, { newestFirst: true, first: 1000, after: cursor }],
  ])('%s', (query, expected) => {
    expect(page(query)).toEqual(expected);
  });

  test.each([
    ['first', '0'],
    ['first', '-1'],
    ['first', '5001'],
    ['last', '2147483648'],
    ['last', '1.0'],
    ['after', 'nonsense'],
    ['after', writeCursor({ list: 'rewards', position: 5n })],
    ['newestFirst', 'yes'],
  ])('refuse pagination.%s=%s', (name, value) => {
    expectRefusal(
      () => page(`pagination.${name}=${value}`),
      `pagination.${name}`,
      JSON.stringify(value),
      'it takes',
    );
  });

  test.each([
    ['first=1&pagination.last=2', 'first', 'last'],
    [`after=${cursor}&pagination.before=${cursor}`, 'after', 'before'],
    [`first=1&pagination.before=${cursor}`, 'first', 'before'],
    [`last=1&pagination.after=${cursor}`, 'after', 'last'],
  ])('refuse parameters that contradict each other: %s', (query, one, other) => {
    expectRefusal(
      () => page(`pagination.${query}`),
      `pagination.${other}`,
      `pagination.${one} (`,
      'cannot stand beside',
    );
  });

  test('are refused where a value stands for the group', () => {
    expectRefusal(
      () => page('pagination=x'),
      'pagination',
      '"pagination=x"',
      'only pagination.first, pagination.after',
    );
  });
});

function expectRefusal(act: () => unknown, field: string, value: string, reason: string): void {
  const error = refusalOf(act);
  expect(error).toMatchObject({ code: 'INVALID_ARGUMENT', details: [{ fieldViolations: [{ field }] }] });
  expect(error.message).toContain(`Parameter ${field} `);
  expect(error.message).toContain(value);
  expect(error.message).toContain(reason);
}

function refusalOf(act: () => unknown): GatewayError {
  try {
    act();
  } catch (error) {
    if (error instanceof GatewayError) return error;
    throw error;
  }
  throw new Error('nothing was refused');
}
