import { createHash } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { exportParts } from '../../src/data/parts/export.ts';
import { type Manifest, readManifest } from '../../src/data/parts/manifest.ts';

export interface Folder extends AsyncDisposable {
  readonly path: string;
}

export async function createFolder(): Promise<Folder> {
  const path = await mkdtemp(join(tmpdir(), 'periscope-parts-test-'));
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }) };
}

export const EXPORT = { blocksPerPart: 50n, isClosedOnly: false, signal: new AbortController().signal };

/** A folder with the parts and a base of what a database holds. */
export async function exportToFolder(url: string, options: Partial<typeof EXPORT> = {}): Promise<Folder> {
  const folder = await createFolder();
  await exportParts(url, folder.path, { ...EXPORT, ...options });
  return folder;
}

export async function readManifestOf({ path }: Folder): Promise<Manifest> {
  return readManifest(await readFile(join(path, 'manifest.json'), 'utf8'), path);
}

/** The hash of each file of a folder, by its name from there. */
export async function readHashes({ path }: Folder): Promise<ReadonlyMap<string, string>> {
  const entries = await readdir(path, { recursive: true, withFileTypes: true });
  const files = entries.filter((one) => one.isFile()).map(({ parentPath, name }) => join(parentPath, name));
  const hashes = await Promise.all(
    files.map(async (file) => {
      // One that is being written may be gone.
      const bytes = await readFile(file).catch(() => null);
      if (bytes === null) return [];
      return [[file.slice(path.length + 1), createHash('sha256').update(bytes).digest('hex')] as const];
    }),
  );
  return new Map(hashes.flat());
}

/** Serves a folder: some of its files with a bit flipped for so many times, others once something has come, or not at first. */
export async function serveFolder(
  path: string,
  spoiled: Readonly<Record<string, number>> = {},
  held: ReadonlyMap<string, Promise<void>> = new Map(),
  failures: ReadonlyMap<string, 'cut' | 'fail'> = new Map(),
) {
  const asked = new Map<string, number>();
  const server = createServer(async (request, response) => {
    const name = (request.url ?? '').slice(1);
    asked.set(name, (asked.get(name) ?? 0) + 1);
    await held.get(name);
    const bytes = await readFile(join(path, name)).catch(() => null);
    if (bytes === null) return void response.writeHead(404).end();
    if ((asked.get(name) ?? 0) <= (spoiled[name] ?? 0)) bytes[40] = (bytes[40] as number) ^ 1;
    // The first time only.
    const failure = asked.get(name) === 1 ? failures.get(name) : undefined;
    if (failure === 'fail') return void response.writeHead(503).end();
    if (failure === 'cut') {
      response.writeHead(200, { 'Content-Length': bytes.length });
      return void response.write(bytes.subarray(0, bytes.length >> 1), () => request.socket.destroy());
    }
    response.end(bytes);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/`,
    asked: (name: string) => asked.get(name) ?? 0,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Serves a folder, but for what parts have of some tables, which waits until it is released, and may fail then, the first time. */
export async function serveFolderHolding(folder: Folder, tables: readonly string[], failure?: 'fail') {
  const { parts } = await readManifestOf(folder);
  const files = parts.flatMap((part) => part.files);
  const releases = new Map<string, () => void>();
  const held = new Map<string, Promise<void>>();
  for (const table of tables) {
    const released = new Promise<void>((resolve) => releases.set(table, resolve));
    for (const file of files) if (file.table === table) held.set(file.name, released);
  }
  const failures = new Map(failure && [...held.keys()].map((name) => [name, failure] as const));
  const server = await serveFolder(folder.path, {}, held, failures);
  return { ...server, release: (table: string) => releases.get(table)?.() };
}
