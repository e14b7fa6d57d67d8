import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openSource } from '../../src/data/parts/part-source.ts';
import { addressOf, readPlace } from '../../src/data/parts/place.ts';
import { exportToFolder, type Folder } from '../support/part-folders.ts';
import { runProgram, startProgram } from '../support/program.ts';
import { createSimulatedDatabase } from '../support/simulated.ts';

const NEVER = new AbortController().signal;

let folder: Folder;

beforeAll(async () => {
  await using network = await createSimulatedDatabase({ seed: 21, blocks: 20, parties: 5, markets: 2 });
  folder = await exportToFolder(network.url);
});

afterAll(() => folder[Symbol.asyncDispose]());

test.each([
  ['/srv/parts', { kind: 'folder', name: '/srv/parts' }],
  ['/srv/parts/manifest.json', { kind: 'folder', name: '/srv/parts' }],
  ['manifest.json', { kind: 'folder', name: '.' }],
  ['https://host/parts?sig=abc', { kind: 'web', name: 'https://host/parts/' }],
  ['HTTPS://host/parts/manifest.json?sig=abc#x', { kind: 'web', name: 'https://host/parts/' }],
  ['http://host', { kind: 'web', name: 'http://host/' }],
  ['s3://bucket/parts/manifest.json', { kind: 'bucket', bucket: 'bucket', folders: '/parts' }],
])('%s is a place of parts', (text, wanted) => {
  const place = readPlace(text);
  expect(place).toMatchObject(wanted);
  if (place.kind === 'web')
    expect(addressOf(place.url, 'a/b').href).toBe(`${place.name}a/b${text.includes('?') ? '?sig=abc' : ''}`);
});

test.each([
  ['', 'Nothing names no place of parts'],
  ['ftp://host/parts', 'ftp://host/parts names no place of parts: it takes a folder, https://'],
  ['file:///srv/parts', 'names no place of parts'],
  ['https://', 'https:// cannot be read as an address'],
  ['https://user:secret@host/parts', 'An address of parts takes no user and no password (host)'],
  ['s3://Bucket', 's3://Bucket names no bucket'],
])('%j is none, and the program ends with 2 before it begins', async (text, said) => {
  expect(() => readPlace(text)).toThrow(said);
  for (const command of [['ingest', 'base'], ['export'], ['serve', '--from']]) {
    const { code, stderr } = await runProgram([...command, text], { DATA_DIR: '/nowhere/at/all' });
    expect([command, code, stderr]).toEqual([command, 2, expect.stringContaining('error: ')]);
  }
});

test('an address is not written to', async () => {
  const ended = await runProgram(['export', 'https://host/parts'], { DATA_DIR: '/nowhere/at/all' });
  expect([ended.code, ended.stderr]).toEqual([2, expect.stringContaining('It is not written to')]);
});

describe('a server of parts', () => {
  test('is asked for every file with the query of the address, which no message has', async () => {
    await using server = await serve(async ({ pathname, search }) =>
      search === '?sig=abc' ? readFile(join(folder.path, pathname)) : 403,
    );
    await using source = await openSource(`${server.url}manifest.json?sig=abc`, NEVER);
    const { bases } = await source.readManifest();
    const [file] = bases[0]?.files ?? [];
    await using taken = await source.take(file as NonNullable<typeof file>, NEVER);
    expect(await readFile(taken.path)).toEqual(await readFile(join(folder.path, file?.name ?? '')));
    await using others = await openSource(`${server.url}?sig=secret`, NEVER);
    const error = (await others.readManifest().catch((thrown) => thrown)) as Error;
    expect(error.message).toBe(
      `${server.url}manifest.json cannot be fetched: the server answers 403 Forbidden.`,
    );
    // What is refused is so again.
    expect(server.asked()).toBe(3);
  });

  test('that fails is tried again, and the program says so at once', async () => {
    await using server = await serve(async () => 500);
    const environment = { DATABASE_URL: 'postgres://127.0.0.1:1/none' };
    await using program = startProgram(['verify', `s3://bucket/parts`, environment.DATABASE_URL], {
      ...environment,
      ...{ AWS_ACCESS_KEY_ID: 'a', AWS_SECRET_ACCESS_KEY: 'b', AWS_ENDPOINT_URL: server.url.slice(0, -1) },
    });
    let stderr = '';
    program.process.stderr?.on('data', (chunk) => {
      stderr += chunk;
    });
    while (!stderr.includes('two minutes')) await sleep(20);
    expect(stderr).toContain(
      `GET ${server.url}bucket/parts/manifest.json fails: the store answers 500; it is tried again for two minutes.\n`,
    );
    program.process.kill('SIGTERM');
    // It has a database of its own to stop.
    await program.ended;
  });

  test('is said to fail once, whatever is tried again', async () => {
    let failures = 3;
    await using server = await serve(async ({ pathname }) => {
      failures -= 1;
      return failures < 0 ? readFile(join(folder.path, pathname)) : 500;
    });
    const said: string[] = [];
    await using source = await openSource(server.url, NEVER, undefined, (sentence) => said.push(sentence));
    await source.readManifest();
    expect(said).toEqual([
      `${server.url}manifest.json cannot be fetched: the server answers 500 Internal Server Error; it is tried again for two minutes.`,
    ]);
    expect(server.asked()).toBe(4);
  });
});

/** Serves what is given of each address: bytes, or a status. */
async function serve(answer: (url: URL) => Promise<Buffer | number>) {
  let asked = 0;
  const server = createServer(async (request, response) => {
    asked += 1;
    const given = await answer(new URL(request.url ?? '/', 'http://host'));
    if (typeof given === 'number') response.writeHead(given).end();
    else response.end(given);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/`,
    asked: () => asked,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
