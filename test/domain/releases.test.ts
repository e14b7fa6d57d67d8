import { expect, test } from 'vitest';
import { enumerations } from '../../src/domain/enumerations.ts';
import { KNOWN_RELEASES, NEWEST_RELEASE } from '../../src/domain/releases.ts';

test('every number that has a name came with a release that is known', () => {
  const known = KNOWN_RELEASES.map(({ release }) => release);
  const brought = Object.values(enumerations).flatMap(({ values }) =>
    Object.values<readonly [number, string, string]>(values).map(([, since]) => since),
  );
  expect([...new Set(brought)].filter((release) => !known.includes(release))).toEqual([]);
});

test('the newest release is the last that is known', () => {
  expect(KNOWN_RELEASES.at(-1)?.release).toBe(NEWEST_RELEASE);
});
