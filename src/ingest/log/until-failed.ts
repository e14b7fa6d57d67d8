/**
 * Does work until it ends, or what it needs has failed: then the work is told by its signal, waited for, and the failure thrown. It is
 * told of the other signal's abort as well.
 */
export async function untilFailed(
  failed: Promise<never>,
  outer: AbortSignal,
  work: (signal: AbortSignal) => Promise<void>,
): Promise<void> {
  const stop = new AbortController();
  const working = work(AbortSignal.any([outer, stop.signal]));
  try {
    await Promise.race([working, failed]);
  } finally {
    stop.abort();
    await working.catch(() => undefined);
  }
}
