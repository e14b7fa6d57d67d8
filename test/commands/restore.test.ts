import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { describe, expect, onTestFinished, test } from 'vitest';
import { readBackup } from '../../src/data/upkeep/backup.ts';
import { createEmptyDatabase } from '../support/database.ts';
import { createSimulatedDatabase } from '../support/simulated.ts';
import { readState } from '../support/state.ts';

const { signal: NEVER } = new AbortController();

describe.runIf(process.platform === 'linux')('a restore from standard input', () => {
  test('takes one that is packed, however it is cut into pieces', async () => {
    await using network = await createSimulatedDatabase({ seed: 31, blocks: 5, parties: 5, markets: 1 });
    const chunks: Buffer[] = [];
    for await (const chunk of readBackup(network.url, { version: '1.2.3', signal: NEVER }))
      chunks.push(Buffer.from(chunk));
    const packed = gzipSync(Buffer.concat(chunks));
    await using database = await createEmptyDatabase();
    const { child, ended } = restore(database.url);
    child.stdin.write(packed.subarray(0, 1));
    // It is a piece of its own where the program reads it before the next comes.
    await untilListening(child.pid);
    await sleep(2_000);
    child.stdin.end(packed.subarray(1));
    expect(await ended).toEqual([0, '']);
    expect(await readState(database.url)).toEqual(await readState(network.url));
  });

  test('that says nothing ends when it is stopped', async () => {
    await using database = await createEmptyDatabase();
    const { child, ended } = restore(database.url);
    await untilListening(child.pid);
    child.kill('SIGTERM');
    expect(await ended).toEqual([1, 'periscope: Stopped: nothing was restored.\n']);
  });
});

function restore(url: string) {
  const child = spawn(process.execPath, [resolve('dist/bundle/cli.js'), 'restore', '-'], {
    env: { PATH: process.env['PATH'], DATABASE_URL: url },
    stdio: ['pipe', 'ignore', 'pipe'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  let said = '';
  child.stderr.on('data', (chunk) => {
    said += chunk;
  });
  const ended = once(child, 'close').then(([code]) => [code, said]);
  return { child, ended };
}

/** Resolves once a program heeds SIGHUP, which it does from when it can be stopped in good order. */
async function untilListening(pid: number | undefined): Promise<void> {
  const isListening = () => {
    const [, mask = '0'] = /^SigCgt:\s+(\w+)$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
    return (BigInt(`0x${mask}`) & 1n) === 1n;
  };
  await expect.poll(isListening).toBe(true);
}
