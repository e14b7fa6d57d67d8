import { execFile } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { checkPackage, createPackageFromTarballData } from '@arethetypeswrong/core';
import { publint } from 'publint';
import { formatMessage } from 'publint/utils';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestGateway, type TestGateway } from '../../test/support/gateway.ts';
import { HANG_MS } from '../../test/support/limits.ts';
import { createSimulatedDatabase, type SimulatedDatabase } from '../../test/support/simulated.ts';
import packageJson from '../package.json' with { type: 'json' };

const run = promisify(execFile);
const CLIENT = resolve('client');
const ENTRIES = Object.keys(packageJson.exports);
/** The releases that package.json speaks of, as npm's packages of Node have them. */
const NODES = ['20.19.5', '22.23.3', '24.21.0'];

const PROGRAM = `
import { accounts, rows } from '@periscope/client';
const live = rows(accounts, { url: process.argv[2] });
await live.ready;
console.log(JSON.stringify({ height: live.asOf.height, size: live.size, isLive: live.isLive }));
live.close();
`;

const folder = mkdtempSync(join(tmpdir(), 'periscope-client-'));
let tarball = '';
let network: SimulatedDatabase;
let gateway: TestGateway;

beforeAll(async () => {
  await run('npm', ['pack', '--pack-destination', folder], { cwd: CLIENT, timeout: HANG_MS });
  tarball = join(folder, readdirSync(folder).find((name) => name.endsWith('.tgz')) as string);
  await writeFile(join(folder, 'package.json'), '{ "private": true, "type": "module" }');
  await writeFile(join(folder, 'follow.mjs'), PROGRAM);
  await install(tarball);
  network = await createSimulatedDatabase({ seed: 3, blocks: 20, parties: 20, markets: 2 });
  gateway = await startTestGateway(network.url);
});

afterAll(async () => {
  await gateway?.close();
  await network?.[Symbol.asyncDispose]();
  rmSync(folder, { recursive: true, force: true });
});

test('the package is of the version of the server, and depends on nothing', () => {
  expect(packageJson.version).toBe(JSON.parse(readFileSync('package.json', 'utf8')).version);
  expect(packageJson).not.toHaveProperty('dependencies');
  expect(readFileSync(join(CLIENT, 'LICENSE'), 'utf8')).toBe(readFileSync('LICENSE', 'utf8'));
});

test('publint finds nothing in it', async () => {
  const bytes = readFileSync(tarball);
  const packed = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength) as ArrayBuffer;
  const { messages, pkg } = await publint({ pack: { tarball: packed }, strict: true });
  expect(messages.map((message) => formatMessage(message, pkg as never))).toEqual([]);
});

test('its types are those of its modules, for all that can import them', async () => {
  const { types, ...result } = await checkPackage(createPackageFromTarballData(readFileSync(tarball)));
  expect(types).toEqual({ kind: 'included' });
  if (!('entrypoints' in result)) throw new Error('it has no types');
  expect(Object.keys(result.entrypoints).sort()).toEqual(ENTRIES.sort());
  // It has ES modules alone: what Node took before release 12, and require() before 20.19, do not count.
  const counts = ({ resolutionKind = '' }) => !['node10', 'node16-cjs'].includes(resolutionKind);
  expect(result.problems.filter((problem) => counts(problem as { resolutionKind?: string }))).toEqual([]);
});

test('a program in TypeScript is checked against it', async () => {
  const program = join(folder, 'program.ts');
  const imports = ENTRIES.map((entry, n) => `import * as e${n} from '@periscope/client${entry.slice(1)}';`);
  await writeFile(
    program,
    `${imports.join('\n')}
import { accounts, rows } from '@periscope/client';
const live = rows(accounts, { url: 'http://127.0.0.1:1', filter: { partyIds: ['a'] } });
export const balance: string | undefined = live.get('a')?.balance;
// @ts-expect-error: an account has no price.
export const price = live.get('a')?.price;
export const entries: object[] = [${ENTRIES.map((_, n) => `e${n}`).join(', ')}];
`,
  );
  const options = '--noEmit --strict --exactOptionalPropertyTypes --module nodenext --target es2023';
  const given = [...options.split(' '), '--lib', 'es2023,esnext.disposable,dom,dom.asynciterable', program];
  const checked = run(resolve('node_modules/.bin/tsc'), given, { cwd: folder });
  await checked.catch(({ stdout }) => expect(stdout).toBe(''));
});

test('what it is installed from follows a gateway', async () => {
  await expectFollows(process.execPath);
});

test('and does in every release of Node that it names', async ({ skip }) => {
  const kind = `node-${process.platform}-${process.arch}`;
  const wanted = NODES.map((version) => `node-${version}@npm:${kind}@${version}`);
  const failure = await install(...wanted).then(
    () => null,
    ({ stderr }: { stderr: string }) => stderr,
  );
  if (failure !== null) console.warn(`The releases of Node are not tried: ${failure.split('\n')[0]}`);
  if (failure !== null) skip('the registry of packages does not give them');
  for (const version of NODES) {
    const node = join(folder, 'node_modules', `node-${version}`, 'bin/node');
    expect((await run(node, ['--version'])).stdout).toBe(`v${version}\n`);
    await expectFollows(node);
  }
});

const install = (...packages: readonly string[]) =>
  run('npm', ['install', '--prefer-offline', '--ignore-scripts', '--no-audit', '--no-fund', ...packages], {
    cwd: folder,
    timeout: HANG_MS,
  });

/** As a program of one's own that was given the package. */
async function expectFollows(node: string): Promise<void> {
  const { stdout } = await run(node, ['follow.mjs', gateway.url], { cwd: folder, timeout: HANG_MS });
  const { block, accounts } = (await gateway.graphql('{ block { height } accounts { totalCount } }')).data;
  expect(JSON.parse(stdout)).toEqual({ height: block.height, size: accounts.totalCount, isLive: true });
}
