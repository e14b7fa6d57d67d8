/**
 * How long a test waits for one thing. It is for what hangs, not for what is slow: far more than anything takes, also on
 * a machine with much else to do; and well below what a whole test may take (`vitest.config.ts`).
 */
export const HANG_MS = 120_000;
