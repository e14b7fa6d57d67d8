/** Of the field's standard error details what programs act upon. */
export interface ErrorDetail {
  readonly '@type'?: string;
  readonly retryDelay?: string;
  /** `NO_SUCH_BLOCK`, or `BLOCK_NOT_KEPT`. */
  readonly reason?: string;
  /** With such a reason: `firstHeight` and `newestHeight` of the blocks that can be asked about. */
  readonly metadata?: Readonly<Record<string, string>>;
}

/** An error as GraphQL sends it. */
export interface SentError {
  readonly message: string;
  readonly extensions?: {
    readonly code?: string;
    readonly details?: readonly ErrorDetail[];
  };
}

/** What the gateway refuses, in its own words. */
export class RefusedError extends Error {
  override readonly name = 'RefusedError';
  /** As gRPC names it: `INVALID_ARGUMENT`. */
  readonly code: string;
  readonly errors: readonly SentError[];

  constructor(errors: readonly SentError[]) {
    const [first] = errors;
    super(first?.message ?? 'Refused without a word.');
    this.code = first?.extensions?.code ?? 'UNKNOWN';
    this.errors = errors;
  }
}

/** What passes by itself: the same can be asked again. */
const PASSING = new Set([
  'UNAVAILABLE',
  'ABORTED',
  'CANCELLED',
  'DEADLINE_EXCEEDED',
  'INTERNAL',
  'DATA_LOSS',
]);

/**
 * A gateway that is behind the cursor comes to it. Where none does for so many times in a row, it is of another chain, or of a
 * database that was set back.
 */
export const MOST_BEHIND = 30;

/** What errors mean to somebody who follows. */
export function classify([first]: readonly SentError[]):
  | 'lost'
  | 'exhausted'
  | 'forgotten'
  | 'behind'
  | 'refused' {
  const { code = '', details = [] } = first?.extensions ?? {};
  if (code === 'OUT_OF_RANGE')
    return details.some(({ reason }) => reason === 'NO_SUCH_BLOCK') ? 'behind' : 'forgotten';
  if (code === 'RESOURCE_EXHAUSTED') return 'exhausted';
  return PASSING.has(code) ? 'lost' : 'refused';
}

/** In how many milliseconds the gateway asks to be tried again; 0 where it does not say. */
export function delayIn([first]: readonly SentError[]): number {
  const told = first?.extensions?.details?.find(({ retryDelay }) => retryDelay !== undefined)?.retryDelay;
  return Math.ceil(Number.parseFloat(told ?? '') * 1000) || 0;
}
