import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { exportParts } from '../../src/data/parts/export.ts';
import { ingestBase } from '../../src/data/parts/ingest-base.ts';
import { openSource } from '../../src/data/parts/part-source.ts';
import { createDisposableDatabase } from '../support/database.ts';
import { forAllTests } from '../support/for-all-tests.ts';
import { EXPORT, exportToFolder, type Folder, readManifestOf } from '../support/part-folders.ts';
import { createSimulatedDatabase } from '../support/simulated.ts';
import { ask, readState } from '../support/state.ts';

const NETWORK = { seed: 11, blocks: 120, parties: 25, markets: 3, release: '0.79' } as const;
const { signal: NEVER } = new AbortController();

const network = await forAllTests(createSimulatedDatabase(NETWORK));

describe('what is no table of Periscope', () => {
  /** As a process leaves it that was ended between taking it from its table and dropping it. */
  const LEFT = 'CREATE TABLE rewards_64 (LIKE rewards); INSERT INTO rewards_64 SELECT * FROM rewards LIMIT 3';

  test.each([
    ['a partition that was detached and not dropped', LEFT, 'DROP TABLE rewards_64'],
    ['what somebody else keeps there', 'CREATE TABLE notes AS SELECT 1 AS note', 'DROP TABLE notes'],
  ])('is in no base: %s', async (_, make, drop) => {
    await ask(network.url, make);
    await using folder = await exportToFolder(network.url);
    await ask(network.url, drop);
    await using database = await createDisposableDatabase();
    await using source = await openSource(folder.path, NEVER);
    await ingestBase(database.url, source, { signal: NEVER });
    expect(await readState(database.url)).toEqual(await readState(network.url));
  });

  test('is refused by its name in a base that has it, and the next export writes that base anew', async () => {
    await using folder = await exportToFolder(network.url);
    await edit(folder, ({ bases }) => {
      bases[0].files.push({ ...bases[0].files[0], table: 'rewards_64' });
    });
    await refuses(folder, 'has rows of rewards_64, which is no table of this version');
    expect(await exportParts(network.url, folder.path, EXPORT)).toMatchObject({ parts: 0, base: 120n });
    const { bases } = await readManifestOf(folder);
    expect(bases.map(({ files }) => files.some(({ table }) => table === 'rewards_64'))).toEqual([false]);
    await using database = await createDisposableDatabase();
    await using source = await openSource(folder.path, NEVER);
    await ingestBase(database.url, source, { signal: NEVER });
  });
});

describe('a manifest that is not whole is refused before anything is taken', () => {
  let folder: Folder;

  beforeAll(async () => {
    folder = await exportToFolder(network.url);
  });

  afterAll(() => folder[Symbol.asyncDispose]());

  test.each<[string, (manifest: Edited) => void, string | RegExp]>([
    [
      'its first part',
      ({ parts }) => parts.shift(),
      /the part of blocks 51 to 100 begins behind position \d+, and it is the first/,
    ],
    ['a part in the middle', ({ parts }) => parts.splice(1, 1), 'it lacks the blocks 51 to 100'],
    ['its last part', ({ parts }) => parts.pop(), 'lacks the parts up to its base at block 120'],
    [
      'the order of its parts',
      ({ parts }) => parts.reverse(),
      /the part of blocks 101 to 120 begins behind position \d+, and it is the first/,
    ],
    [
      'positions between two parts',
      ({ parts }) => {
        parts[1].after = `${BigInt(parts[1].after) + 1n}`;
      },
      'the part of blocks 51 to 100 begins behind position',
    ],
    [
      'blocks of a part',
      ({ parts }) => without(parts[1], 'blocks'),
      'the part of blocks 51 to 100 has 0 of its 50 blocks',
    ],
    [
      'rewards of a part',
      ({ parts }) => without(parts[1], 'rewards'),
      /the base at block 120 counts \d+ rows of rewards, and there are \d+/,
    ],
    ['parties of a part', ({ parts }) => without(parts[0], 'parties'), /counts \d+ rows of parties/],
    ['accounts of the base', ({ bases }) => without(bases[0], 'accounts'), /counts \d+ rows of accounts/],
  ])('where it lacks %s', async (_, change, said) => {
    await using spoiled = await exportToFolder(network.url);
    await edit(spoiled, change);
    await refuses(spoiled, said);
  });

  test('where a part is of a newer version', async () => {
    await using newer = await exportToFolder(network.url);
    await edit(newer, ({ parts }) => {
      parts[1].schema = '29990101000000_newer';
    });
    await refuses(newer, 'the part of blocks 51 to 100 was written by a newer version of Periscope');
  });
});

test('a manifest that calls the network otherwise than the digest of its first block is not taken', async () => {
  await using folder = await exportToFolder(network.url);
  await edit(folder, (manifest) => {
    manifest.chain = 'mainnet';
  });
  await using database = await createDisposableDatabase();
  await using source = await openSource(folder.path, NEVER);
  await expect(ingestBase(database.url, source, { signal: NEVER })).rejects.toThrow(
    'The digest of block 1 is not that of the network mainnet',
  );
  // What is not whole stays so.
  expect(await ask(database.url, `SELECT to_regclass('base_ingest') IS NOT NULL AS begun`)).toEqual([
    { begun: true },
  ]);
});

// biome-ignore lint/suspicious/noExplicitAny: what a hand has changed has no type
type Edited = any;

/** Writes a manifest as somebody has changed it. */
async function edit({ path }: Folder, change: (manifest: Edited) => unknown): Promise<void> {
  const name = join(path, 'manifest.json');
  const manifest = JSON.parse(await readFile(name, 'utf8'));
  change(manifest);
  await writeFile(name, JSON.stringify(manifest));
}

function without(part: Edited, table: string): void {
  part.files = part.files.filter((file: { readonly table: string }) => file.table !== table);
}

/** Nothing is begun. */
async function refuses({ path }: Folder, said: string | RegExp): Promise<void> {
  await using database = await createDisposableDatabase();
  const before = await readState(database.url);
  await using source = await openSource(path, NEVER);
  await expect(ingestBase(database.url, source, { signal: NEVER })).rejects.toThrow(said);
  expect(await readState(database.url)).toEqual(before);
}
