import { Backoff } from '../../backoff.ts';
import { GatewayError } from '../../errors.ts';

/** A server that hears or says nothing for so long is gone. */
export const SILENCE_MS = 60_000;
/** A longer text of one, as a manifest, is not held. */
export const MOST_TEXT_BYTES = 256 * 2 ** 20;
/** For so long what fails for the network's or a server's sake is tried again. */
const TRY_FOR_MS = 120_000;
const SAID = 'it is tried again for two minutes';
const FIRST_WAIT_MS = 500;
const LONGEST_WAIT_MS = 10_000;

export interface Retries {
  readonly signal: AbortSignal;
  /** Is told, in a sentence, of what failed and is tried again: the first time, and not the next ones. */
  readonly onRetry?: (sentence: string) => void;
}

/**
 * Does what reaches over a network, and again where that fails. Throws UNAVAILABLE, which says what failed (`X cannot be fetched`) and why,
 * when that went on for two minutes. A GatewayError of the attempt is of what would be so again: it is thrown as it is.
 */
export async function retrying<Result>(
  what: string,
  { signal, onRetry }: Retries,
  attempt: () => Promise<Result>,
): Promise<Result> {
  const backoff = new Backoff({
    ...{ firstMs: FIRST_WAIT_MS, limitMs: LONGEST_WAIT_MS, deadlineMs: TRY_FOR_MS },
    ...{ jitter: true, signal },
  });
  for (let isFirst = true; ; isFirst = false) {
    try {
      return await attempt();
    } catch (error) {
      signal.throwIfAborted();
      if (error instanceof GatewayError) throw error;
      const failed = `${what}: ${reasonOf(error as Error)}`;
      if (isFirst) onRetry?.(`${failed}; ${SAID}.`);
      if (!(await backoff.wait())) throw new GatewayError('UNAVAILABLE', `${failed}.`);
    }
  }
}

/** Whether a server may answer otherwise in a moment. Amazon has 400 for an upload that stalled, and others 408. */
export function mayPass(status: number, text = ''): boolean {
  if (status === 400) return text.includes('<Code>RequestTimeout</Code>');
  return status >= 500 || status === 429 || status === 408;
}

/** Of what is fetched, the cause says it. */
function reasonOf({ message, cause }: Error): string {
  return (cause as Error | undefined)?.message ?? message;
}
