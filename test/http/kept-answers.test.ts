import { gunzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { Answer } from '../../src/http/answer.ts';
import { KeptAnswers } from '../../src/http/kept-answers.ts';
import { chooseRandom } from '../support/seed.ts';

const MEGABYTE = 2 ** 20;

/** Kept answers on a feed that the test moves. */
function start(maxBytes = MEGABYTE) {
  const feed = { latest: { position: 1n }, isFollowing: true };
  const kept = new KeptAnswers(maxBytes, feed);
  let made = 0;
  return {
    feed,
    kept,
    get made() {
      return made;
    },
    block(touched: readonly number[] | null) {
      const block = { position: feed.latest.position + 1n };
      kept.onBlock(block, touched);
      feed.latest = block;
    },
    ask(key: string, touches: readonly number[] | null, text = key) {
      return kept.ask(key, async () => {
        made += 1;
        return { answer: new Answer('text/plain', text), touches };
      });
    },
  };
}

test('an answer is given again until a block touches what it read', async () => {
  const network = start();
  const first = await network.ask('a', [1, 2]);
  network.block([3]);
  network.block([]);
  expect(network.kept.find('a')).toBe(first);
  expect(await network.ask('a', [1, 2])).toBe(first);
  network.block([3, 2]);
  expect(network.kept.find('a')).toBeUndefined();
  expect(await network.ask('a', [1, 2])).not.toBe(first);
});

test('a block of which nothing is known lets go of everything', async () => {
  const network = start();
  for (const key of ['a', 'b']) await network.ask(key, [1]);
  network.block(null);
  expect([network.kept.find('a'), network.kept.find('b'), network.kept.bytes]).toEqual([
    undefined,
    undefined,
    0,
  ]);
});

test.each([
  ['touched what it read', [1], 1],
  ['touched other things', [2], 0],
  ['is not known', null, 1],
])('an answer that is made while a block comes that %s', async (_, touched, again) => {
  const network = start();
  await network.kept.ask('a', async () => {
    network.block(touched);
    return { answer: new Answer('text/plain', ''), touches: [1] };
  });
  await network.ask('a', [1]);
  expect(network.made).toBe(again);
});

test('an answer that more blocks overtake than are remembered is not kept', async () => {
  const network = start();
  const overtake = (blocks: number) => async () => {
    for (let n = 0; n < blocks; n++) network.block([]);
    return { answer: new Answer('text/plain', ''), touches: [1] };
  };
  await network.kept.ask('few', overtake(100));
  await network.kept.ask('many', overtake(200));
  expect([network.kept.find('few') === undefined, network.kept.find('many')]).toEqual([false, undefined]);
});

test('what cannot say what it read, and what fails, is not kept', async () => {
  const network = start();
  await network.ask('a', null);
  const failing = () => network.kept.ask('b', () => Promise.reject(new Error('not now')));
  for (let n = 0; n < 2; n++) await expect(failing()).rejects.toThrow('not now');
  expect([network.kept.find('a'), network.kept.bytes]).toEqual([undefined, 0]);
  expect(await network.ask('b', [1])).toMatchObject({ contentType: 'text/plain' });
});

test('equal questions share one making, but none that began before a block', async () => {
  const network = start();
  const together = await Promise.all([
    network.ask('a', null),
    network.ask('a', null),
    network.ask('b', null),
  ]);
  expect([network.made, together[0] === together[1]]).toEqual([2, true]);
  const before = network.ask('a', null);
  network.block([]);
  const after = network.ask('a', null);
  expect(await before).not.toBe(await after);
});

test.each([
  ['while the feed does not follow', MEGABYTE, false],
  ['where it is turned off', 0, true],
])('nothing is given, shared or kept %s', async (_, maxBytes, isFollowing) => {
  const network = start(maxBytes);
  if (maxBytes > 0) await network.ask('a', [1]);
  network.feed.isFollowing = isFollowing;
  const before = network.made;
  await Promise.all([network.ask('a', [1]), network.ask('a', [1]), network.ask('c', [1])]);
  expect([network.kept.find('a'), network.made - before]).toEqual([undefined, 3]);
  network.feed.isFollowing = true;
  expect(network.kept.find('c')).toBeUndefined();
});

test('what was used last is kept, within the bytes, whatever comes', async () => {
  const network = start();
  const random = chooseRandom('kept answers');
  for (let n = 0; n < 5000; n++) {
    const size = random.below(MEGABYTE / 8);
    const answer = await network.ask(`/${n}`, [random.below(20), random.below(20)], 'x'.repeat(size));
    if (random.below(3) === 0) await answer.compressed('gzip');
    expect(network.kept.bytes).toBeLessThanOrEqual(MEGABYTE);
    if (network.kept.find(`/${n}`) === undefined) expect(size).toBeGreaterThan(MEGABYTE / 16 - 10_000);
    if (n % 50 === 0) network.block([random.below(20)]);
  }
  expect(network.kept.bytes).toBeGreaterThan(MEGABYTE / 2);
  network.block(Array.from({ length: 20 }, (_, touch) => touch));
  expect(network.kept.bytes).toBe(0);
});

test('a body is compressed once, and counts from then on', async () => {
  const network = start();
  const text = 'answer '.repeat(1000);
  const answer = await network.ask('a', [1], text);
  const before = network.kept.bytes;
  const [one, other] = await Promise.all([answer.compressed('gzip'), answer.compressed('gzip')]);
  expect(one).toBe(other);
  expect(answer.compressed('gzip')).toBe(one);
  expect(gunzipSync(one).toString()).toBe(text);
  expect(network.kept.bytes - before).toBe(one.length);
  expect(network.kept.find('a')).toBe(answer);
});
