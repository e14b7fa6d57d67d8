import { expect, test } from 'vitest';
import { Proof } from '../../src/data/servers/proof.ts';
import type { Took } from '../../src/data/servers/wait.ts';

function add(proof: Proof, took: Took, times = 1): Proof {
  for (let time = 0; time < times; time += 1) proof.add(took);
  return proof;
}

/** How often a text must be short before it counts as short. */
function wanted(proof: Proof): number {
  let times = 0;
  for (; !proof.isShort; times += 1) proof.add('short');
  return times;
}

test('a text is short once it has been so three times', () => {
  expect(wanted(new Proof())).toBe(3);
});

test('one that is late at times is short all the same, one that is late often is not', () => {
  const proof = add(new Proof(), 'short', 100);
  for (let round = 0; round < 100; round += 1) {
    expect(add(proof, 'short', 16).isShort).toBe(true);
    expect(add(proof, 'late').isShort).toBe(true);
  }
  for (let round = 0; round < 100; round += 1) add(add(proof, 'short', 8), 'late');
  expect(proof.isShort).toBe(false);
});

test('one that keeps others waiting has to be short for long, and longer where it does so again and again, up to a bound', () => {
  const proof = new Proof();
  const all = Array.from({ length: 3 }, () => {
    wanted(proof);
    return wanted(add(proof, 'long'));
  });
  expect(all).toEqual([128, 128, 128]);
  expect(wanted(add(proof, 'long', 9))).toBe(256);
});

test('one that takes long once in fifty is not sent over a pipe twice in fifty', () => {
  const proof = add(new Proof(), 'short', 1000);
  let piped = 0;
  for (let time = 1; time <= 5000; time += 1) {
    piped += proof.isShort ? 1 : 0;
    proof.add(time % 50 === 0 ? 'long' : 'short');
  }
  expect(piped).toBeLessThan(200);
});

test('one that was short for long is forgiven', () => {
  const proof = add(add(new Proof(), 'long', 9), 'short', 1024);
  expect(add(proof, 'long').isShort).toBe(true);
  expect(add(proof, 'long', 2).isShort).toBe(false);
});
