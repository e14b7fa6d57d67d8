import fc from 'fast-check';
import { expect, test } from 'vitest';
import { quoted, shorten } from '../../src/domain/text.ts';

test.each([
  ['', '""'],
  ['x'.repeat(80), `"${'x'.repeat(80)}"`],
  ['x'.repeat(81), `"${'x'.repeat(80)}…" (81 characters)`],
  ['two\nlines and a "quote"', '"two\\nlines and a \\"quote\\""'],
])('quotes %j on one line, and a long text by its beginning', (text, shown) => {
  expect(quoted(text)).toBe(shown);
});

test('never cuts a character in two', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', minLength: 60, maxLength: 120 }), (text) => {
      const shown = shorten(text);
      expect(shown).not.toMatch(/\p{Surrogate}/u);
      expect(text.startsWith(shown.replace(/…$/, ''))).toBe(true);
    }),
  );
});
