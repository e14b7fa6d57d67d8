import { setImmediate as takeTurn } from 'node:timers/promises';
import { gunzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { KeptValues, type Made } from '../../src/cache/kept-values.ts';
import { Rejection } from '../../src/errors.ts';
import { keepingAnswers } from '../../src/http/kept-answers.ts';
import { Bulkhead } from '../../src/http/limits/bulkhead.ts';
import { NOBODY, type RequestScope } from '../../src/http/request-scope.ts';
import { Answer } from '../../src/http/write/answer.ts';
import { LightSignal } from '../../src/signal.ts';
import { chooseRandom } from '../support/seed.ts';

const MEGABYTE = 2 ** 20;

/** Kept answers on a feed that the test moves: kept when they are first asked for, unless the test is about that. */
function start(maxBytes = MEGABYTE, keptFrom: 'first ask' | 'second ask' = 'first ask') {
  const feed = { latest: { position: 1n }, isFollowing: true };
  const kept = new KeptValues<Answer, RequestScope>({ feed, ...keepingAnswers(maxBytes), keptFrom });
  let made = 0;
  return {
    feed,
    kept,
    get made() {
      return made;
    },
    block(cacheTags: readonly number[] | null) {
      const block = { position: feed.latest.position + 1n };
      kept.onBlock(block, cacheTags);
      feed.latest = block;
    },
    ask(key: string, cacheTags: readonly number[] | null, text = key) {
      const make = async () => {
        made += 1;
        return { value: new Answer('text/plain', text), cacheTags };
      };
      return kept.ask(key, make, NOBODY);
    },
  };
}

test('an answer is given again until a block has a tag of it', async () => {
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

test('an answer that depends on nothing stays, whatever comes, be it while it is made', async () => {
  const network = start();
  const first = await network.ask('past', []);
  const overtaken = async () => {
    for (let n = 0; n < 200; n++) network.block(null);
    return { value: new Answer('text/plain', ''), cacheTags: [] };
  };
  const other = await network.kept.ask('other', overtaken, NOBODY);
  network.block([1]);
  expect([network.kept.find('past') === first, network.kept.find('other') === other]).toEqual([true, true]);
});

test('a block of which nothing is known lets go of everything that depends on anything', async () => {
  const network = start();
  for (const key of ['a', 'b']) await network.ask(key, [1]);
  network.block(null);
  expect([network.kept.find('a'), network.kept.find('b'), network.kept.size]).toEqual([
    undefined,
    undefined,
    0,
  ]);
});

test.each([
  ['has a tag of it', [1], 1],
  ['has other tags', [2], 0],
  ['is not known', null, 1],
])('an answer that is made while a block comes that %s', async (_, cacheTags, again) => {
  const network = start();
  const overtaken = async () => {
    network.block(cacheTags);
    return { value: new Answer('text/plain', ''), cacheTags: [1] };
  };
  await network.kept.ask('a', overtaken, NOBODY);
  await network.ask('a', [1]);
  expect(network.made).toBe(again);
});

test('an answer that more blocks overtake than are remembered is not kept', async () => {
  const network = start();
  const overtake = (blocks: number) => async () => {
    for (let n = 0; n < blocks; n++) network.block([]);
    return { value: new Answer('text/plain', ''), cacheTags: [1] };
  };
  await network.kept.ask('few', overtake(100), NOBODY);
  await network.kept.ask('many', overtake(200), NOBODY);
  expect([network.kept.find('few') === undefined, network.kept.find('many')]).toEqual([false, undefined]);
});

test('what cannot say what it read, and what fails, is not kept', async () => {
  const network = start();
  await network.ask('a', null);
  const failing = () => network.kept.ask('b', () => Promise.reject(new Error('not now')), NOBODY);
  for (let n = 0; n < 2; n++) await expect(failing()).rejects.toThrow('not now');
  expect([network.kept.find('a'), network.kept.size]).toEqual([undefined, 0]);
  expect(await network.ask('b', [1])).toMatchObject({ contentType: 'text/plain' });
});

test('what one is refused is not meant for those who wait along: the next makes it for the others', async () => {
  const { kept } = start();
  const asked: string[] = [];
  const ask = (client: string, refused: readonly string[]) => {
    const make = async (scope: RequestScope) => {
      asked.push(scope.client);
      await takeTurn();
      if (refused.includes(scope.client)) throw new Rejection('RESOURCE_EXHAUSTED', `not ${scope.client}`);
      return { value: new Answer('text/plain', scope.client), cacheTags: [1] };
    };
    return kept.ask('a', make, { client, signal: new LightSignal(), join() {}, whenLeft() {} });
  };
  const askAll = async (...refused: string[]) => {
    const results = await Promise.allSettled(['a', 'b', 'c', 'd'].map((client) => ask(client, refused)));
    return results.map((result) => (result.status === 'fulfilled' ? 'made' : result.reason.message));
  };
  expect(await askAll('a')).toEqual(['not a', 'made', 'made', 'made']);
  expect(asked.splice(0)).toEqual(['a', 'b']);
  kept.onBlock({ position: 1n }, null);
  // Then each for itself, so that nobody waits for more than two others.
  expect(await askAll('a', 'b')).toEqual(['not a', 'not b', 'made', 'made']);
  expect(asked).toEqual(['a', 'b', 'c', 'd']);
});

test('who joins what another has asked waits in a place of its own, where that one loses its', async () => {
  const { kept } = start();
  const admission = new Bulkhead({ atOnce: 1, crowd: 99, cost: 1, waitingCost: 1200, waitMs: 600_000 });
  const ask = (client: string, key: string) => {
    const make = async (scope: RequestScope) => {
      const release = await admission.admit(scope.client, 1);
      release();
      return { value: new Answer('text/plain', scope.client), cacheTags: [1] };
    };
    return kept.ask(key, make, { client, signal: new LightSignal(), join() {}, whenLeft() {} });
  };
  const end = await admission.admit('another', 1);
  const own = Promise.allSettled([1, 2].map((n) => ask('greedy', `${n}`)));
  const wellKnown = ask('greedy', 'well known');
  const joined = ask('b', 'well known');
  // No more may wait: the newest of whoever has most is refused.
  const last = ask('c', 'c');
  await expect(wellKnown).rejects.toMatchObject({ code: 'UNAVAILABLE' });
  end();
  await Promise.all([joined, last]);
  await own;
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
    expect(network.kept.size).toBeLessThanOrEqual(MEGABYTE);
    if (network.kept.find(`/${n}`) === undefined) expect(size).toBeGreaterThan(MEGABYTE / 16 - 10_000);
    if (n % 50 === 0) network.block([random.below(20)]);
  }
  expect(network.kept.size).toBeGreaterThan(MEGABYTE / 2);
  network.block(Array.from({ length: 20 }, (_, tag) => tag));
  expect(network.kept.size).toBe(0);
});

test('no answer takes more than a sixteenth of the room', async () => {
  const network = start();
  const sixteenth = MEGABYTE / 16;
  await network.ask('fits', [1], 'x'.repeat(sixteenth - 4096));
  await network.ask('too large', [1], 'x'.repeat(sixteenth));
  expect([network.kept.find('fits') !== undefined, network.kept.find('too large')]).toEqual([
    true,
    undefined,
  ]);
});

test('who asks while an answer is made that nobody waits for any more has one made anew, for others too', async () => {
  const network = start();
  const leaving = { ...NOBODY, signal: new LightSignal() };
  let fail = (_: Error) => {};
  let finish = (_: Made<Answer>) => {};
  const abandoned = new Promise<never>((_, reject) => {
    fail = reject;
  });
  const anew = new Promise<Made<Answer>>((resolve) => {
    finish = resolve;
  });
  let begun = 0;
  const begin = (making: Promise<Made<Answer>>, scope: RequestScope) =>
    network.kept.ask(
      'a',
      () => {
        begun += 1;
        return making;
      },
      scope,
    );
  const left = begin(abandoned, leaving);
  leaving.signal.abort(new Error('left'));
  const asked = begin(anew, NOBODY);
  expect(begun).toBe(2);
  fail(new Error('left'));
  await expect(left).rejects.toThrow('left');
  const shared = begin(anew, NOBODY);
  expect(begun).toBe(2);
  const answer = new Answer('text/plain', 'a');
  finish({ value: answer, cacheTags: [1] });
  expect([await asked, await shared, network.kept.find('a')]).toEqual([answer, answer, answer]);
});

test('a body is compressed once, and counts from then on', async () => {
  const network = start();
  const text = 'answer '.repeat(1000);
  const answer = await network.ask('a', [1], text);
  const before = network.kept.size;
  const [one, other] = await Promise.all([answer.compressed('gzip'), answer.compressed('gzip')]);
  expect(one).toBe(other);
  expect(answer.compressed('gzip')).toBe(one);
  expect(gunzipSync(one).toString()).toBe(text);
  expect(network.kept.size - before).toBe(one.length);
  expect(network.kept.find('a')).toBe(answer);
});

describe('an answer that is kept when it is asked for the second time', () => {
  const startSecond = () => start(MEGABYTE, 'second ask');

  test('takes no place the first time, whatever else is asked', async () => {
    const network = startSecond();
    for (const key of ['a', 'b', 'c']) await network.ask(key, [1]);
    expect([network.kept.size, network.kept.find('a')]).toEqual([0, undefined]);
    const second = await network.ask('a', [1]);
    expect([network.made, network.kept.find('a') === second]).toEqual([4, true]);
    await network.ask('a', [1]);
    expect(network.made).toBe(4);
  });

  test('is kept again at once after a block that has a tag of it', async () => {
    const network = startSecond();
    for (let n = 0; n < 2; n++) await network.ask('a', [1]);
    network.block([1]);
    expect(network.kept.find('a')).toBeUndefined();
    const anew = await network.ask('a', [1]);
    expect([network.made, network.kept.find('a') === anew]).toEqual([3, true]);
  });

  test('is made once for many who ask at once, and kept for those that come later', async () => {
    const network = startSecond();
    const answers = await Promise.all(Array.from({ length: 10 }, () => network.ask('a', [1])));
    expect([network.made, new Set(answers).size, network.kept.find('a')]).toEqual([1, 1, answers[0]]);
  });

  test('has its body as text before, and as bytes from then on', async () => {
    const network = startSecond();
    const bodies = [];
    for (let n = 0; n < 3; n++) bodies.push(await bodyOf(network.ask('a', [1], 'é€😀')));
    expect(bodies).toEqual(['é€😀', Buffer.from('é€😀'), Buffer.from('é€😀')]);
  });

  test('is forgotten to have been asked for when 65,536 places are taken by others', async () => {
    const network = startSecond();
    await network.ask('a', [1]);
    const other = { value: new Answer('text/plain', ''), cacheTags: null };
    for (let n = 0; n < 1_000_000; n++) await network.kept.ask(`/${n}`, async () => other, NOBODY);
    await network.ask('a', [1]);
    expect(network.kept.find('a')).toBeUndefined();
  });
});

async function bodyOf(asked: Promise<Answer>): Promise<unknown> {
  return (await (await asked).formFor('GET', 'identity', undefined)).body;
}
