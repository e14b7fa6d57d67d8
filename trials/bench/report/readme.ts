import { readFileSync, writeFileSync } from 'node:fs';
import type { Result } from '../bench.ts';
import { describeOutcome, describeTarget, describeValue } from './describe.ts';
import type { Results } from './results.ts';

/** Where a run is told: all of it, and the few figures of the README. */
export const SPEED = 'docs/speed.md';
export const README = 'README.md';

const BEGIN = '<!-- bench -->';
const END = '<!-- /bench -->';

/** The results that the README shows, in its order. */
const HEADLINES = [
  'repeat-rest',
  'cold-row/rest/limit',
  'linked-100/postgraphile',
  'subscribers-one-party',
  'stream-latency/p50',
  'ingest',
  'memory/idle',
];

/** The block between the marks of docs/speed.md: the table of a run, and where and when it was. */
export function speedBlock(run: Results, file: string): string {
  const rows = run.results
    .filter(({ target }) => target !== null)
    .map((result) => [
      result.what,
      result.figure,
      result.beside,
      describeValue(result),
      describeTarget(result),
      describeOutcome(result),
    ]);
  const head = ['Work', 'Periscope', 'Beside it', 'Gives', 'Must give', 'Reached'];
  return block(head, rows, `${describeRun(run)} The whole run is in \`${file}\`.`);
}

/** The block of the README: the headlines of the same run. */
export function readmeBlock(run: Results): string {
  const headlines = HEADLINES.flatMap((id) => run.results.find((result) => result.id === id) ?? []);
  const rows = headlines.map((result: Result) => [result.what, result.figure, result.beside]);
  return block(['Work', 'Periscope', 'Beside it'], rows, describeRun(run));
}

/** Puts each block in the place of the one that is there. */
export function writeReadme(run: Results, file: string): void {
  replaceBlockIn(SPEED, speedBlock(run, file));
  replaceBlockIn(README, readmeBlock(run));
}

export function replaceBlock(text: string, block: string): string {
  const [begin, end] = [text.indexOf(BEGIN), text.indexOf(END)];
  if (begin < 0 || end < begin) throw new Error(`There is no block between ${BEGIN} and ${END}.`);
  return text.slice(0, begin) + block + text.slice(end + END.length);
}

function replaceBlockIn(path: string, block: string): void {
  writeFileSync(path, replaceBlock(readFileSync(path, 'utf8'), block));
}

function block(head: readonly string[], rows: readonly (readonly string[])[], where: string): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  return [
    BEGIN,
    '',
    line(head),
    `|${'---|'.repeat(head.length)}`,
    ...rows.map(line),
    '',
    where,
    '',
    END,
  ].join('\n');
}

function describeRun({ date, commit, size, machine, versions, results, again = [] }: Results): string {
  const command = `npm run bench${size === 'quick' ? ' -- --quick' : ''}`;
  const run = `\`${command}\` on ${date}, commit ${commit}: ${machine.cores} x ${machine.cpu}, ${machine.memoryGb} GB, load ${machine.load}, Node ${versions['node']}, PostgreSQL ${versions['postgresql']}.`;
  const later = again.map(
    ({ ids, date, commit }) =>
      ` Measured again on ${date}, commit ${commit}: ${shortNames(ids, results).join(', ')}.`,
  );
  return run + later.join('');
}

/** Names results by their case alone where all of that are named. */
function shortNames(ids: readonly string[], results: readonly Result[]): readonly string[] {
  const caseOf = (id: string) => id.replace(/\/.*/, '');
  const isWhole = (name: string) => results.every(({ id }) => caseOf(id) !== name || ids.includes(id));
  return [...new Set(ids.map((id) => (isWhole(caseOf(id)) ? caseOf(id) : id)))];
}
