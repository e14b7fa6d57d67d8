import { once } from 'node:events';
import { chmod, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { describe, expect, test } from 'vitest';
import { forAllTests } from '../support/for-all-tests.ts';
import { startTestGateway } from '../support/gateway.ts';
import { createFolder, exportToFolder, readManifestOf, serveFolder } from '../support/part-folders.ts';
import { readListening, runProgram, startProgram } from '../support/program.ts';
import { createSimulatedDatabase } from '../support/simulated.ts';
import { ask, WRITES_BLOCKS } from '../support/state.ts';

const BLOCKS = 60;
const NETWORK = { seed: 12, blocks: BLOCKS, parties: 20, markets: 2 };
const DIGEST = /^[0-9a-f]{64}$/;

const first = await forAllTests(createSimulatedDatabase(NETWORK));
const second = await forAllTests(createSimulatedDatabase(NETWORK));
const gateway = await forAllTests(startTestGateway(second.url));

describe('periscope digest', () => {
  test('prints what GraphQL, REST, SQL, status and metrics say, of any block', async () => {
    const printed = await readDigest(['--at', '33']);
    const { asOf, block } = await askGraphql(`{
      asOf(height: 33) { digest { digest nouns { noun rows digest } } }
      block(height: 33) { digest }
    }`);
    expect(printed).toEqual({
      height: '33',
      block: block.digest,
      state: asOf.digest.digest,
      nouns: asOf.digest.nouns,
    });
    expect(printed['block']).toMatch(DIGEST);

    const newest = await readDigest([]);
    expect(newest['height']).toBe(`${BLOCKS}`);
    const headers = await readHeaders('block-digest');
    expect([headers.get('x-block-height'), headers.get('x-block-digest')]).toEqual([
      `${BLOCKS}`,
      newest['block'],
    ]);
    expect((await readHeaders('handling=strict')).has('x-block-digest')).toBe(false);
    const view = `SELECT digest FROM api_v1_blocks WHERE height = ${BLOCKS}`;
    expect(await ask(first.url, view)).toEqual([{ digest: newest['block'] }]);
    const status = JSON.parse((await run(['status', '--json'])).stdout) as { block: { digest: string } };
    expect(status.block.digest).toBe(newest['block']);
    const metrics = await (await fetch(`${gateway.url}/metrics`)).text();
    expect(metrics).toContain(`periscope_block_digest_info{digest="${newest['block']}"} ${BLOCKS}`);
  });

  test('prints each kind beside its digest', async () => {
    const { stdout } = await run(['digest']);
    const lines = stdout.trimEnd().split('\n').slice(1);
    for (const line of lines) expect(line).toMatch(/^ *\w+ {2,}[0-9a-f]{64}( {2}\d+ rows)?$/);
    expect(new Set(lines.map((line) => line.search(/[0-9a-f]{64}/))).size).toBe(1);
  });

  test.each([
    [['--at', '1000'], 1, 'has no block at height 1000'],
    [['--at', '-1'], 2, 'It takes the height of a block'],
  ])('refuses %j', async (args, code, said) => {
    const { stderr, ...ended } = await run(['digest', ...args]);
    expect([ended.code, ended.stdout]).toEqual([code, '']);
    expect(stderr).toContain(said);
  });
});

describe('periscope verify', () => {
  test('says of two that are the same that they are: gateways and databases, in any mix', async () => {
    for (const args of [[second.url], [gateway.url], [gateway.url, second.url], [gateway.url, gateway.url]]) {
      const { code, stdout } = await run(['verify', ...args]);
      expect([code, stdout]).toEqual([0, expect.stringContaining(`At block ${BLOCKS}, `)]);
      expect(stdout).toContain('All blocks up to there are equal.');
      expect(stdout).toMatch(/^The states are equal: [0-9a-f]{64}$/m);
    }
    expect(await run(['verify'])).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('All is what it was'),
    });
  });

  test('names the first block that is not there any more, in a database and in a folder of its parts', async () => {
    await using lacking = await createSimulatedDatabase(NETWORK);
    await ask(lacking.url, `${WRITES_BLOCKS}; DELETE FROM blocks WHERE height BETWEEN 21 AND 30`);
    const { code, stdout } = await run(['verify', lacking.url]);
    expect([code, stdout]).toEqual([5, expect.stringContaining('are not the same.')]);
    expect(stdout).toMatch(/^the database at \S+ has no block 21: it has some before and behind\.$/m);
    expect(stdout).not.toContain('All blocks up to there are equal.');
    const { lacking: told } = JSON.parse((await run(['verify', '--json', lacking.url])).stdout);
    expect(told).toEqual([{ height: '21' }, { height: null }]);
    await using parts = await exportToFolder(lacking.url);
    const refused = await run(['verify', parts.path]);
    expect([refused.code, refused.stderr]).toEqual([
      1,
      expect.stringContaining('the part of blocks 1 to 50 has 40 of its 50 blocks'),
    ]);
    expect((await run(['verify', gateway.url])).stdout).toContain(
      `Of ${gateway.url} that is by its digest: whether it still has each of them, it was not asked.`,
    );
  });

  test('names the row of a balance that was spoiled, beside another database and alone', async () => {
    await using spoiled = await createSimulatedDatabase(NETWORK);
    const [row] = await ask<{ created_position: string }>(
      spoiled.url,
      `UPDATE accounts SET balance = balance || '0'
       WHERE created_position = (SELECT min(created_position) FROM accounts) RETURNING created_position`,
    );
    const position = row?.created_position;
    const beside = await run(['verify', spoiled.url]);
    expect([beside.code, beside.stdout]).toEqual([
      5,
      expect.stringContaining('The states differ in: accounts'),
    ]);
    expect(beside.stdout).toContain('All blocks up to there are equal.');
    expect(beside.stdout.match(new RegExp(`^  \\["accounts","${position}",`, 'gm'))).toHaveLength(2);

    const alone = await run(['verify'], spoiled.url);
    expect([alone.code, alone.stdout]).toEqual([
      5,
      expect.stringContaining(
        `the row of accounts that was created at position ${position} is not what its history says`,
      ),
    ]);
  });

  test('takes parts, of a folder and of an address, as one of the two: as they are, and with a row that others lack', async () => {
    await using parts = await exportToFolder(first.url);
    await using server = await serveFolder(parts.path);
    // The embedded PostgreSQL may run as another user.
    await using temporary = await createFolder();
    await chmod(temporary.path, 0o755);
    const verify = (...args: readonly string[]) =>
      runProgram(['verify', ...args], { DATABASE_URL: first.url, TMPDIR: temporary.path });
    const same = await verify(parts.path, server.url);
    expect([same.code, same.stdout]).toEqual([
      0,
      expect.stringContaining('All blocks up to there are equal.'),
    ]);
    expect(same.stdout).toContain(`At block ${BLOCKS}, ${parts.path} and ${server.url} are the same.`);

    await using spoiled = await createSimulatedDatabase(NETWORK);
    const [row] = await ask<{ created_position: string }>(
      spoiled.url,
      "UPDATE deposits SET amount = amount || '0' WHERE created_position = (SELECT max(created_position) FROM deposits) RETURNING created_position",
    );
    const differs = await verify(parts.path, spoiled.url);
    expect([differs.code, differs.stdout]).toEqual([
      5,
      expect.stringContaining('The states differ in: deposits'),
    ]);
    const line = new RegExp(`^  \\["deposits",.*"${row?.created_position}"`, 'gm');
    expect(differs.stdout.match(line)).toHaveLength(2);

    expect(await readdir(temporary.path)).toEqual([]);
  });

  test('names the file of parts whose bytes were changed', async () => {
    await using parts = await exportToFolder(first.url);
    const file = (await readManifestOf(parts)).parts[0]?.files[0]?.name ?? '';
    const path = join(parts.path, file);
    const bytes = await readFile(path);
    bytes.writeUInt8(bytes.readUInt8(9) ^ 1, 9);
    await writeFile(path, bytes);
    const { code, stderr, stdout } = await run(['verify', parts.path]);
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toContain(`${path} is not what the manifest names`);
  });

  test.each([
    [['ftp://nowhere'], 2, 'is neither the address of a gateway'],
    [[''], 2, 'is neither the address of a gateway'],
    [['http://user:secret@127.0.0.1:1/parts'], 2, 'takes no user and no password (127.0.0.1:1)'],
    [['b.sql.gz'], 2, 'To compare a backup, restore it into a database of its own'],
    [['http://127.0.0.1:1'], 1, 'http://127.0.0.1:1 cannot be compared'],
  ])('refuses %j', async (args, code, said) => {
    const ended = await run(['verify', ...args]);
    expect([ended.code, ended.stdout]).toEqual([code, '']);
    expect(ended.stderr).toContain(said);
  });
});

test('a gateway reads its database again in the background, and says what was spoiled', async () => {
  await using spoiled = await createSimulatedDatabase(NETWORK);
  await ask(
    spoiled.url,
    "UPDATE balance_changes SET balance = '1' WHERE position = (SELECT min(position) FROM balance_changes)",
  );
  await using program = startProgram(['serve'], {
    ...{ DATABASE_URL: spoiled.url, PORT: '0', SCRUB_ROWS_PER_SECOND: '100000' },
  });
  const url = await readListening(program.process.stdout as Readable);
  let log = '';
  program.process.stdout?.on('data', (chunk) => {
    log += chunk;
  });
  await expect
    .poll(async () => (await fetch(`${url}/metrics`)).text())
    .toMatch(/^periscope_scrub_finished_timestamp_seconds\{server=".+"\} \d/m);
  const metrics = await (await fetch(`${url}/metrics`)).text();
  expect(metrics).toMatch(/^periscope_scrub_spoiled\{server=".+"\} 1$/m);
  expect(metrics).toMatch(new RegExp(`^periscope_scrub_block_height\\{server=".+"\\} ${BLOCKS}$`, 'm'));
  // Rounds that are broken off have found nothing yet, and what was found before is as spoiled as it was.
  await ask(spoiled.url, 'ALTER TABLE balance_changes RENAME TO elsewhere');
  await expect.poll(() => log.match(/could not be read again/g)?.length).toBeGreaterThan(1);
  await ask(spoiled.url, 'ALTER TABLE elsewhere RENAME TO balance_changes');
  expect(await (await fetch(`${url}/metrics`)).text()).toMatch(/^periscope_scrub_spoiled\{server=".+"\} 1$/m);
  program.process.kill('SIGTERM');
  const [code] = await once(program.process, 'exit');
  expect(code).toBe(0);
});

function run(args: readonly string[], url = first.url) {
  return runProgram(args, { DATABASE_URL: url, PORT: new URL(gateway.url).port });
}

async function readDigest(args: readonly string[]) {
  const { code, stdout } = await run(['digest', '--json', ...args]);
  expect(code).toBe(0);
  return JSON.parse(stdout) as Readonly<Record<string, unknown>>;
}

async function readHeaders(prefer: string): Promise<Headers> {
  const { headers } = await fetch(`${gateway.url}/votes`, { headers: { Prefer: prefer } });
  return headers;
}

interface Asked {
  readonly asOf: { readonly digest: { readonly digest: string; readonly nouns: readonly object[] } };
  readonly block: { readonly digest: string };
}

async function askGraphql(query: string): Promise<Asked> {
  const body = JSON.stringify({ query });
  const headers = { 'Content-Type': 'application/json' };
  const response = await fetch(`${gateway.url}/graphql`, { method: 'POST', headers, body });
  return ((await response.json()) as { readonly data: Asked }).data;
}
