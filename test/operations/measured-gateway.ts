import { fork } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';
import { within } from '../support/message-queue.ts';

/** A gateway in a process of its own, of which a test can ask how much it holds. */
export interface MeasuredGateway extends AsyncDisposable {
  readonly url: string;
  /** The bytes of its heap that are in use when all garbage is collected. */
  heapUsed(): Promise<number>;
}

export async function startMeasuredGateway(databaseUrl: string): Promise<MeasuredGateway> {
  const script = resolve('test/operations/serve-and-measure.mjs');
  const child = fork(script, [resolve('dist'), databaseUrl], { execArgv: ['--expose-gc'] });
  const ended = once(child, 'exit');
  const answer = async (what: string) => {
    const gone = ended.then(([code, signal]) => {
      throw new Error(`the gateway ended with ${code ?? signal}`);
    });
    const [told] = await within(Promise.race([once(child, 'message'), gone]), what);
    return told;
  };
  const url: string = await answer('the start of the gateway');
  return {
    url,
    heapUsed() {
      const told = answer('the measurement of the heap');
      child.send('heap');
      return told;
    },
    async [Symbol.asyncDispose]() {
      // It closes when nobody is left to ask it.
      if (child.connected) child.disconnect();
      await within(ended, 'the end of the gateway').catch(() => child.kill('SIGKILL'));
    },
  };
}
