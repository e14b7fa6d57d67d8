import { delayBefore } from '../backoff.ts';
import type { Environment } from '../environment.ts';
import { classify, RefusedError } from '../errors.ts';
import type { Asked, Block } from '../messages.ts';
import { query } from '../query.ts';

/** Stands for how rows are kept; another one makes what was kept before void. */
const FORM = 1;
/** A gateway that is there has answered by then. */
const ANSWER_MS = 2_000;

/** Tells apart what is followed: the subscription, with its fields, and all that it takes. */
export function nameOf({ query, variables }: Asked): string {
  return JSON.stringify([FORM, query, variables]);
}

/**
 * Whether the network has this block: its time is no other's. Null where the gateway that is asked, another at each attempt, does not
 * answer; the next attempt waits before it asks.
 */
export async function isOfNetwork(
  { height, timestamp }: Block,
  { urls, environment }: Asked,
  signal: AbortSignal,
  attempt: number,
): Promise<boolean | null> {
  if (attempt > 0) await pause(environment, delayBefore(attempt - 1, 0, environment.random()), signal);
  const url = urls[attempt % urls.length] as string;
  const bounds = { url, environment, signal, timeoutMs: ANSWER_MS, attempts: 1 };
  try {
    const { block } = await query<{ readonly block: Pick<Block, 'timestamp'> | null }>(
      'query ($height: Uint64) { block(height: $height) { timestamp } }',
      { ...bounds, variables: { height } },
    );
    return block?.timestamp === timestamp;
  } catch (error) {
    const passes = error instanceof RefusedError && ['lost', 'exhausted'].includes(classify(error.errors));
    if (passes || signal.aborted) return null;
    throw error;
  }
}

/** Also ends with the signal. */
function pause({ after }: Environment, milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const stop = after(milliseconds, resolve);
    const leave = () => {
      stop();
      resolve();
    };
    signal.addEventListener('abort', leave, { once: true });
  });
}
