import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { createTestDatabase } from '../support/database.ts';
import { createFolder, encodeBlocks, encodeOther, recordingOf } from '../support/events.ts';
import { runProgram } from '../support/program.ts';
import { readHeight, readState } from '../support/state.ts';

// Ten blocks and the beginning of the eleventh, as of a core node that is still writing.
const whole = encodeBlocks(10);
const partial = encodeBlocks(11).slice(0, whole.length + 2);
const wholeSize = recordingOf(whole).length;

test.each([
  ['plain', (bytes: Buffer) => bytes, `byte ${wholeSize}`],
  ['gzip', (bytes: Buffer) => gzipSync(bytes), `byte ${wholeSize} (unpacked)`],
])(
  'a recording that ends within a block (%s) gives its whole blocks, a note and no error, and later the rest',
  async (_, pack, at) => {
    await using folder = await createFolder();
    await using database = await createTestDatabase();
    const part = await folder.write(pack(recordingOf(partial)));
    const first = await ingest(part, database.url);
    expect(first.stderr).toMatch(/^Applied 10 blocks with .*; the database is at block 10 of test-chain\.$/m);
    expect(first.stderr).toContain(
      `Block 11, begun at ${at}, is not complete yet in ${part}, and is left out: ingest it again when it is.\n`,
    );
    expect(first.code).toBe(0);
    expect(await readHeight(database.url)).toBe(10);

    const second = await ingest(await folder.write(pack(recordingOf(encodeBlocks(12)))), database.url);
    expect(second.stderr).toMatch(/^Applied 2 blocks with .*; 10 blocks were there already; .* block 12 /m);
    expect(second.stderr).not.toContain('not complete');
    expect(second.code).toBe(0);

    await using other = await createTestDatabase();
    await ingest(await folder.write(recordingOf(encodeBlocks(12))), other.url);
    expect(await readState(database.url)).toEqual(await readState(other.url));
  },
);

test('a recording without one whole block leaves the database empty, and says so', async () => {
  await using folder = await createFolder();
  await using database = await createTestDatabase();
  const path = await folder.write(recordingOf(partial.slice(0, 2)));
  const { code, stderr } = await ingest(path, database.url);
  expect(stderr).toBe(
    `Nothing new in ${path}; the database is empty.\n` +
      `Block 1, begun at byte 0, is not complete yet in ${path}, and is left out: ingest it again when it is.\n`,
  );
  expect(code).toBe(0);
});

const cut = recordingOf(partial).subarray(0, -1);
const packed = gzipSync(recordingOf(partial));
const lastRecord = wholeSize + recordingOf(partial.slice(whole.length, -1)).length;

test.each([
  ['a plain one', cut, `byte ${lastRecord}: the record is cut off: `],
  ['a packed one', gzipSync(cut), `byte ${lastRecord} (unpacked): the record is cut off: `],
  [
    'one whose packing is cut',
    packed.subarray(0, -8),
    `the gzip data is damaged after byte ${recordingOf(partial).length} (unpacked): unexpected end of file`,
  ],
])(
  'a recording that is cut (%s) is an error that says where, and what was kept',
  async (_, bytes, complaint) => {
    await using folder = await createFolder();
    await using database = await createTestDatabase();
    const { code, stderr } = await ingest(await folder.write(bytes), database.url);
    expect(stderr).toContain(complaint);
    expect(stderr).toMatch(
      new RegExp(
        `^Kept 10 blocks with ${whole.length} events of .*; the database is at block 10 of test-chain\\.$`,
        'm',
      ),
    );
    expect(code).toBe(1);
    expect(await readHeight(database.url)).toBe(10);
  },
);

test('a load that fails before its first block says what is wrong and nothing else', async () => {
  await using folder = await createFolder();
  await using database = await createTestDatabase();
  const path = await folder.write(recordingOf([encodeOther(), encodeOther()]));
  const { code, stderr } = await ingest(path, database.url);
  expect(stderr).toMatch(/^periscope: .*, byte \d+: the recording ends before any block begins\n$/);
  expect(code).toBe(1);
});

function ingest(path: string, databaseUrl: string) {
  return runProgram(['ingest', 'file', path], { DATABASE_URL: databaseUrl });
}
