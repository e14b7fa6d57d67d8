import fc from 'fast-check';

/** Any code point; fast-check's own unit `binary` builds a table of all of them, which takes seconds. */
const codePoint = fc
  .oneof(fc.integer({ min: 0, max: 0xd7ff }), fc.integer({ min: 0xe000, max: 0x10ffff }))
  .map(
    (value) => String.fromCodePoint(value),
    (char) => {
      const value = typeof char === 'string' ? char.codePointAt(0) : undefined;
      if (value === undefined || char !== String.fromCodePoint(value)) throw new Error('not one code point');
      return value;
    },
  );

/** Texts of any code points, those included that are trouble elsewhere. */
export function anyText(constraints: { readonly maxLength?: number } = {}): fc.Arbitrary<string> {
  return fc.string({ ...constraints, unit: codePoint });
}
