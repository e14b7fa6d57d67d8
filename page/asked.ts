import { effect, type ReadonlySignal, type Signal, signal, useSignal } from '@preact/signals';
import { useContext, useEffect } from 'preact/hooks';
import { ask, blockNamedBy, isForgotten } from './connection.ts';
import type { Operation } from './graphql.ts';
import { block } from './network.ts';
import { at } from './place.ts';
import { SightContext } from './sight.tsx';

/** What was asked, as it is known by now. */
export interface Asked<Data> {
  /** The last answer; null before the first. */
  readonly data: Data | null;
  /** Why there is no newer one; null where there is. */
  readonly error: Error | null;
  /** What was asked. */
  readonly operation: Operation<unknown, never>;
  /** What the operation was asked with, for whoever wants to ask it too. */
  readonly variables: Readonly<Record<string, unknown>>;
}

/** What names its block by itself, as `height`, is asked as the newest is, whatever block is shown; and no more once that is forgotten. */
export const OF_NEWEST: ReadonlySignal<string | null> = signal(null);

/**
 * Asks an operation as of the block that is shown: `query ($at: Uint64, ...) { asOf(height: $at) { ... } }`, where null is the newest. It
 * is asked again when another block is shown, and at each new block while that is the newest or none yet, or there was no answer, and
 * somebody can see it; one question at a time. The last answer stays until the next one is there, and for good where it is final.
 */
export function useAsked<Data, Variables>(
  operation: Operation<Data, Variables>,
  variables: Omit<Variables, 'at'>,
  isFinal: (data: Data) => boolean = () => false,
  asOf: ReadonlySignal<string | null> = at,
): Signal<Asked<Data>> {
  const asked = useSignal<Asked<Data>>({ data: null, error: null, operation, variables });
  const { isSeen } = useContext(SightContext);
  const key = `${operation} ${JSON.stringify(variables)}`;
  useEffect(() => {
    let [isWanted, isAsking, isOver, isBehind] = [false, false, false, false];
    let askedAt: string | null | undefined;
    const askOn = async () => {
      isAsking = true;
      while (isWanted && !isOver) {
        isWanted = false;
        const given: Readonly<Record<string, unknown>> = { ...variables, at: asOf.peek() };
        try {
          const data = await ask<Data, Variables>(operation, given as Variables);
          if (isOver) return;
          asked.value = { data, error: null, operation, variables: given };
          isOver = isFinal(data);
        } catch (error) {
          if (isOver) return;
          asked.value = { ...asked.peek(), error: error as Error, operation, variables: given };
          isOver = asOf === OF_NEWEST && isForgotten(error, given['height']);
        }
      }
      isAsking = false;
    };
    const stop = effect(() => {
      const newest = BigInt(block.value?.height ?? 0);
      const isOther = askedAt !== asOf.value;
      if (!isSeen.value && !isOther) return;
      // A block that is not there yet may be the next. What came to nothing is asked again, but where the block is what was wrong.
      const { error } = asked.peek();
      const hasFailed = error !== null && blockNamedBy(error) === null;
      if (!isOther && !isBehind && !hasFailed) return;
      isBehind = asOf.value === null || BigInt(asOf.value) > newest;
      askedAt = asOf.value;
      isWanted = true;
      if (!isAsking) void askOn();
    });
    return () => {
      isOver = true;
      stop();
    };
  }, [key]);
  return asked;
}
