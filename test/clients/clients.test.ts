import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { resolve } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { expect, test } from 'vitest';
import { party, startAccountNetwork } from '../support/account-network.ts';
import { forAllTests } from '../support/for-all-tests.ts';
import { startTestGateway } from '../support/gateway.ts';
import { HANG_MS } from '../support/limits.ts';
import { MessageQueue } from '../support/message-queue.ts';
import { createSimulatedDatabase } from '../support/simulated.ts';

const network = await forAllTests(startAccountNetwork());

/** Starts a program, and gives each line that it prints. */
function startExample(command: string, args: readonly string[]) {
  const child: ChildProcess = spawn(command, args, { stdio: ['ignore', 'pipe', 'pipe'], timeout: HANG_MS });
  const lines = new MessageQueue<string>();
  const complaints: string[] = [];
  createInterface({ input: child.stdout as Readable }).on('line', (line) => lines.push(line));
  createInterface({ input: child.stderr as Readable }).on('line', (line) => complaints.push(line));
  const ended = new Promise<number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => {
      lines.end();
      resolve(code);
    });
  });
  return {
    next: () => lines.next(),
    complaints,
    ended,
    async [Symbol.asyncDispose]() {
      child.kill();
      await ended;
    },
  };
}

async function findFreePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await new Promise((done) => server.once('listening', done));
  const { port } = server.address() as AddressInfo;
  await new Promise((done) => server.close(done));
  return port;
}

test('the example of a follower misses nothing while the gateway is started again', async () => {
  await network.block({ owner: party(1), balance: '10' });
  const PORT = String(await findFreePort());
  const first = await startTestGateway(network.url, { PORT });
  await using follower = startExample(process.execPath, [
    resolve('test/clients/follow-balances.mjs'),
    `http://127.0.0.1:${PORT}`,
  ]);
  expect(await follower.next()).toBe(`1 has ${party(1)} 10`);
  await network.block({ owner: party(1), balance: '11' });
  expect(await follower.next()).toBe(`2 sets ${party(1)} 11`);
  await first.close();
  // What happens while nobody serves.
  await network.block({ owner: party(1), balance: '12' });
  await network.block({ owner: party(2), balance: '20' });
  await using _second = await startTestGateway(network.url, { PORT });
  expect(await follower.next()).toBe(`3 sets ${party(1)} 12`);
  expect(await follower.next()).toBe(`4 sets ${party(2)} 20`);
  await network.block({ owner: party(1), balance: '13' });
  expect(await follower.next()).toBe(`5 sets ${party(1)} 13`);
  expect(follower.complaints).toEqual([]);
});

test('Python walks all rewards over REST, and sums them exactly', async ({ skip }) => {
  const found = spawnSync('python3', ['--version']);
  if (found.status !== 0) skip('there is no python3 here');
  await using database = await createSimulatedDatabase({ seed: 7, parties: 12, markets: 2, blocks: 300 });
  await using gateway = await startTestGateway(database.url);
  const rewards = await database.readTable('rewards');
  expect(rewards.length).toBeGreaterThan(20);
  const sums = new Map<string, bigint>();
  for (const { asset_id, amount } of rewards)
    sums.set(String(asset_id), (sums.get(String(asset_id)) ?? 0n) + BigInt(amount ?? 0));
  await using walker = startExample('python3', [resolve('test/clients/walk_rewards.py'), gateway.url, '7']);
  const lines: string[] = [];
  for (let line = await walker.next(); line !== null; line = await walker.next()) lines.push(line);
  expect([await walker.ended, walker.complaints]).toEqual([0, []]);
  expect(lines).toEqual([
    `${rewards.length} rewards`,
    ...[...sums].sort(([a], [b]) => (a < b ? -1 : 1)).map(([asset, amount]) => `${asset} ${amount}`),
  ]);
});
