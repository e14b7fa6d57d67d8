import { existsSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import packageJson from '../package.json' with { type: 'json' };
import { documents } from './docs/documents.ts';

const TEXT = readFileSync('CONTRIBUTING.md', 'utf8');
/** What a path may leave open, and what there is. */
const EXAMPLES = { '<noun>': 'deposits', '<time>_<name>': '20261120000000_initial' };

test('every path that CONTRIBUTING.md names is there', () => {
  const paths = findPaths(TEXT);
  expect(paths.length).toBeGreaterThan(20);
  expect(paths.filter((path) => !existsSync(path))).toEqual([]);
});

test('every script that CONTRIBUTING.md names is in package.json', () => {
  const scripts = findScripts(TEXT);
  expect(scripts).toContain('check');
  expect(scripts.filter((script) => !(script in packageJson.scripts))).toEqual([]);
});

test('the test that CONTRIBUTING.md runs by its name is there', () => {
  const examples = [...TEXT.matchAll(/(test\/\S+) -t '([^']+)'/g)];
  expect(examples.length).toBeGreaterThan(0);
  for (const [, file, name] of examples) {
    expect(readFileSync(file as string, 'utf8')).toMatch(new RegExp(`test\\('[^']*${name}`));
  }
});

test.each(documents)('every script and path that $path names is there', ({ text }) => {
  expect(findScripts(text).filter((script) => !(script in packageJson.scripts))).toEqual([]);
  expect(findPaths(text).filter((path) => !existsSync(path))).toEqual([]);
});

test('what is not there is found out', () => {
  const text =
    'See `src/nowhere.ts`, `src/rest/<noun>.ts` and LOST.md; then `npm run nothing -- --now`, npm test.';
  expect(findPaths(text)).toEqual(['src/nowhere.ts', 'src/rest/deposits.ts', 'LOST.md']);
  expect(findScripts(text)).toEqual(['nothing', 'test']);
});

/** Paths in the checkout: those within its folders, and files at its top. */
function findPaths(text: string): readonly string[] {
  const filled = Object.entries(EXAMPLES).reduce((so, [open, one]) => so.replaceAll(open, one), text);
  const within =
    /(?<![\w./@-])(?:src|page|test|trials|docs|deploy|prisma|scripts|\.ci)\/[\w./-]*|(?<![\w./-])[A-Z]+\.md\b|`(?:\.nvmrc|schema\.graphql)`/g;
  return [...new Set(filled.match(within))].map((path) => path.replaceAll('`', '').replace(/\.$/, ''));
}

function findScripts(text: string): readonly string[] {
  const named = [...text.matchAll(/\bnpm (?:run (?:--silent )?([\w-]+)|(test|start))\b/g)];
  return [...new Set(named.map(([, run, own]) => (run ?? own) as string))];
}
