import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { NATS_SERVER, NatsServers } from '../support/nats-servers.ts';

const NOWHERE = 'postgres://127.0.0.1:1/none';
const NETWORK = '{"type":"network","data":{"chainId":"my-network"}}';
const LATE = '{"type":"block","data":{"height":"1","timestamp":"1678443430000000000"}}';

describe('lines of standard input, of which there may be more, keep nothing that has failed', () => {
  test.each([
    ['at their first', LATE, 'line 1: the first line must have type "network"'],
    ['before their first block is read', NETWORK, 'The database cannot be reached, or was lost'],
  ])('ingest ndjson, %s', async (_, line, reason) => {
    expect(await readLine(['ingest', 'ndjson', '-'], line)).toEqual([1, expect.stringContaining(reason)]);
  });

  test.skipIf(NATS_SERVER === undefined)('relay, at their first', async () => {
    await using servers = await NatsServers.start(1);
    const [code, said] = await readLine(['relay', '--from', '-', '--to', servers.url], LATE);
    expect([code, said]).toEqual([1, expect.stringContaining('line 1: the first line must have type')]);
  });
});

/** How the program ends that is given a line, and told of no end. */
async function readLine(args: readonly string[], line: string): Promise<readonly unknown[]> {
  const child = spawn(process.execPath, [resolve('dist/bundle/cli.js'), ...args], {
    env: { PATH: process.env['PATH'], DATABASE_URL: NOWHERE },
    stdio: ['pipe', 'ignore', 'pipe'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  child.stdin.write(`${line}\n`);
  let said = '';
  child.stderr.on('data', (chunk) => {
    said += chunk;
  });
  const [code] = await once(child, 'close');
  return [code, said];
}
