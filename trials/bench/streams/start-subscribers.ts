import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { SubscriberOrder, SubscriberReport, Subscriptions } from './subscriber.ts';

/** Many streams, followed from a process of their own. */
export interface Subscribers extends AsyncDisposable {
  /** Waits until so many messages have come since the last time, and says when. Throws where fewer come, or a stream ends. */
  receive(count: number): Promise<Received>;
}

export interface Received {
  readonly messages: number;
  readonly first: bigint;
  readonly last: bigint;
  readonly times: readonly bigint[];
}

const RECEIVE_LIMIT_MS = 180_000;

/** Opens streams, and resolves when each has begun. */
export async function startSubscribers(subscriptions: Subscriptions): Promise<Subscribers> {
  const child = fork(join(import.meta.dirname, 'subscriber.ts'), { serialization: 'advanced' });
  const exited = once(child, 'exit').then(() => [{ failure: 'the process that follows them has ended' }]);
  const ask = async (order: SubscriberOrder) => {
    child.send(order);
    const [report] = (await Promise.race([once(child, 'message'), exited])) as [SubscriberReport];
    if ('failure' in report) throw new Error(`Following streams failed: ${report.failure}.`);
    return report;
  };
  const end = async () => {
    if (child.exitCode !== null) return;
    child.disconnect();
    await exited;
  };
  try {
    await ask({ open: subscriptions });
  } catch (error) {
    await end();
    throw error;
  }
  return {
    receive: async (count) =>
      (await ask({ await: count, limitMs: RECEIVE_LIMIT_MS })) as Extract<SubscriberReport, Received>,
    [Symbol.asyncDispose]: end,
  };
}

/** An address of HTTP as one of WebSockets. */
export function socketUrl(url: string, path: string): string {
  return `${url.replace('http:', 'ws:')}${path}`;
}
