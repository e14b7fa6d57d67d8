import { execFile, spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { checkPackage, createPackageFromTarballData } from '@arethetypeswrong/core';
import { publint } from 'publint';
import { formatMessage } from 'publint/utils';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { DEMO } from '../../src/demo.ts';
import { startTestGateway, type TestGateway } from '../../test/support/gateway.ts';
import { HANG_MS } from '../../test/support/limits.ts';
import { createSimulatedDatabase, type SimulatedDatabase } from '../../test/support/simulated.ts';
import packageJson from '../package.json' with { type: 'json' };

const run = promisify(execFile);
const CLIENT = resolve('client');
/** Its modules. */
const ENTRIES = Object.keys(packageJson.exports).filter((name) => !name.endsWith('.json'));
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
  network = await createSimulatedDatabase(DEMO);
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
  expect(Object.keys(result.entrypoints)).toEqual(expect.arrayContaining(ENTRIES));
  // It has ES modules alone: what Node took before release 12, and require() before 20.19, do not count.
  const counts = ({ resolutionKind = '' }) => !['node10', 'node16-cjs'].includes(resolutionKind);
  expect(result.problems.filter((problem) => counts(problem as { resolutionKind?: string }))).toEqual([]);
});

test('a program in TypeScript is checked against it', async () => {
  const program = join(folder, 'program.ts');
  await writeFile(
    program,
    `import { accounts, rows } from '@periscope/client';
const live = rows(accounts, { url: 'http://127.0.0.1:1', filter: { partyIds: ['a'] } });
export const balance: string | undefined = live.get('a')?.balance;
// @ts-expect-error: an account has no price.
export const price = live.get('a')?.price;
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

test('the dashboard of its README shows what the network has, and goes on with it', async () => {
  const readme = readFileSync(join(CLIENT, 'README.md'), 'utf8');
  const [, program = ''] = /<!-- dashboard -->\n```js\n(.*?)```/s.exec(readme) ?? [];
  expect(program.trim().split('\n').length).toBeLessThanOrEqual(40);
  await writeFile(join(folder, 'dashboard.mjs'), program);
  const chosen = await choose();
  const child = spawn(process.execPath, ['dashboard.mjs', gateway.url], {
    ...{ cwd: folder, stdio: ['ignore', 'pipe', 'inherit'], timeout: HANG_MS },
  });
  try {
    let shown = '';
    child.stdout?.setEncoding('utf8').on('data', (text) => {
      shown += text;
    });
    const newest = () => {
      const [, ...lines] = shown.split('\nBlock ').at(-1)?.split('\n') ?? [];
      return lines.map((line) => line.trim().replace(/ +/g, ' ')).filter((line) => line !== '');
    };
    const before = await readAsShown(chosen);
    await expect.poll(newest).toEqual(before);
    await network.advanceTo(DEMO.blocks + 60);
    const after = await readAsShown(chosen);
    expect(after.at(-1)).not.toMatch(/ 0 for/);
    await expect.poll(newest).toEqual(after);
    expect(after.filter((line) => before.includes(line)).length).toBeLessThan(after.length / 2);
  } finally {
    child.kill('SIGKILL');
  }
});

/** What the dashboard finds first. */
async function choose() {
  const { data } = await gateway.graphql(`{
    block { timestamp }
    accounts(first: 1, filter: { accountTypes: [ACCOUNT_TYPE_MARGIN] }) { nodes { owner } }
    markets(first: 1) { nodes { id } }
    votes(first: 1) { nodes { proposalId } }
  }`);
  return {
    owner: data.accounts.nodes[0].owner,
    market: data.markets.nodes[0].id,
    proposal: data.votes.nodes[0].proposalId,
    from: BigInt(data.block.timestamp) - 60_000_000_000n,
  };
}

/** The lines of the dashboard below its first, put together of what REST and GraphQL say. */
async function readAsShown({ owner, market, proposal, from }: Awaited<ReturnType<typeof choose>>) {
  const { data } = await gateway.graphql(`{
    party(id: "${owner}") { accounts(newestFirst: false) { nodes { type balance assetNode { symbol decimals } } } }
    proposal(id: "${proposal}") { tally { yes { votes } no { votes } } }
    market(id: "${market}") { instrumentCode decimalPlaces positionDecimalPlaces
      series(every: "PT10S", from: "${from}", of: TRADE_PRICE) { start open high low close volume } }
  }`);
  const { yes, no } = data.proposal.tally;
  const { instrumentCode, decimalPlaces, positionDecimalPlaces, series } = data.market;
  return [
    ...data.party.accounts.nodes.map((account: Held) => {
      const { type, balance, assetNode } = account;
      return `${type.replace('ACCOUNT_TYPE_', '')} ${point(balance, assetNode.decimals)} ${assetNode.symbol}`;
    }),
    `${instrumentCode}: open, high, low, close, volume`,
    ...series.slice(-5).map(({ start, open, high, low, close, volume }: Candle) => {
      const second = new Date(Number(start.slice(0, -9)) * 1000).toISOString().slice(11, 19);
      const prices = [open, high, low, close].map((price) => point(price, decimalPlaces));
      return [second, ...prices, point(volume, positionDecimalPlaces)].join(' ');
    }),
    `Proposal ${proposal}: ${yes.votes} for, ${no.votes} against`,
  ];
}

interface Held {
  readonly type: string;
  readonly balance: string;
  readonly assetNode: { readonly symbol: string; readonly decimals: number };
}

type Candle = Readonly<Record<'start' | 'open' | 'high' | 'low' | 'close' | 'volume', string>>;

/** Puts the point into a whole number that is not negative. */
function point(digits: string, places: number): string {
  if (places < 0) return digits === '0' ? digits : digits + '0'.repeat(-places);
  const padded = digits.padStart(places + 1, '0');
  return places === 0 ? padded : `${padded.slice(0, -places)}.${padded.slice(-places)}`;
}

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
