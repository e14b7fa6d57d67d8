import { fork } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';
import { within } from './message-queue.ts';

/** What a gateway holds when all garbage is collected. */
export interface Measurement {
  /** In bytes. */
  readonly heapUsed: number;
  readonly rss: number;
  readonly openStreams: number;
  /** What keeps its event loop going, by kind: sockets, timers, servers. */
  readonly handles: Readonly<Record<string, number>>;
  /** Live objects on its heap, by kind; every listener and every callback is a function. */
  readonly objects: Readonly<Record<string, number>>;
  /** What Node warned of since it started, such as too many listeners. */
  readonly warnings: readonly string[];
}

/** A gateway in a process of its own, of which a test can ask how much it holds. */
export interface MeasuredGateway extends AsyncDisposable {
  readonly url: string;
  /** How it ended, and what it said last; null while it runs. */
  readonly end: string | null;
  /** The bytes of its heap that are in use when all garbage is collected. */
  heapUsed(): Promise<number>;
  /** `heap` counts no objects: to count them walks the whole heap, for seconds. */
  measure(what?: 'all' | 'heap'): Promise<Measurement>;
}

const SAID = 4000;

/** Starts one over a database, with these settings. */
export async function startMeasuredGateway(
  databaseUrl: string,
  settings: Readonly<Record<string, string>> = {},
): Promise<MeasuredGateway> {
  const script = resolve('test/support/serve-and-measure.mjs');
  const child = fork(script, [resolve('dist'), databaseUrl, JSON.stringify(settings)], {
    execArgv: ['--expose-gc'],
    stdio: ['ignore', 'inherit', 'pipe', 'ipc'],
  });
  let said = '';
  child.stderr?.on('data', (chunk) => {
    said = (said + chunk).slice(-SAID);
  });
  let end: string | null = null;
  const ended = once(child, 'exit').then(([code, signal]) => {
    end = `it ended with ${code ?? signal}: ${said}`;
  });
  const answer = async (what: string) => {
    const gone = ended.then(() => {
      throw new Error(`no gateway any more: ${end}`);
    });
    const [told] = await within(Promise.race([once(child, 'message'), gone]), what);
    return told;
  };
  const url: string = await answer('the start of the gateway');
  const measure = (what: 'all' | 'heap' = 'all'): Promise<Measurement> => {
    const told = answer('the measurement');
    child.send(what);
    return told;
  };
  return {
    url,
    get end() {
      return end;
    },
    measure,
    heapUsed: async () => (await measure('heap')).heapUsed,
    async [Symbol.asyncDispose]() {
      // It closes when nobody is left to ask it.
      if (child.connected) child.disconnect();
      await within(ended, 'the end of the gateway').catch(() => child.kill('SIGKILL'));
    },
  };
}
