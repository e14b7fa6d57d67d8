import { expect, test } from 'vitest';
import { openDatabase } from '../../src/data/servers/client.ts';
import { MOST_NAMES, StatementNames } from '../../src/data/servers/statement-names.ts';
import { createTestDatabase } from '../support/database.ts';

const texts = (kind: string, count: number) =>
  Array.from({ length: count }, (_, n) => `SELECT '${kind} ${n}'`);

function ask(names: StatementNames, asked: readonly string[], times: number): readonly string[] {
  for (let time = 1; time < times; time += 1) for (const text of asked) names.nameOf(text);
  return asked.map((text) => names.nameOf(text));
}

test('a text has a name from its second time on', () => {
  const names = new StatementNames();
  expect([1, 2, 3].map(() => names.nameOf('SELECT 1'))).toEqual(['', 'periscope 0', 'periscope 0']);
});

test('texts that come often keep their names, however many others come a few times', () => {
  const names = new StatementNames();
  const often = texts('often', MOST_NAMES - 1);
  const named = ask(names, often, 20);
  for (let round = 0; round < 20; round += 1) {
    ask(names, texts(`seldom ${round}`, 500), 8);
    expect(ask(names, often, 10)).toEqual(named);
  }
});

test('a text that comes often has a name though all were given to others before', () => {
  const names = new StatementNames();
  ask(names, texts('seldom', 2 * MOST_NAMES), 3);
  const [first] = ask(names, ['SELECT 1'], 8);
  expect(first).not.toBe('');
  expect(ask(names, ['SELECT 1'], 2)).toEqual([first]);
});

test('what was asked often, and is no more, loses its name to what is', () => {
  const names = new StatementNames();
  ask(names, texts('before', MOST_NAMES), 1000);
  const now = texts('now', MOST_NAMES);
  ask(names, now, 1000);
  expect(ask(names, now, 1)).not.toContain('');
});

test('a name is of one text', () => {
  const names = new StatementNames();
  const textOf = new Map<string, string>();
  for (let round = 1; round <= 5; round += 1)
    for (const text of texts(`round ${round}`, 300))
      for (let time = 0; time < 3 ** round; time += 1) {
        const name = names.nameOf(text);
        if (name !== '' && !textOf.has(name)) textOf.set(name, text);
        if (name !== '' && textOf.get(name) !== text)
          throw new Error(`${name} is of ${textOf.get(name)} and ${text}`);
      }
  expect(textOf.size).toBeGreaterThan(2 * MOST_NAMES);
});

test.each([
  ['on the pool', 1],
  ['on the pool and on a pipe', 4],
])('a connection lets go of the plans whose names are lost: %s', async (_, maxConnections) => {
  await using place = await createTestDatabase();
  await using database = openDatabase({ url: place.url, readOnly: true, maxConnections });
  const send = (text: string) =>
    database.statements.texts({ text, values: [], dependsOn: 'nothing', mostRows: 1 });
  let most = 0;
  for (let round = 1; round <= 5; round += 1) {
    for (const [n, text] of texts(`round ${round}`, 150).entries())
      for (let time = 0; time < 2 ** round; time += 1)
        expect(await send(text)).toEqual([[`round ${round} ${n}`]]);
    const counts = await Promise.all(
      Array.from({ length: 8 }, () => send('SELECT count(*) FROM pg_prepared_statements')),
    );
    most = Math.max(most, ...counts.map(([row]) => Number(row?.[0])));
  }
  expect(most).toBeLessThan(MOST_NAMES + 100);
});
