import fc from 'fast-check';
import { expect, test } from 'vitest';
import { encodeText, toReferenceForm } from '../../src/http/write/json.ts';

const UNITS = ['a', '', '<', '&', 'é', '\u2028', '\u2013', '\u{10348}', '\ud800', '\uffff'];
const pieces = fc.array(fc.array(fc.constantFrom(...UNITS)).map((units) => units.join('')));

test('text in pieces is encoded as one text, whatever characters it has and wherever', () => {
  fc.assert(
    fc.property(pieces, (given) => {
      expect(encodeText(given).toString('hex')).toBe(Buffer.from(given.join('')).toString('hex'));
    }),
    { examples: [[['é']], [['a', 'éa']], [['a', '\u2028']], [['\ud800', 'a']]] },
  );
});

test('what can end a script is escaped in bytes as in text', () => {
  fc.assert(
    fc.property(pieces, (given) => {
      const json = JSON.stringify(given);
      const escaped = json.replace(
        /[<>&\u2028\u2029]/g,
        (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`,
      );
      expect(toReferenceForm([...json], '/').toString()).toBe(Buffer.from(escaped).toString());
      expect(JSON.parse(toReferenceForm([json], '/?pretty').toString())).toEqual(given);
    }),
  );
});
