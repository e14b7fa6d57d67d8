import { type Signal, useComputed } from '@preact/signals';
import { useAsked } from '../asked.ts';
import { graphql } from '../graphql.ts';

const TimeOfBlock = graphql(`
  query TimeOfBlock($at: Uint64) { asOf(height: $at) { block { timestamp } } }
`);

/** The time of the block that is shown, in nanoseconds; null until it is known. */
export function useShownTime(): Signal<bigint | null> {
  const asked = useAsked(TimeOfBlock, {});
  return useComputed(() => {
    const time = asked.value.data?.asOf?.block?.timestamp;
    return time === undefined ? null : BigInt(time);
  });
}
