import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { Readable } from 'node:stream';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTestDatabase, readerUrlOf } from '../support/database.ts';
import { createFolder, recordedNetwork } from '../support/events.ts';
import { getJson } from '../support/gateway.ts';
import { HANG_MS } from '../support/limits.ts';
import { MOVED_BY, writeAsNextRelease } from '../support/next-release.ts';
import { readListening, runProgram, startProgram } from '../support/program.ts';

describe.skipIf(recordedNetwork === null)('a gateway that is upgraded', () => {
  let upgraded: string;

  beforeAll(() => {
    upgraded = buildUpgraded();
  });

  afterAll(() => rmSync(upgraded, { recursive: true, force: true }));

  test('serves by name what a version that had no name took in, without a new ingest', async () => {
    await using folder = await createFolder();
    await using database = await createTestDatabase();
    const path = await folder.write(writeAsNextRelease(gunzipSync(readFileSync(recordedNetwork ?? ''))));
    const { code, stderr } = await runProgram(['ingest', 'file', path], { DATABASE_URL: database.url });
    expect(stderr).toContain('served as ACCOUNT_TYPE_1004');
    expect(code).toBe(0);

    const settings = { DATABASE_URL: readerUrlOf(database.url), PORT: '0', LOG_LEVEL: 'info' };
    await using gateway = startProgram(['serve'], settings, HANG_MS, join(upgraded, 'dist/cli.js'));
    const url = (await readListening(gateway.process.stdout as Readable)) ?? '';
    const types = await typesOf(url, '');
    expect(types).toContain('ACCOUNT_TYPE_NEWER_4');
    expect([...types].filter((type) => !type.startsWith('ACCOUNT_TYPE_NEWER_'))).toEqual([]);
    // Who asks by the number goes on to be answered.
    for (const name of ['ACCOUNT_TYPE_NEWER_4', 'ACCOUNT_TYPE_1004', '1004'])
      expect(await typesOf(url, `&filter.accountTypes=${name}`)).toEqual(new Set(['ACCOUNT_TYPE_NEWER_4']));
    const query = encodeURIComponent('{ markets { edges { node { state } } } }');
    const { body } = await getJson(`${url}/graphql?query=${query}`);
    expect(body.data.markets.edges).toHaveLength(3);
    for (const { node } of body.data.markets.edges) expect(node.state).toMatch(/^STATE_NEWER_\d+$/);
  });
});

/** The compiled program with one line more for each number of an enumeration that is new: what a later version changes. */
function buildUpgraded(): string {
  const folder = mkdtempSync(join(tmpdir(), 'periscope-upgraded-'));
  for (const part of ['dist', 'prisma', 'package.json', 'schema.graphql', 'prisma.config.ts'])
    cpSync(resolve(part), join(folder, part), { recursive: true });
  symlinkSync(resolve('node_modules'), join(folder, 'node_modules'));
  const path = join(folder, 'dist/domain/enumerations.js');
  const lines = readFileSync(path, 'utf8').replace(
    /^( *)[A-Z_0-9]+: \[(\d+), .*$/gm,
    (line, indent, number) =>
      `${line}\n${indent}${prefixOf(line)}NEWER_${number}: [${Number(number) + MOVED_BY}, '0.80', 'New.'],`,
  );
  expect(lines).toContain('ACCOUNT_TYPE_NEWER_4: [1004');
  writeFileSync(path, lines);
  return folder;
}

const PREFIXES = [
  'ACCOUNT_TYPE_',
  'AUCTION_TRIGGER_',
  'TRADING_MODE_',
  'PROPOSAL_ERROR_',
  'STATE_',
  'STATUS_',
  'VALUE_',
];

function prefixOf(line: string): string {
  return PREFIXES.find((prefix) => line.trim().startsWith(prefix)) ?? 'OTHER_';
}

async function typesOf(url: string, more: string): Promise<ReadonlySet<string>> {
  const { body } = await getJson(`${url}/api/v2/accounts?pagination.first=5000${more}`);
  return new Set(body.accounts.edges.map(({ node }: { node: { type: string } }) => node.type));
}
