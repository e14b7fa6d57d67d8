import { readdirSync, readFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const FOLDER = join('dist', 'bundle');
const files = readdirSync(FOLDER);
const textOf = (file: string) => readFileSync(join(FOLDER, file), 'utf8');

const OPENED = [
  'openPlace',
  'startGateway',
  'startCluster',
  'runWorker',
  'runIngest',
  'startSocketIngest',
  'startLogIngest',
  'runRelay',
];

/** What a file imports at its beginning. */
function importsOf(file: string): readonly string[] {
  const imports = textOf(file).matchAll(/^(?:import|export) (?:[^'"]* from )?["']([^'"]+)["'];$/gm);
  return [...imports].map(([, from]) => from as string);
}

test('the program brings its packages along, in a few files that Node need not search for', () => {
  expect(files.length).toBeLessThan(130);
  const imported = files.flatMap(importsOf);
  expect(imported).toContain('node:http');
  expect(imported.filter((from) => !from.startsWith('./') && !isBuiltin(from))).toEqual([]);
});

test('graphql is in it once, whoever asks for it', () => {
  const classes = files.flatMap((file) => textOf(file).match(/class GraphQLError extends Error\b/g) ?? []);
  expect(classes).toHaveLength(1);
});

test('a command begins without what serves and what takes in', () => {
  const loaded = new Set(['cli.js']);
  for (const file of loaded)
    for (const from of importsOf(file)) if (from.startsWith('./')) loaded.add(from.slice(2));
  const defines = (name: string) => [...loaded].some((file) => textOf(file).includes(`function ${name}(`));
  const all = (name: string) => files.some((file) => textOf(file).includes(`function ${name}(`));
  expect(OPENED.filter(all)).toHaveLength(OPENED.length);
  expect(OPENED.filter(defines)).toEqual(['openPlace']);
});

test('what serves alone knows nothing of workers', () => {
  const loaded = new Set(['server.js']);
  for (const file of loaded)
    for (const from of importsOf(file)) if (from.startsWith('./')) loaded.add(from.slice(2));
  expect([...loaded].flatMap(importsOf)).not.toContain('node:cluster');
});

test.each(['scripts/program.mjs', 'page/build.mjs'])(
  '%s fails for what it warns of, but not for a machine that is slow',
  (script) => {
    const text = readFileSync(script, 'utf8');
    expect(text).toContain("if (level === 'warn') throw");
    expect(text).toContain('checks: { bundlerTimings: false }');
  },
);
