import { describe, expect, test } from 'vitest';
import { compare, positionIn, readQuantity, shift, write, writeSome } from '../decimals.ts';

const LARGE = '123456789012345678901234567890123456789';

test.each([
  ['12345', -3, '12.345'],
  ['5', -3, '0.005'],
  ['-5', -3, '-0.005'],
  ['1500', -2, '15'],
  ['0', -18, '0'],
  ['-0.0', 0, '0'],
  ['12', 3, '12000'],
  ['1.5', 3, '1500'],
  ['0.0015', 2, '0.15'],
  ['007', 0, '7'],
  [LARGE, -20, '1234567890123456789.01234567890123456789'],
])('the point of %s moves by %i: %s', (text, places, expected) => {
  expect(shift(text, places)).toBe(expected);
});

test('thousands stand apart, and decimals are cut or filled, not rounded', () => {
  expect(write('1234567.8999', 2)).toEqual({ whole: '1,234,567', fraction: '.89' });
  expect(write('-1234.5')).toEqual({ whole: '-1,234', fraction: '.5' });
  expect(write('7.5', 3)).toEqual({ whole: '7', fraction: '.500' });
  expect(write('7.5', 0)).toEqual({ whole: '7', fraction: '' });
  expect(write('999')).toEqual({ whole: '999', fraction: '' });
});

test('what is not nothing does not read as if it were', () => {
  expect(writeSome('0.0012', 2)).toEqual({ whole: '0', fraction: '.0012' });
  expect(writeSome('-0.0012', 2)).toEqual({ whole: '-0', fraction: '.0012' });
  expect(writeSome('0', 2)).toEqual({ whole: '0', fraction: '.00' });
  expect(writeSome('0.0112', 2)).toEqual({ whole: '0', fraction: '.01' });
});

describe('what a person wrote is read exactly', () => {
  test.each([
    ['1.5', 3, '1500'],
    [' 1,000.25 ', 2, '100025'],
    ['-2', 0, '-2'],
    ['-1,234,567.', 0, '-1234567'],
    ['12 345', 0, '12345'],
    ['3000', -3, '3'],
    [LARGE, 2, `${LARGE}00`],
  ])('%s with %i decimals is %s', (text, places, expected) => {
    expect(readQuantity(text, places)).toBe(expected);
  });

  test.each([
    ['', 2],
    ['.', 2],
    ['one', 2],
    ['1e5', 2],
    ['1.234', 2],
    ['1,5', 2],
    ['0,500', 3],
    ['1,2345', 0],
    ['1234,567', 0],
    ['1.000,25', 2],
    ['1.5,000', 2],
    ['1500', -3],
    ['1'.repeat(101), 0],
  ])('%s with %i decimals is no quantity', (text, places) => {
    expect(readQuantity(text, places)).toBeNull();
  });
});

test('quantities beyond every float are ordered and placed', () => {
  expect(compare(`${LARGE}1`, `${LARGE}2`)).toBe(-1);
  expect(compare('0.10', '0.1')).toBe(0);
  expect(compare('1.05', '1.049')).toBe(1);
  expect(positionIn('15', '10', '20')).toBe(0.5);
  expect(positionIn('10.25', '10', '11')).toBe(0.25);
  expect(positionIn('7', '7', '7')).toBe(0.5);
  expect(positionIn(`${LARGE}5`, `${LARGE}0`, `${LARGE}9`)).toBeCloseTo(5 / 9);
});
