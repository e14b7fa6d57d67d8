import cluster, { type Worker } from 'node:cluster';
import { EventEmitter } from 'node:events';
import { expect, onTestFinished, test, vi } from 'vitest';
import { type Answers, WorkerProcess } from '../../src/cluster/worker-process.ts';

/** A process that says what it is told to. */
class Fork extends EventEmitter {
  readonly id = 1;
  readonly process = { pid: 1, kill() {}, send() {} };
  isConnected = () => false;

  call(name: keyof Answers, ...args: readonly unknown[]): void {
    this.emit('message', { t: 'q', m: name, a: args });
  }
}

test('what a worker said is taken before its end alone, also where it comes after it', async () => {
  const fork = new Fork();
  const forking = vi.spyOn(cluster, 'fork').mockReturnValue(fork as unknown as Worker);
  onTestFinished(() => forking.mockRestore());
  const said: string[] = [];
  const answers = {
    ready: () => said.push('ready'),
    takeQuota: (...args: unknown[]) => said.push(`${args}`),
  };
  const worker = new WorkerProcess(() => answers as unknown as Answers);
  fork.call('takeQuota', 'streams', 'a client', 'first');
  await expect.poll(() => said).toEqual(['streams,a client,first']);
  fork.emit('exit', null, 'SIGKILL');
  fork.call('ready');
  fork.call('takeQuota', 'streams', 'a client', 'second');
  expect(await worker.ended).toMatchObject({ readyMs: null, signal: 'SIGKILL' });
  await new Promise(setImmediate);
  expect([said, worker.isReady]).toEqual([['streams,a client,first'], false]);
});
