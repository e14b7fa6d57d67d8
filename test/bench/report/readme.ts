import { readFileSync, writeFileSync } from 'node:fs';
import { describeOutcome, describeTarget, describeValue } from './describe.ts';
import type { Results } from './results.ts';

const BEGIN = '<!-- bench -->';
const END = '<!-- /bench -->';

/** The block of the README between its marks: the table of a run, and where and when it was. */
export function readmeBlock(
  { date, commit, size, machine, versions, results }: Results,
  file: string,
): string {
  const rows = results
    .filter(({ target }) => target !== null)
    .map((result) => [
      result.what,
      result.figure,
      result.beside,
      describeValue(result),
      describeTarget(result),
      describeOutcome(result),
    ]);
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  const where = `${machine.cores} x ${machine.cpu}, ${machine.memoryGb} GB, load ${machine.load}, Node ${versions['node']}, PostgreSQL ${versions['postgresql']}`;
  return [
    BEGIN,
    '',
    line(['Work', 'Periscope', 'Beside it', 'Gives', 'Must give', 'Reached']),
    '|---|---|---|---|---|---|',
    ...rows.map(line),
    '',
    `\`npm run bench${size === 'quick' ? ' -- --quick' : ''}\` on ${date}, commit ${commit}: ${where}. The whole run is in \`${file}\`.`,
    '',
    END,
  ].join('\n');
}

/** Puts the block into the README in the place of the one that is there. */
export function writeReadme(results: Results, file: string): void {
  const text = readFileSync('README.md', 'utf8');
  writeFileSync('README.md', replaceBlock(text, readmeBlock(results, file)));
}

export function replaceBlock(text: string, block: string): string {
  const [begin, end] = [text.indexOf(BEGIN), text.indexOf(END)];
  if (begin < 0 || end < begin) throw new Error(`README.md has no block between ${BEGIN} and ${END}.`);
  return text.slice(0, begin) + block + text.slice(end + END.length);
}
