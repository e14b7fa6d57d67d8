import type { Hindrance } from '../data/writing/hold-ups.ts';
import { FaultError, type IngestError } from './events.ts';

/** What hinders an ingest that has come to a block, apart from the words: of an error that a source or its blocks threw. */
export function hindranceOf(error: IngestError, lastBlock: { readonly height: bigint } | null): Hindrance {
  const next = lastBlock === null ? null : lastBlock.height + 1n;
  if (!(error instanceof FaultError)) {
    return { ...NO_EVENT, height: next, reason: error.message, place: '' };
  }
  const { place, height, reason, event } = error.fault;
  const title = event?.title ?? null;
  return {
    height: height === null ? next : BigInt(height),
    reason: title === null ? reason : `${title}: ${reason}`,
    place,
    kind: event?.kind ?? null,
    field: event?.field ?? null,
    value: event?.value ?? null,
    isSkippable: event?.isContained ?? false,
  };
}

const NO_EVENT = { kind: null, field: null, value: null, isSkippable: false } as const;
