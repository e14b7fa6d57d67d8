import { hash } from 'node:crypto';
import { chmod, mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { exportParts } from '../../src/data/parts/export.ts';
import { ingestBase } from '../../src/data/parts/ingest-base.ts';
import { readManifest } from '../../src/data/parts/manifest.ts';
import { type BucketSettings, ObjectStore } from '../../src/data/parts/object-store.ts';
import { openSource } from '../../src/data/parts/part-source.ts';
import { createDisposableDatabase } from '../support/database.ts';
import { forAllTests } from '../support/for-all-tests.ts';
import { createFolder, EXPORT, exportToFolder, readHashes } from '../support/part-folders.ts';
import { runProgram } from '../support/program.ts';
import { KEY, type SignedStore, startSignedStore } from '../support/signed-store.ts';
import { createSimulatedDatabase } from '../support/simulated.ts';
import { readState } from '../support/state.ts';

const NETWORK = { seed: 21, blocks: 60, parties: 15, markets: 2 };
const NEVER = new AbortController().signal;

const network = await forAllTests(createSimulatedDatabase(NETWORK));

describe('a bucket', () => {
  test('gets the same files as a folder, signed, and is a base to start from', async () => {
    await using store = await startSignedStore();
    const summary = await exportParts(network.url, 's3://bucket/deep/parts', optionsOf(store));
    await using folder = await exportToFolder(network.url);
    const hashes = await readHashes(folder);
    expect([...store.objects.keys()].sort()).toEqual(
      [...hashes.keys()].map((name) => `bucket/deep/parts/${name}`).sort(),
    );
    expect(store.refused).toEqual([]);
    expect(summary.files).toBe(hashes.size - 1);

    await using copy = await copyOf(store, 'bucket/deep/parts/');
    for (const place of [copy.path, 's3://bucket/deep/parts']) {
      await using database = await createDisposableDatabase();
      await using source = await openSource(place, NEVER, optionsOf(store).bucket);
      await ingestBase(database.url, source, { signal: NEVER });
      expect(await readState(database.url)).toEqual(await readState(network.url));
    }
    expect(store.refused).toEqual([]);
  });

  test('is read whole where the store fails for a while, and a spoiled file of it is named', async () => {
    await using store = await startSignedStore();
    const { bucket } = optionsOf(store);
    await exportParts(network.url, 's3://bucket', optionsOf(store));
    for (const how of ['cut', 'stalled elsewhere'] as const) {
      await using source = await openSource('s3://bucket/', NEVER, bucket);
      const { parts } = await source.readManifest();
      const [file] = parts.flatMap(({ files }) => files);
      store.fail(2, how);
      await using taken = await source.take(file as NonNullable<typeof file>, NEVER);
      expect(await readFile(taken.path)).toEqual(store.objects.get(`bucket/${file?.name}`));
    }
    const [spoiled] = [...store.objects.keys()].filter((name) => name.endsWith('.parquet'));
    store.objects.set(`${spoiled}`, Buffer.from('PAR1'));
    await using database = await createDisposableDatabase();
    await using source = await openSource('s3://bucket', NEVER, bucket);
    await expect(ingestBase(database.url, source, { signal: NEVER })).rejects.toThrow(
      `s3://${spoiled} is not what the manifest names`,
    );
  });

  test.each([
    [{ secretAccessKey: 'another' }, 'is refused: the store answers 403, SignatureDoesNotMatch'],
    [{ accessKeyId: null }, 'takes AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY'],
    [{}, 's3://bucket/nothing has no manifest.json'],
  ])('is not read with %j', async (further, said) => {
    await using store = await startSignedStore();
    const opening = async () => {
      const settings = { ...optionsOf(store).bucket, ...further };
      await using source = await openSource('s3://bucket/nothing', NEVER, settings);
      return await source.readManifest();
    };
    await expect(opening()).rejects.toThrow(said);
  });

  test('gets what has come since, and keeps the newest two bases', async () => {
    await using growing = await createSimulatedDatabase({ ...NETWORK, blocks: 20 });
    await using store = await startSignedStore();
    for (const height of [20, 30, 40]) {
      if (height > 20) await growing.advanceTo(height);
      await exportParts(growing.url, 's3://bucket', optionsOf(store));
    }
    const text = store.objects.get('bucket/manifest.json')?.toString() ?? '';
    const { parts, bases } = readManifest(text, 'the bucket');
    expect(bases.map(({ height }) => height)).toEqual([30n, 40n]);
    const named = [...parts, ...bases].flatMap(({ files }) => files.map(({ name }) => `bucket/${name}`));
    expect([...store.objects.keys()].sort()).toEqual(['bucket/manifest.json', ...new Set(named)].sort());
    const again = await exportParts(growing.url, 's3://bucket', optionsOf(store));
    expect([again.parts, again.base, again.files]).toEqual([0, null, 0]);
  });

  test.each(['busy', 'cut', 'stalled', 'stalled elsewhere'] as const)(
    'gets all of it where the store fails for a while (%s)',
    async (how) => {
      await using store = await startSignedStore();
      store.fail(3, how);
      await exportParts(network.url, 's3://bucket', optionsOf(store));
      expect(store.objects.has('bucket/manifest.json')).toBe(true);
      expect(store.refused).toEqual([]);
    },
  );

  test('gets a file where the store answers before it has all, and reads no more of it', async () => {
    await using store = await startSignedStore();
    await using folder = await createFolder();
    // More than the kernel takes for a connection that nobody reads.
    const bytes = Buffer.alloc(2 ** 26, 7);
    const path = join(folder.path, 'file');
    await writeFile(path, bytes);
    store.fail(1, 'deaf');
    const place = { kind: 'bucket', name: '', bucket: 'bucket', folders: '' } as const;
    const said: string[] = [];
    const retries = { signal: NEVER, onRetry: (sentence: string) => said.push(sentence) };
    const bucket = new ObjectStore(place, optionsOf(store).bucket, retries);
    await bucket.writeFile('file', path, { sha256: hash('sha256', bytes), bytes: bytes.length });
    expect(said).toEqual([expect.stringContaining('the store answers 503')]);
    expect(store.objects.get('bucket/file')?.equals(bytes)).toBe(true);
    expect(store.refused).toEqual([]);
  });

  test.each([
    ['s3://bucket', { secretAccessKey: 'another' }, 'SignatureDoesNotMatch, the signature is another'],
    ['s3://bucket', { region: 'eu-west-1' }, 'the region is eu-west-1'],
    ['s3://bucket', { accessKeyId: null }, 'takes AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY'],
    ['s3://Bucket', {}, 's3://Bucket names no bucket: it takes s3://BUCKET'],
    ['s3://bucket/../other', {}, 'names no bucket'],
  ])('is refused to %s with %j', async (address, further, said) => {
    await using store = await startSignedStore();
    const { bucket, ...options } = optionsOf(store);
    const exporting = exportParts(network.url, address, { ...options, bucket: { ...bucket, ...further } });
    await expect(exporting).rejects.toThrow(said);
    expect(store.objects.size).toBe(0);
  });

  test.each([
    ['bucket', 'https://bucket.s3.eu-west-1.amazonaws.com/deep/manifest.json'],
    ['my.bucket', 'https://s3.eu-west-1.amazonaws.com/my.bucket/deep/manifest.json'],
  ])('of Amazon is asked for where the certificate holds: %s', async (bucket, address) => {
    const settings = { ...KEY, sessionToken: null, region: 'eu-west-1', endpoint: null };
    const place = { kind: 'bucket', name: '', bucket, folders: '/deep' } as const;
    const store = new ObjectStore(place, settings, { signal: NEVER });
    expect((await store.signGet('manifest.json')).url.href).toBe(address);
  });

  test('is what the program writes to, by the usual names of the environment, without telling its secret or leaving anything behind', async () => {
    await using store = await startSignedStore('eu-west-1');
    await using temporary = await createFolder();
    // The embedded PostgreSQL may run as another user.
    await chmod(temporary.path, 0o755);
    const environment = {
      DATABASE_URL: network.url,
      TMPDIR: temporary.path,
      AWS_ACCESS_KEY_ID: KEY.accessKeyId,
      AWS_SECRET_ACCESS_KEY: KEY.secretAccessKey,
      AWS_REGION: 'eu-west-1',
      AWS_ENDPOINT_URL: store.url,
    };
    const { code, stdout } = await runProgram(['export', 's3://bucket/parts'], environment);
    expect([code, stdout]).toEqual([
      0,
      expect.stringContaining('to s3://bucket/parts: there are parts up to block 60'),
    ]);
    const compared = await runProgram(['verify', network.url, 's3://bucket/parts'], environment);
    expect(compared).toMatchObject({ code: 0 });
    const wrong = { ...environment, AWS_SECRET_ACCESS_KEY: 'wrong-secret' };
    const refused = await runProgram(['export', 's3://bucket/parts'], wrong);
    expect([refused.code, refused.stdout]).toEqual([1, '']);
    expect(refused.stderr).toContain('is refused: the store answers 403, SignatureDoesNotMatch');
    expect(refused.stderr).not.toContain('wrong-secret');
    expect(await readdir(temporary.path)).toEqual([]);
  });
});

function optionsOf({ url }: SignedStore): typeof EXPORT & { readonly bucket: BucketSettings } {
  const bucket = { ...KEY, sessionToken: null, region: 'us-east-1', endpoint: url };
  return { ...EXPORT, bucket };
}

/** What a store has below a name, as a folder of this machine. */
async function copyOf({ objects }: SignedStore, prefix: string) {
  const folder = await createFolder();
  for (const [key, bytes] of objects) {
    const path = join(folder.path, key.slice(prefix.length));
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, bytes);
  }
  return folder;
}
