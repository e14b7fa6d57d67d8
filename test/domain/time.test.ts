import { expect, test } from 'vitest';
import { describeMistakenTime, describeTooEarly } from '../../src/domain/time.ts';

test.each([
  ['1678443430', 'seconds', '1678443430000000000'],
  ['1678443430000', 'milliseconds', '1678443430000000000'],
  ['1678443430000001', 'microseconds', '1678443430000001000'],
  ['1678443430.25', 'seconds', '1678443430250000000'],
  ['1678443430000.123456789', 'milliseconds', '1678443430000123456'],
  ['100000000', 'seconds', '100000000000000000'],
  ['9223372036', 'seconds', '9223372036000000000'],
  ['100000000000', 'milliseconds', '100000000000000000'],
  ['9223372036854', 'milliseconds', '9223372036854000000'],
  ['100000000000000', 'microseconds', '100000000000000000'],
  ['9223372036854775', 'microseconds', '9223372036854775000'],
])('%s looks like %s', (text, unit, meant) => {
  expect(describeMistakenTime(text)).toBe(`looks like ${unit}: ${meant} was probably meant`);
});

test.each([
  ['2026-01-01', '1767225600000000000'],
  ['2026-01', '1767225600000000000'],
  ['2026-01-01T00:00:00Z', '1767225600000000000'],
  ['2026-01-01T00:00', '1767225600000000000'],
  ['2026-01-01 00:00:00', '1767225600000000000'],
  ['2026-01-01t01:00:00+01:00', '1767225600000000000'],
  ['2026-01-01T00:00:00.123456789Z', '1767225600123456789'],
  ['2026-01-01T01:30:00.5+0130', '1767225600500000000'],
  ['1969-12-31T23:59:59.25Z', '-750000000'],
])('%s is a date', (text, meant) => {
  expect(describeMistakenTime(text)).toBe(`is a date: ${meant} was probably meant`);
});

test.each([
  '1678443430000000000',
  '100000000000000000',
  '9223372036854775807',
  '-6795364578871345152',
  '-1678443430',
  '0',
  '1',
  '99999999',
  '9223372037',
  '',
  'ten',
  '1e9',
  '2026-13-01',
  '2026-01-01T25:00Z',
  '0001-01-01',
  '9999-01-01',
  'Monday',
  '9'.repeat(1000),
])('%s is no other unit and no date', (text) => {
  expect(describeMistakenTime(text)).toBeNull();
});

test.each([
  [1767225600n, 'looks like seconds: 1767225600000000000 was probably meant'],
  [1767225600000n, 'looks like milliseconds: 1767225600000000000 was probably meant'],
  [1767225600000000n, 'looks like microseconds: 1767225600000000000 was probably meant'],
  [1n, 'is in nanoseconds since 1970, and so before any network began'],
  [0n, null],
  [-1n, null],
  [1767225600000000000n, null],
])('a time before any network is told with what was meant: %s', (time, told) => {
  expect(describeTooEarly(time)).toBe(told);
});
