import { readdirSync, readFileSync } from 'node:fs';
import ts from 'typescript';
import { describe, expect, test } from 'vitest';
import { columnOf } from '../src/data/columns.ts';
import { nouns } from '../src/data/nouns/index.ts';

/** The layers above the feed do not even name the Prisma client, but where the schema's plugin is given it. */
const NEVER_NAME_CLIENT = /^src\/(graphql|operations|rest|streaming|http)\//;
const HAND_CLIENT_TO_PLUGIN = ['src/graphql/builder.ts', 'src/graphql/context.ts'];

/** Columns whose names no prose has: those of one word are words like any other. */
const COLUMNS = new RegExp(
  `\\b(${Object.values(nouns)
    .flatMap(({ table }) => table.fields.map(columnOf))
    .filter((column) => column.includes('_'))
    .join('|')})\\b`,
  'g',
);

test('no file outside data asks Prisma or names a column', () => {
  const faults = readdirSync('src', { recursive: true, encoding: 'utf8' })
    .map((name) => `src/${name.replaceAll('\\', '/')}`)
    .filter((path) => /\.ts$/.test(path) && !path.startsWith('src/data/') && !path.endsWith('.d.ts'))
    .flatMap((path) => findFaults(path, readFileSync(path, 'utf8')));
  expect(faults).toEqual([]);
});

describe('a file that does is found out', () => {
  test.each([
    ['src/feed/a.ts', 'const rows = await prisma.vote.findMany();', 'asks Prisma: prisma.vote'],
    [
      'src/feed/a.ts',
      'this.#options.prisma?.$queryRaw`SELECT 1`;',
      'asks Prisma: this.#options.prisma?.$queryRaw',
    ],
    ['src/rest/a.ts', "context['prisma']['vote'];", "asks Prisma: context['prisma']['vote']"],
    ['src/ingest/a.ts', 'const { vote } = database.prisma;', 'asks Prisma: { vote } = database.prisma'],
    ['src/graphql/votes.ts', 'readPage(context.prisma, votes);', 'names the client'],
    ['src/operations/a.ts', 'const run = ({ prisma }: Services) => prisma;', 'names the client'],
    ['src/graphql/a.ts', "sql('SELECT party_id FROM votes');", 'names a column: party_id'],
    [
      'src/feed/a.ts',
      `sql(\`SELECT \${x} FROM t WHERE t.created_position > 1\`);`,
      'names a column: created_position',
    ],
  ])('%s: %s', (path, text, fault) => {
    expect(findFaults(path, text)).toEqual([`${path} ${fault}`]);
  });

  test('and one that only hands the client to data, or says a column in a comment, is not', () => {
    const text = `
      // As party_id is kept.
      const database = await openDatabase();
      return readState(source.prisma, 'proposalId, party_idle', { prisma: database.prisma });`;
    expect(findFaults('src/feed/a.ts', text)).toEqual([]);
  });
});

function findFaults(path: string, text: string): readonly string[] {
  const file = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
  const faults: string[] = [];
  let namesClient = false;
  const visit = (node: ts.Node): void => {
    if (asksClient(node)) faults.push(`asks Prisma: ${node.getText()}`);
    else if (ts.isIdentifier(node) && node.text === 'prisma') namesClient = true;
    if (ts.isStringLiteralLike(node) || ts.isTemplateLiteralToken(node))
      for (const [column] of node.text.matchAll(COLUMNS)) faults.push(`names a column: ${column}`);
    ts.forEachChild(node, visit);
  };
  visit(file);
  if (
    namesClient &&
    NEVER_NAME_CLIENT.test(path) &&
    !HAND_CLIENT_TO_PLUGIN.includes(path) &&
    faults.length === 0
  )
    faults.push('names the client');
  return [...new Set(faults)].map((fault) => `${path} ${fault}`);
}

/** Whether something is taken from the client: a model, a method, or either by its name in brackets or braces. */
function asksClient(node: ts.Node): boolean {
  if (ts.isPropertyAccessExpression(node) || ts.isElementAccessExpression(node))
    return isClient(node.expression);
  return (
    ts.isVariableDeclaration(node) &&
    ts.isObjectBindingPattern(node.name) &&
    node.initializer !== undefined &&
    isClient(node.initializer)
  );
}

function isClient(node: ts.Expression): boolean {
  if (ts.isIdentifier(node)) return node.text === 'prisma';
  if (ts.isPropertyAccessExpression(node)) return node.name.text === 'prisma';
  return (
    ts.isElementAccessExpression(node) &&
    ts.isStringLiteralLike(node.argumentExpression) &&
    node.argumentExpression.text === 'prisma'
  );
}
