import cluster, { type Worker } from 'node:cluster';
import { EventEmitter } from 'node:events';
import { expect, onTestFinished, test, vi } from 'vitest';
import { type Answers, WorkerProcess } from '../../src/cluster/worker-process.ts';

/** A process that says what it is told to. */
class Fork extends EventEmitter {
  readonly id = 1;
  readonly process = { pid: 1, kill() {}, send() {} };
  isConnected = () => false;

  /** Ends with some of what it said still in its channel. */
  exitWhileHeard(): void {
    this.isConnected = () => true;
    this.emit('exit', null, 'SIGKILL');
  }

  disconnect(): void {
    this.isConnected = () => false;
    this.emit('disconnect');
  }

  call(name: keyof Answers, ...args: readonly unknown[]): void {
    this.emit('message', { t: 'q', m: name, a: args });
  }
}

test('what a worker said is taken before its end alone, also where it comes after it', async () => {
  const fork = startFork();
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

test('a worker has not ended before the last that it said is read', async () => {
  const fork = startFork();
  const taken: unknown[] = [];
  const answers = { taken: (connection: unknown) => taken.push(connection) };
  const worker = new WorkerProcess(() => answers as unknown as Answers);
  let hasEnded = false;
  void worker.ended.then(() => {
    hasEnded = true;
  });
  fork.exitWhileHeard();
  fork.call('taken', 7);
  await expect.poll(() => taken).toEqual([7]);
  expect(hasEnded).toBe(false);
  fork.disconnect();
  expect(await worker.ended).toMatchObject({ signal: 'SIGKILL' });
});

test('a worker whose channel stays open has ended soon after its exit', async () => {
  const fork = startFork();
  const worker = new WorkerProcess(() => ({}) as Answers);
  fork.exitWhileHeard();
  expect(await worker.ended).toMatchObject({ signal: 'SIGKILL' });
});

function startFork(): Fork {
  const fork = new Fork();
  const forking = vi.spyOn(cluster, 'fork').mockReturnValue(fork as unknown as Worker);
  onTestFinished(() => forking.mockRestore());
  return fork;
}
