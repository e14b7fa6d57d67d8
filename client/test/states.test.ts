import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { type Entry, TABLE } from '../src/states.ts';

const document = readFileSync(new URL('../STATES.md', import.meta.url), 'utf8');

/** The rows of the table under a heading, without its head. */
function tableUnder(heading: string): string[][] {
  const [, text = ''] = document.split(`## ${heading}\n`);
  const [own = ''] = text.split('\n## ');
  const lines = own.split('\n').filter((line) => line.startsWith('|'));
  return lines.map((line) =>
    line
      .slice(2, -2)
      .split(' | ')
      .map((cell) => cell.trim()),
  );
}

const write = (entry: Entry) =>
  typeof entry === 'string' ? entry : `**${entry.to}**: ${entry.do.join(', ') || 'nothing'}`;

test('STATES.md shows the table that the follower goes by', () => {
  const states = Object.keys(TABLE) as (keyof typeof TABLE)[];
  const events = Object.keys(TABLE.idle).sort() as (keyof typeof TABLE.idle)[];
  const [head, , ...rows] = tableUnder('The table');
  const written = [
    ['', ...states.map((state) => `\`${state}\``)],
    ...events.map((event) => [`\`${event}\``, ...states.map((state) => write(TABLE[state][event]))]),
  ];
  expect([head, ...rows]).toEqual(written);
});

test('STATES.md says what every state and every event is', () => {
  const named = (heading: string) =>
    tableUnder(heading)
      .slice(2)
      .flatMap(([first = '']) => [...first.matchAll(/`(\w+)`/g)].map(([, name]) => name));
  expect(named('States')).toEqual(Object.keys(TABLE));
  expect(named('Events').sort()).toEqual(Object.keys(TABLE.idle).sort());
});
