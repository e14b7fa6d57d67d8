import { delayBefore, pause } from '../backoff.ts';
import { classify, RefusedError } from '../errors.ts';
import type { Asked, Block } from '../messages.ts';
import { query } from '../query.ts';

/** Stands for how rows are kept; another one makes what was kept before void. */
const FORM = 1;
/** A gateway that is there has answered by then. */
const ANSWER_MS = 2_000;

export const BLOCK_OF_NETWORK =
  'query ($height: Uint64) { block(height: $height) { timestamp } newest: block { height } }';

interface Blocks {
  readonly block: Pick<Block, 'timestamp'> | null;
  readonly newest: Pick<Block, 'height'> | null;
}

/** Tells apart what is followed: the subscription, with its fields, and all that it takes. */
export function nameOf({ query, variables }: Asked): string {
  return JSON.stringify([FORM, query, variables]);
}

/**
 * Whether the network has this block: its time is no other's. Null where the gateway that is asked, another at each attempt, does not
 * answer, and `behind` where it has not come to the block yet; the next attempt waits before it asks.
 */
export async function isOfNetwork(
  { height, timestamp }: Block,
  { urls, environment }: Asked,
  signal: AbortSignal,
  attempt: number,
): Promise<boolean | 'behind' | null> {
  if (attempt > 0) await pause(environment, delayBefore(attempt - 1, 0, environment.random()), signal);
  const url = urls[attempt % urls.length] as string;
  const bounds = { url, environment, signal, timeoutMs: ANSWER_MS, attempts: 1 };
  try {
    const { block, newest } = await query<Blocks>(BLOCK_OF_NETWORK, { ...bounds, variables: { height } });
    if (block === null && BigInt(newest?.height ?? 0) < BigInt(height)) return 'behind';
    return block?.timestamp === timestamp;
  } catch (error) {
    const passes = error instanceof RefusedError && ['lost', 'exhausted'].includes(classify(error.errors));
    if (passes || signal.aborted) return null;
    throw error;
  }
}
