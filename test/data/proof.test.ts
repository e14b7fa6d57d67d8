import { expect, test } from 'vitest';
import { Proof } from '../../src/data/servers/proof.ts';

/** How often a text must be short in a row before it counts as short. */
function wanted(proof: Proof): number {
  let times = 0;
  for (; !proof.isShort; times += 1) proof.add();
  return times;
}

test('a text is short once it has been so in a row', () => {
  const proof = new Proof();
  proof.add();
  proof.restart();
  expect(wanted(proof)).toBe(3);
});

test('one that keeps others waiting has to show it for longer each time', () => {
  const proof = new Proof();
  const all = Array.from({ length: 9 }, () => {
    const times = wanted(proof);
    proof.fail();
    return times;
  });
  expect(all).toEqual([3, 6, 12, 24, 48, 96, 192, 256, 256]);
});

test('one that was slow now and then is forgiven once it has been short for long', () => {
  const proof = new Proof();
  for (let stall = 0; stall < 9; stall += 1) proof.fail();
  for (let times = 0; times < 1024; times += 1) proof.add();
  proof.fail();
  expect(wanted(proof)).toBe(6);
});
