import { readdirSync, readFileSync } from 'node:fs';
import ts from 'typescript';
import { describe, expect, test } from 'vitest';

const MOST_LINES_OF_FILE = 300;
const MOST_LINES_OF_FUNCTION = 70;

/** Longer, and known to be: to be taken out of here when they are mended. */
const STILL_LONGER: readonly string[] = [];

test('no function and no file of src and page is too long to be read at once', () => {
  const places = ['src', 'page'].flatMap(readSources).flatMap(({ path, text }) => findTooLong(path, text));
  expect(places.map(({ place, lines }) => `${place}: ${lines} lines`).filter(isNew)).toEqual([]);
  const longer = places.map(({ place }) => place);
  expect(STILL_LONGER.filter((place) => !longer.includes(place))).toEqual([]);
});

describe('what is too long is found out', () => {
  const lines = (count: number) => '  act();\n'.repeat(count);

  test.each([
    ['a function', `function run() {\n${lines(69)}}\n`, 'src/a.ts run'],
    ['an arrow function', `const run = async () => {\n${lines(69)}};\n`, 'src/a.ts run'],
    ['a method', `class Runner {\n  run() {\n${lines(69)}  }\n}\n`, 'src/a.ts run'],
    ['a function without a name', `run(() => {\n${lines(69)}});\n`, 'src/a.ts a function in line 1'],
  ])('%s of 71 lines', (_, text, place) => {
    expect(findTooLong('src/a.ts', text)).toEqual([{ place, lines: 71 }]);
    expect(findTooLong('src/a.ts', text.replace('  act();\n', ''))).toEqual([]);
  });

  test('a file of 301 lines', () => {
    expect(findTooLong('src/a.ts', lines(301))).toEqual([{ place: 'src/a.ts', lines: 301 }]);
    expect(findTooLong('src/a.ts', lines(300))).toEqual([]);
  });
});

interface Place {
  readonly place: string;
  readonly lines: number;
}

function isNew(line: string): boolean {
  return !STILL_LONGER.some((place) => line.startsWith(`${place}: `));
}

function findTooLong(path: string, text: string): readonly Place[] {
  const file = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
  const lineOf = (position: number) => file.getLineAndCharacterOfPosition(position).line;
  const found: Place[] = [];
  const ofFile = text.replace(/\n$/, '').split('\n').length;
  if (ofFile > MOST_LINES_OF_FILE) found.push({ place: path, lines: ofFile });
  const visit = (node: ts.Node): void => {
    if (ts.isFunctionLike(node) && 'body' in node) {
      const first = lineOf(node.getStart());
      const lines = lineOf(node.getEnd()) - first + 1;
      const name = nameOf(node) ?? `a function in line ${first + 1}`;
      if (lines > MOST_LINES_OF_FUNCTION) found.push({ place: `${path} ${name}`, lines });
    }
    ts.forEachChild(node, visit);
  };
  visit(file);
  return found;
}

/** Its own name, or that of what it is assigned to. */
function nameOf(node: ts.SignatureDeclaration): string | undefined {
  const { parent } = node;
  const isAssigned = ts.isVariableDeclaration(parent) || ts.isPropertyAssignment(parent);
  return (node.name ?? (isAssigned ? parent.name : undefined))?.getText();
}

function readSources(folder: string) {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => `${folder}/${name.replaceAll('\\', '/')}`)
    .filter((path) => /\.tsx?$/.test(path) && !/\/(generated|test)\/|\.d\.ts$/.test(path))
    .map((path) => ({ path, text: readFileSync(path, 'utf8') }));
}
