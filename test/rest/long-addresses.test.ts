import { describe, expect, test } from 'vitest';
import type { Exchange } from '../../src/http/write/exchange.ts';
import { mayAskForExport } from '../../src/rest/export.ts';
import { ParameterNames } from '../../src/rest/parameter-names.ts';
import { camelCased } from '../../src/rest/query-string.ts';

/** Far more than an address can hold: what looks through all of them for each of them is at it for ten seconds and more. */
const MANY = 100_000;
const MANY_DOTS = 30_000;
const HANGS_MS = 5_000;

describe('an address of one character again and again is looked through once', { timeout: HANGS_MS }, () => {
  test('for an export', () => {
    expect(mayExport(`/${'?'.repeat(MANY)}`)).toBe(false);
    expect(mayExport(`/?${'&'.repeat(MANY)}`)).toBe(false);
    expect(mayExport(`/?${'?'.repeat(MANY)}f%6Frmat=csv`)).toBe(true);
  });

  test('for a known name before a dot', () => {
    const names = new ParameterNames(['partyId', 'filter.assetId']);
    expect(names.misuseOf({ name: '.'.repeat(MANY_DOTS), value: '1' })).toBeUndefined();
    // The last dot that counts is that behind the longest name.
    const misuse = names.misuseOf({ name: `filter.asset_id${'.x'.repeat(MANY_DOTS)}`, value: '1' });
    expect(misuse).toMatchObject({ field: 'filter.assetId' });
  });

  test('for words', () => {
    expect(camelCased('_'.repeat(MANY))).toBe('_'.repeat(MANY));
    expect(camelCased(`${'_'.repeat(MANY)}party__id`)).toBe('PartyId');
  });
});

function mayExport(url: string): boolean {
  return mayAskForExport({ request: { url, headers: {} } } as Exchange);
}
