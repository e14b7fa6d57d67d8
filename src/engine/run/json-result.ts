import type { ExecutionResult } from 'graphql';
import type { QueryOutcome } from '../question.ts';

/** A result that has its JSON ready. */
interface WithJson extends ExecutionResult {
  readonly stringify?: () => string;
}

/** What a query came to as an object: one that is text already has no data, and says its JSON. */
export function resultOf(outcome: QueryOutcome): ExecutionResult {
  if (outcome.kind === 'result') return outcome.result;
  return Object.defineProperties({} as ExecutionResult, {
    outcome: { value: outcome },
    stringify: { value: () => `{"data":${outcome.data.join('')}}` },
  });
}

/** The JSON of the data that a query came to. Throws what it failed with: half an answer would be taken for a whole one. */
export function jsonOfData(outcome: QueryOutcome): string {
  if (outcome.kind === 'text') return outcome.data.join('');
  const { data, errors } = outcome.result;
  const [error] = errors ?? [];
  if (error !== undefined) throw error;
  return JSON.stringify(data);
}

/** Of an outcome that nothing is known of. */
export const NOT_KEPT = { tags: null, asOf: null, isFinal: false } as const;

/** The outcome that `resultOf` was given; a new one for any other result. */
export function outcomeOf(result: ExecutionResult): QueryOutcome {
  return (result as { readonly outcome?: QueryOutcome }).outcome ?? { kind: 'result', result, ...NOT_KEPT };
}

/** The JSON of a result. */
export function jsonOf(result: ExecutionResult): string {
  return (result as WithJson).stringify?.() ?? JSON.stringify(result);
}
