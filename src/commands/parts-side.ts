import { randomUUID } from 'node:crypto';
import { rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openPlace } from '../data/open.ts';
import { MANIFEST_NAME } from '../data/parts/manifest.ts';
import { addressOf, type PartPlace } from '../data/parts/place.ts';
import type { DisposableStack } from '../disposable-stack.ts';
import { type Job, sayRetry, UsageError } from './run.ts';

const ASK_LIMIT_MS = 30_000;

/** A database that has what some parts have, and what a person calls it. */
export interface PartsDatabase {
  readonly name: string;
  readonly url: string;
}

/** Whether there are parts at a place: by its manifest, but for a bucket, which nothing else is at. Throws where that cannot be seen. */
export async function holdsParts(place: PartPlace, signal: AbortSignal): Promise<boolean> {
  if (place.kind === 'bucket') return true;
  if (place.kind === 'folder') return isThere(join(place.name, MANIFEST_NAME));
  const url = addressOf(place.url, MANIFEST_NAME);
  const limit = AbortSignal.any([signal, AbortSignal.timeout(ASK_LIMIT_MS)]);
  // Who cannot be reached is told of by whoever asks it next.
  const response = await fetch(url, { signal: limit }).catch(() => null);
  signal.throwIfAborted();
  await response?.body?.cancel();
  return response?.ok === true;
}

async function isThere(path: string): Promise<boolean> {
  try {
    await stat(path);
    return true;
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') return false;
    throw new UsageError(`${path} cannot be read: ${message}`);
  }
}

/**
 * Takes the newest base of a folder, or of an address, and all parts up to it into a database of its own, in the folder of temporary
 * files, which is gone when `opened` is closed. Each file is held to its hash. Throws where a file is not what the manifest names.
 */
export async function openParts(
  address: string,
  { name }: PartPlace,
  { config, stop, signal }: Job,
  opened: DisposableStack,
): Promise<PartsDatabase> {
  const { ingestBase, openSource } = await import('../data/parts/parts.ts');
  const folder = join(tmpdir(), `periscope-verify-${randomUUID()}`);
  opened.defer(() => rm(folder, { recursive: true, force: true, maxRetries: 10 }));
  const { postgresSettings } = config.database;
  const database = opened.use(
    await openPlace({ url: null, dataDir: folder, postgresSettings }, { stop, setting: 'TMPDIR' }),
  );
  const source = await openSource(address, signal, config.bucket, sayRetry);
  try {
    process.stderr.write(`Taking ${name} into ${folder}, to compare it.\n`);
    await ingestBase(database.url, source, { signal });
  } catch (error) {
    throw await database.explain(error);
  } finally {
    await source[Symbol.asyncDispose]();
  }
  return { name, url: database.url };
}
