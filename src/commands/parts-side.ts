import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openPlace } from '../data/open.ts';
import { isBucket } from '../data/parts/bucket-address.ts';
import { MANIFEST_NAME } from '../data/parts/manifest.ts';
import type { DisposableStack } from '../disposable-stack.ts';
import type { Job } from './run.ts';

const ASK_LIMIT_MS = 30_000;

/** A database that has what some parts have, and what a person calls it. */
export interface PartsDatabase {
  readonly name: string;
  readonly url: string;
}

/** Whether an address, or a path, is one of parts: by its manifest, but for a bucket, which nothing else is at. */
export async function holdsParts(place: string, signal: AbortSignal): Promise<boolean> {
  if (isBucket(place)) return true;
  if (!/^https?:\/\//.test(place)) return existsSync(join(place, MANIFEST_NAME));
  const url = new URL(MANIFEST_NAME, place.endsWith('/') ? place : `${place}/`);
  const limit = AbortSignal.any([signal, AbortSignal.timeout(ASK_LIMIT_MS)]);
  // Who cannot be reached is told of by whoever asks it next.
  const response = await fetch(url, { signal: limit }).catch(() => null);
  signal.throwIfAborted();
  await response?.body?.cancel();
  return response?.ok === true;
}

/**
 * Takes the newest base of a folder, or of an address, and all parts up to it into a database of its own, in the folder of temporary
 * files, which is gone when `opened` is closed. Each file is held to its hash. Throws where a file is not what the manifest names.
 */
export async function openParts(
  place: string,
  { config, stop, signal }: Job,
  opened: DisposableStack,
): Promise<PartsDatabase> {
  const { ingestBase, openSource } = await loadParts();
  const folder = join(tmpdir(), `periscope-verify-${randomUUID()}`);
  opened.defer(() => rm(folder, { recursive: true, force: true, maxRetries: 10 }));
  const { postgresSettings } = config.database;
  const database = opened.use(await openPlace({ url: null, dataDir: folder, postgresSettings }, { stop }));
  const source = await openSource(place, signal, config.bucket);
  try {
    process.stderr.write(`Taking ${place} into ${folder}, to compare it.\n`);
    await ingestBase(database.url, source, { signal });
  } catch (error) {
    throw await database.explain(error);
  } finally {
    await source[Symbol.asyncDispose]();
  }
  return { name: place, url: database.url };
}

/** In one piece, which is loaded when it is asked for. */
async function loadParts() {
  const { ingestBase, openSource } = await import('../data/parts/parts.ts');
  return { ingestBase, openSource };
}
