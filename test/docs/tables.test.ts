import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { buildSchema, isInputObjectType } from 'graphql';
import { expect, test } from 'vitest';
import { MAX_DIGITS } from '../../src/domain/decimals.ts';
import { MAX_ID_LENGTH } from '../../src/domain/ids.ts';
import { MAX_PAGE_SIZE } from '../../src/domain/page-sizes.ts';
import { OPERATION_LIMITS } from '../../src/graphql/costs.ts';
import { describeRest } from '../../src/reference/openapi.ts';
import { documents } from './documents.ts';

test('the tables of settings, paths and quantities are those of the program', () => {
  expect(checkDocs('.')).toMatchObject({ status: 0, stderr: '' });
});

test.each([
  ['docs/running.md', '| `PORT` |'],
  ['docs/asking.md', '| `/votes` |'],
  ['docs/quantities.md', '| `bestBidPrice` |'],
])('a table of %s that is stale is found out, and written anew', (file, cell) => {
  const folder = mkdtempSync(join(tmpdir(), 'periscope-docs-'));
  try {
    cpSync('docs', join(folder, 'docs'), { recursive: true });
    const text = readFileSync(file, 'utf8');
    expect(text).toContain(cell);
    writeFileSync(join(folder, file), text.replace(cell, '| `OLD` |'));
    expect(checkDocs(folder)).toMatchObject({
      status: 1,
      stderr: `${file} is stale: run npm run docs, and commit what it writes\n`,
    });
    expect(writeDocs(folder)).toMatchObject({ status: 0, stderr: '' });
    expect(readFileSync(join(folder, file), 'utf8')).toBe(text);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

test('docs/lists.md says of every list how it is ordered, and docs/streams.md names every subscription', () => {
  const schema = buildSchema(readFileSync('schema.graphql', 'utf8'));
  const lists = Object.keys(schema.getTypeMap())
    .flatMap((name) => /^(\w+)Connection$/.exec(name)?.[1] ?? [])
    .filter((name) => name !== 'Changes');
  const plural = (name: string) => (name.endsWith('data') ? name : `${name}s`.replace(/ys$/, 'ies'));
  const nouns = lists.map((name) => plural(name.replace(/(?<=[a-z])(?=[A-Z])/g, ' ').toLowerCase()));
  const table = readFileSync('docs/lists.md', 'utf8').matchAll(/^\| ([a-z, ]+) \|/gm);
  expect([...table].flatMap(([, cell = '']) => cell.split(', ')).sort()).toEqual(nouns.sort());

  const text = readFileSync('docs/streams.md', 'utf8');
  const [, sentence = ''] = /^The subscriptions are (.+?), over/m.exec(text) ?? [];
  const named = [...sentence.matchAll(/`(\w+)`/g)].map(([, name]) => name);
  expect(named.sort()).toEqual(Object.keys(schema.getSubscriptionType()?.getFields() ?? {}).sort());
});

test('the bounds of numbers, ids and documents are those of the program', () => {
  const told = (pattern: RegExp) =>
    new Set(
      documents
        .filter(({ path }) => ['docs/asking.md', 'docs/feeding.md'].includes(path))
        .flatMap(({ text }) => [...text.matchAll(pattern)].map(([, number]) => Number(number))),
    );
  expect(told(/at most (\d+) digits/g)).toEqual(new Set([MAX_DIGITS]));
  expect(told(/(\d+) characters/g)).toEqual(new Set([OPERATION_LIMITS.length, MAX_ID_LENGTH]));
});

test('docs/lists.md names each path of REST whose pages are smaller than others, and how large they can be', () => {
  const paths = Object.entries(describeRest().paths as Readonly<Record<string, Described>>);
  const smaller = paths.flatMap(([path, { get }]) => {
    const first = get.parameters.find(({ name }) => name === 'pagination.first');
    const largest = first?.schema?.maximum ?? MAX_PAGE_SIZE;
    return largest < MAX_PAGE_SIZE ? [`${largest} ${path}`] : [];
  });
  const text = readFileSync('docs/lists.md', 'utf8');
  const [, sentence = ''] = /Some REST pages are smaller,(.+?)unless said\./s.exec(text) ?? [];
  const told = [...sentence.matchAll(/(\d+)(?: rows)? of\s+`([^`]+)`/g)];
  expect(told.map(([, largest, path]) => `${largest} ${path}`).sort()).toEqual(smaller.sort());
});

test('docs/lists.md names every part of every filter of a list', () => {
  const schema = buildSchema(readFileSync('schema.graphql', 'utf8'));
  const filters = Object.values(schema.getQueryType()?.getFields() ?? {}).flatMap(({ name, type, args }) => {
    const filter = args.find((arg) => arg.name === 'filter')?.type;
    const isWalked = name !== 'changes' && name !== 'balanceChanges' && `${type}`.endsWith('Connection!');
    return isWalked && isInputObjectType(filter)
      ? [[name, Object.keys(filter.getFields()).sort()] as const]
      : [];
  });
  const [, table = ''] = readFileSync('docs/lists.md', 'utf8').split('| Field | Parts of its `filter` |');
  const told = [...table.matchAll(/^\| `(\w+)` \| (.+) \|$/gm)].map(
    ([, name = '', parts = '']) => [name, [...parts.matchAll(/\w+/g)].map(([part]) => part).sort()] as const,
  );
  expect(Object.fromEntries(told)).toEqual(Object.fromEntries(filters));
  expect(filters.length).toBeGreaterThan(5);
});

/** What matters here of a path of REST. */
interface Described {
  readonly get: {
    readonly parameters: readonly {
      readonly name?: string;
      readonly schema?: { readonly maximum?: number };
    }[];
  };
}

function checkDocs(cwd: string) {
  return writeDocs(cwd, '--check');
}

function writeDocs(cwd: string, ...args: readonly string[]) {
  return spawnSync(process.execPath, [resolve('scripts/write-docs.mjs'), ...args], { cwd, encoding: 'utf8' });
}
