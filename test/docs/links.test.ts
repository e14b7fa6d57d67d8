import { existsSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { expect, test } from 'vitest';
import { anchorOf } from '../../guides/markdown.mjs';
import { type Document, documents } from './documents.ts';

test.each(documents)('every link of $path leads somewhere', (document) => {
  expect(findBroken(document)).toEqual([]);
});

test('every document of docs/ is linked from the README', () => {
  const readme = documents.find(({ path }) => path === 'README.md') as Document;
  const linked = linksOf(readme.text).map(({ file }) => file);
  const paths = documents.map(({ path }) => path).filter((path) => path.startsWith('docs/'));
  expect(paths.length).toBeGreaterThan(5);
  expect(paths.filter((path) => !linked.includes(path))).toEqual([]);
});

test('the README stays one page', () => {
  expect(readFileSync('README.md', 'utf8').split('\n').length).toBeLessThan(110);
});

test('what leads nowhere is found out', () => {
  const text = [
    '# One thing: `a_b` & more',
    '[here](#one-thing-a_b--more) [gone](#two) [file](lists.md) [no file](nothing.md#x)',
    '[part](speed.md#how-fast-it-is) [no part](speed.md#how-slow) [far](https://example.org/x.md)',
    '![picture](screenshots/none.png)',
    '```sh\n# not a heading\n[not a link](nowhere.md)\n```',
    '[comment](#not-a-heading)',
  ].join('\n');
  expect(findBroken({ path: 'docs/made-up.md', text })).toEqual([
    '#two',
    'nothing.md#x',
    'speed.md#how-slow',
    'screenshots/none.png',
    '#not-a-heading',
  ]);
});

function findBroken({ path, text }: Document): readonly string[] {
  return linksOf(text)
    .filter(({ file, anchor }) => {
      const target = file === '' ? path : posix.join(posix.dirname(path), file);
      if (file !== '' && !existsSync(join(target))) return true;
      if (anchor === undefined) return false;
      return !anchorsOf(file === '' ? text : readFileSync(target, 'utf8')).includes(anchor);
    })
    .map(({ link }) => link);
}

/** The links and pictures of a text that stay within the checkout. */
function linksOf(text: string) {
  return [...withoutBlocks(text).matchAll(/\]\(([^)\s]+)\)/g)]
    .map(([, link]) => link as string)
    .filter((link) => !/^\w+:/.test(link))
    .map((link) => {
      const [file = '', anchor] = link.split('#');
      return { link, file, anchor };
    });
}

/** The anchors of a text's headings, as those who show Markdown make them. */
function anchorsOf(text: string): readonly string[] {
  const headings = withoutBlocks(text).matchAll(/^#+ (.*)$/gm);
  const seen = new Map<string, number>();
  return [...headings].map(([, heading = '']) => anchorOf(heading, seen));
}

function withoutBlocks(text: string): string {
  return text.replace(/^```[\s\S]*?^```/gm, '');
}
