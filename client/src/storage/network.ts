import { classify, RefusedError } from '../errors.ts';
import type { Asked, Block } from '../follower.ts';
import { query } from '../query.ts';

/** Stands for how rows are kept; another one makes what was kept before void. */
const FORM = 1;
/** A gateway that is there has answered by then. */
const ANSWER_MS = 2_000;

/** Tells apart what is followed: the subscription, with its fields, and all that it takes. */
export function nameOf({ query, variables }: Asked): string {
  return JSON.stringify([FORM, query, variables]);
}

/** Whether the network has this block: its time is no other's. Null where no gateway answers. */
export async function isOfNetwork(
  { height, timestamp }: Block,
  { urls, environment }: Asked,
  signal: AbortSignal,
  attempts = 6,
): Promise<boolean | null> {
  try {
    const { block } = await query<{ readonly block: Pick<Block, 'timestamp'> | null }>(
      'query ($height: Uint64) { block(height: $height) { timestamp } }',
      {
        url: urls,
        variables: { height },
        environment,
        signal,
        timeoutMs: ANSWER_MS * attempts,
        attempts: attempts * urls.length,
      },
    );
    return block?.timestamp === timestamp;
  } catch (error) {
    const passes = error instanceof RefusedError && ['lost', 'exhausted'].includes(classify(error.errors));
    if (passes || signal.aborted) return null;
    throw error;
  }
}
