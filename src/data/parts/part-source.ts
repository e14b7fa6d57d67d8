import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { GatewayError } from '../../errors.ts';
import { isDiskFull } from '../embedded/disk-full.ts';
import { OutputError } from '../output-error.ts';
import { MANIFEST_NAME, type Manifest, type PartFile, readManifest } from './manifest.ts';
import { type BucketPlace, type BucketSettings, ObjectStore } from './object-store.ts';
import { addressOf, type PartPlace, readPlace, withoutQuery } from './place.ts';
import { MOST_TEXT_BYTES, mayPass, type Retries, retrying, SILENCE_MS } from './retrying.ts';
import { failInput } from './unreadable.ts';

/** A file that is on this machine, and whose bytes are those that the manifest names. Whoever takes it lets it go. */
export interface CheckedFile extends AsyncDisposable {
  readonly path: string;
}

/** Where parts come from. */
export interface PartSource extends AsyncDisposable {
  readonly name: string;
  readManifest(): Promise<Manifest>;
  /** Throws FAILED_PRECONDITION, naming the file and both hashes, where its bytes are not what the manifest says. */
  take(file: PartFile, signal: AbortSignal): Promise<CheckedFile>;
}

/**
 * A folder, the address of one behind HTTP, or a bucket (s3://…) with who reads it. Throws as `readPlace` and `ObjectStore` do.
 */
export async function openSource(
  text: string,
  signal: AbortSignal,
  bucket?: BucketSettings,
  onRetry?: Retries['onRetry'],
): Promise<PartSource> {
  const place = readPlace(text);
  const retries: Retries = { signal, ...(onRetry && { onRetry }) };
  if (place.kind === 'folder') return openFolder(place.name, signal);
  if (place.kind === 'web') return openRemote(webServer(place, retries), retries);
  if (bucket === undefined) throw new Error(`Nobody said who reads ${place.name}.`);
  return openRemote(bucketOf(place, bucket, retries), retries);
}

function openFolder(folder: string, signal: AbortSignal): PartSource {
  return {
    name: folder,
    async readManifest() {
      const path = join(folder, MANIFEST_NAME);
      const text = await readFile(path, { encoding: 'utf8', signal }).catch((error: Error) => {
        throw new GatewayError('INVALID_ARGUMENT', `${path} cannot be read: ${error.message}.`);
      });
      return readManifest(text, path);
    },
    async take(file, signal) {
      const path = join(folder, file.name);
      const found = await hashFile(path, file, signal);
      if (found !== file.sha256) throw damaged(path, file, found);
      return { path, [Symbol.asyncDispose]: async () => {} };
    },
    [Symbol.asyncDispose]: async () => {},
  };
}

async function hashFile(path: string, { bytes }: PartFile, signal: AbortSignal): Promise<string> {
  const fail = failInput(path);
  const { size } = await stat(path).catch(fail);
  // What is shorter or longer is another file already.
  if (size !== bytes) return `of ${size} bytes instead of ${bytes}`;
  const hash = createHash('sha256');
  await pipeline(createReadStream(path, { highWaterMark: 2 ** 20 }), hash, { signal }).catch(fail);
  return hash.digest('hex');
}

/** Another machine that has the files. */
interface Remote {
  readonly name: string;
  readManifest(): Promise<string>;
  /** How a file of this name is asked for within the next minutes. */
  ask(name: string): Promise<Asked>;
}

interface Asked {
  readonly url: URL;
  readonly headers?: Readonly<Record<string, string>>;
}

function webServer({ name, url: folder }: WebPlace, retries: Retries): Remote {
  return {
    name,
    ask: async (file) => ({ url: addressOf(folder, file) }),
    async readManifest() {
      const url = addressOf(folder, MANIFEST_NAME);
      return fetching(withoutQuery(url), retries, () => fetchText(url, retries.signal));
    },
  };
}

type WebPlace = Extract<PartPlace, { readonly kind: 'web' }>;

function bucketOf(place: BucketPlace, settings: BucketSettings, retries: Retries): Remote {
  const store = new ObjectStore(place, settings, retries);
  return {
    name: place.name,
    ask: (name) => store.signGet(name),
    async readManifest() {
      const text = await store.readText(MANIFEST_NAME);
      if (text === null) throw new GatewayError('INVALID_ARGUMENT', `${place.name} has no ${MANIFEST_NAME}.`);
      return text;
    },
  };
}

/** Files come into a folder of their own, one after the other, and are gone when they are let go. */
async function openRemote(remote: Remote, retries: Retries): Promise<PartSource> {
  const folder = await mkdtemp(join(tmpdir(), 'periscope-parts-'));
  let count = 0;
  const placeOf = (name: string) => `${remote.name.replace(/\/$/, '')}/${name}`;
  const download = (file: PartFile, path: string, signal: AbortSignal) =>
    fetching(placeOf(file.name), { ...retries, signal }, async () =>
      fetchTo(await remote.ask(file.name), path, file, signal),
    );
  return {
    name: remote.name,
    async readManifest() {
      return readManifest(await remote.readManifest(), placeOf(MANIFEST_NAME));
    },
    async take(file, signal) {
      count += 1;
      const path = join(folder, `${count}.parquet`);
      const dispose = () => rm(path, { force: true });
      let found = await download(file, path, signal);
      // Once more: what a disk or a cache on the way has spoiled need not be so at its origin.
      if (found !== file.sha256) found = await download(file, path, signal);
      if (found === file.sha256) return { path, [Symbol.asyncDispose]: dispose };
      await dispose();
      throw damaged(placeOf(file.name), file, found);
    },
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }),
  };
}

function fetching<Result>(place: string, retries: Retries, attempt: () => Promise<Result>): Promise<Result> {
  return retrying(`${place} cannot be fetched`, retries, attempt);
}

/** Asks for something. Throws where the server has not got it, or nothing is heard of it. */
async function request(
  { url, headers }: Asked,
  signal: AbortSignal,
): Promise<{ body: Readable; heard: () => void; end: () => void }> {
  const silence = new AbortController();
  const timer = setTimeout(
    () => silence.abort(new Error(`nothing came for ${SILENCE_MS / 1000} seconds`)),
    SILENCE_MS,
  );
  const end = () => clearTimeout(timer);
  try {
    const response = await fetch(url, {
      signal: AbortSignal.any([signal, silence.signal]),
      headers: { ...headers, 'accept-encoding': 'identity' },
    });
    if (response.body === null || !response.ok) {
      await response.body?.cancel();
      const message = `the server answers ${response.status} ${response.statusText}`.trim();
      // What is not there will not be in a moment.
      if (!mayPass(response.status))
        throw new GatewayError('FAILED_PRECONDITION', `${withoutQuery(url)} cannot be fetched: ${message}.`);
      throw new Error(message);
    }
    return {
      body: Readable.fromWeb(response.body as Parameters<typeof Readable.fromWeb>[0]),
      heard: () => timer.refresh(),
      end,
    };
  } catch (error) {
    end();
    throw error;
  }
}

/** Fetches a file, and gives the hash of its bytes. Throws an OutputError where this machine has no room for it. */
async function fetchTo(
  asked: Asked,
  path: string,
  { bytes }: PartFile,
  signal: AbortSignal,
): Promise<string> {
  const { body, heard, end } = await request(asked, signal);
  const hash = createHash('sha256');
  let count = 0;
  const watch = new Transform({
    transform(chunk: Buffer, _, done) {
      heard();
      count += chunk.length;
      hash.update(chunk);
      // More than there should be fills no disk.
      done(count > bytes ? new TooLong() : null, chunk);
    },
  });
  try {
    await pipeline(body, watch, createWriteStream(path), { signal });
  } catch (error) {
    if (error instanceof TooLong) return `of more than ${bytes} bytes`;
    if (isDiskFull(error)) throw new OutputError(path, error as Error);
    throw error;
  } finally {
    end();
  }
  return count < bytes ? `of ${count} bytes instead of ${bytes}` : hash.digest('hex');
}

class TooLong extends Error {}

async function fetchText(url: URL, signal: AbortSignal): Promise<string> {
  const { body, heard, end } = await request({ url }, signal);
  const chunks: Buffer[] = [];
  let count = 0;
  try {
    for await (const chunk of body as AsyncIterable<Buffer>) {
      heard();
      count += chunk.length;
      if (count > MOST_TEXT_BYTES)
        throw new GatewayError(
          'INVALID_ARGUMENT',
          `${withoutQuery(url)} is longer than ${MOST_TEXT_BYTES} bytes.`,
        );
      chunks.push(chunk);
    }
  } finally {
    end();
  }
  return Buffer.concat(chunks).toString('utf8');
}

function damaged(place: string, { sha256 }: PartFile, found: string): GatewayError {
  const what = /^[0-9a-f]{64}$/.test(found) ? `its SHA-256 is ${found}` : `it is ${found}`;
  return new GatewayError(
    'FAILED_PRECONDITION',
    `${place} is not what the manifest names: its SHA-256 should be ${sha256}, and ${what}. None of its rows were taken.`,
  );
}
